//! The tables of a profile. A caption begins with the title of its table.

use derate_host::emulator::HeldBy;
use derate_host::profile::{CardProfile, Lane, PortProfile, TransferProfile, UnitProfile};
use derate_model::units::figures::grouped;
use derate_reports::{Cell, NumberFormat, Table};

use super::figures::{TimeUnit, integer, percent};

/// The compute units of a card.
pub(super) fn unit_table(name: &str, card: &CardProfile, unit: TimeUnit) -> Table {
    let end = card.end();
    let caption = format!(
        "Compute units of {name}: runs are counted (Emulated), cycles and times are Modelled. A time with an unknown part is a lower bound."
    );
    let shown = card.units.iter().enumerate().filter(|(_, unit)| unit.is_used());
    Table::from_items("units", caption, shown)
        .text("unit", "Compute unit", |(_, unit)| unit.name.as_str())
        .text("kernel", "Kernel", |(_, unit)| unit.kernel.as_str())
        .number("runs", "Runs", "", |(_, unit)| count_runs(unit))
        .text("cycles", "Cycles of a run", |(at, one)| cycles_of(card, *at, one))
        .number("busy", "Busy", unit.name, |(_, one)| {
            if one.is_free {
                Cell::Unknown("it runs without a host, and its cycles are not modelled".to_owned())
            } else if one.unknown > 0 {
                Cell::Unknown(format!("the time of {} runs is not known", one.unknown))
            } else {
                unit.cell(one.busy)
            }
        })
        .number("share", "Of the time", "", |(_, one)| {
            (!one.is_free && one.unknown == 0).then(|| percent(one.busy, end)).flatten()
        })
        .text("held", "Held down by", |(at, _)| held_by(card, *at))
        .text("bound", "Time", |(_, one)| match one {
            UnitProfile { is_free: true, .. } => "unknown",
            UnitProfile { launches: 0, .. } => "",
            UnitProfile { unknown: 1.., .. } => "unknown",
            UnitProfile { bounds: 1.., .. } => "at least",
            _ => "modelled",
        })
        .build()
}

fn count_runs(unit: &UnitProfile) -> Cell {
    if unit.is_free {
        return Cell::Unknown("it runs without a host".to_owned());
    }
    integer(unit.launches)
}

/// The cycles that the runs of a unit compute: one number, or from the fewest to the most.
fn cycles_of(card: &CardProfile, at: usize, unit: &UnitProfile) -> String {
    let own = card.spans.iter().filter(|span| span.lane == Lane::Unit(at));
    let cycles = own.filter_map(|span| span.run.as_ref()).map(|run| run.cycles.as_ref().ok());
    let cycles: Option<Vec<f64>> = cycles.map(|one| one.map(|one| one.value.0)).collect();
    match cycles {
        _ if unit.launches == 0 => String::new(),
        None => "unknown".to_owned(),
        Some(all) => {
            let least = all.iter().copied().fold(f64::INFINITY, f64::min);
            let most = all.iter().copied().fold(0.0, f64::max);
            if least < most {
                format!("{} to {}", grouped(least), grouped(most))
            } else {
                grouped(most)
            }
        }
    }
}

/// What holds the runs of a unit down, each once.
fn held_by(card: &CardProfile, at: usize) -> String {
    let own = card.spans.iter().filter(|span| span.lane == Lane::Unit(at));
    let held = own.filter_map(|span| span.run.as_ref()?.held_by);
    let mut words: Vec<&str> = held.map(HeldBy::as_str).collect();
    words.sort_unstable();
    words.dedup();
    words.join(", ")
}

/// What each port moved.
pub(super) fn port_table(name: &str, card: &CardProfile) -> Table {
    let caption = format!(
        "Ports of {name}: all of it is counted at the kernels' own accesses (Emulated). A burst is a stretch of accesses that follow one \
         another; a card makes no fewer."
    );
    Table::from_items("ports", caption, &card.ports)
        .text("unit", "Compute unit", |one| one.unit.as_str())
        .text("argument", "Argument", |one| one.argument.as_str())
        .text("bundle", "Bundle", |one| one.bundle.clone().unwrap_or_default())
        .text("bank", "Bank", |one| one.bank.as_str())
        .number("width", "Width", "bit", |one| integer(one.width_bits.into()))
        .number("runs", "Runs", "", |one| integer(one.runs))
        .number("read", "Read", "B", |one| integer(one.read))
        .number("written", "Written", "B", |one| integer(one.written))
        .number("bursts", "Bursts", "", |one| integer(one.bursts))
        .number("burst", "Burst on average", "B", |one: &&PortProfile| {
            one.burst_bytes().map(|bytes| Cell::number(bytes.round(), NumberFormat::Integer))
        })
        .build()
}

/// What went through the streams between units.
pub(super) fn stream_table(name: &str, card: &CardProfile) -> Table {
    let caption = format!(
        "Streams of {name}: elements are counted (Emulated). What was written and not read was still on its way at the end."
    );
    Table::from_items("streams", caption, &card.streams)
        .text("from", "From", |one| one.from.as_str())
        .text("to", "To", |one| one.to.as_str())
        .number("written", "Written", "elements", |one| integer(one.written))
        .number("read", "Read", "elements", |one| integer(one.read))
        .build()
}

/// What the host moved.
pub(super) fn transfer_table(name: &str, card: &CardProfile, unit: TimeUnit) -> Table {
    let caption = format!(
        "Transfers of {name}: bytes are counted (Emulated), times are Modelled. Buffers that the host and the card share have none."
    );
    let time = |one: &TransferProfile| {
        let [to, from] = &card.link;
        let rate = if one.to_card { to } else { from };
        match rate {
            Some(rate) => unit.cell(one.bytes as f64 / rate.value.0),
            None => Cell::Unknown("the platform file has no rate of the link in [host]".to_owned()),
        }
    };
    Table::from_items("transfers", caption, &card.transfers)
        .text("way", "Way", |one| if one.to_card { "host to card" } else { "card to host" })
        .text("bank", "Bank", |one| one.bank.as_str())
        .number("transfers", "Transfers", "", |one| integer(one.transfers))
        .number("bytes", "Bytes", "B", |one| integer(one.bytes))
        .number("time", "Time", unit.name, |one| time(one))
        .build()
}
