//! What a scenario of the ladder reads: its precision, its bandwidth and its peaks, as formulas.

use derate_render::formula::{choose, column, max, min, name, number, text};
use derate_render::{Cell, Formula, NumberFormat};

use super::cell::{follow_cell, or_unknown};
use super::name::{self, name_for};
use super::precisions::{Precisions, TERA};
use derate_estimate::scenario::{Assumptions, PeakBasis, ScenarioKind};
use derate_estimate::{Analysis, ScenarioEstimate, port_bandwidth};
use derate_project::Storage;
use derate_units::Precision;

/// The text where each tensor has a figure of its own.
const OWN: &str = "each tensor's own";

/// The roofs of one scenario.
pub(crate) struct Roofs<'a> {
    analysis: &'a Analysis,
    precisions: &'a Precisions,
    pub(super) step: &'a Assumptions,
    /// The input that says its precision.
    precision: &'static str,
    memory: Memory,
    /// What gives the tokens of the claim's own kernels.
    tokens: &'static str,
    /// The column of its peaks; `None` for those of the design's array.
    peaks: Option<&'static str>,
}

/// Which bandwidth a scenario has.
enum Memory {
    Claimed,
    Derated,
    /// That of the design's own ports.
    Ports,
}

impl<'a> Roofs<'a> {
    /// Of a step of the ladder.
    pub(super) fn of(
        analysis: &'a Analysis,
        precisions: &'a Precisions,
        steps: &'a [Assumptions],
        scenario: ScenarioKind,
    ) -> Option<Self> {
        let at = steps.iter().position(|step| step.kind == scenario)?;
        let has = |kind| steps[..=at].iter().any(|step| step.kind == kind);
        let peaks = match steps[at].peaks {
            PeakBasis::Claimed => Some("claimed_peak"),
            PeakBasis::Lower => Some("corrected_peak"),
            PeakBasis::Array(_) => None,
            PeakBasis::Derived | PeakBasis::Given(_) => return None,
        };
        let precision = match peaks {
            None => name::DESIGN_PRECISION,
            Some(_) if has(ScenarioKind::AsBuilt) => name::BUILT_PRECISION,
            Some(_) => name::CLAIMED_PRECISION,
        };
        let memory = match peaks {
            None if port_bandwidth(analysis).is_some() => Memory::Ports,
            _ if has(ScenarioKind::Derated) => Memory::Derated,
            _ => Memory::Claimed,
        };
        let tokens = if has(ScenarioKind::TrueTokens) { name::PREFIX_TOKENS } else { name::TOKENS };
        Some(Self { analysis, precisions, step: &steps[at], precision, memory, tokens, peaks })
    }

    /// The word for each tensor's own format, where the scenario has these.
    fn own_storage(&self) -> Option<String> {
        matches!(self.step.storage, Storage::Each { .. }).then(|| self.step.storage.name())
    }

    /// `mixed` where each tensor keeps its own format, else what all have.
    pub(super) fn by_choice(&self, mixed: Formula, uniform: Formula) -> Formula {
        match self.own_storage() {
            Some(own) => choose(name(self.precision).equals(text(own)), mixed, uniform),
            None => uniform,
        }
    }

    /// Whether the peak is that of the design's array.
    pub(super) fn of_array(&self) -> bool {
        self.peaks.is_none()
    }

    /// Whether the bandwidth is that of the design's ports.
    pub(super) fn of_ports(&self) -> bool {
        matches!(self.memory, Memory::Ports)
    }

    /// Bits of an element, where all have the same.
    pub(super) fn bits(&self) -> Formula {
        name(name_for("bits", self.step.kind.name()))
    }

    /// GB/s.
    pub(super) fn bandwidth(&self) -> Formula {
        name(name_for("used_bandwidth", self.step.kind.name()))
    }

    /// Tokens of the claim's own kernels.
    pub(super) fn tokens(&self) -> Formula {
        name(self.tokens)
    }

    /// TOP/s of one arithmetic.
    pub(super) fn peak_of(&self, arithmetic: Formula) -> Formula {
        match self.peaks {
            // A text is not a peak.
            Some(peaks) => or_unknown(self.precisions.look_up(arithmetic, peaks) * 1.0),
            None => name(name::ARRAY_PEAK),
        }
    }

