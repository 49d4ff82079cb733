//! `derate.kernel/1`.

use derate_advice::{Advice, Change};
use derate_kernel::ir::Place;
use derate_kernel::{
    BurstAnswer, HeldBy, KernelAnswer, LoopAnswer, PortAnswer, ResourceAnswer, Span, count_runs,
    uncertainty,
};
use serde::Serialize;

use super::{KernelStudy, words};

/// `derate.kernel/1`. What data decide is left out, and `unknown` has the reason.
#[derive(Debug, Serialize)]
pub struct KernelReport {
    schema: &'static str,
    command: String,
    top: String,
    part: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<String>,
    clock_ns: f64,
    tool: String,
    provenance: &'static str,
    latency: CycleReport,
    interval: CycleReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    resources: Option<ResourceReports>,
    loops: Vec<LoopReport>,
    ports: Vec<PortReport>,
    work: WorkReport,
    advice: Vec<AdviceReport>,
    unknown: Vec<UnknownReport>,
    notes: Vec<String>,
}

/// Cycles; each is left out where it is not known.
#[derive(Debug, Default, Serialize)]
struct CycleReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reported: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ResourceReports {
    dsp: ResourceReport,
    bram18: ResourceReport,
    uram: ResourceReport,
    lut: ResourceReport,
    ff: ResourceReport,
}

#[derive(Debug, Serialize)]
struct ResourceReport {
    value: f64,
    low: f64,
    /// Left out where a part is not read: there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    routed: f64,
    /// What the part has.
    available: u64,
}

