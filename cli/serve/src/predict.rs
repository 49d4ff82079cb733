//! `POST /api/predict`: an operator or a language model under the roofs of a platform.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use derate_model::language::{Case, Decoder, Generation, Logits};
use derate_model::operator::{Formats, Scores};
use derate_model::predict::{Prediction, Question};
use derate_model::{Mixture, Precision};

use crate::answer::{Answer, Refusal, found};
use crate::fields::Fields;
use crate::platforms::NamedPlatform;
use crate::state::ServerState;
use crate::subject::{self, setting};

/// The precision of an operator if the request names none.
const USUAL: Precision = Precision::FP16;

fn wrong(error: String) -> Refusal {
    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error)
}

/// A decoder's run.
fn llm(fields: &Fields, on: Option<&NamedPlatform>) -> Result<Prediction, Refusal> {
    let model = fields.needed_by("model", |name| Decoder::named(name).map_err(|e| e.to_string()));
    let prompt = fields.extent_or("prompt", 512);
    let generate = fields.extent_or("generate", 128);
    let batch = fields.extent_or("batch", 1);
    let precision =
        fields.given_by("precision", |text| Ok((text.to_owned(), Mixture::parse(text)?)));
    fields.finish()?;
    let (on, model) = (Fields::had(on)?, Fields::had(model)?);
    let (prompt, generate) = (Fields::had(prompt)?, Fields::had(generate)?);
    let batch = Fields::had(batch)?;
    let mut words = vec!["predict", "llm", "--model", model.name.as_str()];
    let numbers = [("--prompt", prompt), ("--generate", generate), ("--batch", batch)]
        .map(|(flag, number)| (flag, number.to_string()));
    words.extend(numbers.iter().flat_map(|(flag, number)| [*flag, number.as_str()]));
    words.extend(["--platform", on.word.as_str()]);
    if let Some((text, _)) = &precision {
        words.extend(["--precision", text.as_str()]);
    }
    let usual = || Mixture::of(model.dtype.unwrap_or(Precision::FP16).into());
    let mixture = precision.as_ref().map_or_else(usual, |(_, mixture)| *mixture);
    let words = words.into_iter().map(str::to_owned).collect();
    let setting = setting(&on.target, &Formats::new(mixture), words);
    let question = Question {
        model: &model,
        case: Case {
            generation: Generation { batch, prompt, generate },
            context: None,
            logits: Logits::Last,
        },
        scores: Scores::Fused,
        measured: None,
        axes: Vec::new(),
        threads: 1,
    };
    question.answer(&setting).map_err(wrong)
}

/// What a request asks for.
fn predicted(state: &ServerState, body: &[u8]) -> Result<Prediction, Refusal> {
    let fields = Fields::read(body)?;
    let platform = fields.needed_by("platform", |name| state.platforms.named(name));
    // A language model is no operator.
    let kind = fields.needed_by("workload", |kind| match kind {
        "llm" => Ok(None),
        other => subject::kind(other, &["llm"]).map(Some),
    });
    let Some(kind) = kind else {
        return Err(fields.blame());
    };
    let Some(kind) = kind else {
        return llm(&fields, platform);
    };
    let precision =
        fields.given_by("precision", |text| Ok((text.to_owned(), Mixture::parse(text)?)));
    let shape = subject::read(kind, &fields);
    fields.finish()?;
    let (on, shape) = (Fields::had(platform)?, Fields::had(shape)?);
    let usual = || (USUAL.key(), Mixture::of(USUAL.into()));
    let (text, mixture) = precision.unwrap_or_else(usual);
    subject::predict(&shape, on, mixture, &text).map_err(wrong)
}

/// `POST /api/predict`.
pub(crate) async fn predict(State(state): State<Arc<ServerState>>, body: Bytes) -> Answer {
    found(&predicted(&state, &body)?)
}
