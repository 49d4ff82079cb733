//! Number formats with their peaks: the table that a choice of precision is looked up in.

use std::collections::BTreeSet;

use derate_render::formula::{at, column, lookup, min, name, range};
use derate_render::{Cell, Column, Formula, NumberFormat, Table};

use super::cell::{input_cell, round_down, unless_changed};
use super::name::{self, name_for};
use derate_estimate::scenario::{PeakBasis, claim_for, has_own_claim};
use derate_estimate::{Analysis, Estimate, ScenarioEstimate, default_mac, operators_of};
use derate_machine::DspCost;
use derate_units::{Figure, Precision, Provenance};

const TABLE: &str = "precisions";
/// Operations per second in a TOP/s.
pub(super) const TERA: f64 = 1e12;

/// The number formats that are claimed, stored, compared, or have operators of a known cost.
pub(crate) struct Precisions(Vec<Precision>);

impl Precisions {
    /// Those of a project, each once: what is compared, then what is claimed, what the card builds, what the design says,
    /// and what tensors are stored in.
    pub(crate) fn of(analysis: &Analysis, estimate: &Estimate) -> Self {
        let compared = estimate.by_precision.iter().filter_map(|s| Precision::parse(&s.precision));
        let claimed = analysis.project.claims.peak.keys().copied();
        let built = analysis.platform.macs.iter().map(|mac| mac.precision);
        let designed = analysis.project.design.dsp_per_mac.keys().copied();
        let mut kept: Vec<Precision> = Vec::new();
        for precision in
            compared.chain(claimed).chain(built).chain(designed).chain(in_use(&estimate.scenarios))
        {
            if kept.iter().all(|k| k.key() != precision.key()) {
                kept.push(precision);
            }
        }
        Self(kept)
    }

    /// Their names.
    pub(crate) fn keys(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|precision| precision.key())
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = Precision> {
        self.0.iter().copied()
    }

    fn find_row(&self, precision: Precision) -> Option<usize> {
        self.0.iter().position(|known| known.key() == precision.key())
    }

    /// The figure of the format that `key` is the name of; an error for a name that is none.
    pub(crate) fn look_up(&self, key: Formula, figure: &str) -> Formula {
        let rows = 0..self.0.len();
        lookup(key, range(TABLE, "key", rows.clone()), range(TABLE, figure, rows))
    }

    /// One figure of one format; `None` where it is not among them.
    pub(crate) fn find_figure(&self, precision: Precision, figure: &str) -> Option<Formula> {
        Some(at(TABLE, figure, self.find_row(precision)?))
    }

    /// A row per format.
    pub(crate) fn tabulate_precisions(&self, analysis: &Analysis) -> Table {
        let rows = self.0.iter().enumerate().map(|(row, &p)| self.make_cells(analysis, row, p));
        let rate = |key: &str, heading: &str| Column::number(key, heading, "TOP/s");
        Table {
            name: TABLE.to_owned(),
            caption: "Derived peak: 2 x multiply-adds that the DSP budget is enough for x kernel clock. Corrected: the lower of it and what is claimed for that very arithmetic.".to_owned(),
            columns: vec![
                Column::text("key", "Precision"),
                Column::number("bits", "In memory", "bit"),
                rate("claimed_peak", "Claimed peak"),
                Column::number("dsp_per_mac", "DSP per MAC", ""),
                Column::number("macs_per_dsp", "MAC per DSP", ""),
                Column::number("macs", "MAC", ""),
                rate("derived_peak", "Derived peak"),
                rate("corrected_peak", "Corrected peak"),
                Column::text("source", "Source"),
            ],
            rows: rows.collect(),
        }
    }

