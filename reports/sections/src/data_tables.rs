//! Tables for programs: full digits, one SI unit a column, nothing that is only for people.

use derate_predict::Prediction;
use derate_predict::formats::FormatStudy;
use derate_render::{Cell, Column, NumberFormat, Table};
use derate_units::Bound;

fn number(value: impl Into<Option<f64>>) -> Cell {
    value.into().map_or(Cell::Empty, |value| Cell::number(value, NumberFormat::Significant(6)))
}

fn bound(bound: Option<Bound>) -> Cell {
    bound.map_or(Cell::Empty, |bound| Cell::text(bound.as_str()))
}

fn text(value: Option<&str>) -> Cell {
    value.map_or(Cell::Empty, Cell::text)
}

fn make_table(name: &str, columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Table {
    Table { name: name.to_owned(), caption: String::new(), columns, rows }
}

/// Operations of a prediction, and its figures.
pub fn prediction_data(prediction: &Prediction) -> Vec<Table> {
    let operations = prediction.phases.iter().flat_map(|phase| {
        phase.operations.iter().map(|row| {
            let conditional = row.conditional.as_ref().filter(|_| row.seconds.is_none());
            vec![
                Cell::text(phase.name),
                Cell::text(row.name),
                number(row.runs as f64),
                row.arithmetic.map_or(Cell::Empty, |of| Cell::text(of.key())),
                number(row.flops.0),
                number(row.bytes.0),
                number(row.oi.0),
                number(row.seconds.map(|time| time.0)),
                bound(row.bound),
                number(conditional.map(|time| time.seconds_from.0)),
                number(conditional.map(|time| time.seconds_to.0)),
                text(conditional.map(|time| time.condition.as_str())),
                number(row.expected.seconds.map(|time| time.0)),
            ]
        })
    });
    let operations = make_table(
        "operations",
        vec![
            Column::text("phase", "phase"),
            Column::text("operation", "operation"),
            Column::number("runs", "runs", ""),
            Column::text("arithmetic", "arithmetic"),
            Column::number("work", "work", "OP"),
            Column::number("bytes", "bytes", "B"),
            Column::number("oi", "intensity", "OP/B"),
            Column::number("seconds", "time", "s"),
            Column::text("bound", "bound"),
            Column::number("from", "conditional time from", "s"),
            Column::number("to", "conditional time to", "s"),
            Column::text("condition", "condition"),
            Column::number("expected", "expected time", "s"),
        ],
        operations.collect(),
    );
    let (flops, bytes) = prediction.work();
    let run = prediction.language.as_ref().and_then(|of| of.measured.as_ref());
    let measured = prediction.measured.as_ref().map(|of| of.seconds).or(run.map(|of| of.seconds));
    let counted = prediction.counted.as_ref();
    let energy = prediction.energy.as_ref();
    let whole = make_table(
        "whole",
        vec![
            Column::number("work", "work", "OP"),
            Column::number("bytes", "bytes", "B"),
            Column::number("roofline", "time at the roofline", "s"),
            Column::number("measured", "measured time", "s"),
            Column::number("counted", "counted bytes", "B"),
            Column::number("counted-time", "counted time", "s"),
            Column::number("power", "mean power", "W"),
            Column::number("energy", "energy of an operation", "J"),
        ],
        vec![vec![
            number(flops.0),
            number(bytes.0),
            number(prediction.roofline_seconds().map(|time| time.0)),
            number(measured.map(|time| time.0)),
            number(counted.and_then(|of| of.bytes).map(|bytes| bytes.0)),
            number(counted.and_then(|of| of.seconds).map(|time| time.0)),
            number(energy.map(|of| of.power.mean.0)),
            number(energy.map(|of| of.joules_per_operation)),
        ]],
    );
    vec![operations, whole]
}

/// Measured points of a study.
fn tabulate_achieved(study: &FormatStudy) -> Table {
    let points = study.rows.iter().flat_map(|row| &row.achieved).map(|point| {
        vec![
            Cell::text(&point.name),
            number(point.oi.0),
            number(point.rate.0),
            number(point.range.map(|(slowest, _)| slowest.0)),
            number(point.range.map(|(_, fastest)| fastest.0)),
            Cell::text(&point.source),
        ]
    });
    make_table(
        "points",
        vec![
            Column::text("name", "name"),
            Column::number("oi", "oi", "OP/B"),
            Column::number("rate", "rate", "OP/s"),
            Column::number("slowest", "slowest rate", "OP/s"),
            Column::number("fastest", "fastest rate", "OP/s"),
            Column::text("source", "source"),
        ],
        points.collect(),
    )
}

/// Rows, bit-level intensities, claims and measured points of a study.
pub fn formats_data(study: &FormatStudy) -> Vec<Table> {
    let rows = study.rows.iter().map(|row| {
        vec![
            Cell::text(row.mixture.to_string()),
            Cell::text(row.arithmetic.key()),
            number(row.bits),
            number(row.flops.map(|flops| flops.0)),
            number(row.bytes.map(|bytes| bytes.0)),
            number(row.oi.map(|oi| oi.0)),
            number(row.peak.as_ref().map(|peak| peak.value.0)),
            number(row.ridge.map(|ridge| ridge.0)),
            number(row.rho),
            bound(row.bound),
            number(row.attainable.map(|rate| rate.0)),
            bound(row.conditional.as_ref().map(|own| own.bound)),
            number(row.conditional.as_ref().and_then(|own| own.attainable).map(|rate| rate.0)),
            text(row.conditional.as_ref().map(|own| own.condition.as_str())),
            number(row.memory_seconds.map(|time| time.0)),
            number(row.compute_seconds.map(|time| time.0)),
            text(row.unknown.as_deref()),
        ]
    });
    let formats = make_table(
        "formats",
        vec![
            Column::text("format", "format"),
            Column::text("arithmetic", "arithmetic"),
            Column::number("bits", "bits of a weight", "bit"),
            Column::number("work", "work", "OP"),
            Column::number("bytes", "bytes", "B"),
            Column::number("oi", "intensity", "OP/B"),
            Column::number("peak", "peak", "OP/s"),
            Column::number("ridge", "ridge", "OP/B"),
            Column::number("rho", "rho", ""),
            Column::text("bound", "bound"),
            Column::number("attainable", "attainable rate", "OP/s"),
            Column::text("bound-if", "bound under the condition"),
            Column::number("attainable-if", "attainable rate under the condition", "OP/s"),
            Column::text("condition", "condition"),
            Column::number("memory", "memory time", "s"),
            Column::number("compute", "compute time", "s"),
            Column::text("unknown", "unknown"),
        ],
        rows.collect(),
    );
    let bits = study.rows.iter().flat_map(|row| {
        row.bit_intensity.iter().map(|own| {
            vec![
                Cell::text(row.mixture.to_string()),
                Cell::text(own.definition.as_str()),
                Cell::text(own.weights.as_str()),
                number(own.weight),
                number(own.value),
            ]
        })
    });
    let bits = make_table(
        "bit-intensity",
        vec![
            Column::text("format", "format"),
            Column::text("definition", "definition"),
            Column::text("weights", "weights"),
            Column::number("weight", "weight", ""),
            Column::number("intensity", "bit-level intensity", ""),
        ],
        bits.collect(),
    );
    let claims = study.claims.iter().map(|claim| {
        vec![
            Cell::text(claim.arithmetic.key()),
            number(claim.claimed.0),
            number(claim.claimed_ridge.0),
            number(claim.own.map(|own| own.0)),
            number(claim.own_ridge.map(|own| own.0)),
        ]
    });
    let claims = make_table(
        "claims",
        vec![
            Column::text("arithmetic", "arithmetic"),
            Column::number("claimed", "claimed peak", "OP/s"),
            Column::number("claimed-ridge", "claimed ridge", "OP/B"),
            Column::number("own", "derivable peak", "OP/s"),
            Column::number("own-ridge", "derivable ridge", "OP/B"),
        ],
        claims.collect(),
    );
    let points = tabulate_achieved(study);
    let all = [formats, bits, claims, points];
    all.into_iter().filter(|table| !table.rows.is_empty()).collect()
}
