//! `derate predict`.

mod llm;

use anyhow::{Error, anyhow};
use derate_model::operator::{Attention, Formats, Given, Mlp, OperatorKind, Scores, Shape};
use derate_model::predict::{Operators, Prediction, Setting};
use derate_model::quantity::ParseQuantity;
use derate_model::{Encoding, Mixture, Precision};
use derate_reports::sections;

use super::platform::target;
use crate::args::{self, Format, Predict, PredictWorkload, ScoresIn};
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Predict) -> Result<Outcome, Error> {
    let (prediction, format) = match &args.workload {
        PredictWorkload::Gemv(args) => operator(gemv(args)?, &args.setting)?,
        PredictWorkload::Gemm(args) => operator(gemm(args)?, &args.setting)?,
        PredictWorkload::Attention(args) => operator(attention(args), &args.setting)?,
        PredictWorkload::Mlp(args) => operator(mlp(args), &args.setting)?,
        PredictWorkload::Llm(args) => (llm::run(args)?, args.setting.format),
        PredictWorkload::Models(args) => return llm::list(args),
    };
    match format {
        Format::Json => output::put_json(&prediction)?,
        Format::Text => output::put_document(&sections::prediction(&prediction))?,
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
pub(crate) const USUAL: Precision = Precision::FP16;

/// What the roofs allow it, and how that is printed.
fn operator(shape: Shape, args: &args::PredictSetting) -> Result<(Prediction, Format), Error> {
    let prediction = Operators(&setting(args, USUAL, None)?).of(&shape).map_err(Error::msg)?;
    Ok((prediction, args.format))
}

fn parsed(kind: OperatorKind, text: &str) -> Result<Shape, Error> {
    Shape::parse(kind, text).map_err(|error| anyhow!("--shape: {error}"))
}

fn gemv(args: &args::Gemv) -> Result<Shape, Error> {
    match (&args.shape, args.n, args.k) {
        (Some(text), ..) => parsed(OperatorKind::Gemv, text),
        (None, Some(n), Some(k)) => Ok(Shape::Gemv { n, k }),
        _ => Err(anyhow!("give --n and --k, or --shape NxK")),
    }
}

fn gemm(args: &args::Gemm) -> Result<Shape, Error> {
    match (&args.shape, args.m, args.n, args.k) {
        (Some(text), ..) => parsed(OperatorKind::Gemm, text),
        (None, Some(m), Some(n), Some(k)) => Ok(Shape::Gemm { m, n, k }),
        _ => Err(anyhow!("give --m, --n and --k, or --shape MxNxK")),
    }
}

fn scores(scores: ScoresIn) -> Scores {
    match scores {
        ScoresIn::Fused => Scores::Fused,
        ScoresIn::Written => Scores::Written,
        ScoresIn::Apart => Scores::Apart,
    }
}

fn attention(args: &args::Attention) -> Shape {
    Shape::Attention(Attention {
        batch: args.batch,
        heads: args.heads,
        kv_heads: args.kv_heads.unwrap_or(args.heads),
        head_dim: args.head_dim,
        queries: args.queries,
        keys: args.keys.unwrap_or(args.queries),
        causal: args.causal,
        window: args.window,
        scores: scores(args.scores),
    })
}

fn mlp(args: &args::Mlp) -> Shape {
    Shape::Mlp(Mlp {
        batch: args.batch,
        width: args.width,
        layers: args.layers,
        backward: !args.forward,
        apart: args.eager,
    })
}
