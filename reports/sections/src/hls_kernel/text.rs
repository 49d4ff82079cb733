//! The document: cycles, loops, ports, resources, what would help.

use std::fmt::Write;

use derate_kernel::{
    LoopAnswer, LoopRuns, PortAnswer, ResourceAnswer, Span, count_runs, uncertainty,
};
use derate_render::{Block, Cell, Document, NumberFormat, Section, Table};
use derate_units::figures::{count, grouped, quantity, significant};
use derate_units::{Bytes, Figure, Hertz, Seconds};

use super::data::{bytes_of, elements_of, file_of, reasons};
use super::{KernelDetail, KernelStudy, words};
use crate::section::{NOT_MEASURED, new_section};

/// Rows of loops, changes and reasons that fit a screen of 40 lines together.
const ROWS: usize = 11;
/// The longest change or reason that needs one line.
const ONE_LINE: usize = 70;
/// Reasons that a screen shows.
const REASONS: usize = 2;

pub(super) fn document(study: &KernelStudy<'_>, detail: KernelDetail) -> Document {
    let settings = study.settings;
    let part = match study.platform {
        Some(platform) => format!("{} ({})", platform.name, settings.part.name),
        None => settings.part.name.clone(),
    };
    let clock = quantity(Hertz(1e9 / settings.clock_ns));
    let mut sections = vec![cycles(study, detail), hardware(study, detail)];
    sections.extend(help(study, detail));
    Document {
        title: format!("Kernel {}", study.answer.top),
        subtitle: format!("{part}, {clock}, Vitis {}; {NOT_MEASURED}", words::tool(settings)),
        controls: Vec::new(),
        sections,
    }
}

fn rows_of_help(study: &KernelStudy<'_>) -> usize {
    let lines = |text: &str| text.len().div_ceil(ONE_LINE);
    let changes = study.advice.iter().map(|one| lines(&words::change(one)));
    let reasons = reasons(study.answer);
    changes.chain(reasons.iter().take(REASONS).map(|(_, reason)| lines(reason))).sum()
}

fn cycles(study: &KernelStudy<'_>, detail: KernelDetail) -> Section {
    let answer = study.answer;
    let rows = match detail {
        KernelDetail::All => usize::MAX,
        KernelDetail::Screen => ROWS.saturating_sub(rows_of_help(study)).max(3),
    };
    let mut blocks = vec![Block::Prose(latency_in_words(study))];
    if let Some(table) = loop_table(study, rows) {
        blocks.push(Block::Table(table));
    } else if answer.loops.is_empty() {
        blocks.push(Block::Prose("It has no loops.".to_owned()));
    }
    new_section("Cycles", "Cycles, modelled", blocks)
}

fn latency_in_words(study: &KernelStudy<'_>) -> String {
    let (latency, interval) = (study.answer.latency, study.answer.interval);
    if latency.is_open {
        return "Data decide the number of cycles, so that none is given: see what is not known."
            .to_owned();
    }
    let range = uncertainty(study.answer);
    let time = |cycles: f64| quantity(Seconds(cycles * study.settings.clock_ns * 1e-9));
    let mut text = format!(
        "{} cycles, {}; between {} and {}. The tool reports {}",
        grouped(latency.expected),
        time(latency.expected),
        grouped((latency.expected * range.low).floor()),
        grouped((latency.expected * range.high).ceil()),
        grouped(latency.worst),
    );
    if latency.best < latency.worst {
        let _ = write!(text, " at worst and {} at best, by the data", grouped(latency.best));
    }
    if !interval.is_open {
        let _ = write!(text, "; a run may start every {} cycles", grouped(interval.expected));
    }
    text.push('.');
    text
}

