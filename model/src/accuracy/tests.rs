use proptest::prelude::*;

use super::*;
use crate::measurement::{Computed, Device, DeviceKind, Gemm, Run};
use crate::operator::OperatorKind;
use crate::{Processor, ProcessorKind};

/// 50 GB/s, 200 GFLOP/s, a cache of 8 MB.
const CPU: &str = r#"
name = "test"
title = "A processor of a test"
kind = "cpu"
units = { value = 2, provenance = "measured", source = "a test" }
last_level_cache = { value = "8 MB", provenance = "measured", source = "a test" }
[memory]
title = "DDR"
bandwidth = { value = "50 GB/s", provenance = "measured", source = "a test" }
[[peak]]
arithmetic = "fp32"
accumulate = "fp32"
engine = "loops"
rate = { value = "200 GFLOP/s", provenance = "measured", source = "a test" }
"#;

fn target() -> Target {
    Target::parse("test.toml", CPU).unwrap()
}

fn measurement(kind: Kind, runs: Vec<Run>) -> Measurement {
    Measurement {
        schema: crate::measurement::Schema::V1,
        kernel: kind,
        device: Device { kind: DeviceKind::Cpu, name: "x".to_owned(), platform: None },
        provenance: Provenance::Measured,
        source: "a test".to_owned(),
        command: None,
        threads: Some(2),
        compute_units: None,
        ports: Vec::new(),
        kernel_clock: None,
        memory_clock: None,
        versions: crate::measurement::Versions::default(),
        runs,
    }
}

fn gemm(m: u64, n: u64, k: u64, seconds: f64) -> Run {
    let computed = Computed {
        arithmetic: "fp32".to_owned(),
        accumulate: "fp32".to_owned(),
        engine: "loops".to_owned(),
    };
    Run {
        gemm: Some(Gemm { m, n, k, precision: "bf16".to_owned(), count: 1 }),
        computed: Some(computed),
        seconds: vec![Seconds(seconds)],
        ..Run::default()
    }
}

/// `max(flops / (c P), bytes / (m B)) + launch` of bf16 operands.
fn modelled([m, n, k]: [u64; 3], (compute, memory, launch): (f64, f64, f64)) -> f64 {
    let [m_, n_, k_] = [m, n, k].map(|extent| extent as f64);
    let bytes = 2.0 * (m_ * k_ + k_ * n_ + m_ * n_);
    (2.0 * m_ * n_ * k_ / (compute * 200e9)).max(bytes / (memory * 50e9)) + launch
}

fn ladder() -> Vec<[u64; 3]> {
    let shapes = OperatorKind::Gemm.ladder().into_iter().filter_map(|shape| match shape {
        crate::operator::Shape::Gemm { m, n, k } => Some([m, n, k]),
        _ => None,
    });
    shapes.chain([[1, 4096, 4096], [1, 8192, 8192], [1, 1024, 2048], [2, 2048, 2048]]).collect()
}

fn compared(constants: (f64, f64, f64)) -> Accuracy {
    let runs = ladder().iter().map(|&s| gemm(s[0], s[1], s[2], modelled(s, constants))).collect();
    Accuracy::of(&[("g.json".to_owned(), measurement(Kind::Gemm, runs))], &target(), String::new())
        .unwrap()
}

#[test]
fn a_fit_finds_what_times_were_made_with() {
    let found = compared((0.5, 0.8, 20e-6));
    let group = &found.groups[0];
    let own = group.efficiency.unwrap();
    assert!((own.compute.unwrap() - 0.5).abs() < 0.01, "{own:?}");
    assert!((own.memory.unwrap() - 0.8).abs() < 0.02, "{own:?}");
    assert!((own.launch_seconds.unwrap().0 - 20e-6).abs() < 1e-6, "{own:?}");
    assert_eq!((group.arithmetic.as_str(), group.precision.as_str()), ("fp32", "bf16"));
    // Half the shapes were never seen, and are met all the same.
    let tested = group.errors.tested_after.unwrap();
    assert_eq!(tested.runs, ladder().len() / 2);
    assert!(tested.p90 < 0.02 && group.errors.tested_before.unwrap().median > 0.3, "{group:?}");
    assert_eq!(found.whole.tested_after.unwrap(), tested);
}

