//! A synthesised kernel in `derate.hls/1`.

use derate_design::LoopPair;
use derate_hls::Figure;
use serde::Serialize;

use super::figures::{error, list_resources, reported, used, worst};
use super::{ModelledSide, SynthesisStudy, pairs_of};

/// A kernel as its reports have it, with the modelled figures where the source is there.
#[derive(Debug, Serialize)]
pub struct SynthesisReport {
    top: String,
    provenance: &'static str,
    reports: Vec<String>,
    part: Option<String>,
    tool: Option<String>,
    clock_ns: Option<f64>,
    latency: Option<Figure>,
    interval: Option<Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<u64>,
    resources: Vec<ResourceReport>,
    loops: Vec<LoopReport>,
    /// Modules of other runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_over: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modelled: Option<ModelledReport>,
}

#[derive(Debug, Serialize)]
struct ResourceReport {
    resource: &'static str,
    value: Option<f64>,
    available: Option<Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modelled: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
}

#[derive(Debug, Serialize)]
struct LoopReport {
    label: String,
    function: String,
    nest: usize,
    trip: Option<Figure>,
    ii: Option<Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ii_target: Option<Figure>,
    depth: Option<Figure>,
    cycles: Option<Figure>,
    runs: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modelled: Option<ModelledLoop>,
}

#[derive(Debug, Serialize)]
struct ModelledLoop {
    function: String,
    file: String,
    line: u32,
    trip_min: Option<f64>,
    trip_max: Option<f64>,
    ii: Option<u64>,
    depth: f64,
    cycles: Option<f64>,
    error: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ModelledReport {
    provenance: &'static str,
    sources: Vec<String>,
    /// What the tool would report.
    reported: Option<f64>,
    /// What hardware takes.
    expected: Option<f64>,
    error: Option<f64>,
    /// What shows that the reports are of another version of the source.
    stale: Vec<String>,
    notes: Vec<String>,
}

impl SynthesisReport {
    pub(super) fn of_study(study: &SynthesisStudy<'_>) -> Self {
        let one = study.synthesis;
        let pairs = pairs_of(study);
        let side = study.modelled.as_ref();
        let resources = list_resources(one, side.map(|side| &side.answer.resources));
        Self {
            top: one.top.clone(),
            provenance: "synthesised",
            reports: one.reports.iter().map(|file| study.sources.name(*file).to_owned()).collect(),
            part: one.part.clone(),
            tool: one.version.clone(),
            clock_ns: one.clock_ns,
            latency: one.latency.clone(),
            interval: one.interval.clone(),
            simulated: study.simulated,
            resources: resources
                .into_iter()
                .filter_map(|(name, report, model)| {
                    let report = report?;
                    let (value, modelled) = (used(&report), model.map(|one| one.value));
                    let available = report.available.map(|one| one.value);
                    let error = error(modelled, value);
                    Some(ResourceReport { resource: name, value, available, modelled, error })
                })
                .collect(),
            loops: pairs.iter().map(|pair| loop_report(pair, side)).collect(),
            left_over: one.left_over.clone(),
            modelled: side.map(|side| modelled_report(study, side)),
        }
    }
}

fn loop_report(pair: &LoopPair<'_>, side: Option<&ModelledSide<'_>>) -> LoopReport {
    let one = pair.synthesised;
    let modelled = pair.modelled.zip(side).map(|(other, side)| {
        let cycles = reported(&other.cycles);
        let files = &side.answer.files;
        ModelledLoop {
            function: other.function.clone(),
            file: files.get(usize::from(other.place.file)).cloned().unwrap_or_default(),
            line: other.place.line,
            trip_min: other.trip.map(|(least, ..)| least),
            trip_max: other.trip.map(|(_, most, _)| most),
            ii: other.ii,
            depth: other.depth,
            cycles,
            error: error(cycles, worst(one.latency.as_ref())),
        }
    });
    LoopReport {
        label: one.label.clone(),
        function: one.function.clone(),
        nest: one.nest,
        trip: one.trip.clone(),
        ii: one.ii.clone(),
        ii_target: one.target.clone(),
        depth: one.depth.clone(),
        cycles: one.latency.clone(),
        runs: one.runs,
        modelled,
    }
}

fn modelled_report(study: &SynthesisStudy<'_>, side: &ModelledSide<'_>) -> ModelledReport {
    let latency = &side.answer.latency;
    let cycles = reported(latency);
    ModelledReport {
        provenance: "derived",
        sources: side.files.to_vec(),
        reported: cycles,
        expected: latency.is_known().then_some(latency.expected),
        error: error(cycles, worst(study.synthesis.latency.as_ref())),
        stale: side.stale.to_vec(),
        notes: side.notes.to_vec(),
    }
}