#[derive(Debug, Serialize)]
struct LoopReport {
    label: String,
    function: String,
    file: String,
    line: u32,
    nest: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    trip: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trip_min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trip_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ii: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ii_held_by: Option<HeldByReport>,
    depth: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<f64>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum HeldByReport {
    Target,
    Recurrence {
        lines: Vec<u32>,
        through: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        variable: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        operation: Option<String>,
    },
    Memory {
        array: String,
        accesses: u64,
        ports: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        bundle: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        arrays: Vec<String>,
    },
    Module {
        module: String,
    },
}

#[derive(Debug, Serialize)]
struct PortReport {
    name: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bundle: Option<String>,
    /// Left out where the type of an element is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<u64>,
    /// Left out where the length is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    elements: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// Of `m_axi` alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bursts: Vec<BurstReport>,
}

#[derive(Debug, Serialize)]
struct BurstReport {
    direction: &'static str,
    file: String,
    line: u32,
    /// Beats of one burst; left out where it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    beats: Option<f64>,
    /// Why it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Debug, Serialize)]
struct WorkReport {
    /// Left out where data decide it, or a part is not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    multiply_adds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_cycle: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_cycle_and_dsp: Option<f64>,
}

#[derive(Debug, Serialize)]
struct AdviceReport {
    subject: String,
    file: String,
    line: u32,
    change: &'static str,
    sentence: String,
    before: f64,
    after: f64,
}

#[derive(Debug, Serialize)]
struct UnknownReport {
    file: String,
    line: u32,
    reason: String,
}

/// The name of the file of a place.
pub(super) fn file_of(answer: &KernelAnswer, place: Place) -> String {
    answer.files.get(usize::from(place.file)).cloned().unwrap_or_default()
}

/// The line of a place, with the name of its file where the loops and ports of the kernel are in several files.
pub(super) fn line_of(answer: &KernelAnswer, place: Place) -> String {
    name_line(answer, place, "")
}

/// The same in a sentence: `line 7`, `conv.cpp:7`.
pub(super) fn place_of(answer: &KernelAnswer, place: Place) -> String {
    name_line(answer, place, "line ")
}

fn name_line(answer: &KernelAnswer, place: Place, before: &str) -> String {
    let bursts = answer.ports.iter().flat_map(|port| &port.bursts).map(|burst| burst.place);
    let mut places = answer.loops.iter().map(|one| one.place).chain(bursts);
    if places.all(|other| other.file == place.file) {
        return format!("{before}{}", place.line);
    }
    let file = file_of(answer, place);
    format!("{}:{}", file.rsplit('/').next().unwrap_or(&file), place.line)
}

/// Elements, where the length is known: a pointer counts as one element.
pub(super) fn elements_of(port: &PortAnswer) -> Option<u64> {
    let is_wide = port.bits.is_some_and(|bits| bits > 64);
    (port.elements > 1 || is_wide || port.kind == "fifo").then_some(port.elements)
}

/// Bytes of all elements.
pub(super) fn bytes_of(port: &PortAnswer) -> Option<u64> {
    let elements = elements_of(port).filter(|_| port.kind != "fifo")?;
    Some(elements.saturating_mul(port.bits?).div_ceil(8))
}

/// Reasons for what is not known; where data decide the cycles and nothing says so, the loops that they decide.
pub(super) fn reasons(answer: &KernelAnswer) -> Vec<(Place, String)> {
    let mut reasons: Vec<(Place, String)> =
        answer.unknown.iter().map(|one| (one.place, one.reason.clone())).collect();
    if answer.latency.is_open && reasons.is_empty() {
        let open = answer.loops.iter().filter(|one| one.trip.is_none());
        reasons.extend(
            open.map(|one| (one.place, format!("data decide how often `{}` runs", one.label))),
        );
    }
    if answer.latency.is_open && reasons.is_empty() {
        reasons.push((Place::default(), "data decide the number of cycles".to_owned()));
    }
    reasons
}

impl KernelReport {
    pub(super) fn of_study(study: &KernelStudy<'_>) -> Self {
        let (answer, settings) = (study.answer, study.settings);
        let range = uncertainty(answer);
        let cycles = |span: &Span| {
            if span.is_open {
                return CycleReport::default();
            }
            // What hardware takes is not known where only the range of a type bounds a loop; what the report says then is.
            let known = |cycles: f64| span.is_known().then_some(cycles);
            let [min, max] = range.bound(span.expected);
            CycleReport {
                expected: known(span.expected),
                reported: Some(span.reported),
                best: Some(span.best),
                worst: Some(span.worst),
                min: known(min),
                max: known(max),
            }
        };
        let expected = answer.latency.is_known().then_some(answer.latency.expected);
        let work = answer.multiply_adds();
        let per_cycle = expected
            .filter(|cycles| *cycles > 0.0)
            .and_then(|cycles| work.map(|work| work / cycles));
        let dsp = answer.resources.dsp.value;
        let (used, part) = (answer.resources, &settings.part);
        Self {
            schema: "derate.kernel/1",
            command: study.command.to_owned(),
            top: answer.top.clone(),
            part: part.name.clone(),
            platform: study.platform.map(|platform| platform.name.clone()),
            clock_ns: settings.clock_ns,
            tool: words::tool(settings),
            provenance: "derived",
            latency: cycles(&answer.latency),
            interval: cycles(&answer.interval),
            seconds: expected.map(|cycles| cycles * settings.clock_ns * 1e-9),
            resources: answer.is_scheduled.then(|| ResourceReports {
                dsp: resource(used.dsp, part.dsp, answer.is_read),
                bram18: resource(used.bram18, part.bram18, answer.is_read),
                uram: resource(used.uram, part.uram, answer.is_read),
                lut: resource(used.lut, part.lut, answer.is_read),
                ff: resource(used.ff, part.ff, answer.is_read),
            }),
            loops: count_runs(&answer.loops)
                .iter()
                .map(|one| loop_report(answer, one.answer))
                .collect(),
            ports: answer.ports.iter().map(|one| port(answer, one)).collect(),
            work: WorkReport {
                multiply_adds: work,
                per_cycle,
                per_cycle_and_dsp: per_cycle.filter(|_| dsp > 0.0).map(|rate| rate / dsp),
            },
            advice: study.advice.iter().map(|one| advice(answer, one)).collect(),
            unknown: reasons(answer)
                .into_iter()
                .map(|(place, reason)| UnknownReport {
                    file: file_of(answer, place),
                    line: place.line,
                    reason,
                })
                .collect(),
            notes: study.notes.to_vec(),
        }
    }
}

fn resource(used: ResourceAnswer, available: u64, is_read: bool) -> ResourceReport {
    let ResourceAnswer { value, low, high, routed } = used;
    ResourceReport { value, low, high: is_read.then_some(high), routed, available }
}

fn loop_report(answer: &KernelAnswer, one: &LoopAnswer) -> LoopReport {
    let (least, most) = one.trip.map_or((None, None), |(least, most, _)| (Some(least), Some(most)));
    LoopReport {
        label: one.label.clone(),
        function: one.function.clone(),
        file: file_of(answer, one.place),
        line: one.place.line,
        nest: one.nest,
        trip: most.filter(|_| least == most),
        trip_min: least,
        trip_max: most,
        ii: one.ii,
        ii_held_by: one.held_by.clone().map(|held| match held {
            HeldBy::Target => HeldByReport::Target,
            HeldBy::Recurrence { places, through, variable, operation, least: _ } => {
                let own = places.iter().filter(|place| place.file == one.place.file);
                let lines = own.map(|place| place.line).collect();
                HeldByReport::Recurrence { lines, through, variable, operation }
            }
            HeldBy::Memory { array, accesses, ports, shared, least: _, most: _ } => {
                let (bundle, arrays) =
                    shared.map_or((None, Vec::new()), |one| (Some(one.bundle), one.arrays));
                HeldByReport::Memory { array, accesses, ports, bundle, arrays }
            }
            HeldBy::Module(module) => HeldByReport::Module { module },
        }),
        depth: one.depth,
        cycles: one.cycles.is_known().then_some(one.cycles.expected),
    }
}

fn port(answer: &KernelAnswer, port: &PortAnswer) -> PortReport {
    let burst = |one: &BurstAnswer| BurstReport {
        direction: if one.write { "write" } else { "read" },
        file: file_of(answer, one.place),
        line: one.place.line,
        beats: one.length,
        reason: one.reason.map(|reason| reason.to_string()),
    };
    PortReport {
        name: port.name.clone(),
        kind: port.kind,
        bundle: port.bundle.clone(),
        bits: port.bits,
        elements: elements_of(port),
        bytes: bytes_of(port),
        bursts: port.bursts.iter().map(burst).collect(),
    }
}

fn advice(answer: &KernelAnswer, one: &Advice) -> AdviceReport {
    AdviceReport {
        subject: one.subject.clone(),
        file: file_of(answer, one.place),
        line: one.place.line,
        change: match one.change {
            Change::Partition { .. } => "partition",
            Change::PartialSums { .. } => "partial-sums",
            Change::Widen { .. } => "widen",
            Change::SecondBundle { .. } => "second-bundle",
            Change::Pipeline => "pipeline",
        },
        sentence: words::change(one),
        before: one.before,
        after: one.after,
    }
}
