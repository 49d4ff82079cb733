//! A scenario whose figures are formulas.

use std::ops::Range;

use derate_render::formula::{at, choose, max, min, name, range, sum, text};
use derate_render::{Formula, Table};

use super::cell::{UNKNOWN, or_unknown};
use super::guard::{NO, YES, guard_name};
use super::roof::Roof;
use super::roofs::{Roofs, write_intensity};
use super::sheet::Sheet;
use super::sums::{Place, add_figures};
use derate_estimate::ScenarioEstimate;
use derate_units::Precision;

/// One scenario with its formulas.
pub(crate) struct Followed<'a> {
    pub(super) scenario: &'a ScenarioEstimate,
    pub(super) roofs: Roofs<'a>,
    pub(super) sheet: Sheet,
}

impl Followed<'_> {
    /// Whether it is that scenario.
    pub(crate) fn is_scenario(&self, scenario: &ScenarioEstimate) -> bool {
        self.scenario.kind == scenario.kind && self.scenario.schedule == scenario.schedule
    }

    /// Whether its formulas hold, in a word.
    pub(crate) fn write_holds(&self) -> Formula {
        let guard = guard_name(self.scenario.kind, self.scenario.schedule);
        choose(name(guard).equals(text(YES)), text(YES), text(NO))
    }

    /// The table of its kernels.
    pub(crate) fn kernel_table(&self) -> Table {
        self.sheet.table.clone()
    }
}

