//! `derate predict`.

mod llm;

use anyhow::{Error, anyhow};
use derate_model::operator::{self, Formats, Given, Mlp, Scores, extents};
use derate_model::predict::{Operators, Prediction, Setting};
use derate_model::quantity::ParseQuantity;
use derate_model::{Encoding, Mixture, Precision, present};

use super::platform::target;
use crate::args::{self, Format, Predict, PredictWorkload, ScoresIn};
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Predict) -> Result<Outcome, Error> {
    let (prediction, format) = match &args.workload {
        PredictWorkload::Gemv(args) => (gemv(args)?, args.setting.format),
        PredictWorkload::Gemm(args) => (gemm(args)?, args.setting.format),
        PredictWorkload::Attention(args) => (attention(args)?, args.setting.format),
        PredictWorkload::Mlp(args) => (mlp(args)?, args.setting.format),
        PredictWorkload::Llm(args) => (llm::run(args)?, args.setting.format),
        PredictWorkload::Models(args) => return llm::list(args),
    };
    match format {
        Format::Json => output::put_json(&prediction)?,
        Format::Text => output::put_document(&present::prediction(&prediction))?,
    }
    Ok(Outcome::Clean)
}

/// A quantity behind an option.
fn given<Q: ParseQuantity>(option: &str, text: Option<&String>) -> Result<Option<Q>, Error> {
    let read = text.map(|text| Q::parse_quantity(text).map_err(|e| anyhow!("--{option}: {e}")));
    read.transpose()
}

/// What all workloads have in common; `usual` is the precision where none is given.
fn setting(
    args: &args::PredictSetting,
    usual: Precision,
    table: Option<Encoding>,
) -> Result<Setting, Error> {
    let mixture = match &args.precision {
        Some(text) => Mixture::parse(text).map_err(|error| anyhow!("--precision: {error}"))?,
        None => Mixture::of(usual.into()),
    };
    let formats = Formats::new(mixture);
    let table = table.unwrap_or(formats.table);
    Ok(Setting {
        target: target(&args.platform)?,
        formats: formats.with_table(table),
        given: Given {
            bandwidth: given("bandwidth", args.bandwidth.as_ref())?,
            peak: given("peak", args.peak.as_ref())?,
            clock: given("clock", args.clock.as_ref())?,
            memory_efficiency: args.memory_efficiency,
            compute_efficiency: args.compute_efficiency,
        },
        command: output::command(),
    })
}

/// The usual precision of an operator.
const USUAL: Precision = Precision::FP16;

fn gemv(args: &args::Gemv) -> Result<Prediction, Error> {
    let [n, k] = match (&args.shape, args.n, args.k) {
        (Some(shape), ..) => extents(shape, "NxK").map_err(|error| anyhow!("--shape: {error}"))?,
        (None, Some(n), Some(k)) => [n, k],
        _ => return Err(anyhow!("give --n and --k, or --shape NxK")),
    };
    Operators(&setting(&args.setting, USUAL, None)?).gemv(n, k).map_err(Error::msg)
}

fn gemm(args: &args::Gemm) -> Result<Prediction, Error> {
    let [m, n, k] = match (&args.shape, args.m, args.n, args.k) {
        (Some(shape), ..) => {
            extents(shape, "MxNxK").map_err(|error| anyhow!("--shape: {error}"))?
        }
        (None, Some(m), Some(n), Some(k)) => [m, n, k],
        _ => return Err(anyhow!("give --m, --n and --k, or --shape MxNxK")),
    };
    Operators(&setting(&args.setting, USUAL, None)?).gemm(m, n, k).map_err(Error::msg)
}

fn scores(scores: ScoresIn) -> Scores {
    match scores {
        ScoresIn::Fused => Scores::Fused,
        ScoresIn::Written => Scores::Written,
    }
}

fn attention(args: &args::Attention) -> Result<Prediction, Error> {
    let attention = operator::Attention {
        batch: args.batch,
        heads: args.heads,
        kv_heads: args.kv_heads.unwrap_or(args.heads),
        head_dim: args.head_dim,
        queries: args.queries,
        keys: args.keys.unwrap_or(args.queries),
        causal: args.causal,
        window: args.window,
        scores: scores(args.scores),
    };
    Operators(&setting(&args.setting, USUAL, None)?).attention(&attention).map_err(Error::msg)
}

fn mlp(args: &args::Mlp) -> Result<Prediction, Error> {
    let mlp = Mlp {
        batch: args.batch,
        width: args.width,
        layers: args.layers,
        backward: !args.forward,
        apart: args.eager,
    };
    Operators(&setting(&args.setting, USUAL, None)?).mlp(&mlp).map_err(Error::msg)
}
