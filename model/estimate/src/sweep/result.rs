//! What a sweep gives.

use std::fmt::{self, Display};

use serde::{Serialize, Serializer};

use super::Axis;
use crate::Analysis;
use crate::pass::Pass;
use crate::scenario::Assumptions;
use derate_units::command::quote_word;
use derate_units::figures::quantity;
use derate_units::{Bytes, Ops, OpsPerByte, Seconds};

/// The result of a sweep: the JSON contract `derate.sweep/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sweep {
    /// `derate.sweep/1`.
    pub schema: &'static str,
    /// The command that gives it again.
    pub command: String,
    /// The scenario that is varied.
    pub scenario: String,
    /// What is varied, the last the fastest.
    pub axes: Vec<Axis>,
    /// One per combination.
    pub points: Vec<SweepPoint>,
}

impl Sweep {
    /// What [`Sweep::schema`] says.
    pub const SCHEMA: &'static str = "derate.sweep/1";

    /// The points of `axes` around `scenario`; `format` is that of the output, which the command names.
    pub fn new(
        analysis: &Analysis,
        scenario: &Assumptions,
        axes: Vec<Axis>,
        points: Vec<SweepPoint>,
        format: &str,
    ) -> Self {
        let swept: Vec<String> =
            axes.iter().map(|axis| format!(" --sweep {}", quote_word(&axis.argument()))).collect();
        let command = format!(
            "{} --schedule {}{} --format {format}",
            analysis.command("estimate", &scenario.arguments()),
            scenario.schedule.name(),
            swept.concat()
        );
        Self { schema: Self::SCHEMA, command, scenario: scenario.name(), axes, points }
    }
}

/// One combination.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepPoint {
    /// Which value of each axis.
    pub at: Vec<u32>,
    /// Operations of matrix products.
    pub flops: Option<Ops>,
    /// All other operations; unknown where the workload does not model them.
    pub elementwise_ops: Option<Ops>,
    /// Bytes that cross external memory.
    pub bytes: Option<Bytes>,
    /// Bytes of weights among them.
    pub weight_bytes: Option<Bytes>,
    /// Operational intensity.
    pub oi: Option<OpsPerByte>,
    /// Roofline time; unknown without a peak, and where the design takes more than the chip has.
    pub throughput_seconds: Option<Seconds>,
    /// Latency; unknown without a design that fits.
    pub latency_seconds: Option<Seconds>,
    /// Why a figure is unknown, or what was not checked.
    pub note: Option<Note>,
}

impl SweepPoint {
    /// The figures of a pass, as far as there is one of such a design; of a workload that is not whole, without work that
    /// it does not model.
    pub(super) fn new(at: Vec<u32>, pass: Option<&Pass>, whole: bool, note: Option<Note>) -> Self {
        let runs = note.is_none_or(|note| matches!(note, Note::UnknownCost));
        let time = |t: f64| (runs && t.is_finite()).then_some(Seconds(t));
        let throughput_seconds = pass.and_then(|pass| time(pass.roofline));
        Self {
            at,
            flops: pass.map(|pass| Ops(pass.flops)),
            elementwise_ops: pass.filter(|_| whole).map(|pass| Ops(pass.elementwise)),
            bytes: pass.map(|pass| Bytes(pass.bytes)),
            weight_bytes: pass.map(|pass| Bytes(pass.weight_bytes)),
            oi: pass.map(|pass| Ops(pass.flops) / Bytes(pass.bytes)),
            throughput_seconds,
            latency_seconds: pass.and_then(|pass| pass.latency).and_then(time),
            note: note.or_else(|| throughput_seconds.is_none().then_some(Note::UnknownPeak)),
        }
    }
}

/// Why a figure of a combination is unknown, or what was not checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Note {
    /// The held weights take more than the on-chip memory, by so many bytes.
    Held(Bytes),
    /// The array takes more DSP slices than the shell leaves, by so many.
    Array(f64),
    /// What a multiply-add of the array takes is not known.
    UnknownCost,
    /// The peak of an arithmetic is not known.
    UnknownPeak,
}

impl Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held(over) => write!(
                f,
                "the weights that [design] hold keeps take {} more than the on-chip memory",
                quantity(*over)
            ),
            Self::Array(over) => {
                write!(f, "the array takes {over} DSP slices more than the shell leaves")
            }
            Self::UnknownCost => f.write_str(
                "whether the array fits is not known: no DSP cost of its multiply-add is; give [design] dsp_per_mac",
            ),
            Self::UnknownPeak => {
                f.write_str("no peak of the arithmetic is known: give one in [claims]")
            }
        }
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
