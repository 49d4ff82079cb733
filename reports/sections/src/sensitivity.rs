//! Which assumption moves the answer: a table, and bars with like steps beside like.

use derate_estimate::{Estimate, SensitivityRow, Step};
use derate_render::{BarSeries, Bars, Cell, Column, Length, NumberFormat, Table};
use derate_units::figures::{quantity, significant};

use super::live::Formulas;

/// What a caption says only where an input may be changed.
const AS_COMPUTED: &str = ". As derate computed it: it does not follow the inputs";

/// The assumptions by what they move.
pub(crate) fn tabulate_sensitivity(estimate: &Estimate, formulas: &Formulas<'_>) -> Option<Table> {
    let last = estimate.ladder().last()?;
    let answer = if last.latency.is_some() { "latency" } else { "roofline time" };
    let rows: Vec<Vec<Cell>> = estimate
        .sensitivity
        .iter()
        .map(|row| {
            let time = |t: f64| Cell::number(t * 1e3, NumberFormat::Significant(4));
            vec![
                Cell::text(row.name),
                Cell::text(&row.from),
                Cell::text(&row.to),
                time(row.before.0),
                time(row.after.0),
                Cell::number(100.0 * row.change, NumberFormat::Significant(3)),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        name: "assumptions-ranked".to_owned(),
        caption: format!(
            "Which assumption moves the {answer} of scenario {} most: one is changed at a time{}",
            last.heading(),
            if formulas.can_edit() { AS_COMPUTED } else { "" }
        ),
        columns: vec![
            Column::text("assumption", "Assumption"),
            Column::text("from", "From"),
            Column::text("to", "To"),
            Column::number("before", "Before", "ms"),
            Column::number("after", "After", "ms"),
            Column::number("change", "Change", "%"),
        ],
        rows,
    })
}

/// A change of the answer that is smaller is no bar.
const SMALL: f64 = 1e-4;

/// So many bars of a kind.
const MOST: usize = 8;

fn name_step(row: &SensitivityRow) -> String {
    let SensitivityRow { name, from, to, .. } = row;
    format!("{name}, {from} to {to}")
}

/// What each change adds to the time or saves: steps of one kind together, the strongest first.
pub(super) fn chart_sensitivity(estimate: &Estimate) -> Option<Bars> {
    let mut rows: Vec<&SensitivityRow> = Vec::new();
    for step in [Step::Tenth, Step::Half, Step::Other] {
        let own = estimate.sensitivity.iter();
        rows.extend(own.filter(|row| row.step == step && row.change.abs() >= SMALL).take(MOST));
    }
    let before = rows.first()?.before;
    let strongest = |step: Step| {
        let row = rows.iter().find(|row| row.step == step)?;
        let way = if row.change < 0.0 { "less" } else { "more" };
        let percent = significant(100.0 * row.change.abs(), 2);
        Some(format!("{}, {percent} % {way}", name_step(row)))
    };
    let strongest = [Step::Tenth, Step::Half, Step::Other].into_iter().filter_map(strongest);
    let strongest: Vec<String> = strongest.collect();
    let series = |name: &str, length: fn(&SensitivityRow) -> f64| BarSeries {
        name: name.to_owned(),
        lengths: rows
            .iter()
            .map(|row| Some(Length { value: length(row).max(0.0) * 1e3, live: None }))
            .collect(),
    };
    Some(Bars {
        name: "sensitivity".to_owned(),
        title: "What moves the time of an inference".to_owned(),
        caption: format!(
            "Each bar changes one assumption of the {}: rates by a tenth, counts to their half, the rest to what is commonly taken instead. The strongest of each: {}. As derate computed it.",
            quantity(before),
            strongest.join("; ")
        ),
        label: "Change of the time".to_owned(),
        unit: "ms".to_owned(),
        format: NumberFormat::Significant(3),
        bars: rows.iter().map(|row| name_step(row)).collect(),
        series: vec![
            series("adds", |row| row.after.0 - row.before.0),
            series("saves", |row| row.before.0 - row.after.0),
        ],
        stacked: true,
    })
}
