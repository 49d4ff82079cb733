//! What is known of a language model beyond its operations.

use derate_render::{Block, Cell, Column, Document, NumberFormat, Section, Table};

use super::{bound_cell, right_column, time_cell, token_cell};
use derate_predict::language::Decoder;
use derate_predict::{LanguageFigures, LengthSweep, MeasuredGeneration, MemoryUse};
use derate_units::figures::{grouped, mixed_rate, quantity, significant};
use derate_units::{Bytes, Precision};

/// What was asked for beside the prediction: a sweep, and what a measured run achieved; `ran` is what the products ran in.
pub(super) fn asked_sections(language: &LanguageFigures, ran: Vec<Precision>) -> Vec<Section> {
    let sweep = language
        .sweep
        .as_ref()
        .map(|of| Section::new("Sweep", "Sweep", vec![Block::Table(tabulate_sweep(of))]));
    let measured = language.measured.as_ref().map(|of| {
        Section::new("Measured", "Measured", vec![Block::Table(tabulate_measured(of, ran))])
    });
    sweep.into_iter().chain(measured).collect()
}

/// What the model takes of the memory.
pub(super) fn memory_section(language: &LanguageFigures) -> Section {
    Section::new("Memory", "What it holds", vec![Block::Table(tabulate_memory(language))])
}

fn tabulate_pairs(name: &str, rows: Vec<(&str, Cell)>) -> Table {
    Table {
        name: name.to_owned(),
        caption: String::new(),
        columns: vec![Column::text("figure", "Figure"), right_column("value", "Value")],
        rows: rows.into_iter().map(|(label, cell)| vec![Cell::text(label), cell]).collect(),
    }
}

fn fits_cell(fits: Option<bool>) -> Cell {
    match fits {
        Some(true) => Cell::text("yes"),
        Some(false) => Cell::text("no"),
        None => Cell::Unknown("the size of the memory is not known".to_owned()),
    }
}

/// Whether it fits, and what is left or missing.
fn left_cell(held: &MemoryUse) -> Cell {
    let Some(usable) = held.usable else { return fits_cell(None) };
    let left = usable.0 - held.total.0;
    Cell::text(if left < 0.0 {
        format!("no, {} missing", quantity(Bytes(-left)))
    } else {
        format!("yes, {} left", quantity(Bytes(left)))
    })
}

fn tabulate_memory(language: &LanguageFigures) -> Table {
    let held = &language.memory;
    let capacity = held.capacity.map_or_else(
        || Cell::Unknown("the size of the memory is not known".to_owned()),
        |capacity| Cell::text(quantity(capacity)),
    );
    tabulate_pairs(
        "memory",
        vec![
            ("Parameters", Cell::text(grouped(language.model.total_parameters as f64))),
            ("Weights", Cell::text(quantity(held.weights))),
            ("Keys and values of a token", Cell::text(quantity(held.cache_of_token))),
            ("Keys and values, longest context", Cell::text(quantity(held.cache))),
            ("Both, without activations", Cell::text(quantity(held.total))),
            ("Memory", capacity),
        ]
        .into_iter()
        .chain(held.driver_keeps.map(|kept| ("Kept by its driver", Cell::text(quantity(kept)))))
        .chain([("Fits", left_cell(held))])
        .collect(),
    )
}

fn tabulate_measured(of: &MeasuredGeneration, ran: Vec<Precision>) -> Table {
    let of_roofline = of.of_roofline.map_or_else(
        || Cell::Unknown("the peak is not known".to_owned()),
        |share| Cell::number(share, NumberFormat::Percent(1)),
    );
    tabulate_pairs(
        "measured",
        vec![
            ("Measured time", Cell::text(quantity(of.seconds))),
            ("Of the roofline", of_roofline),
            ("Bound", bound_cell(of.bound)),
            ("Tokens per second", Cell::text(significant(of.tokens_per_second, 4))),
            ("Bytes of operands and results, per second", Cell::text(quantity(of.bandwidth))),
            ("Operations, per second", Cell::text(mixed_rate(of.rate, ran))),
        ],
    )
}

fn tabulate_sweep(of: &LengthSweep) -> Table {
    let count = |number: u64| Cell::number(number as f64, NumberFormat::Integer);
    let rows = of.points.iter().map(|point| {
        vec![
            count(point.batch),
            count(point.prompt),
            count(point.generate),
            count(point.context),
            time_cell(point.prefill_seconds, point.prefill_at_least_seconds),
            bound_cell(point.prefill_bound),
            time_cell(point.decode_seconds, point.decode_at_least_seconds),
            Cell::number(point.decode_oi.0, NumberFormat::Significant(4)),
            bound_cell(point.decode_bound),
            token_cell(point.decode_tokens_per_second, point.decode_tokens_per_second_at_most),
            time_cell(point.seconds, point.at_least_seconds),
            Cell::text(quantity(point.held)),
            fits_cell(point.fits),
        ]
    });
    Table {
        name: "sweep".to_owned(),
        caption: "Times at the roofline; a decode step sees the context".to_owned(),
        columns: vec![
            Column::number("batch", "Batch", ""),
            Column::number("prompt", "Prompt", ""),
            Column::number("generate", "Generated", ""),
            Column::number("context", "Context", ""),
            right_column("prefill_seconds", "Prefill"),
            Column::text("prefill_bound", "Bound"),
            right_column("decode_seconds", "Decode step"),
            Column::number("decode_oi", "OI", "OP/B"),
            Column::text("decode_bound", "Bound"),
            right_column("tokens", "Tokens/s"),
            right_column("seconds", "Whole run"),
            right_column("held", "Held"),
            Column::text("fits", "Fits"),
        ],
        rows: rows.collect(),
    }
}

/// The models of the catalogue, one a row.
pub fn language_models(models: &[Decoder]) -> Document {
    let count = |number: u64| Cell::number(number as f64, NumberFormat::Integer);
    let rows = models.iter().map(|model| {
        vec![
            Cell::text(&model.name),
            count(model.parameters().total()),
            count(model.layers),
            count(model.hidden),
            Cell::text(format!("{} of {}", model.heads, model.head_dim)),
            count(model.kv_heads),
            count(model.ffn),
            count(model.vocabulary),
            model.positions.map_or(Cell::Empty, count),
            Cell::text(&model.source),
        ]
    });
    let table = Table {
        name: "models".to_owned(),
        caption: "`derate predict llm --model` takes one of these, or the path of a config.json"
            .to_owned(),
        columns: vec![
            Column::text("name", "Name"),
            Column::number("parameters", "Parameters", ""),
            Column::number("layers", "Layers", ""),
            Column::number("hidden", "Hidden", ""),
            right_column("heads", "Heads"),
            Column::number("kv_heads", "KV heads", ""),
            Column::number("ffn", "FFN", ""),
            Column::number("vocabulary", "Vocabulary", ""),
            Column::number("positions", "Positions", ""),
            Column::text("source", "Source"),
        ],
        rows: rows.collect(),
    };
    Document {
        title: "Language models".to_owned(),
        subtitle: "decoders that are built in".to_owned(),
        controls: Vec::new(),
        sections: vec![Section::new("Models", "The catalogue", vec![Block::Table(table)])],
    }
}
