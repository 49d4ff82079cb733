//! The tables of a v++ configuration.

use derate_hls::{Connectivity, Located, Sources};
use derate_render::{Block, Cell, NumberFormat, Table};

use super::cells::{filled_table, unread_blocks};

/// The settings of v++.
pub(super) fn connectivity_blocks(sources: &Sources, cfg: &Connectivity) -> Vec<Block> {
    let count = |count: u64| Cell::number(count as f64, NumberFormat::Integer);
    let kernels = Table::from_items("kernels", "Compute units", &cfg.kernels)
        .text("kernel", "Kernel", |k| &k.kernel.value)
        .text("count", "Count", |k| count(k.count.value))
        .text("units", "Units", |k| k.unit_names().join(", "));
    let memory = Table::from_items("memory", "Arguments and their banks", &cfg.memory)
        .text("unit", "Unit", |m| &m.unit.value)
        .text("argument", "Argument", |m| &m.argument.value)
        .text("banks", "Banks", |m| m.banks.value.to_string());
    let slr = Table::from_items("slr", "Dies", &cfg.slr)
        .text("unit", "Unit", |s| &s.unit.value)
        .text("slr", "SLR", |s| &s.slr.value);
    let streams = Table::from_items("streams", "Streams", &cfg.streams)
        .text("from", "From", |s| &s.from.value)
        .text("to", "To", |s| &s.to.value)
        .number("depth", "Depth", "", |s| s.depth.as_ref().map(|depth| count(depth.value)));
    let clocks = Table::from_items("clocks", "Clocks", &cfg.frequencies)
        .text("option", "Option", |f| &f.key)
        .text("mhz", "MHz", |f| f.megahertz.value.to_string())
        .text("targets", "For", |f| join_targets(&f.targets));
    let tables = [
        filled_table(kernels),
        filled_table(memory),
        filled_table(slr),
        filled_table(streams),
        filled_table(clocks),
    ];
    let mut blocks: Vec<Block> = tables.into_iter().flatten().collect();
    blocks.extend(unread_blocks(sources, &cfg.unread));
    if blocks.is_empty() {
        blocks.push(Block::Prose("It has nothing that derate knows.".to_owned()));
    }
    blocks
}

/// What a clock option is for.
fn join_targets(targets: &[Located<String>]) -> String {
    if targets.is_empty() {
        return "all".to_owned();
    }
    let named = |target: &Located<String>| match target.value.parse::<u64>() {
        Ok(number) => format!("clock {number}"),
        Err(_) => target.value.clone(),
    };
    targets.iter().map(named).collect::<Vec<_>>().join(", ")
}
