//! Platform files of GPUs and CPUs: `derate platform`, `formats` and `predict` on what they say.
#![no_main]

use derate_fuzz::{show, text};
use derate_model::formats::{FormatQuestion, GivenFigures};
use derate_model::operator::{OperatorFormats, RoofOverrides, Shape};
use derate_model::predict::{Operators, PredictionSetup};
use derate_model::{Encoding, Mixture, Processor, Target};
use derate_reports::sections;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let processor = match Processor::parse("mine.toml", &text(data)) {
        Ok(processor) => processor,
        Err(error) => {
            let error = error.to_string();
            assert!(!error.contains('\n'), "an error is one sentence: {error}");
            return;
        }
    };
    let arithmetics: Vec<_> = processor.peaks.iter().map(|peak| peak.arithmetic).collect();
    let target = Target::Processor(Box::new(processor));
    let (data, document) = sections::platform(&target, "mine.toml");
    let _ = serde_json::to_string(&data);
    show(&document);
    let subject = Some(Shape::Gemm { m: 64, n: 960, k: 2560 });
    let question = FormatQuestion {
        target: Some((&target, "mine.toml")),
        subject,
        mixtures: &[],
        points: &[],
        given: GivenFigures::default(),
        words: String::new(),
    };
    if let Ok(study) = question.study_formats() {
        let _ = serde_json::to_string(&study);
        show(&sections::formats(&study, sections::Figures::Without));
    }
    for arithmetic in arithmetics.into_iter().take(16) {
        let setting = PredictionSetup {
            target: target.clone(),
            formats: OperatorFormats::new(Mixture::of(Encoding::from(arithmetic))),
            given: RoofOverrides::default(),
            command: String::new(),
        };
        if let Ok(prediction) =
            Operators(&setting).predict_shape(&Shape::Gemm { m: 64, n: 960, k: 2560 })
        {
            let _ = serde_json::to_string(&prediction);
            show(&sections::prediction(&prediction));
        }
    }
});
