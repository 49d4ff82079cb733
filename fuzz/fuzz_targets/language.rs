//! `config.json` of language models: `derate predict llm` on what it says.
#![no_main]

use std::sync::OnceLock;

use derate_fuzz::{show, text};
use derate_model::language::sweep::LengthAxis;
use derate_model::language::{Decoder, Generation, GenerationCase, Logits};
use derate_model::operator::{OperatorFormats, RoofOverrides, Scores};
use derate_model::predict::{DecoderQuestion, PredictionSetup};
use derate_model::units::Seconds;
use derate_model::{Mixture, Precision, Target};
use derate_reports::sections;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    static TARGET: OnceLock<Target> = OnceLock::new();
    let model = match Decoder::parse("config.json", &text(data)) {
        Ok(model) => model,
        Err(error) => {
            let error = error.to_string();
            assert!(!error.contains('\n'), "an error is one sentence: {error}");
            return;
        }
    };
    let target = TARGET.get_or_init(|| Target::named("h100-sxm").expect("the catalogue has it"));
    let setting = PredictionSetup {
        target: target.clone(),
        formats: OperatorFormats::new(Mixture::of(model.dtype.unwrap_or(Precision::FP16).into())),
        given: RoofOverrides::default(),
        command: String::new(),
    };
    let question = DecoderQuestion {
        model: &model,
        case: GenerationCase {
            generation: Generation { batch: 3, prompt: 100, generate: 1_000_000 },
            context: None,
            logits: Logits::Last,
        },
        scores: Scores::Fused,
        measured: Some(Seconds(1.0)),
        axes: vec![LengthAxis::parse("batch=1,2").expect("it is an axis")],
        threads: 1,
    };
    match question.predict_decoder(&setting) {
        Ok(prediction) => {
            let _ = serde_json::to_string(&prediction);
            show(&sections::prediction(&prediction));
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "an error is one sentence: {error}")
        }
    }
});
