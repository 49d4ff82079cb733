//! The tables of a v++ configuration.

use derate_hls::{Connectivity, Located, Sources};
use derate_render::{Block, Cell, Column, NumberFormat};

use super::cells::{table, texts, unread};

/// What v++ is told.
pub(super) fn connectivity(sources: &Sources, cfg: &Connectivity) -> Vec<Block> {
    let count = |count: u64| Cell::number(count as f64, NumberFormat::Integer);
    let kernels = cfg.kernels.iter().map(|k| {
        vec![
            Cell::text(&k.kernel.value),
            count(k.count.value),
            Cell::text(k.unit_names().join(", ")),
        ]
    });
    let memory = cfg.memory.iter().map(|m| {
        vec![
            Cell::text(&m.unit.value),
            Cell::text(&m.argument.value),
            Cell::text(m.banks.value.to_string()),
        ]
    });
    let slr = cfg.slr.iter().map(|s| vec![Cell::text(&s.unit.value), Cell::text(&s.slr.value)]);
    let streams = cfg.streams.iter().map(|s| {
        let depth = s.depth.as_ref().map_or(Cell::Empty, |depth| count(depth.value));
        vec![Cell::text(&s.from.value), Cell::text(&s.to.value), depth]
    });
    let clocks = cfg.frequencies.iter().map(|f| {
        vec![
            Cell::text(&f.key),
            Cell::text(f.megahertz.value.to_string()),
            Cell::text(targets(&f.targets)),
        ]
    });
    let mut stream_columns = texts(&["From", "To"]);
    stream_columns.push(Column::number("depth", "Depth", ""));
    let mut blocks: Vec<Block> = [
        table("kernels", "Compute units", texts(&["Kernel", "Count", "Units"]), kernels),
        table("memory", "Arguments and their banks", texts(&["Unit", "Argument", "Banks"]), memory),
        table("slr", "Dies", texts(&["Unit", "SLR"]), slr),
        table("streams", "Streams", stream_columns, streams),
        table("clocks", "Clocks", texts(&["Option", "MHz", "For"]), clocks),
    ]
    .into_iter()
    .flatten()
    .collect();
    blocks.extend(unread(sources, &cfg.unread));
    if blocks.is_empty() {
        blocks.push(Block::Prose("Nothing that derate knows stands in it.".to_owned()));
    }
    blocks
}

/// What a clock option is for.
fn targets(targets: &[Located<String>]) -> String {
    if targets.is_empty() {
        return "all".to_owned();
    }
    let named = |target: &Located<String>| match target.value.parse::<u64>() {
        Ok(number) => format!("clock {number}"),
        Err(_) => target.value.clone(),
    };
    targets.iter().map(named).collect::<Vec<_>>().join(", ")
}
