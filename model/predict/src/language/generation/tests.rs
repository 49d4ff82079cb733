use proptest::prelude::*;

use super::*;
use crate::language::Decoder;
use derate_units::{BytesPerSecond, Encoding, Mixture, OpsPerSecond};
use derate_workload::operator::{OperatorFormats, OperatorRoofs, Scores};

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

proptest! {
    /// The closed form is the sum over the steps, whatever roof holds attention and wherever it changes it.
    #[test]
    fn the_sum_is_that_of_the_steps(
        prompt in 1..300_u64, generate in 1..400_u64, batch in 1..5_u64,
        window in prop::option::of(1..500_u64),
        scores in prop::sample::select(vec![Scores::Fused, Scores::Written, Scores::Apart]),
        peak in 1e9..1e15_f64, known in any::<bool>(), scale in 0.001..1000.0_f64,
        kv in prop::sample::select(vec!["bf16", "fp8", "mxfp8", "int8-row"]),
    ) {
        let model = Decoder { window, ..Decoder::named("smollm2-135m").unwrap() };
        let mixture = Mixture { kv: Encoding::parse(kv).unwrap(), ..Mixture::parse("bf16").unwrap() };
        let peak = Some(OpsPerSecond(peak));
        let deployment = Deployment {
            model: &model,
            formats: OperatorFormats::new(mixture),
            roofs: OperatorRoofs {
                weights: peak,
                table: peak,
                activations: peak,
                cache: peak.filter(|_| known).map(|peak| peak * scale),
                bandwidth: BytesPerSecond(300e9),
            },
            scores,
        };
        let generation = Generation { batch, prompt, generate };
        let last = deployment.decode(batch, generation.context());
        // A step made from another one is that step, to the bit.
        let first = prompt + 1;
        prop_assert_eq!(deployment.decode_like(&last, batch, first), deployment.decode(batch, first));
        let sum = deployment.sum_decoding(&generation);
        let mut steps = OperationTotals::default();
        for context in prompt + 1..prompt + generate {
            steps.add(&deployment.decode(batch, context).totals());
        }
        prop_assert!(close(sum.flops.0, steps.flops.0), "{sum:?} {steps:?}");
        prop_assert!(close(sum.bytes.0, steps.bytes.0), "{sum:?} {steps:?}");
        prop_assert!(close(sum.seconds.0, steps.seconds.0), "{sum:?} {steps:?}");
        prop_assert!(close(sum.memory_bound.0, steps.memory_bound.0), "{sum:?} {steps:?}");
        prop_assert!(close(sum.memory.0, steps.memory.0));
        match (sum.compute, steps.compute) {
            (Some(sum), Some(steps)) => prop_assert!(close(sum.0, steps.0)),
            (sum, steps) => prop_assert_eq!(sum, steps),
        }
    }
}
