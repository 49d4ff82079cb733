//! `derate predict llm`.

use derate_model::load;
use std::path::Path;
use std::thread;

use anyhow::{Error, anyhow};
use derate_model::Encoding;
use derate_model::language::sweep::LengthAxis;
use derate_model::language::{Decoder, Generation, GenerationCase, Logits, UsualPrecision};
use derate_model::predict::{DecoderQuestion, LanguageModels, Prediction, PredictionSetup};
use derate_reports::sections;

use super::{find_target, parse_given, read_setting, scores_place};
use crate::args::{Llm, Models};
use crate::output::{self, Outcome};

/// The models that are built in.
pub(super) fn list_models(args: &Models) -> Result<Outcome, Error> {
    let models = Decoder::catalogue();
    let document = sections::language_models(&models);
    output::put_screen_as(args.format, args.detail, &LanguageModels::new(models), || document)?;
    Ok(Outcome::Clean)
}

/// A model of the catalogue, or of a file.
fn find_model(name: &str) -> Result<Decoder, Error> {
    let path = Path::new(name);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
        return Ok(Decoder::parse(name, &load::read_text(path)?)?);
    }
    Decoder::named(name).map_err(|error| anyhow!("{error}, or give the path of a config.json"))
}

/// What is asked of a model.
pub(super) struct Asked {
    model: Decoder,
    pub(super) setting: PredictionSetup,
    /// Which precision was taken as none was named.
    usual: UsualPrecision,
}

impl Asked {
    pub(super) fn of_args(args: &Llm) -> Result<Self, Error> {
        let model = find_model(&args.model)?;
        let table = args.head_precision.as_deref().map(|name| {
            let known = Encoding::parse(name);
            known.ok_or_else(|| anyhow!("--head-precision: {}", Encoding::describe_unknown(name)))
        });
        let target = find_target(&args.setting.platform)?;
        let usual = UsualPrecision::choose(&model, &target);
        let setting = read_setting(&args.setting, target, usual.precision, table.transpose()?)?;
        Ok(Self { model, setting, usual })
    }

    pub(super) fn question(&self, args: &Llm) -> Result<DecoderQuestion<'_>, Error> {
        let axes = args
            .sweep
            .iter()
            .map(|text| LengthAxis::parse(text).map_err(|error| anyhow!("--sweep {error}")))
            .collect::<Result<Vec<_>, _>>()?;
        let generation =
            Generation { batch: args.batch, prompt: args.prompt, generate: args.generate };
        Ok(DecoderQuestion {
            model: &self.model,
            case: GenerationCase {
                generation,
                context: args.context,
                logits: if args.all_logits { Logits::All } else { Logits::Last },
            },
            scores: scores_place(args.scores),
            measured: parse_given("measured", args.setting.measured.as_ref())?,
            axes,
            threads: thread::available_parallelism().map_or(1, usize::from),
        })
    }
}

pub(super) fn predict_model(args: &Llm) -> Result<Prediction, Error> {
    let asked = Asked::of_args(args)?;
    let question = asked.question(args)?;
    let mut prediction = question.predict_decoder(&asked.setting).map_err(Error::msg)?;
    if args.setting.precision.is_none() {
        prediction.notes.insert(0, asked.usual.sentence);
    }
    Ok(prediction)
}