/// The loops with the greatest share, in order of the source, with those around them.
fn loop_table(study: &KernelStudy<'_>, rows: usize) -> Option<Table> {
    let answer = study.answer;
    let loops = count_runs(&answer.loops);
    let whole =
        Some(answer.latency.expected).filter(|cycles| !answer.latency.is_open && *cycles > 0.0);
    let share =
        |one: &LoopRuns<'_>| one.total_cycles().zip(whole).map(|(total, whole)| total / whole);
    let mut by_share: Vec<usize> = (0..loops.len()).collect();
    by_share.sort_by(|a, b| {
        let of = |at: usize| share(&loops[at]).unwrap_or(2.0);
        of(*b).total_cmp(&of(*a)).then(a.cmp(b))
    });
    let left_out = loops.len().saturating_sub(rows);
    let mut shown: Vec<usize> = by_share.into_iter().take(rows).collect();
    shown.sort_unstable();
    let caption = match left_out {
        0 => String::new(),
        number => {
            format!("{} with the least shares left out; --detail shows all.", count(number, "loop"))
        }
    };
    let several = answer.loops.iter().any(|one| one.function != answer.top);
    let mut table = Table::from_items(
        "loops",
        caption,
        shown.iter().map(|at| (&loops[*at], loops[*at].answer)),
    )
    .text("loop", "Loop", |(_, one)| label(one));
    if several {
        table = table.text("function", "Function", |(_, one)| &one.function);
    }
    table
        .text("line", "Line", |(_, one)| one.place.line.to_string())
        .figure("trips", "Trips", |(_, one)| trips(one))
        .figure("ii", "II", |(_, one)| one.ii.map_or_else(|| "-".to_owned(), |ii| ii.to_string()))
        .text("held_by", "Held by", |(_, one)| match (&one.held_by, one.ii) {
            (Some(held), Some(_)) => words::held_by(held),
            _ => "not pipelined".to_owned(),
        })
        .figure("depth", "Depth", |(_, one)| grouped(one.depth))
        .figure("cycles", "Cycles", |(_, one)| match one.cycles {
            Span { is_open: true, .. } => "data".to_owned(),
            Span { expected, .. } => grouped(expected),
        })
        .figure("share", "Share", |(runs, _)| {
            share(runs).map(|share| format!("{:.1} %", 100.0 * share))
        })
        .build_unless_empty()
}

/// The label below those of the loops around it.
fn label(one: &LoopAnswer) -> String {
    match one.nest {
        0 => one.label.clone(),
        nest => format!("└{}{}", "─".repeat(nest.min(8)), one.label),
    }
}

fn trips(one: &LoopAnswer) -> String {
    match one.trip {
        None => "data".to_owned(),
        #[allow(clippy::float_cmp, reason = "both are whole numbers")]
        Some((least, most, _)) if least == most => grouped(most),
        Some((least, most, _)) => format!("{} to {}", grouped(least), grouped(most)),
    }
}

fn hardware(study: &KernelStudy<'_>, detail: KernelDetail) -> Section {
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
    blocks.push(Block::Table(resource_table(study)));
    new_section("Hardware", "Ports, work and resources, modelled", blocks)
}

