//! What the bitstream has: clocks, memory banks, compute units.

use derate_hls::Report;
use derate_render::{Block, Cell, Column};

use super::cells::{decimal, figure, table, texts, word, yes};

pub(super) fn clocks(report: &Report) -> Option<Block> {
    let mut columns = texts(&["Clock", "Kind"]);
    columns.push(Column::number("mhz", "Reached", "MHz"));
    let rows = report.clocks.iter().map(|c| {
        vec![Cell::text(&c.name.value), word(c.kind.as_ref()), decimal(c.frequency.as_ref())]
    });
    table("clocks", "Clocks of the bitstream", columns, rows)
}

pub(super) fn memories(report: &Report) -> Option<Block> {
    let rows = report.memories.iter().map(|m| {
        let used = m.used.as_ref().map(|used| used.value);
        vec![Cell::text(&m.name.value), word(m.kind.as_ref()), yes(used)]
    });
    table("memories", "Memory banks", texts(&["Bank", "Kind", "Used"]), rows)
}

pub(super) fn ports(report: &Report) -> Option<Block> {
    let mut columns = texts(&["Unit", "Kernel", "Port", "Mode"]);
    columns.push(Column::number("bits", "Width", "bit"));
    let rows = report.compute_units.iter().flat_map(|unit| {
        unit.ports.iter().map(|port| {
            vec![
                Cell::text(&unit.name.value),
                word(unit.kernel.as_ref()),
                Cell::text(&port.name.value),
                word(port.mode.as_ref()),
                figure(port.bits.as_ref()),
            ]
        })
    });
    table("unit-ports", "Ports of the compute units", columns, rows)
}

pub(super) fn arguments(report: &Report) -> Option<Block> {
    let rows = report.compute_units.iter().flat_map(|unit| {
        unit.arguments.iter().map(|argument| {
            vec![
                Cell::text(&unit.name.value),
                Cell::text(&argument.name.value),
                word(argument.port.as_ref()),
                word(argument.memory.as_ref()),
            ]
        })
    });
    let columns = texts(&["Unit", "Argument", "Port", "Memory"]);
    table("arguments", "Arguments of the compute units", columns, rows)
}
