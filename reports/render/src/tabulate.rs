//! Figures, charts and diagnostics as tables, for formats that cannot show them otherwise.

use crate::{Align, Bars, Cell, Chart, Column, Diagnostic, KeyFigure, Label, NumberFormat, Table};

/// Key figures as a table: a row each, a column for every reading in order of first appearance.
pub(crate) fn tabulate_key_figures(figures: &[KeyFigure]) -> Table {
    let mut columns = vec![Column::text("figure", "Figure")];
    for (heading, _) in figures.iter().flat_map(|figure| &figure.values) {
        if !columns.iter().skip(1).any(|column| column.heading == *heading) {
            columns.push(Column { align: Align::Right, ..Column::text(heading, heading) });
        }
    }
    let rows = figures.iter().map(|figure| {
        let readings = columns.iter().skip(1).map(|column| {
            let reading = figure.values.iter().find(|(heading, _)| *heading == column.heading);
            reading.map_or(Cell::Empty, |(_, cell)| cell.clone())
        });
        std::iter::once(Cell::text(&figure.label)).chain(readings).collect()
    });
    let rows = rows.collect();
    Table { name: "key-figures".to_owned(), caption: String::new(), columns, rows }
}

/// Diagnostics as a table, for formats without excerpts: a row each.
pub(crate) fn tabulate_diagnostics(diagnostics: &[Diagnostic]) -> Table {
    let columns = [
        ("level", "Level"),
        ("rule", "Rule"),
        ("message", "Finding"),
        ("where", "Where"),
        ("there", "What is there"),
        ("notes", "Notes"),
        ("help", "What to do"),
    ];
    let rows = diagnostics.iter().map(|diagnostic| {
        let lines = |text: &dyn Fn(&Label) -> String| -> Vec<String> {
            diagnostic.labels.iter().map(text).collect()
        };
        let places = lines(&|label| format!("{}:{}", label.file, label.position().0));
        vec![
            Cell::Status(diagnostic.level, diagnostic.level.name().to_owned()),
            Cell::text(&diagnostic.code),
            Cell::text(&diagnostic.message),
            Cell::Text(places.join("\n")),
            Cell::Text(list_texts(&lines(&Label::marked_line))),
            Cell::Text(list_texts(&diagnostic.notes)),
            diagnostic.help.as_ref().map_or(Cell::Empty, Cell::text),
        ]
    });
    let rows = rows.collect();
    let columns = columns.map(|(key, heading)| Column::text(key, heading)).into_iter().collect();
    Table { name: "findings".to_owned(), caption: String::new(), columns, rows }
}

/// The points of a chart as a table, for formats that cannot draw.
pub(crate) fn tabulate_points(chart: &Chart) -> Table {
    let columns = vec![
        Column::text("series", "Series"),
        Column::text("point", "Point"),
        Column::number("x", &chart.x.label, &chart.x.unit),
        Column::number("y", &chart.y.label, &chart.y.unit),
    ];
    let rows = chart.points.iter().flat_map(|series| {
        series.points.iter().map(|point| {
            let number = |value: f64| {
                let large = value >= 1e4;
                Cell::number(
                    value,
                    if large { NumberFormat::Si(4) } else { NumberFormat::Significant(4) },
                )
            };
            vec![
                Cell::text(&series.name),
                Cell::text(&point.label),
                number(point.at.x),
                number(point.at.y),
            ]
        })
    });
    let rows = rows.collect();
    Table { name: "points".to_owned(), caption: chart.caption.clone(), columns, rows }
}

/// The lengths of a bar chart as a table, for formats that cannot draw.
pub(crate) fn tabulate_bars(chart: &Bars) -> Table {
    let mut columns = vec![Column::text("bar", "")];
    columns.extend(chart.series.iter().map(|s| Column::number(&s.name, &s.name, &chart.unit)));
    let rows = chart.bars.iter().enumerate().map(|(at, bar)| {
        let lengths = chart.series.iter().map(|series| match series.lengths.get(at) {
            Some(Some(length)) => Cell::number(length.value, chart.format),
            _ => Cell::Unknown(String::new()),
        });
        std::iter::once(Cell::text(bar)).chain(lengths).collect()
    });
    let rows = rows.collect();
    Table { name: chart.name.clone(), caption: chart.caption.clone(), columns, rows }
}

/// Texts one per line, each with a bullet if there are several, because they wrap.
fn list_texts(texts: &[String]) -> String {
    match texts {
        [text] => text.clone(),
        _ => texts.iter().map(|text| format!("• {text}")).collect::<Vec<_>>().join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_figures_share_columns_by_heading() {
        let number = |value| Cell::number(value, NumberFormat::Integer);
        let figures = [
            KeyFigure {
                label: "Bandwidth".to_owned(),
                values: vec![("Claimed".to_owned(), number(460.0))],
            },
            KeyFigure {
                label: "Batch".to_owned(),
                values: vec![
                    ("Derived".to_owned(), number(1.0)),
                    ("Claimed".to_owned(), number(2.0)),
                ],
            },
        ];
        let table = tabulate_key_figures(&figures);
        assert_eq!(table.columns.len(), 3);
        assert_eq!(table.rows[0], [Cell::text("Bandwidth"), number(460.0), Cell::Empty]);
        assert_eq!(table.rows[1], [Cell::text("Batch"), number(2.0), number(1.0)]);
    }
}