    fn make_cells(&self, analysis: &Analysis, row: usize, precision: Precision) -> Vec<Cell> {
        let claim = PeakBasis::Claimed.peak(analysis, precision);
        let derived = PeakBasis::Derived.peak(analysis, precision);
        let lower = PeakBasis::Lower.peak(analysis, precision);
        let claimed_for = claim_for(analysis, precision).and_then(|other| self.find_row(other));
        let claimed = match (&claim, claimed_for) {
            (Err(error), _) => Cell::Unknown(error.to_string()),
            (Ok(peak), Some(other)) if other != row => Cell::formula(
                peak.rate.value.0 / TERA,
                at(TABLE, "claimed_peak", other),
                NumberFormat::Plain,
            ),
            (Ok(peak), _) => {
                let value = peak.rate.value.0 / TERA;
                input_cell(name_for(name::CLAIMED_PEAK, &precision.key()), value, 1e-6, 1e6)
            }
        };
        let cost = default_mac(analysis, precision);
        let other = cost.as_ref().and_then(|(of, cost)| {
            self.find_row(find_lender(analysis, precision, cost).unwrap_or(*of))
        });
        let other = other.filter(|other| *other != row);
        let given = |value: f64, key: &str| match other {
            Some(other) => Cell::formula(value, at(TABLE, key, other), NumberFormat::Plain),
            None => input_cell(name_for(key, &precision.key()), value, 1e-3, 1e3),
        };
        let budget = analysis.platform.dsp_budget().value;
        let (per_mac, per_dsp, macs) = match cost.as_ref().map(|(_, cost)| spell_cost(cost.value)) {
            Some(DspCost::PerMac(slices)) => {
                let rate = name(name::DSP_BUDGET) / column("dsp_per_mac");
                (given(slices, name::DSP_PER_MAC), Cell::Empty, Some(round_down(rate)))
            }
            Some(DspCost::PerDsp(rate)) => {
                let macs = name(name::DSP_BUDGET) * column("macs_per_dsp");
                (Cell::Empty, given(rate, name::MACS_PER_DSP), Some(round_down(macs)))
            }
            None => (Cell::Empty, Cell::Empty, None),
        };
        let macs = macs.zip(cost.as_ref()).map_or_else(
            || Cell::Unknown(String::new()),
            |(formula, (_, cost))| {
                Cell::formula(cost.value.macs(budget), formula, NumberFormat::Integer)
            },
        );
        let rate = write_peak(column("macs"));
        let built = derived.as_ref().map_or_else(
            |error| Cell::Unknown(error.to_string()),
            |peak| Cell::formula(peak.rate.value.0 / TERA, rate, NumberFormat::Significant(4)),
        );
        let corrected = if has_own_claim(analysis, precision) {
            min(column("claimed_peak"), column("derived_peak"))
        } else {
            column("derived_peak")
        };
        let corrected = lower.as_ref().map_or_else(
            |_| Cell::Unknown(String::new()),
            |peak| Cell::formula(peak.rate.value.0 / TERA, corrected, NumberFormat::Significant(4)),
        );
        // The figures themselves are in the row.
        let claimed_by = claim.as_ref().ok().map(|peak| &peak.rate);
        let claimed_by = claimed_by.map(|r| format!("claim ({}): {}", r.provenance, r.source));
        let costed_by = cost.as_ref().map(|(_, cost)| {
            let follows = other.and_then(|row| self.0.get(row));
            let follows = follows.map(|of| format!("; here it follows that of {}", of.key()));
            let follows = follows.unwrap_or_default();
            format!("cost ({}): {}{follows}", cost.provenance, cost.source)
        });
        let sources: Vec<String> = claimed_by.into_iter().chain(costed_by).collect();
        vec![
            Cell::text(precision.key()),
            Cell::number(f64::from(precision.bits()), NumberFormat::Integer),
            claimed,
            per_mac,
            per_dsp,
            macs,
            built,
            corrected,
            if sources.is_empty() { Cell::Empty } else { unless_changed(&sources.join("; ")) },
        ]
    }
}

/// The inputs that say what a multiply-add of `precision` costs: its own, or those that they follow.
pub(super) fn cost_inputs(analysis: &Analysis, precision: Precision) -> [String; 2] {
    let of = default_mac(analysis, precision)
        .map_or(precision, |(of, cost)| find_lender(analysis, precision, &cost).unwrap_or(of));
    [name::DSP_PER_MAC, name::MACS_PER_DSP].map(|lead| name_for(lead, &of.key()))
}

/// The input that claims the peak of `precision`.
pub(super) fn claim_input(analysis: &Analysis, precision: Precision) -> String {
    let of = claim_for(analysis, precision).unwrap_or(precision);
    name_for(name::CLAIMED_PEAK, &of.key())
}

/// The arithmetic whose operators a cost that is assumed was taken from.
fn find_lender(
    analysis: &Analysis,
    precision: Precision,
    cost: &Figure<DspCost>,
) -> Option<Precision> {
    let other = operators_of(precision).filter(|_| cost.provenance == Provenance::Assumed)?;
    let (of, same) = default_mac(analysis, other)?;
    (same.value == cost.value).then_some(of)
}

/// Whether nothing of a rate is lost in what one costs.
fn is_inverse(rate: f64) -> bool {
    (1.0 / (1.0 / rate)).to_bits() == rate.to_bits()
}

/// Several slices for one multiply-add are said as such, not as a part of one per slice.
fn spell_cost(cost: DspCost) -> DspCost {
    match cost {
        DspCost::PerDsp(rate) if rate > 0.0 && rate < 1.0 && is_inverse(rate) => {
            DspCost::PerMac(1.0 / rate)
        }
        cost => cost,
    }
}

/// `2 x macs x clock` in TOP/s.
pub(super) fn write_peak(macs: Formula) -> Formula {
    macs * 2.0 * name(name::KERNEL_CLOCK) / 1e6
}

/// The formats of all operands, and the arithmetic of all kernels.
fn in_use(scenarios: &[ScenarioEstimate]) -> BTreeSet<Precision> {
    let kernels = scenarios.iter().flat_map(|s| &s.parts).flat_map(|part| &part.kernels);
    let used = kernels.flat_map(|k| k.operands.iter().map(|o| o.precision).chain([k.precision]));
    used.collect()
}
