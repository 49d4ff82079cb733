//! `derate predict`.

mod batch;
mod llm;

use anyhow::{Error, anyhow};
use derate_model::operator::{
    Attention, GivenPeaks, Mlp, OperatorFormats, OperatorKind, RoofOverrides, Scores, Shape,
};
use derate_model::predict::{Operators, Prediction, PredictionSetup};
use derate_model::quantity::ParseQuantity;
use derate_model::{Encoding, Mixture, Precision, Target};
use derate_reports::sections;

use super::platform::find_target;
use crate::args::{self, Predict, PredictWorkload, ScoresIn};
use crate::output::{self, Outcome};

pub(crate) use batch::evaluate_runs;

pub(crate) fn run(args: &Predict) -> Result<Outcome, Error> {
    let (prediction, setting) = match &args.workload {
        PredictWorkload::Gemv(args) => predict_operator(gemv_shape(args)?, &args.setting)?,
        PredictWorkload::Gemm(args) => predict_operator(gemm_shape(args)?, &args.setting)?,
        PredictWorkload::Attention(args) => predict_operator(attention_shape(args), &args.setting)?,
        PredictWorkload::Mlp(args) => predict_operator(mlp_shape(args), &args.setting)?,
        #[cfg(feature = "parquet")]
        PredictWorkload::Llm(args) if args.points.parquet.is_some() => {
            return batch::write_points(args);
        }
        PredictWorkload::Llm(args) => (llm::predict_model(args)?, &args.setting),
        PredictWorkload::Models(args) => return llm::list_models(args),
    };
    output::put_screen_as(setting.format, setting.detail, &prediction, || {
        sections::prediction(&prediction)
    })?;
    Ok(Outcome::Clean)
}

/// A quantity behind an option.
fn parse_given<Q: ParseQuantity>(option: &str, text: Option<&String>) -> Result<Option<Q>, Error> {
    let read = text.map(|text| Q::parse_quantity(text).map_err(|e| anyhow!("--{option}: {e}")));
    read.transpose()
}

/// What all workloads have in common; `usual` is the precision where none is given.
fn read_setting(
    args: &args::PredictSetting,
    target: Target,
    usual: Precision,
    table: Option<Encoding>,
) -> Result<PredictionSetup, Error> {
    let mixture = match &args.precision {
        Some(text) => Mixture::parse(text).map_err(|error| anyhow!("--precision: {error}"))?,
        None => Mixture::of(usual.into()),
    };
    let formats = OperatorFormats::new(mixture);
    let table = table.unwrap_or(formats.table);
    Ok(PredictionSetup {
        target,
        formats: formats.with_table(table),
        given: RoofOverrides {
            bandwidth: parse_given("bandwidth", args.bandwidth.as_ref())?,
            peak: GivenPeaks::parse(&args.peak).map_err(|e| anyhow!("--peak: {e}"))?,
            clock: parse_given("clock", args.clock.as_ref())?,
            memory_efficiency: args.memory_efficiency,
            compute_efficiency: args.compute_efficiency,
        },
        command: output::command_line(),
    })
}

/// The usual precision of an operator.
pub(crate) const USUAL: Precision = Precision::FP16;

/// What the roofs allow it, and how that is printed.
fn predict_operator(
    shape: Shape,
    args: &args::PredictSetting,
) -> Result<(Prediction, &args::PredictSetting), Error> {
    let setting = read_setting(args, find_target(&args.platform)?, USUAL, None)?;
    let prediction = Operators(&setting).predict_shape(&shape).map_err(Error::msg)?;
    Ok((prediction, args))
}

fn parse_shape(kind: OperatorKind, text: &str) -> Result<Shape, Error> {
    Shape::parse(kind, text).map_err(|error| anyhow!("--shape: {error}"))
}

fn gemv_shape(args: &args::Gemv) -> Result<Shape, Error> {
    match (&args.shape, args.n, args.k) {
        (Some(text), ..) => parse_shape(OperatorKind::Gemv, text),
        (None, Some(n), Some(k)) => Ok(Shape::Gemv { n, k }),
        _ => Err(anyhow!("give --n and --k, or --shape NxK")),
    }
}

fn gemm_shape(args: &args::Gemm) -> Result<Shape, Error> {
    match (&args.shape, args.m, args.n, args.k) {
        (Some(text), ..) => parse_shape(OperatorKind::Gemm, text),
        (None, Some(m), Some(n), Some(k)) => Ok(Shape::Gemm { m, n, k }),
        _ => Err(anyhow!("give --m, --n and --k, or --shape MxNxK")),
    }
}

fn scores_place(scores: ScoresIn) -> Scores {
    match scores {
        ScoresIn::Fused => Scores::Fused,
        ScoresIn::Written => Scores::Written,
        ScoresIn::Apart => Scores::Apart,
    }
}

fn attention_shape(args: &args::Attention) -> Shape {
    Shape::Attention(Attention {
        batch: args.batch,
        heads: args.heads,
        kv_heads: args.kv_heads.unwrap_or(args.heads),
        head_dim: args.head_dim,
        queries: args.queries,
        keys: args.keys.unwrap_or(args.queries),
        causal: args.causal,
        window: args.window,
        scores: scores_place(args.scores),
    })
}

fn mlp_shape(args: &args::Mlp) -> Shape {
    Shape::Mlp(Mlp {
        batch: args.batch,
        width: args.width,
        layers: args.layers,
        backward: !args.forward,
        apart: args.eager,
    })
}
