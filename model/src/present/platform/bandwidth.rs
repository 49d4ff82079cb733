//! What one sequential reader on each channel of a memory gets.

use derate_reports::{Cell, Column, Table};
use serde::Serialize;

use crate::Memory;
use crate::bandwidth::{Channels, LimitedBy, explain_ports};
use crate::figures::quantity;
use crate::units::{BytesPerSecond, Hertz};

/// Port widths that kernels have.
const WIDTHS: [f64; 4] = [64.0, 128.0, 256.0, 512.0];

/// Clocks that kernels close at.
const CLOCKS: [Hertz; 4] = [Hertz(200e6), Hertz(250e6), Hertz(300e6), Hertz(400e6)];

#[derive(Debug, Serialize)]
pub(super) struct BandwidthRow {
    memory: String,
    /// One on each channel.
    ports: usize,
    width_bits: f64,
    clock: Hertz,
    value: BytesPerSecond,
    limited_by: LimitedBy,
}

pub(super) fn rows(memory: &Memory) -> Vec<BandwidthRow> {
    let ports = Channels::of(memory).count;
    let row = |width_bits, clock| {
        // Sequential reads of channels that are there are always modelled.
        let explained = explain_ports(memory, width_bits, clock, ports, ports).ok()?;
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

pub(super) fn table(memory: &Memory) -> Table {
    let all = rows(memory);
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
        caption: format!(
            "{}: one port on each of {} channels, each reading in sequence, and what holds it",
            memory.title,
            Channels::of(memory).count
        ),
        columns,
        rows: rows.collect(),
    }
}
