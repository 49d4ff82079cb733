//! `derate predict`.

#[cfg(feature = "parquet")]
mod batch;
mod llm;

use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow, bail};
use derate_model::load;
use derate_model::measurement::{Measurement, profile};
use derate_model::operator::{
    Attention, GivenPeaks, Mlp, OperatorFormats, OperatorKind, RoofOverrides, Scores, Shape,
};
use derate_model::points::{self, MeasuredPoint};
use derate_model::predict::{HeldFigures, Operators, Prediction, PredictionSetup};
use derate_model::quantity::ParseQuantity;
use derate_model::{Encoding, Mixture, Precision, Target};
use derate_reports::sections;

use super::platform::find_target;
use super::report::{self, File};
use crate::args::{self, Predict, PredictWorkload, ScoresIn};
use crate::output::{self, Outcome};

#[cfg(feature = "parquet")]
pub(crate) use batch::tabulate_runs;

pub(crate) fn run(args: &Predict) -> Result<Outcome, Error> {
    let (mut prediction, setting) = match &args.workload {
        PredictWorkload::Gemv(args) => predict_operator(gemv_shape(args)?, &args.setting)?,
        PredictWorkload::Gemm(args) => predict_operator(gemm_shape(args)?, &args.setting)?,
        PredictWorkload::Attention(args) => {
            predict_operator(attention_shape(args)?, &args.setting)?
        }
        PredictWorkload::Mlp(args) => predict_operator(mlp_shape(args)?, &args.setting)?,
        #[cfg(feature = "parquet")]
        PredictWorkload::Llm(args) if args.points.parquet.is_some() => {
            return batch::write_points(args);
        }
        PredictWorkload::Llm(args) => (llm::predict_model(args)?, &args.setting),
        PredictWorkload::Models(args) => return llm::list_models(args),
    };
    prediction.hold_figures(read_held(setting, prediction.language.is_some())?);
    let wrote = setting.out.as_deref().map(|out| write_prediction(setting, out, &prediction));
    output::put_screen_as(setting.format, setting.detail, &prediction, || {
        sections::prediction(&prediction)
    })?;
    if let Some(wrote) = wrote {
        output::note(wrote?.trim_end());
    }
    Ok(Outcome::Clean)
}

/// What is held against a prediction; the time of a language model's run is read with its question.
fn read_held(args: &args::PredictSetting, is_model: bool) -> Result<HeldFigures, Error> {
    let name = |path: &Path| path.display().to_string();
    let mut counted = match &args.counted {
        Some(path) => profile::read_counters(&name(path), &load::read_text(path)?)?,
        None => Vec::new(),
    };
    if let (Some(kernel), Some(path)) = (&args.kernel, &args.counted) {
        let known: Vec<String> = counted.iter().map(|own| own.name.clone()).collect();
        counted.retain(|own| own.name.contains(kernel.as_str()));
        if counted.is_empty() {
            bail!(
                "--kernel {kernel}: {} has no such kernel, but {}",
                path.display(),
                known.join(", ")
            );
        }
    }
    let power = match &args.power {
        Some(path) => Some(profile::read_power(&name(path), &load::read_text(path)?)?),
        None => None,
    };
    if power.is_some() && args.measured.is_none() && counted.iter().all(|own| own.seconds.is_none())
    {
        bail!("--power needs a time: give --measured, or --counted with gpu__time_duration.sum");
    }
    Ok(HeldFigures {
        seconds: if is_model { None } else { parse_given("measured", args.measured.as_ref())? },
        counted,
        power,
        points: match &args.points {
            Some(path) => read_any_points(path)?,
            None => Vec::new(),
        },
    })
}

/// Points of a CSV file, or of a measurement.
pub(crate) fn read_any_points(path: &Path) -> Result<Vec<MeasuredPoint>, Error> {
    let (name, text) = (path.display().to_string(), load::read_text(path)?);
    if text.trim_start().starts_with('{') {
        let measurement = Measurement::parse(&name, &text)?;
        let points = points::list_points(&measurement);
        if points.is_empty() {
            bail!(
                "{name}: no run has operations and bytes, so there is no point: give what `derate bench gemv|gemm|attention|mlp --out` writes"
            );
        }
        return Ok(points);
    }
    Ok(points::read_points(&name, &text)?)
}

/// The page, the figure, the tables and the JSON; all or none.
fn write_prediction(
    args: &args::PredictSetting,
    out: &Path,
    prediction: &Prediction,
) -> Result<String, Error> {
    let document = sections::prediction_page(prediction);
    let mut json = serde_json::to_vec_pretty(prediction)?;
    json.push(b'\n');
    let mut files: Vec<File> = vec![
        ("prediction.html".to_owned(), derate_reports::render_html(&document)?),
        ("prediction.json".to_owned(), json),
    ];
    files.extend(report::picture_files(document.charts(), document.bars())?);
    files.extend(report::data_files(&sections::prediction_data(prediction))?);
    let inputs = [&args.points, &args.counted, &args.power].into_iter().flatten().cloned();
    report::write_files(out, &files, inputs.chain([PathBuf::from(&args.platform)]))
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

fn attention_shape(args: &args::Attention) -> Result<Shape, Error> {
    let own = match (&args.shape, args.heads, args.head_dim, args.queries) {
        (Some(text), ..) => match parse_shape(OperatorKind::Attention, text)? {
            Shape::Attention(own) => own,
            other => return Ok(other),
        },
        (None, Some(heads), Some(head_dim), Some(queries)) => Attention::fused([
            args.batch,
            heads,
            args.kv_heads.unwrap_or(heads),
            head_dim,
            queries,
            args.keys.unwrap_or(queries),
        ]),
        _ => bail!(
            "give --heads, --head-dim and --queries, or --shape {}",
            OperatorKind::Attention.form()
        ),
    };
    let scores = scores_place(args.scores);
    Ok(Shape::Attention(Attention { causal: args.causal, window: args.window, scores, ..own }))
}

fn mlp_shape(args: &args::Mlp) -> Result<Shape, Error> {
    let own = match (&args.shape, args.batch, args.width) {
        (Some(text), ..) => match parse_shape(OperatorKind::Mlp, text)? {
            Shape::Mlp(own) => own,
            other => return Ok(other),
        },
        (None, Some(batch), Some(width)) => {
            Mlp { batch, width, layers: args.layers, backward: false, apart: false }
        }
        _ => bail!("give --batch and --width, or --shape {}", OperatorKind::Mlp.form()),
    };
    Ok(Shape::Mlp(Mlp { backward: !args.forward, apart: args.eager, ..own }))
}
