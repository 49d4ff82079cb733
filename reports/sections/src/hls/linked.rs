//! What the bitstream has: clocks, memory banks, compute units.

use derate_hls::Report;
use derate_render::{Block, Table};

use super::cells::{decimal, figure, filled_table, word, yes};

pub(super) fn clocks(report: &Report) -> Option<Block> {
    let table = Table::from_items("clocks", "Clocks of the bitstream", &report.clocks)
        .text("clock", "Clock", |c| &c.name.value)
        .text("kind", "Kind", |c| word(c.kind.as_ref()))
        .number("mhz", "Reached", "MHz", |c| decimal(c.frequency.as_ref()));
    filled_table(table)
}

pub(super) fn memories(report: &Report) -> Option<Block> {
    let table = Table::from_items("memories", "Memory banks", &report.memories)
        .text("bank", "Bank", |m| &m.name.value)
        .text("kind", "Kind", |m| word(m.kind.as_ref()))
        .text("used", "Used", |m| yes(m.used.as_ref().map(|used| used.value)));
    filled_table(table)
}

pub(super) fn ports(report: &Report) -> Option<Block> {
    let units = report.compute_units.iter();
    let ports = units.flat_map(|unit| unit.ports.iter().map(move |port| (unit, port)));
    let table = Table::from_items("unit-ports", "Ports of the compute units", ports)
        .text("unit", "Unit", |(unit, _)| &unit.name.value)
        .text("kernel", "Kernel", |(unit, _)| word(unit.kernel.as_ref()))
        .text("port", "Port", |(_, port)| &port.name.value)
        .text("mode", "Mode", |(_, port)| word(port.mode.as_ref()))
        .number("bits", "Width", "bit", |(_, port)| figure(port.bits.as_ref()));
    filled_table(table)
}

pub(super) fn arguments(report: &Report) -> Option<Block> {
    let units = report.compute_units.iter();
    let arguments = units.flat_map(|unit| unit.arguments.iter().map(move |one| (unit, one)));
    let table = Table::from_items("arguments", "Arguments of the compute units", arguments)
        .text("unit", "Unit", |(unit, _)| &unit.name.value)
        .text("argument", "Argument", |(_, argument)| &argument.name.value)
        .text("port", "Port", |(_, argument)| word(argument.port.as_ref()))
        .text("memory", "Memory", |(_, argument)| word(argument.memory.as_ref()));
    filled_table(table)
}
