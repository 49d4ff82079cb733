//! The kernels or groups of one scenario and schedule as a table of formulas, with the sums of its parts.

use derate_render::formula::{self, at};
use derate_render::{Cell, Column, NumberFormat, Table};

use super::cell::{follow_cell, or_unknown};
use super::moved::Moved;
use super::partition::Partition;
use super::roofs::Roofs;
use super::row::{Layout, Row, RowMaker};
use super::sums::{Place, add_figures, write_totals};
use super::symbols::Symbols;
use crate::kernels::{live_caption, row_labels};
use derate_estimate::{PartEstimate, ScenarioEstimate, Totals};

/// The key of what must be on the chip so that no operand is read again.
pub(super) const HOLD: &str = "hold";

/// The table of one scenario, and where its parts are in it.
pub(crate) struct Sheet {
    pub(crate) table: Table,
    /// By their place in the estimate.
    pub(super) parts: Vec<Place>,
    /// The first kernel that reads an operand more than once.
    pub(super) rereads: Option<String>,
}

/// The columns; cells are found by their keys.
fn list_columns(layout: Layout, is_alone: bool) -> Vec<Column> {
    let (text, number) = (Column::text, Column::number);
    let mut columns = match layout {
        Layout::Kernels => vec![
            text("kernel", "Kernel"),
            number("calls", "Calls", ""),
            number("m", "M", ""),
            number("k", "K", ""),
            number("n", "N", ""),
            number("flops", "Work", "OP"),
            number("elements", "Elements moved", ""),
        ],
        Layout::Groups => vec![
            text("part", "Part"),
            text("kernel", "Group"),
            number("calls", "Calls", ""),
            number("flops", "Work", "OP"),
            number("elements", "Elements that cross", ""),
        ],
    };
    columns.extend([
        number("bits", "Element", "bit"),
        number("bytes", "Traffic", "B"),
        number("oi", "OI", "OP/B"),
        number("weight_mb", "Weights", "MB"),
    ]);
    columns.extend(match layout {
        Layout::Kernels => vec![number("peak", "Peak", "TOP/s")],
        Layout::Groups => {
            vec![number("compute", "Compute", "µs"), number("memory", "Memory", "µs")]
        }
    });
    columns.extend([
        text("bound", "Bound"),
        number("attainable", "Attainable", "GOP/s"),
        number("time", "Time of a call", "µs"),
        number("all", "Time of all calls", "ms"),
        number("share", "Share of the inference", "%"),
    ]);
    if is_alone {
        columns.push(number(HOLD, "On-chip memory needed", "MB"));
    }
    columns
}

/// The sheet of one scenario; `None` where the estimate has other groups than the partition.
pub(super) fn make_sheet(
    name: &str,
    layout: Layout,
    roofs: &Roofs<'_>,
    symbols: &Symbols,
    scenario: &ScenarioEstimate,
    partition: &Partition<'_>,
) -> Option<Sheet> {
    let columns = list_columns(layout, partition.is_alone());
    let maker = RowMaker { layout, roofs };
    let mut sheet = Sheet {
        table: Table {
            name: name.to_owned(),
            caption: live_caption(scenario),
            columns,
            rows: Vec::new(),
        },
        parts: Vec::new(),
        rereads: None,
    };
    let mut estimates = scenario.parts.iter();
    for part in partition.shown_parts(scenario) {
        sheet.add_part(&maker, symbols, estimates.next()?, partition, part)?;
    }
    sheet.add_shares(scenario);
    estimates.next().is_none().then_some(sheet)
}

impl Sheet {
    fn add_row(&mut self, mut row: Row) {
        let columns = self.table.columns.iter();
        let cells = columns.map(|column| row.remove(column.key.as_str()).unwrap_or(Cell::Empty));
        self.table.rows.push(cells.collect());
    }

    /// What each row of a part that runs takes of an inference.
    fn add_shares(&mut self, scenario: &ScenarioEstimate) {
        let Some(column) = self.table.columns.iter().position(|c| c.key == "share") else { return };
        let parts = scenario.parts.iter().zip(&self.parts).filter(|(part, _)| part.runs);
        let parts: Vec<(&PartEstimate, &Place)> = parts.collect();
        let whole = || {
            let times = parts.iter().map(|(_, place)| at(&self.table.name, "all", place.total));
            add_figures(times)
        };
        let inference = scenario.running_time();
        let mut shares = Vec::new();
        for (part, place) in &parts {
            let kernels = part
                .kernels
                .iter()
                .map(|kernel| Some(kernel.totals.throughput_seconds? * kernel.calls as f64));
            let sum = place.is_summed.then_some((place.total, part.totals.throughput_seconds));
            for (row, time) in place.kernels.clone().zip(kernels).chain(sum) {
                let value = time.zip(inference).map(|(time, whole)| 100.0 * (time / whole));
                let share = or_unknown(formula::column("all") / whole() * 100.0);
                shares.push((row, follow_cell(value, share, NumberFormat::Significant(3))));
            }
        }
        for (row, share) in shares {
            self.table.rows[row][column] = share;
        }
    }

    /// The rows of a part: its groups, one layer, and their sum.
    fn add_part(
        &mut self,
        maker: &RowMaker<'_>,
        symbols: &Symbols,
        part: &PartEstimate,
        partition: &Partition<'_>,
        at: usize,
    ) -> Option<()> {
        let first = self.table.rows.len();
        let mut names = row_labels(part);
        let mut kernels = part.kernels.iter();
        let mut layers = Vec::new();
        for fused in partition.of_part(at) {
            let kernel = kernels.next()?;
            let repeated = symbols.find_block(fused.class.part, fused.block)?;
            let moved = Moved { repeated, kernel, fused: &fused };
            layers.push(fused.class.layers.len() as u64);
            let mut row = maker.make_row(&moved);
            row.insert("part", Cell::text(&part.name));
            row.insert("kernel", Cell::Text(names.next()?));
            if moved.matmul().is_some() {
                match maker.make_hold(&moved) {
                    Some(hold) => drop(row.insert(HOLD, hold)),
                    None => drop(self.rereads.get_or_insert_with(|| kernel.name.to_string())),
                }
            }
            self.add_row(row);
        }
        let own = first..self.table.rows.len();
        let sum = |name: String, totals: &Totals, layers: f64| {
            let mut row = write_totals(totals, &own, layers);
            row.insert("kernel", Cell::Total(name));
            row
        };
        if let Some(layer) = &part.one_layer {
            self.add_row(sum(names.next()?, layer, part.layers as f64));
        }
        let is_summed = part.is_summed();
        let total = if is_summed { self.table.rows.len() } else { first };
        if is_summed {
            let mut row = sum(names.next()?, &part.totals, 1.0);
            let all = part.totals.throughput_seconds.map(|time| time.0 * 1e3);
            let formula = or_unknown(formula::column("time") / 1e3);
            row.insert("all", follow_cell(all, formula, NumberFormat::Significant(4)));
            self.add_row(row);
        }
        self.parts.push(Place { kernels: own, total, layers, is_summed });
        kernels.next().is_none().then_some(())
    }
}
