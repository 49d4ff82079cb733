//! Platform files of GPUs and CPUs: `derate platform`, `formats` and `predict` on what they say.
#![no_main]

use derate_fuzz::{show, text};
use derate_model::formats::Question;
use derate_model::operator::{Formats, Given, Shape};
use derate_model::predict::{Operators, Setting};
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
    let question =
        Question { target: Some((&target, "mine.toml")), subject, mixtures: &[], points: &[] };
    if let Ok(study) = question.answer() {
        let _ = serde_json::to_string(&study);
        show(&sections::formats(&study, sections::Figures::Without));
    }
    for arithmetic in arithmetics.into_iter().take(16) {
        let setting = Setting {
            target: target.clone(),
            formats: Formats::new(Mixture::of(Encoding::from(arithmetic))),
            given: Given::default(),
            command: String::new(),
        };
        if let Ok(prediction) = Operators(&setting).of(&Shape::Gemm { m: 64, n: 960, k: 2560 }) {
            let _ = serde_json::to_string(&prediction);
            show(&sections::prediction(&prediction));
        }
    }
});