    /// TOP/s of what all elements have, or of `own` where each tensor keeps its format.
    pub(super) fn peak(&self, own: Precision) -> Formula {
        self.by_choice(self.peak_of(text(own.key())), name(name_for("peak", self.step.kind.name())))
    }

    /// The same as a number.
    pub(super) fn peak_value(&self, own: Precision) -> Option<f64> {
        self.step.peaks.peak(self.analysis, own).ok().map(|peak| peak.rate.value.0 / TERA)
    }

    /// The word that the precision is chosen by.
    pub(crate) fn precision(&self) -> Formula {
        name(self.precision)
    }

    /// Name, precision, bits, tokens, bandwidth and peak.
    pub(super) fn make_cells(&self, scenario: &ScenarioEstimate) -> [Cell; 6] {
        let named = |lead: &str| name_for(lead, self.step.kind.name());
        let uniform = match self.step.storage {
            Storage::Uniform(precision) => Some(precision),
            Storage::Each { .. } => None,
        };
        let figure = |value: Option<f64>, formula: Formula| match (uniform, value) {
            (None, _) => Cell::formula(OWN, formula, NumberFormat::Integer),
            (_, value) => follow_cell(value, formula, NumberFormat::Significant(4)),
        };
        let bits = self.precisions.look_up(self.precision(), "bits");
        let bits = self.by_choice(text(OWN), bits);
        let peak = self.by_choice(text(OWN), self.peak_of(self.precision()));
        let claimed = name(name::CLAIMED_BANDWIDTH);
        let bandwidth = match self.memory {
            Memory::Claimed => claimed,
            Memory::Derated => min(claimed, name(name::DERATED_BANDWIDTH)),
            Memory::Ports => name(name::DESIGN_BANDWIDTH),
        };
        let gbs = scenario.bandwidth.value.0 / 1e9;
        [
            Cell::text(&scenario.name),
            Cell::formula(scenario.precision.clone(), self.precision(), NumberFormat::Integer),
            match uniform {
                Some(p) => Cell::formula(f64::from(p.bits()), bits, NumberFormat::Integer),
                None => Cell::formula(OWN, bits, NumberFormat::Integer),
            }
            .called(named("bits")),
            Cell::formula(scenario.tokens.value, self.tokens(), NumberFormat::Integer),
            Cell::formula(gbs, bandwidth, NumberFormat::Significant(4))
                .called(named("used_bandwidth")),
            figure(uniform.and_then(|p| self.peak_value(p)), peak).called(named("peak")),
        ]
    }
}

/// Times of one kernel: `max(flops / peak, bytes / bandwidth)` in microseconds, from operations, bytes, TOP/s and GB/s.
pub(crate) struct Times {
    compute: Formula,
    memory: Formula,
}

impl Times {
    pub(super) fn new(flops: Formula, bytes: Formula, peak: Formula, bandwidth: Formula) -> Self {
        Self { compute: flops / peak / 1e6, memory: bytes / bandwidth / 1e3 }
    }

    /// Those of a row that has a column for each.
    pub(super) fn of_columns() -> Self {
        // A text is not a time, and to a spreadsheet it is more than any number.
        Self { compute: column("compute") * 1.0, memory: column("memory") }
    }

    /// Microseconds under both roofs.
    pub(super) fn both_roofs(self) -> Formula {
        max(self.compute, self.memory)
    }

    /// Microseconds under the memory's roof.
    pub(crate) fn memory_time(self) -> Formula {
        self.memory
    }

    /// Microseconds, or unknown.
    pub(crate) fn roofline_time(self) -> Formula {
        or_unknown(self.both_roofs())
    }

    /// `compute` where that roof takes at least as long, else `memory`.
    pub(crate) fn write_bound(self) -> Formula {
        let compute = self.compute.at_least(self.memory);
        or_unknown(choose(compute, text("compute"), text("memory")))
    }
}

/// GOP/s under both roofs: `min(peak, OI x bandwidth)`.
pub(super) fn write_attainable(oi: Formula, peak: Formula, bandwidth: Formula) -> Formula {
    or_unknown(min(peak * 1e3, oi * bandwidth))
}

/// `flops / bytes`; nothing where nothing moves.
pub(crate) fn write_intensity(flops: Formula, bytes: Formula) -> Formula {
    // Nothing but the zero is caught: an error stays one.
    choose(bytes.clone().equals(0.0), number(0.0), flops / bytes)
}