// Figures of the parts that run, in their order; after the last, of the whole inference.
impl Followed<'_> {
    fn running_places(&self) -> impl Iterator<Item = &Place> {
        let parts = self.scenario.parts.iter().zip(&self.sheet.parts);
        parts.filter(|(part, _)| part.runs).map(|(_, place)| place)
    }

    /// A figure that adds up, by the key of its column in the table of kernels.
    pub(crate) fn sum_figure(&self, at: usize, key: &str) -> Formula {
        let table = &self.sheet.table.name;
        match self.running_places().nth(at) {
            Some(place) => place.sum_figure(table, key),
            None => add_figures(self.running_places().map(|place| place.sum_figure(table, key))),
        }
    }

    /// Weights in MB, each once however often it is read.
    pub(crate) fn sum_weights(&self, at: usize) -> Formula {
        let parts = self.scenario.parts.iter().zip(&self.sheet.parts).filter(|(part, _)| part.runs);
        let sums = parts.map(|(_, place)| self.sum_weights_of(place));
        match sums.clone().nth(at) {
            Some(part) => part,
            None => add_figures(sums),
        }
    }

    /// Those of one part: a sum over the kernels that are in as many layers.
    fn sum_weights_of(&self, place: &Place) -> Formula {
        let mut spans: Vec<(Range<usize>, u64)> = Vec::new();
        for (row, &layers) in place.kernels.clone().zip(&place.layers) {
            match spans.last_mut() {
                Some((span, own)) if *own == layers => span.end = row + 1,
                _ => spans.push((row..row + 1, layers)),
            }
        }
        let table = &self.sheet.table.name;
        let sums = spans
            .into_iter()
            .map(|(span, layers)| sum(vec![range(table, "weight_mb", span)]) * layers as f64);
        add_figures(sums)
    }

    /// Operational intensity.
    pub(crate) fn write_intensity(&self, at: usize) -> Formula {
        match self.running_places().nth(at) {
            Some(place) => place.read_figure(&self.sheet.table.name, "oi"),
            None => write_intensity(self.sum_figure(at, "flops"), self.sum_figure(at, "bytes")),
        }
    }

    /// The bound; of the whole inference, the roof that takes the larger share of time.
    pub(crate) fn write_bound(&self, at: usize) -> Formula {
        let table = &self.sheet.table.name;
        if let Some(place) = self.running_places().nth(at) {
            return place.read_figure(table, "bound");
        }
        let compute =
            add_figures(self.running_places().map(|place| place.bound_by(table, "compute")));
        // A text is not a time.
        let time = self.sum_figure(at, "time") * 1.0;
        or_unknown(choose((compute * 2.0).at_least(time), text("compute"), text("memory")))
    }

    /// Intensity and rate of a part that runs, in OP/B and OP/s.
    pub(crate) fn running_point(&self, part: usize) -> Option<[Formula; 2]> {
        Some(self.place_of(self.running_places().nth(part)?.total))
    }

    /// Roofline time in ms.
    pub(crate) fn roofline_time(&self, at: usize) -> Formula {
        or_unknown(self.sum_figure(at, "time") / 1e3)
    }

    /// Roofline time of the whole inference in ms.
    pub(crate) fn inference_time(&self) -> Formula {
        self.roofline_time(self.running_places().count())
    }

    /// Where the part is that the claim is about.
    fn main_place(&self) -> Option<&Place> {
        let main = self.scenario.main_part()?;
        let at = self.scenario.parts.iter().position(|part| std::ptr::eq(part, main))?;
        self.sheet.parts.get(at)
    }

    /// Intensity and bound of the part that the claim speaks of, by the key of the column.
    pub(crate) fn of_main(&self, key: &str) -> Option<Formula> {
        Some(self.main_place()?.read_figure(&self.sheet.table.name, key))
    }

    /// The peak of the part that the claim speaks of, in TOP/s; unknown where its kernels differ.
    pub(crate) fn main_peak(&self) -> Option<Formula> {
        let (table, kernels) = (&self.sheet.table.name, &self.main_place()?.kernels);
        let first = || at(table, "peak", kernels.start);
        let peaks = || range(table, "peak", kernels.clone());
        let alike = max(first(), peaks()).equals(min(first(), peaks()));
        Some(or_unknown(choose(alike, first(), text(UNKNOWN))))
    }

    /// Where the roofs of that part meet.
    pub(crate) fn main_ridge(&self) -> Option<Formula> {
        Some(or_unknown(self.main_peak()? * 1e3 / self.bandwidth()))
    }

    /// The roof of a precision, or of what all elements have where that is chosen.
    pub(crate) fn find_roof(&self, precision: Precision) -> Roof {
        Roof { peak: self.roofs.peak(precision), bandwidth: self.bandwidth() }
    }

    /// A figure of one kernel, by the key of its column.
    pub(crate) fn kernel_figure(&self, part: usize, kernel: usize, key: &str) -> Option<Formula> {
        let place = self.sheet.parts.get(part)?;
        let row = place.kernels.clone().nth(kernel)?;
        Some(at(&self.sheet.table.name, key, row))
    }

    /// Intensity and rate of a part, or of one of its kernels, in OP/B and OP/s.
    pub(crate) fn find_point(&self, part: usize, kernel: Option<usize>) -> Option<[Formula; 2]> {
        let place = self.sheet.parts.get(part)?;
        Some(self.place_of(kernel.map_or(place.total, |kernel| place.kernels.start + kernel)))
    }

    /// Where a row is on a roofline.
    fn place_of(&self, row: usize) -> [Formula; 2] {
        let cell = |key: &str| at(&self.sheet.table.name, key, row);
        [cell("oi"), cell("attainable") * 1e9]
    }

    /// Whether two kernels, each by its part and its place there, have the same formulas but for their calls.
    pub(crate) fn are_alike(&self, one: (usize, usize), other: (usize, usize)) -> bool {
        let columns = &self.sheet.table.columns;
        let row = |(part, kernel): (usize, usize)| {
            let place = self.sheet.parts.get(part)?;
            let row = self.sheet.table.rows.get(place.kernels.start + kernel)?;
            let cells = columns.iter().zip(row);
            let cells = cells.filter(|(c, _)| !["kernel", "calls"].contains(&c.key.as_str()));
            Some(cells.map(|(_, cell)| cell).collect::<Vec<_>>())
        };
        row(one).zip(row(other)).is_some_and(|(one, other)| one == other)
    }

    /// Bandwidth in GB/s.
    pub(crate) fn bandwidth(&self) -> Formula {
        self.roofs.bandwidth()
    }

    /// Tokens of the claim's own kernels.
    pub(crate) fn tokens(&self) -> Formula {
        self.roofs.tokens()
    }

    /// The word of its precision.
    pub(crate) fn precision(&self) -> Formula {
        self.roofs.precision()
    }
}