/// The prediction is the roofline of the arithmetic that ran, whatever the fit finds.
#[test]
fn the_prediction_stays_that_of_the_platform() {
    let found = compared((0.5, 0.8, 0.0));
    for point in &found.points {
        let roofline = (point.flops.0 / 200e9).max(point.bytes.0 / 50e9);
        assert!((point.predicted_seconds.0 / roofline - 1.0).abs() < 1e-12);
        let error = point.predicted_seconds.0 / point.measured_seconds.0 - 1.0;
        assert!((point.error - error).abs() < 1e-12);
    }
    // Every other shape, in the order of its operations.
    let halves: Vec<Half> = found.points.iter().map(|point| point.half.unwrap()).collect();
    assert!(halves.iter().step_by(2).all(|&half| half == Half::Fitted));
    assert!(halves.iter().skip(1).step_by(2).all(|&half| half == Half::Tested));
}

#[test]
fn median_and_ninetieth_are_nearest_ranks() {
    let errors = Errors::of((1..=10).map(f64::from)).unwrap();
    assert_eq!((errors.runs, errors.median, errors.p90, errors.mean), (10, 5.0, 9.0, 5.5));
    let one = Errors::of(std::iter::once(0.25)).unwrap();
    assert_eq!((one.median, one.p90), (0.25, 0.25));
    assert_eq!(Errors::of(std::iter::empty()), None);
}

/// A shape that was run twice is on one side, or the test would know what the fit saw.
#[test]
fn a_shape_is_on_one_side_only() {
    let runs: Vec<Run> = [1e-3, 2e-3]
        .iter()
        .flat_map(|&seconds| (1..=8).map(move |m| gemm(64 * m, 512, 512, seconds * m as f64)))
        .collect();
    let files = [("g.json".to_owned(), measurement(Kind::Gemm, runs))];
    let found = Accuracy::of(&files, &target(), String::new()).unwrap();
    for pair in found.points.chunks(2) {
        assert_eq!((&pair[0].shape, pair[0].half), (&pair[1].shape, pair[1].half));
    }
}

#[test]
fn what_cannot_be_compared_is_said() {
    let of = |measurement: Measurement| {
        Accuracy::of(&[("m.json".to_owned(), measurement)], &target(), String::new())
    };
    let run = gemm(8, 8, 8, 1.0);
    let emulated = Measurement {
        provenance: Provenance::Emulated,
        ..measurement(Kind::Gemm, vec![run.clone()])
    };
    assert!(of(emulated).unwrap_err().contains("m.json: its times are emulated"));
    let stream = measurement(Kind::Read, vec![Run { gemm: None, ..run.clone() }]);
    assert!(of(stream).unwrap_err().contains("names no operator"));
    let int8 = Gemm { precision: "int8".to_owned(), ..run.gemm.clone().unwrap() };
    let int8 = Run { gemm: Some(int8), computed: None, ..run.clone() };
    let error = of(measurement(Kind::Gemm, vec![int8.clone()])).unwrap_err();
    assert!(error.contains("m.json, runs[0]: the INT8 peak of A processor"), "{error}");
    // Beside one that can be, it is left out with its reason.
    let both = of(measurement(Kind::Gemm, vec![run, int8])).unwrap();
    assert_eq!((both.points.len(), both.left_out.len(), both.left_out[0].run), (1, 1, 1));
    assert!(both.notes.iter().any(|note| note.contains("fewer than 4 shapes")), "{:?}", both.notes);
    assert_eq!(target().processor().map(|own: &Processor| own.kind), Some(ProcessorKind::Cpu));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_fit_is_never_worse_on_what_it_saw_than_none(
        noise in prop::collection::vec(0.05..20.0_f64, 28)
    ) {
        let runs: Vec<Run> = ladder()
            .iter()
            .zip(&noise)
            .map(|(&s, noise)| gemm(s[0], s[1], s[2], modelled(s, (1.0, 1.0, 0.0)) * noise))
            .collect();
        let measurement = measurement(Kind::Gemm, runs);
        let cases: Vec<Case> = measurement
            .runs
            .iter()
            .map(|run| Case::of("g.json", &measurement, run, &target()).unwrap())
            .collect();
        let cases: Vec<&Case> = cases.iter().collect();
        let found = fit::fit(&cases);
        prop_assert!(fit::missed(&cases, &found) <= fit::missed(&cases, &Efficiency::ROOFLINE));
    }
}
