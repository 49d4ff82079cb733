//! What one sequential reader on each channel of a memory gets.

use derate_render::{Cell, Column, Table};
use serde::Serialize;

use derate_machine::bandwidth::{LimitedBy, Port, explain_bandwidth};
use derate_machine::{KernelDefaults, Memory};
use derate_units::figures::quantity;
use derate_units::{BytesPerSecond, Hertz};

/// Port widths that kernels have.
const WIDTHS: [f64; 4] = [64.0, 128.0, 256.0, 512.0];

/// Clocks that kernels close at.
const CLOCKS: [Hertz; 4] = [Hertz(200e6), Hertz(250e6), Hertz(300e6), Hertz(400e6)];

#[derive(Debug, Serialize)]
pub(super) struct BandwidthRow {
    memory: String,
    /// One on each channel, or on each port of the processor that the memory belongs to.
    ports: usize,
    width_bits: f64,
    clock: Hertz,
    value: BytesPerSecond,
    limited_by: LimitedBy,
}

pub(super) fn list_rows(memory: &Memory, kernel: &KernelDefaults) -> Vec<BandwidthRow> {
    let channels = memory.channels.value as usize;
    let ports = reading_ports(memory);
    let row = |width_bits, clock| {
        // Sequential reads of channels that are there are always modelled.
        let all = Port::spread(ports, channels, width_bits, clock, kernel);
        let explained = explain_bandwidth(memory, None, &all).ok()?;
        Some(BandwidthRow {
            memory: memory.title.clone(),
            ports,
            width_bits,
            clock,
            value: explained.figure.value,
            limited_by: explained.limited_by,
        })
    };
    WIDTHS
        .iter()
        .flat_map(|&width| CLOCKS.iter().filter_map(move |&clock| row(width, clock)))
        .collect()
}

/// One port on each channel, or one on each port of the processor that the memory belongs to.
fn reading_ports(memory: &Memory) -> usize {
    memory.attachment.as_ref().map_or(memory.channels.value, |own| own.count.value) as usize
}

pub(super) fn tabulate_bandwidth(memory: &Memory, kernel: &KernelDefaults) -> Table {
    let all = list_rows(memory, kernel);
    let rows = all.chunks(CLOCKS.len()).map(|row| {
        let width = row.first().map_or(0.0, |first| first.width_bits);
        let mut cells = vec![Cell::text(format!("{width} bit"))];
        cells.extend(row.iter().map(|one| {
            let by = match one.limited_by {
                LimitedBy::Port => "ports",
                LimitedBy::Channel => "channels",
                LimitedBy::InFlight => "in flight",
                LimitedBy::Random => "random",
                LimitedBy::Card => "card",
                LimitedBy::Attachment => "processor",
            };
            Cell::text(format!("{}, {by}", quantity(one.value)))
        }));
        cells
    });
    let mut columns = vec![Column::text("width", "Port width")];
    columns.extend(CLOCKS.iter().map(|&clock| {
        let clock = quantity(clock);
        Column::text(clock.clone(), clock)
    }));
    Table {
        name: "bandwidth".to_owned(),
        caption: match &memory.attachment {
            None => format!(
                "{}: one port on each of {} channels, each reading in sequence, and what holds it",
                memory.title, memory.channels.value
            ),
            Some(own) => format!(
                "{}: one port on each of {} of {}, each reading in sequence, and what holds it",
                memory.title, own.count.value, own.title
            ),
        },
        columns,
        rows: rows.collect(),
    }
}
