//! A measurement as the bench prints it.

use derate_render::{Block, Cell, Column, Document, Level, Section, Table};

use super::validation::{bandwidth_cell, of_results, tabulate_times};
use derate_measure::{BytesFrom, Measurement, Run, note_uneven};
use derate_units::figures::{quantity, rate, significant};
use derate_units::{Encoding, Quantity};

/// What `derate bench` prints: rates, times, and how it was set up.
///
/// `notes` are what the bench knows beside: a modelled range, a finding. Where `is_bound`, the times are lower bounds, and the
/// rates upper ones.
pub fn measurement(measured: &Measurement, notes: &[(Level, String)], is_bound: bool) -> Document {
    let name = measured.kernel.to_string();
    let mut blocks: Vec<Block> = wrong(measured).map(Block::Prose).into_iter().collect();
    let tables = [tabulate_rates(measured), tabulate_times(&name, &measured.runs)];
    blocks.extend(
        tables.map(|table| Block::Table(if is_bound { keep_bounds(table) } else { table })),
    );
    blocks.push(Block::Prose(format!("{}: {}.", measured.provenance, measured.source)));
    blocks.extend(describe_setup(measured).map(Block::Prose));
    if measured.runs.iter().any(|run| run.bytes_from == Some(BytesFrom::Arguments)) {
        let text = "Bytes are those that the kernels were told to move: this device counts none.";
        blocks.push(Block::Prose(text.to_owned()));
    }
    if measured.runs.iter().any(|run| run.bytes_from == Some(BytesFrom::Formulas)) {
        let text = "Bytes are those of the operands, each once at its stored size: nobody counted them, and operands that a cache \
                    holds cross no memory.";
        blocks.push(Block::Prose(text.to_owned()));
    }
    blocks.extend(describe_computed(measured).map(Block::Prose));
    blocks.extend(note_uneven(measured).map(Block::Prose));
    for run in &measured.runs {
        if let Some(check) = &run.check {
            let word = if check.passed { "Right" } else { "WRONG" };
            let error =
                check.worst_error.zip(check.bound).map_or_else(String::new, |(worst, bound)| {
                    format!(
                        "; the worst error is {} of a bound of {}",
                        significant(worst, 3),
                        significant(bound, 3)
                    )
                });
            let text = format!("{word}, {}: {}{error}.", describe_run(run), check.method);
            if !blocks.iter().any(|block| matches!(block, Block::Prose(known) if *known == text)) {
                blocks.push(Block::Prose(text));
            }
        }
    }
    for (level, note) in notes {
        let lead = if *level == Level::Error { "Finding: " } else { "" };
        blocks.push(Block::Prose(format!("{lead}{note}")));
    }
    Document {
        title: format!("{name} on {}", measured.device.name),
        subtitle: format!("{}, {}", measured.device.kind.as_str(), measured.provenance),
        controls: Vec::new(),
        sections: vec![Section::new("Bench", "Bench", blocks)],
    }
}

/// Modelled figures as the bounds that they are; what the host's clock said of this machine is none.
fn keep_bounds(mut table: Table) -> Table {
    let lead = |name: &str| match name {
        "median" | "fastest" | "slowest" => Some("at least "),
        "bandwidth" | "rate" => Some("at most "),
        _ => None,
    };
    let leads: Vec<_> = table.columns.iter().map(|column| lead(&column.key)).collect();
    for row in &mut table.rows {
        for (cell, lead) in row.iter_mut().zip(&leads) {
            if let (Cell::Text(text) | Cell::Status(_, text), Some(lead)) = (cell, lead) {
                text.insert_str(0, lead);
            }
        }
    }
    table
}

/// What a bench says of rates at which wrong results were made.
pub fn wrong(measured: &Measurement) -> Option<String> {
    let which: Vec<String> =
        measured.runs.iter().filter(|run| run.is_wrong()).map(describe_run).collect();
    (!which.is_empty()).then(|| {
        format!(
            "The results are WRONG at {}: what is shown there is not the rate of the work that was asked for.",
            which.join(", ")
        )
    })
}

