//! A processor whose file says what elements are widened to: prediction and comparison use the same peak.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_model::accuracy::Accuracy;
use derate_model::formats::{FormatQuestion, GivenFigures};
use derate_model::measurement::Measurement;
use derate_model::operator::{OperatorFormats, RoofOverrides, Shape};
use derate_model::predict::{Operators, Prediction, PredictionSetup};
use derate_model::{Mixture, Precision, Target};
use proptest::prelude::*;

const CPU: &str = r#"
name = "test"
title = "A processor of a test"
kind = "cpu"
[memory]
title = "DDR"
bandwidth = { value = "50 GB/s", provenance = "measured", source = "a test" }
[[peak]]
arithmetic = "fp32"
accumulate = "fp32"
engine = "loops"
rate = { value = "200 GFLOP/s", provenance = "measured", source = "a test" }
[[peak]]
arithmetic = "int16"
accumulate = "int32"
engine = "loops"
rate = { value = "300 GOP/s", provenance = "measured", source = "a test" }
[[unknown]]
arithmetic = "bf16"
reason = "nothing multiplies it here"
computed_as = "fp32"
[[unknown]]
arithmetic = "int8"
reason = "nothing multiplies it here"
computed_as = "int16"
"#;

fn predicted(text: &str, precision: &str, [m, n, k]: [u64; 3]) -> Prediction {
    let setting = PredictionSetup {
        target: Target::parse("test.toml", text).unwrap(),
        formats: OperatorFormats::new(Mixture::parse(precision).unwrap()),
        given: RoofOverrides::default(),
        command: String::new(),
    };
    Operators(&setting).predict_shape(&Shape::Gemm { m, n, k }).unwrap()
}

fn measured(precision: &str, ran: (&str, &str), [m, n, k]: [u64; 3]) -> Measurement {
    let (arithmetic, accumulate) = ran;
    serde_json::from_value(serde_json::json!({
        "schema": "derate.measurement/1", "kernel": "gemm", "provenance": "measured", "source": "a test",
        "device": { "kind": "cpu", "name": "x" },
        "runs": [{
            "gemm": { "m": m, "n": n, "k": k, "type": precision, "count": 1 },
            "computed": { "arithmetic": arithmetic, "accumulate": accumulate, "engine": "loops" },
            "seconds": [1.0],
        }],
    }))
    .unwrap()
}

proptest! {
    #[test]
    fn a_prediction_is_that_of_the_comparison(
        shape in prop::array::uniform3(1..5000_u64), which in 0..3_usize,
    ) {
        let (precision, ran) = [
            ("fp32", ("fp32", "fp32")), ("bf16", ("fp32", "fp32")), ("int8", ("int16", "int32")),
        ][which];
        let predicted = predicted(CPU, precision, shape);
        let files = [("g.json".to_owned(), measured(precision, ran, shape))];
        let target = Target::parse("test.toml", CPU).unwrap();
        let compared = Accuracy::of(&files, &target, String::new()).unwrap();
        let (own, other) = (&predicted.phases[0].totals, &compared.points[0]);
        let own_seconds = own.seconds.unwrap();
        prop_assert!((own_seconds / other.predicted_seconds - 1.0).abs() < 1e-12);
        prop_assert_eq!(own.bound, Some(other.bound));
        // What runs is named.
        let arithmetic = predicted.phases[0].operations[0].arithmetic.unwrap();
        prop_assert_eq!(Some(&arithmetic.key()), other.arithmetic.as_ref());
        // So do the formats' study and its ridge.
        let [m, n, k] = shape;
        let question = FormatQuestion {
            target: Some((&target, "test.toml")),
            subject: Some(Shape::Gemm { m, n, k }),
            mixtures: &[Mixture::parse(precision).unwrap()],
            points: &[], given: GivenFigures::default(), words: String::new()
        };
        let row = &question.study_formats().unwrap().rows[0];
        prop_assert_eq!(row.arithmetic, arithmetic);
        let seconds = row.compute_seconds.unwrap().0.max(row.memory_seconds.unwrap().0);
        prop_assert!((seconds / own_seconds.0 - 1.0).abs() < 1e-12);
    }
}

/// A file without the key is read as ever: what it does not say is unknown.
#[test]
fn nothing_is_widened_that_no_file_says() {
    let old = CPU.replace("computed_as = \"fp32\"", "");
    let totals = predicted(&old, "bf16", [64, 64, 64]).phases[0].totals.clone();
    assert_eq!((totals.seconds, totals.bound), (None, None));
    assert!(totals.unknown.unwrap().ends_with("is unknown: nothing multiplies it here"));
    assert!(predicted(&old, "int8", [64, 64, 64]).phases[0].totals.seconds.is_some());
    // Neither FP8 nor sums that no peak has.
    assert_eq!(predicted(CPU, "fp8", [64, 64, 64]).phases[0].totals.seconds, None);
    assert_eq!(predicted(CPU, "w=bf16,acc=fp16", [64, 64, 64]).phases[0].totals.seconds, None);
}

#[test]
fn what_elements_are_widened_to_has_a_peak_and_is_written_again() {
    let error =
        Target::parse("mine.toml", &CPU.replace("as = \"int16\"", "as = \"fp16\"")).unwrap_err();
    let line = 1 + CPU[..CPU.find("computed_as = \"int16\"").unwrap()].matches('\n').count();
    let said = format!("mine.toml:{line}: `computed_as` is FP16, which has no [[peak]]");
    assert!(error.to_string().starts_with(&said), "{error}");
    let Target::Processor(own) = Target::parse("mine.toml", CPU).unwrap() else { panic!("a CPU") };
    assert_eq!(own.computed_as(Precision::BF16), Precision::FP32);
    let again = Target::parse("again.toml", &own.to_toml()).unwrap();
    assert_eq!(again, Target::Processor(own));
}
