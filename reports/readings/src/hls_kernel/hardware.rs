//! Ports, work and resources.

use std::fmt::Write;

use derate_kernel::{KernelAnswer, NoBurst, PortAnswer, ResourceAnswer};
use derate_render::{Block, Cell, NumberFormat, Section, Table};
use derate_units::figures::{grouped, quantity, significant};
use derate_units::{Bytes, Figure};

use super::data::{bytes_of, elements_of, place_of};
use super::{KernelDetail, KernelStudy};

pub(super) fn hardware(study: &KernelStudy<'_>, detail: KernelDetail) -> Section {
    let mut blocks = Vec::new();
    let ports = &study.answer.ports;
    match detail {
        KernelDetail::All => blocks.extend(port_table(ports).map(Block::Table)),
        KernelDetail::Screen => {}
    }
    let mut text = work_in_words(study);
    if detail == KernelDetail::Screen && !ports.is_empty() {
        text = format!("{} {text}", ports_in_words(ports));
    }
    blocks.push(Block::Prose(text));
    blocks.extend(lost_bursts(study.answer, detail).map(Block::Prose));
    if study.answer.is_scheduled {
        if !study.answer.is_read {
            let text = "A part of the kernel is not read: its resources are not in the figures.";
            blocks.push(Block::Prose(text.to_owned()));
        }
        blocks.push(Block::Table(resource_table(study)));
    } else {
        blocks
            .push(Block::Prose("Resources are not known: the design is not scheduled.".to_owned()));
    }
    Section::new("Hardware", "Ports, work and resources, modelled", blocks)
}

fn work_in_words(study: &KernelStudy<'_>) -> String {
    let (answer, latency) = (study.answer, study.answer.latency);
    let Some(work) = answer.multiply_adds() else {
        let reason =
            if answer.is_read { "data decide how often loops run" } else { "a part is not read" };
        return format!("The number of multiplications is not known: {reason}.");
    };
    let mut text = format!("{} multiplications", grouped(work));
    if latency.is_known() && latency.expected > 0.0 && work > 0.0 {
        let rate = work / latency.expected;
        let _ = write!(text, ": {} a cycle", significant(rate, 3));
        if answer.resources.dsp.value > 0.0 {
            let each = rate / answer.resources.dsp.value;
            let _ = write!(text, ", {} a cycle and DSP", significant(each, 3));
        }
    }
    text.push('.');
    text
}

fn ports_in_words(ports: &[PortAnswer]) -> String {
    const SHOWN: usize = 3;
    let one = |port: &PortAnswer| {
        let bytes = bytes_of(port).map(|bytes| format!(", {}", size(bytes))).unwrap_or_default();
        let bits = port.bits.map_or("width unknown".to_owned(), |bits| format!("{bits} bits"));
        format!("{} ({}, {bits}{bytes})", port.name, port.kind)
    };
    let mut shown: Vec<String> = ports.iter().take(SHOWN).map(one).collect();
    if ports.len() > SHOWN {
        shown.push(format!("{} more", ports.len() - SHOWN));
    }
    format!("Ports: {}.", shown.join(", "))
}

