//! Runs beside what the machine's own roofs allow: predicted, measured, error.

use derate_predict::PredictedRun;
use derate_render::{Align, Block, Cell, Column, NumberFormat, Section, Table};
use derate_units::figures::quantity;

/// A row for each run, and what the columns are.
pub fn predicted_runs(runs: &[PredictedRun]) -> Section {
    let right =
        |key: &str, heading: &str| Column { align: Align::Right, ..Column::text(key, heading) };
    let alike = runs.windows(2).all(|pair| shape_of(&pair[0]) == shape_of(&pair[1]));
    let row = |run: &PredictedRun| {
        let (fastest, slowest) = run.extremes;
        vec![
            Cell::text(if alike { run.stored.clone() } else { run.title.clone() }),
            Cell::text(quantity(run.bytes)),
            Cell::text(quantity(run.predicted)),
            Cell::text(run.bound.as_str()),
            Cell::text(quantity(run.measured)),
            Cell::text(format!("{} to {}", quantity(fastest), quantity(slowest))),
            Cell::number(run.error(), NumberFormat::Percent(1)),
            Cell::number(run.error_of_predicted(), NumberFormat::Percent(1)),
            Cell::number(run.bandwidth_share(), NumberFormat::Percent(0)),
        ]
    };
    let table = Table {
        name: "predicted-runs".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("run", if alike { "Precision" } else { "Run" }),
            right("bytes", "Bytes"),
            right("predicted", "Predicted"),
            Column::text("bound", "Bound"),
            right("measured", "Measured"),
            right("spread", "Fastest to slowest"),
            Column::number("error", "Error", ""),
            Column::number("error_of_predicted", "|p - m| / p", ""),
            Column::number("share", "Of the read", ""),
        ],
        rows: runs.iter().map(row).collect(),
    };
    let mut blocks = vec![Block::Table(table)];
    let rates: Vec<f64> = runs.iter().map(|run| run.bandwidth.0).collect();
    let (least, most) = rates
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(least, most), rate| (least.min(*rate), most.max(*rate)));
    if let Some(first) = runs.first() {
        let rate = |value| quantity(derate_units::BytesPerSecond(value));
        blocks.push(Block::Prose(format!(
            "Predicted: max(operations / peak, bytes / bandwidth). Bandwidth: reads of as many bytes just before and after each run, {} to {}; peak: {}, of the fastest product here. Both are of this session and this machine. Measured: the median of {} repetitions. Error: predicted over measured, less one; beside it |predicted - measured| / predicted.",
            rate(least),
            rate(most),
            quantity(first.peak),
            first.repetitions
        )));
    }
    Section::new("Predicted", "Predicted, measured, error", blocks)
}

/// The title without its precision.
fn shape_of(run: &PredictedRun) -> &str {
    run.title.rsplit_once(" in ").map_or(&run.title, |(shape, _)| shape)
}