fn work_in_words(study: &KernelStudy<'_>) -> String {
    let (answer, latency) = (study.answer, study.answer.latency);
    let mut text = format!("{} multiplications", grouped(answer.multiply_adds));
    if !latency.is_open && latency.expected > 0.0 && answer.multiply_adds > 0.0 {
        let rate = answer.multiply_adds / latency.expected;
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
    const SHOWN: usize = 4;
    let one = |port: &PortAnswer| {
        let bytes = bytes_of(port).map(|bytes| format!(", {}", size(bytes))).unwrap_or_default();
        format!("{} ({}, {} bits{bytes})", port.name, port.kind, port.bits)
    };
    let mut shown: Vec<String> = ports.iter().take(SHOWN).map(one).collect();
    if ports.len() > SHOWN {
        shown.push(format!("{} more", ports.len() - SHOWN));
    }
    format!("Ports: {}.", shown.join(", "))
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
        .number("bits", "Width", "bits", |port| whole(port.bits))
        .number("elements", "Elements", "", |port| elements_of(port).map(whole))
        .number("bytes", "Bytes", "B", |port| bytes_of(port).map(whole))
        .build_unless_empty()
}

/// A kind of resource: what is used, of what.
struct Row {
    name: &'static str,
    used: ResourceAnswer,
    part: u64,
    left: Option<f64>,
}

fn resource_table(study: &KernelStudy<'_>) -> Table {
    let (used, part) = (study.answer.resources, &study.settings.part);
    let shell = study.platform.and_then(|platform| platform.shells.first());
    let value = |figure: Option<&Figure<f64>>| figure.map(|figure| figure.value);
    let logic = shell.map(|shell| &shell.resources);
    let bram = logic.and_then(|logic| value(logic.bram36.as_ref())).map(|blocks| 2.0 * blocks);
    let row = |name, used, part, left| Row { name, used, part, left };
    let rows = [
        row("DSP", used.dsp, part.dsp, shell.and_then(|shell| value(shell.dsp.as_ref()))),
        row("BRAM18", used.bram18, part.bram18, bram),
        row("URAM", used.uram, part.uram, logic.and_then(|logic| value(logic.uram.as_ref()))),
        row("LUT", used.lut, part.lut, logic.and_then(|logic| value(logic.lut.as_ref()))),
        row("FF", used.ff, part.ff, logic.and_then(|logic| value(logic.ff.as_ref()))),
    ];
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
    let heading = if shell.is_some() { "After the shell" } else { "On the part" };
    let mut table = Table::from_items("resources", "", rows)
        .text("resource", "Resource", |row| row.name)
        .figure("value", "Synthesis", |row| grouped(row.used.value))
        .figure("range", "Range", |row| {
            let ResourceAnswer { low, high, .. } = row.used;
            (low < high).then(|| format!("{} to {}", grouped(low), grouped(high)))
        })
        .figure("routed", "Routed", |row| grouped(row.used.routed))
        .figure("free", heading, |row| grouped(free(row)))
        .figure("share", "Share", |row| percent(row.used.value, free(row)));
    if part.slr > 1 {
        #[allow(clippy::cast_precision_loss)]
        let of_one = |row: &Row| row.part as f64 / slr;
        table = table.figure("slr", "Of one SLR", |row| percent(row.used.value, of_one(row)));
    }
    table.build()
}

/// What would help, and what is not known.
fn help(study: &KernelStudy<'_>, detail: KernelDetail) -> Option<Section> {
    let answer = study.answer;
    let known = reasons(answer);
    let shown = if detail == KernelDetail::All { usize::MAX } else { REASONS };
    let place = |place: derate_kernel::ir::Place| match place.line {
        0 => String::new(),
        line => {
            let file = file_of(answer, place);
            format!("{}:{line}", file.rsplit('/').next().unwrap_or(&file))
        }
    };
    let mut rows: Vec<[String; 3]> = study
        .advice
        .iter()
        .map(|one| {
            let gain =
                format!("{} ({} x)", grouped(one.after), significant(one.before / one.after, 2));
            [words::change(one), place(one.place), gain]
        })
        .collect();
    let has_advice = !rows.is_empty();
    rows.extend(
        known
            .iter()
            .take(shown)
            .map(|(at, reason)| [format!("not known: {reason}"), place(*at), String::new()]),
    );
    if let Some(more) = known.len().checked_sub(shown).filter(|more| *more > 0) {
        rows.push([
            format!("{more} more not known; --detail shows them"),
            String::new(),
            String::new(),
        ]);
    }
    let title = match (has_advice, known.is_empty()) {
        (true, true) => "What would help most",
        (true, false) => "What would help most, and what is not known",
        (false, _) => "What is not known",
    };
    let table = Table::from_items("help", "", rows)
        .text("change", "What", |row| row[0].as_str().to_owned())
        .text("place", "Where", |row| row[1].as_str().to_owned())
        .figure("cycles", "Cycles then", |row| row[2].as_str().to_owned())
        .without_empty_columns()
        .build_unless_empty()?;
    Some(new_section("Help", title, vec![Block::Table(table)]))
}