/// Accesses of `m_axi` ports that are not bursts, and those of which it is not known, with the reason.
fn lost_bursts(answer: &KernelAnswer, detail: KernelDetail) -> Option<String> {
    let list = |is_doubt: bool| {
        let of_port = |port: &PortAnswer| -> Vec<String> {
            let mut groups: Vec<LostBursts> = Vec::new();
            for burst in &port.bursts {
                let Some(reason) = burst.reason.filter(|one| one.is_doubt() == is_doubt) else {
                    continue;
                };
                let place = place_of(answer, burst.place);
                let is_same =
                    |one: &&mut LostBursts| (one.write, one.reason) == (burst.write, reason);
                match groups.iter_mut().find(is_same) {
                    Some(group) => group.places.push(place),
                    None => {
                        groups.push(LostBursts { write: burst.write, reason, places: vec![place] });
                    }
                }
            }
            groups.iter().map(|group| group.in_words(port)).collect()
        };
        answer.ports.iter().flat_map(of_port).collect::<Vec<String>>()
    };
    let parts = [("No bursts", list(false)), ("Bursts that are not known", list(true))];
    let texts: Vec<String> =
        parts.iter().filter_map(|(title, lost)| list_lost(title, lost, detail)).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Accesses of a port that are not bursts for one reason.
struct LostBursts {
    write: bool,
    reason: NoBurst,
    places: Vec<String>,
}

impl LostBursts {
    fn in_words(&self, port: &PortAnswer) -> String {
        const SHOWN: usize = 3;
        let Self { write, reason, places } = self;
        let verb = if *write { "writes" } else { "reads" };
        let how = if reason.is_doubt() { "" } else { " word by word" };
        let shown = places[..SHOWN.min(places.len())].join(", ");
        let (more, verb) = match (places.len(), places.len().saturating_sub(SHOWN)) {
            (1, _) => (String::new(), verb),
            (_, 0) => (String::new(), verb.trim_end_matches('s')),
            (_, left) => (format!(" and {left} more"), verb.trim_end_matches('s')),
        };
        format!("{shown}{more} {verb} `{}`{how}, as {reason}", port.name)
    }
}

fn list_lost(title: &str, lost: &[String], detail: KernelDetail) -> Option<String> {
    const SHOWN: usize = 2;
    let shown = if detail == KernelDetail::All { lost.len() } else { SHOWN.min(lost.len()) };
    let more = match lost.len() - shown {
        0 => String::new(),
        left => format!("; {left} more"),
    };
    (!lost.is_empty()).then(|| format!("{title}: {}{more}.", lost[..shown].join("; ")))
}

#[allow(clippy::cast_precision_loss)]
fn size(bytes: u64) -> String {
    quantity(Bytes(bytes as f64))
}

fn port_table(ports: &[PortAnswer]) -> Option<Table> {
    #[allow(clippy::cast_precision_loss)]
    let whole = |number: u64| Cell::number(number as f64, NumberFormat::Integer);
    Table::from_items("ports", "", ports)
        .text("port", "Port", |port| &port.name)
        .text("kind", "Kind", |port| port.kind)
        .text("bundle", "Bundle", |port| port.bundle.clone().unwrap_or_default())
        .number("bits", "Width", "bits", |port| port.bits.map(whole))
        .number("elements", "Elements", "", |port| elements_of(port).map(whole))
        .number("bytes", "Bytes", "B", |port| bytes_of(port).map(whole))
        .build_unless_empty()
}

/// A kind of resource: what is used, of what.
struct Row {
    name: &'static str,
    used: ResourceAnswer,
    /// What is held against the part.
    counted: f64,
    part: u64,
    left: Option<f64>,
}

fn resource_table(study: &KernelStudy<'_>) -> Table {
    let (used, part) = (study.answer.resources, &study.settings.part);
    let shell = study.platform.and_then(|platform| platform.shells.first());
    let value = |figure: Option<&Figure<f64>>| figure.map(|figure| figure.value);
    let logic = shell.map(|shell| &shell.resources);
    let bram = logic.and_then(|logic| value(logic.bram36.as_ref())).map(|blocks| 2.0 * blocks);
    let row = |name, used: ResourceAnswer, part, left| Row {
        name,
        used,
        counted: used.value,
        part,
        left,
    };
    let blocks = row("BRAM18", used.bram18, part.bram18, bram);
    let rows = [
        row("DSP", used.dsp, part.dsp, shell.and_then(|shell| value(shell.dsp.as_ref()))),
        // The report leaves some of it out.
        Row { counted: used.bram18.needed(), ..blocks },
        row("URAM", used.uram, part.uram, logic.and_then(|logic| value(logic.uram.as_ref()))),
        row("LUT", used.lut, part.lut, logic.and_then(|logic| value(logic.lut.as_ref()))),
        row("FF", used.ff, part.ff, logic.and_then(|logic| value(logic.ff.as_ref()))),
    ];
    let is_read = study.answer.is_read;
    let slr = f64::from(part.slr.max(1));
    let percent = |value: f64, of: f64| {
        if of > 0.0 {
            format!("{:.1} %", 100.0 * value / of)
        } else if value > 0.0 {
            "it has none".to_owned()
        } else {
            "-".to_owned()
        }
    };
    #[allow(clippy::cast_precision_loss)]
    let free = |row: &Row| row.left.unwrap_or(row.part as f64);
    let mut table = Table::from_items("resources", "", rows)
        .text("resource", "Resource", |row| row.name)
        .figure("value", "Synthesis", |row| grouped(row.used.value))
        .figure("range", "Range", |row| {
            let ResourceAnswer { low, high, .. } = row.used;
            if !is_read {
                return Some(format!("{} or more", grouped(low)));
            }
            (low < high).then(|| format!("{} to {}", grouped(low), grouped(high)))
        })
        .figure("routed", "Routed", |row| grouped(row.used.routed))
        .figure("free", "Available", |row| grouped(free(row)))
        .figure("share", "Share", |row| percent(row.counted, free(row)));
    if part.slr > 1 {
        #[allow(clippy::cast_precision_loss)]
        let of_one = |row: &Row| row.part as f64 / slr;
        table = table.figure("slr", "SLR", |row| percent(row.counted, of_one(row)));
    }
    table.build()
}
