//! The kernels that take most of an inference.

use derate_render::{Cell, Column, NumberFormat, Table};

use super::super::live::{Formulas, follow_cell};
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Estimate, KernelEstimate, PartEstimate, ScenarioEstimate};

/// So many kernels.
const MOST: usize = 5;

/// A row for each of the kernels with the largest share of the time that holds.
pub(super) fn tabulate_longest(estimate: &Estimate, formulas: &Formulas<'_>) -> Option<Table> {
    let table = tabulate_longest_of(estimate.scenario(ScenarioKind::DerivedPeak)?, formulas)?;
    let caption = "The kernels that take most of the time that holds".to_owned();
    Some(Table { caption, ..table })
}

/// The same for any scenario; without a caption.
pub(crate) fn tabulate_longest_of(
    scenario: &ScenarioEstimate,
    formulas: &Formulas<'_>,
) -> Option<Table> {
    let whole = scenario.running_time()?;
    let time =
        |kernel: &KernelEstimate| Some(kernel.totals.throughput_seconds? * kernel.calls as f64);
    let parts = scenario.parts.iter().enumerate().filter(|(_, part)| part.runs);
    let mut kernels: Vec<(usize, usize, &PartEstimate, &KernelEstimate)> = parts
        .flat_map(|(at, part)| {
            part.kernels.iter().enumerate().map(move |(place, kernel)| (at, place, part, kernel))
        })
        .collect();
    let seconds = |kernel: &KernelEstimate| time(kernel).map_or(0.0, |time| time.0);
    kernels.sort_by(|a, b| seconds(b.3).total_cmp(&seconds(a.3)));
    let live = formulas.of(scenario);
    let rows = kernels.into_iter().take(MOST).map(|(part, place, own, kernel)| {
        let cell = |key: &str, value: Option<f64>, format| match live
            .and_then(|live| live.kernel_figure(part, place, key))
        {
            Some(formula) => follow_cell(value, formula, format),
            None => value
                .map_or_else(|| Cell::Unknown(String::new()), |value| Cell::number(value, format)),
        };
        let all = time(kernel);
        let bound = kernel.totals.bound.map_or("unknown", |bound| bound.as_str());
        vec![
            Cell::text(kernel.name.as_ref()),
            Cell::text(&own.name),
            cell("calls", Some(kernel.calls as f64), NumberFormat::Integer),
            cell("all", all.map(|all| all.0 * 1e3), NumberFormat::Significant(4)),
            cell("share", all.map(|all| 100.0 * (all / whole)), NumberFormat::Significant(3)),
            match live.and_then(|live| live.kernel_figure(part, place, "bound")) {
                Some(formula) => Cell::formula(bound, formula, NumberFormat::Integer),
                None => Cell::text(bound),
            },
        ]
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    (!rows.is_empty()).then(|| Table {
        name: "longest-kernels".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("kernel", "Kernel"),
            Column::text("part", "Part"),
            Column::number("calls", "Calls", ""),
            Column::number("time", "Time of all calls", "ms"),
            Column::number("share", "Share", "%"),
            Column::text("bound", "Bound"),
        ],
        rows,
    })
}
