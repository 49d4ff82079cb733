//! The cells of one kernel or group: sizes over the inputs, times over the roofs.

use std::collections::BTreeMap;

use derate_render::formula::{Function, column, number, text};
use derate_render::{Cell, Formula, NumberFormat};

use super::cell::{UNKNOWN, choose_digits, follow_cell, or_unknown};
use super::moved::{Moved, write_count};
use super::polynomial::Polynomial;
use super::precisions::TERA;
use super::product;
use super::roof::Roof;
use super::roofs::{Roofs, Times, write_intensity};
use derate_workload::Role;
use derate_workload::work::count_work;

/// Partial sums are kept at 32 bits.
pub(super) const SUM_BITS: f64 = 32.0;
const MEGABYTE: f64 = 8e6;
const WHOLE: NumberFormat = NumberFormat::Integer;
const TWO: NumberFormat = NumberFormat::Significant(4);
const FOUR: NumberFormat = NumberFormat::Significant(4);

/// Which columns a sheet has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// A kernel has dimensions and one peak.
    Kernels,
    /// A group has a part, and its times under each roof.
    Groups,
}

/// Cells by the keys of their columns; a sheet takes those that it has columns for.
pub(super) type Row = BTreeMap<&'static str, Cell>;

/// Makes the rows of one scenario.
pub(super) struct RowMaker<'a> {
    pub(super) layout: Layout,
    pub(super) roofs: &'a Roofs<'a>,
}

