//! Sums over the kernels of a part.

use std::ops::Range;

use derate_render::formula::{
    above, at, choose, column, number, range, sum_product, sum_where, text,
};
use derate_render::{Cell, Formula, NumberFormat};

use super::cell::{UNKNOWN, follow_cell, or_unknown};
use super::roofs::write_intensity;
use super::row::Row;
use derate_estimate::Totals;

/// Where a part is in a table of kernels.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Its kernels.
    pub(super) kernels: Range<usize>,
    /// The row of its sum, or its only kernel.
    pub(super) total: usize,
    /// The layers that each kernel is in.
    pub(super) layers: Vec<u64>,
    /// Whether that row is a sum.
    pub(super) is_summed: bool,
}

impl Place {
    /// A figure that adds up, of all calls of the part.
    pub(super) fn sum_figure(&self, table: &str, key: &str) -> Formula {
        let one = at(table, key, self.total);
        if self.is_summed { one } else { one * at(table, "calls", self.total) }
    }

    /// The time of all calls under one roof.
    pub(super) fn bound_by(&self, table: &str, roof: &str) -> Formula {
        let column = |key: &str| range(table, key, self.kernels.clone());
        sum_where(column("bound"), text(roof), vec![column("calls"), column("time")])
    }

    /// A figure that does not: the intensity, the bound.
    pub(super) fn read_figure(&self, table: &str, key: &str) -> Formula {
        at(table, key, self.total)
    }
}

/// Work, traffic, intensity, weights, bound, rate and time of `rows` over their calls, divided by `layers`.
pub(super) fn write_totals(totals: &Totals, rows: &Range<usize>, layers: f64) -> Row {
    let calls = || above("calls", rows.clone());
    let each = |sum: Formula| if layers > 1.0 { sum / layers } else { sum };
    let all = |key: &str| each(sum_product(vec![calls(), above(key, rows.clone())]));
    let (whole, two, four) =
        (NumberFormat::Integer, NumberFormat::Significant(4), NumberFormat::Significant(4));
    // A time that is not known is not a number, and the sum is none either.
    let unknown = sum_where(above("time", rows.clone()), text(UNKNOWN), vec![calls()]);
    let time = choose(unknown.exceeds(0.0), text(UNKNOWN), all("time"));
    let compute = sum_where(
        above("bound", rows.clone()),
        text("compute"),
        vec![calls(), above("time", rows.clone())],
    );
    let bound =
        choose((each(compute) * 2.0).at_least(column("time")), text("compute"), text("memory"));
    // A text is at least as much as any number to a spreadsheet.
    let bound = choose(column("time").equals(text(UNKNOWN)), text(UNKNOWN), bound);
    let rate = totals.attainable.map(|rate| rate.0 / 1e9);
    let attainable = or_unknown(column("flops") / column("time") / 1e3);
    let known = totals.bound.map_or(UNKNOWN, |bound| bound.as_str());
    Row::from([
        ("flops", Cell::formula(totals.flops.0, all("flops"), whole)),
        ("bytes", Cell::formula(totals.bytes.0, all("bytes"), whole)),
        ("oi", Cell::formula(totals.oi.0, write_intensity(column("flops"), column("bytes")), two)),
        ("weight_mb", Cell::formula(totals.weight_bytes.0 / 1e6, all("weight_mb"), two)),
        ("bound", Cell::formula(known, bound, whole)),
        ("attainable", follow_cell(rate, attainable, four)),
        ("time", follow_cell(totals.throughput_seconds.map(|time| time.0 * 1e6), time, four)),
    ])
}

/// The sum of some figures; unknown where one is.
pub(super) fn add_figures(terms: impl Iterator<Item = Formula>) -> Formula {
    or_unknown(terms.reduce(|a, b| a + b).unwrap_or_else(|| number(0.0)))
}
