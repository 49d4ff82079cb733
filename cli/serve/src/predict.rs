//! `POST /api/predict`: an operator or a language model under the roofs of a platform.

use std::fmt::Display;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use derate_model::language::{Decoder, Generation, GenerationCase, Logits, UsualPrecision};
use derate_model::operator::{OperatorFormats, Scores};
use derate_model::predict::{DecoderQuestion, Prediction, PredictionError};
use derate_model::{Mixture, Precision};

use crate::answer::{Answer, Refusal, answer_json};
use crate::fields::Fields;
use crate::platforms::NamedPlatform;
use crate::state::ServerState;
use crate::subject::{self, operator_setting};

/// The precision of an operator if the request names none.
const USUAL: Precision = Precision::FP16;

/// A mixture, with its text.
fn parse_mixture(text: &str) -> Result<(String, Mixture), impl Display + use<>> {
    Mixture::parse(text).map(|mixture| (text.to_owned(), mixture))
}

fn refuse_request(error: &PredictionError) -> Refusal {
    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
}

/// A decoder's run.
fn predict_model(fields: &Fields, on: Option<&NamedPlatform>) -> Result<Prediction, Refusal> {
    let model = fields.needed_by("model", Decoder::named);
    let prompt = fields.extent_or("prompt", 512);
    let generate = fields.extent_or("generate", 128);
    let batch = fields.extent_or("batch", 1);
    let precision = fields.given_by("precision", parse_mixture);
    let given = subject::read_roofs(fields);
    fields.finish_reading()?;
    let (on, model) = (Fields::expect_read(on)?, Fields::expect_read(model)?);
    let (prompt, generate) = (Fields::expect_read(prompt)?, Fields::expect_read(generate)?);
    let batch = Fields::expect_read(batch)?;
    let mut words = vec!["predict", "llm", "--model", model.name.as_str()];
    let numbers = [("--prompt", prompt), ("--generate", generate), ("--batch", batch)]
        .map(|(flag, number)| (flag, number.to_string()));
    words.extend(numbers.iter().flat_map(|(flag, number)| [*flag, number.as_str()]));
    words.extend(["--platform", on.word.as_str()]);
    if let Some((text, _)) = &precision {
        words.extend(["--precision", text.as_str()]);
    }
    let usual = UsualPrecision::choose(&model, &on.target);
    let own = precision.as_ref().map(|(_, mixture)| *mixture);
    let mixture = own.unwrap_or_else(|| Mixture::of(usual.precision.into()));
    let words = words.into_iter().map(str::to_owned).collect();
    let setting = operator_setting(&on.target, &OperatorFormats::new(mixture), words, &given);
    let question = DecoderQuestion {
        model: &model,
        case: GenerationCase {
            generation: Generation { batch, prompt, generate },
            context: None,
            logits: Logits::Last,
        },
        scores: Scores::Fused,
        measured: None,
        axes: Vec::new(),
        threads: 1,
    };
    let predicted = question.predict_decoder(&setting);
    let mut prediction = predicted.map_err(|error| refuse_request(&error))?;
    if own.is_none() {
        prediction.notes.insert(0, usual.sentence);
    }
    Ok(prediction)
}

/// What a request asks for.
fn predict_request(state: &ServerState, body: &[u8]) -> Result<Prediction, Refusal> {
    let fields = Fields::parse_body(body)?;
    let platform = fields.needed_by("platform", |name| state.platforms.find_platform(name));
    // A language model is not an operator.
    let kind = fields.needed_by("workload", |kind| match kind {
        "llm" => Ok(None),
        other => subject::parse_kind(other, &["llm"]).map(Some),
    });
    let Some(kind) = kind else {
        return Err(fields.blame_fields());
    };
    let Some(kind) = kind else {
        return predict_model(&fields, platform);
    };
    let precision = fields.given_by("precision", parse_mixture);
    let shape = subject::read_shape(kind, &fields);
    let given = subject::read_roofs(&fields);
    fields.finish_reading()?;
    let (on, shape) = (Fields::expect_read(platform)?, Fields::expect_read(shape)?);
    let usual = || (USUAL.key(), Mixture::of(USUAL.into()));
    let (text, mixture) = precision.unwrap_or_else(usual);
    let predicted = subject::predict_shape(&shape, on, mixture, &text, &given);
    predicted.map_err(|error| refuse_request(&error))
}

/// `POST /api/predict`.
pub(crate) async fn answer_predict(State(state): State<Arc<ServerState>>, body: Bytes) -> Answer {
    answer_json(&predict_request(&state, &body)?)
}