impl RowMaker<'_> {
    /// All cells but the names and what the chip must hold.
    pub(super) fn make_row(&self, moved: &Moved<'_>) -> Row {
        let (kernel, totals) = (moved.kernel, &moved.kernel.totals);
        let mut row = Row::from([
            ("calls", write_count(kernel.calls as f64, &moved.count_calls())),
            ("flops", write_count(totals.flops.0, &moved.count_flops())),
            (
                "bytes",
                Cell::formula(totals.bytes.0, column("elements") * column("bits") / 8.0, WHOLE),
            ),
            (
                "oi",
                Cell::formula(totals.oi.0, write_intensity(column("flops"), column("bytes")), TWO),
            ),
            ("weight_mb", self.make_weights(moved)),
        ]);
        self.add_elements(&mut row, moved);
        if self.layout == Layout::Kernels {
            self.add_dimensions(&mut row, moved);
        }
        self.add_times(&mut row, moved);
        let all = totals.throughput_seconds.map(|time| time.0 * kernel.calls as f64 * 1e3);
        let formula = or_unknown(column("time") * column("calls") / 1e3);
        row.insert("all", follow_cell(all, formula, FOUR));
        row
    }

    /// What crosses memory, and bits of an element: their mean where each tensor has its own format.
    fn add_elements(&self, row: &mut Row, moved: &Moved<'_>) {
        let kernel = moved.kernel;
        let crossed: f64 = kernel.operands.iter().map(|o| o.elements as f64 * o.crossings).sum();
        let cell = match moved.write_elements(|_| 1) {
            (_, true) => Cell::number(crossed, WHOLE),
            (elements, false) => Cell::formula(crossed, elements, WHOLE),
        };
        row.insert("elements", cell);
        let first = kernel.operands.first().map_or(0.0, |o| f64::from(o.precision.bits()));
        let mean = if crossed > 0.0 { kernel.totals.bytes.0 * 8.0 / crossed } else { first };
        let own = match moved.common_bits(|_| true) {
            Some(bits) => number(bits),
            None => moved.write_elements(|o| u64::from(o.precision.bits())).0 / column("elements"),
        };
        let bits =
            Cell::formula(mean, self.roofs.by_choice(own, self.roofs.bits()), choose_digits(mean));
        row.insert("bits", bits);
    }

    fn make_weights(&self, moved: &Moved<'_>) -> Cell {
        let value = moved.kernel.totals.weight_bytes.0;
        if value <= 0.0 {
            return Cell::number(0.0, TWO);
        }
        let is_weight = |role: Role| u64::from(role == Role::Weight);
        let (elements, _) = moved.write_elements(|o| is_weight(o.role));
        let own = match moved.common_bits(|o| o.role == Role::Weight) {
            Some(bits) => elements.clone() * bits,
            None => moved.write_elements(|o| is_weight(o.role) * u64::from(o.precision.bits())).0,
        };
        let bits = self.roofs.by_choice(own, elements * self.roofs.bits());
        Cell::formula(value / 1e6, bits / MEGABYTE, TWO)
    }

    /// The dimensions of a product, what follows from them, and its peak.
    fn add_dimensions(&self, row: &mut Row, moved: &Moved<'_>) {
        let kernel = moved.kernel;
        let Some((own, grown)) = kernel.matmul.zip(moved.matmul()) else { return };
        for (key, value, size) in
            [("m", own.m, &grown.m), ("k", own.k, &grown.k), ("n", own.n, &grown.n)]
        {
            row.insert(key, write_count(value as f64, size));
        }
        let flops = product::write_operations(&grown.batch);
        row.insert("flops", Cell::formula(kernel.totals.flops.0, flops, WHOLE));
        let times = |at: usize| kernel.operands.get(at).map_or(1, |o| super::to_count(o.crossings));
        if let Some(elements) = product::write_elements(grown, moved.operands(), times) {
            let crossed: f64 =
                kernel.operands.iter().map(|o| o.elements as f64 * o.crossings).sum();
            row.insert("elements", Cell::formula(crossed, elements, WHOLE));
        }
        let precision = kernel.precision;
        let peak = follow_cell(self.roofs.peak_value(precision), self.roofs.peak(precision), FOUR);
        row.insert("peak", peak);
    }

    /// What a product must hold so that no operand is read again: the least of both operands and the partial sums. `None`
    /// where one is read again as it is.
    pub(super) fn make_hold(&self, moved: &Moved<'_>) -> Option<Cell> {
        let kernel = moved.kernel;
        if kernel.operands.iter().any(|operand| operand.crossings > 1.0) {
            return None;
        }
        let (own, grown) = kernel.matmul.zip(moved.matmul())?;
        let bits = |at: usize| Some(f64::from(kernel.operands.get(at)?.precision.bits()));
        let (left, right) = (bits(0)?, bits(1)?);
        let chosen = |own: f64| self.roofs.by_choice(number(own), self.roofs.bits());
        let [m, k, n] = match self.layout {
            Layout::Kernels => ["m", "k", "n"].map(column),
            Layout::Groups => [&grown.m, &grown.k, &grown.n].map(Polynomial::formula),
        };
        let least = Formula::Call(
            Function::Min,
            vec![
                m.clone() * k.clone() * chosen(left),
                k * n.clone() * chosen(right),
                m * n * SUM_BITS,
            ],
        );
        let [m, k, n] = [own.m, own.k, own.n].map(|extent| extent as f64);
        let value = (m * k * left).min(k * n * right).min(m * n * SUM_BITS);
        Some(Cell::formula(value / MEGABYTE, least / MEGABYTE, NumberFormat::Significant(3)))
    }

    /// Microseconds at the peak of each arithmetic; `None` where nothing is multiplied.
    fn write_compute(&self, moved: &Moved<'_>) -> Option<Formula> {
        let each = moved.flops_by_arithmetic();
        let (first, _) = each.first()?;
        let all = column("flops") / self.roofs.peak(*first) / 1e6;
        if each.len() == 1 {
            return Some(all);
        }
        let terms = each.iter().map(|(arithmetic, flops)| {
            flops.formula() / self.roofs.peak_of(text(arithmetic.key())) / 1e6
        });
        Some(self.roofs.by_choice(terms.reduce(|a, b| a + b)?, all))
    }

    /// The time of its products at the peaks as derate has them, in seconds.
    fn compute_seconds(&self, moved: &Moved<'_>) -> Option<f64> {
        let class = moved.fused.class;
        let kernels = moved.fused.group.kernels.clone();
        let peak = |p| self.roofs.peak_value(p).map_or(0.0, |tera| tera * TERA);
        let seconds = count_work(&class.block, kernels, &class.formats).seconds(peak);
        seconds.is_finite().then_some(seconds)
    }

    /// The times under both roofs, and what follows from them.
    fn add_times(&self, row: &mut Row, moved: &Moved<'_>) {
        let totals = &moved.kernel.totals;
        let time = totals.throughput_seconds.map(|time| time.0 * 1e6);
        let memory = totals.bytes.0 / (self.roofs.step.bandwidth.value.0 / 1e6);
        let bytes = column("bytes") / self.roofs.bandwidth() / 1e3;
        row.insert("memory", Cell::formula(memory, bytes.clone(), FOUR));
        let Some(compute) = self.write_compute(moved) else {
            row.insert("compute", Cell::number(0.0, FOUR));
            row.insert("bound", Cell::text("memory"));
            row.insert("attainable", Cell::number(0.0, FOUR));
            let memory = match self.layout {
                Layout::Kernels => bytes,
                Layout::Groups => column("memory"),
            };
            row.insert("time", follow_cell(time, memory, FOUR));
            return;
        };
        let seconds = self.compute_seconds(moved).filter(|_| time.is_some());
        row.insert("compute", follow_cell(seconds.map(|s| s * 1e6), or_unknown(compute), FOUR));
        let (times, attainable): (&dyn Fn() -> Times, _) = match self.layout {
            Layout::Kernels => {
                let roof = Roof { peak: column("peak"), bandwidth: self.roofs.bandwidth() };
                let attainable = roof.write_attainable(column("oi"));
                (&move || roof.write_times(column("flops"), column("bytes")), attainable)
            }
            Layout::Groups => {
                (&Times::of_columns, or_unknown(column("flops") / column("time") / 1e3))
            }
        };
        let bound = totals.bound.map_or(UNKNOWN, |bound| bound.as_str());
        row.insert("bound", Cell::formula(bound, times().write_bound(), WHOLE));
        let rate = totals.attainable.map(|rate| rate.0 / 1e9);
        row.insert("attainable", follow_cell(rate, attainable, FOUR));
        row.insert("time", follow_cell(time, times().roofline_time(), FOUR));
    }
}