/// What arithmetic ran where it is not that of the operands, each once.
fn describe_computed(measured: &Measurement) -> impl Iterator<Item = String> {
    let mut said: Vec<String> = Vec::new();
    for run in &measured.runs {
        let (Some(stored), Some(own)) = (run.stored(), &run.computed) else { continue };
        let text = format!(
            "Arithmetic of {stored}: {}, summed in {}; {}.",
            own.arithmetic, own.accumulate, own.engine
        );
        if !said.contains(&text) {
            said.push(text);
        }
    }
    said.into_iter()
}

/// What a run is about.
fn describe_run(run: &Run) -> String {
    match (run.title(), run.size) {
        (Some(title), _) => title,
        (None, Some(size)) => quantity(size),
        (None, None) => "a run".to_owned(),
    }
}

fn tabulate_rates(measured: &Measurement) -> Table {
    fn known_cell<Q: Quantity>(value: Option<Q>) -> Cell {
        value.map_or_else(
            || Cell::Unknown("not known".to_owned()),
            |value| Cell::text(quantity(value)),
        )
    }
    let (gemm, wall) = (
        measured.runs.iter().any(|run| run.stored().is_some()),
        measured.runs.iter().any(|run| !run.wall_seconds.is_empty()),
    );
    let row = |run: &Run| {
        let mut row = vec![Cell::text(describe_run(run)), bandwidth_cell(run)];
        // The same repetitions by the host's clock.
        let by_wall = Run { seconds: run.wall_seconds.clone(), ..run.clone() };
        let ops = |run: &Run| {
            let precision = Encoding::parse(run.stored()?)?.arithmetic();
            Some(of_results(run, rate(run.ops_per_second()?, precision)))
        };
        let unknown = || Cell::Unknown("not known".to_owned());
        if gemm {
            row.push(ops(run).unwrap_or_else(unknown));
        }
        if wall {
            row.push(known_cell(by_wall.median()));
            row.push(if gemm {
                ops(&by_wall).unwrap_or_else(unknown)
            } else {
                bandwidth_cell(&by_wall)
            });
        }
        row
    };
    let mut columns = vec![Column::text("what", "What"), Column::text("bandwidth", "Bandwidth")];
    if gemm {
        columns.push(Column::text("rate", "Rate"));
    }
    if wall {
        columns.push(Column::text("wall", "Wall time here"));
        columns.push(Column::text("wall_rate", "Rate here"));
    }
    Table {
        name: "rates".to_owned(),
        caption: format!("by the median repetition, {}", measured.provenance),
        columns,
        rows: measured.runs.iter().map(row).collect(),
    }
}

/// Ports, banks and clocks in a sentence.
fn describe_setup(measured: &Measurement) -> Option<String> {
    let units = measured.compute_units?;
    let ports = measured.ports.iter().map(|group| {
        let known =
            |value: Option<u64>| value.map_or_else(|| "?".to_owned(), |value| value.to_string());
        let direction =
            group.direction.map_or_else(String::new, |way| format!(" to {}", way.as_str()));
        let banks = group.banks.as_ref().map_or_else(String::new, |banks| format!(" on {banks}"));
        format!("{} of {} bit{direction}{banks}", known(group.count), known(group.bits))
    });
    let ports: Vec<String> = ports.collect();
    let clock = measured
        .kernel_clock
        .map_or_else(String::new, |clock| format!(", kernels at {}", quantity(clock)));
    let memory = measured
        .memory_clock
        .map_or_else(String::new, |clock| format!(", memory ports at {}", quantity(clock)));
    let plural = if units == 1 { "" } else { "s" };
    Some(format!("{units} compute unit{plural}; ports: {}{clock}{memory}.", ports.join(", ")))
}
