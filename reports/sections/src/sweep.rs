//! A sweep as a table: one row per combination, in base units.

use derate_render::{Block, Cell, Column, Document, NumberFormat, Section, Table};

use derate_estimate::sweep::Sweep;

/// The axes, then the figures.
pub fn sweep(sweep: &Sweep) -> Table {
    let mut columns: Vec<Column> =
        sweep.axes.iter().map(|axis| Column::text(axis.name(), axis.name())).collect();
    columns.extend([
        Column::number("flops", "flops", "FLOP"),
        Column::number("elementwise_ops", "elementwise_ops", "OP"),
        Column::number("bytes", "bytes", "B"),
        Column::number("weight_bytes", "weight_bytes", "B"),
        Column::number("oi", "oi", "OP/B"),
        Column::number("throughput_seconds", "throughput_seconds", "s"),
        Column::number("latency_seconds", "latency_seconds", "s"),
        Column::text("note", "note"),
    ]);
    let rows = sweep.points.iter().map(|point| {
        let values = sweep
            .axes
            .iter()
            .zip(&point.at)
            .map(|(axis, &at)| axis.texts.get(at as usize).map_or(Cell::Empty, Cell::text));
        // The note has the reason.
        let cell = |value: Option<f64>, format| match value {
            Some(value) => Cell::number(value, format),
            None => Cell::Unknown(String::new()),
        };
        let whole = |value| cell(value, NumberFormat::Integer);
        let digits = |value| cell(value, NumberFormat::Significant(7));
        values
            .chain([
                whole(point.flops.map(|f| f.0)),
                whole(point.elementwise_ops.map(|f| f.0)),
                whole(point.bytes.map(|b| b.0)),
                whole(point.weight_bytes.map(|b| b.0)),
                digits(point.oi.map(|oi| oi.0)),
                digits(point.throughput_seconds.map(|t| t.0)),
                digits(point.latency_seconds.map(|t| t.0)),
                point.note.map_or(Cell::Empty, |note| Cell::text(note.to_string())),
            ])
            .collect()
    });
    Table {
        name: "sweep".to_owned(),
        caption: format!("Scenario {}; {}", sweep.scenario, sweep.command),
        columns,
        rows: rows.collect(),
    }
}

/// The same for a terminal.
pub fn sweep_document(of: &Sweep) -> Document {
    Document {
        title: "Sweep".to_owned(),
        subtitle: format!(
            "{} combinations of the parameters of one inference; modelled",
            of.points.len()
        ),
        controls: Vec::new(),
        sections: vec![Section {
            name: "Sweep".to_owned(),
            title: "Combinations".to_owned(),
            blocks: vec![Block::Table(sweep(of))],
            appendix: false,
        }],
    }
}
