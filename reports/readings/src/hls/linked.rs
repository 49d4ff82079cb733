//! What the bitstream has: clocks, memory banks, compute units.

use derate_hls::Report;
use derate_render::{Block, Table};

use super::cells::{decimal_cell, figure_cell, filled_table, word_cell, yes_cell};

pub(super) fn clock_table(report: &Report) -> Option<Block> {
    let table = Table::from_items("clocks", "Clocks of the bitstream", &report.clocks)
        .text("clock", "Clock", |c| &c.name.value)
        .text("kind", "Kind", |c| word_cell(c.kind.as_ref()))
        .number("mhz", "Reached", "MHz", |c| decimal_cell(c.frequency.as_ref()));
    filled_table(table)
}

pub(super) fn memory_table(report: &Report) -> Option<Block> {
    let table = Table::from_items("memories", "Memory banks", &report.memories)
        .text("bank", "Bank", |m| &m.name.value)
        .text("kind", "Kind", |m| word_cell(m.kind.as_ref()))
        .text("used", "Used", |m| yes_cell(m.used.as_ref().map(|used| used.value)));
    filled_table(table)
}

pub(super) fn port_table(report: &Report) -> Option<Block> {
    let units = report.compute_units.iter();
    let ports = units.flat_map(|unit| unit.ports.iter().map(move |port| (unit, port)));
    let table = Table::from_items("unit-ports", "Ports of the compute units", ports)
        .text("unit", "Unit", |(unit, _)| &unit.name.value)
        .text("kernel", "Kernel", |(unit, _)| word_cell(unit.kernel.as_ref()))
        .text("port", "Port", |(_, port)| &port.name.value)
        .text("mode", "Mode", |(_, port)| word_cell(port.mode.as_ref()))
        .number("bits", "Width", "bit", |(_, port)| figure_cell(port.bits.as_ref()));
    filled_table(table)
}

pub(super) fn argument_table(report: &Report) -> Option<Block> {
    let units = report.compute_units.iter();
    let arguments = units.flat_map(|unit| unit.arguments.iter().map(move |one| (unit, one)));
    let table = Table::from_items("arguments", "Arguments of the compute units", arguments)
        .text("unit", "Unit", |(unit, _)| &unit.name.value)
        .text("argument", "Argument", |(_, argument)| &argument.name.value)
        .text("port", "Port", |(_, argument)| word_cell(argument.port.as_ref()))
        .text("memory", "Memory", |(_, argument)| word_cell(argument.memory.as_ref()));
    filled_table(table)
}
