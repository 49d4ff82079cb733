//! The document: cycles, loops, ports, resources, what would help.

use std::fmt::Write;

use derate_hls::name_tool;
use derate_kernel::uncertainty;
use derate_render::{Block, Document, Section};
use derate_units::figures::quantity;
use derate_units::{Hertz, Seconds};

use super::{KernelDetail, KernelStudy, hardware, help, loops, words};
use derate_units::NOT_MEASURED;

/// Lines of loops, changes and reasons that fit a screen of 40 lines together.
const LINES: usize = 10;
/// The width of the list of changes and reasons.
const WIDTH: usize = 98;

pub(super) fn document(study: &KernelStudy<'_>, detail: KernelDetail) -> Document {
    let settings = study.settings;
    let part = match study.platform {
        Some(platform) => format!("{} ({})", platform.name, settings.part.name),
        None => settings.part.name.clone(),
    };
    let clock = quantity(Hertz(1e9 / settings.clock_ns));
    let help = help::help_lines(study, detail);
    let lines: usize = help.iter().map(|line| line.chars().count().div_ceil(WIDTH)).sum();
    let rows = match detail {
        KernelDetail::All => usize::MAX,
        KernelDetail::Screen => LINES.saturating_sub(lines).max(3),
    };
    let mut sections = vec![cycles(study, rows), hardware::hardware(study, detail)];
    if !help.is_empty() {
        let blocks = vec![Block::Prose(help.join("\n"))];
        sections.push(Section::new("Help", help::help_title(study), blocks));
    }
    Document {
        title: format!("Kernel {}", study.answer.top),
        subtitle: format!("{part}, {clock}, {}; {NOT_MEASURED}", name_tool(settings.tool)),
        controls: Vec::new(),
        sections,
    }
}

fn cycles(study: &KernelStudy<'_>, rows: usize) -> Section {
    let mut blocks = vec![Block::Prose(latency_in_words(study))];
    match loops::loop_table(study, rows) {
        Some(table) => blocks.push(Block::Table(table)),
        None if study.answer.is_read => {
            blocks.push(Block::Prose("It has no loops.".to_owned()));
        }
        None => blocks.push(Block::Prose(
            "Which loops it has is not known: a part of it is not read.".to_owned(),
        )),
    }
    Section::new("Cycles", "Cycles, modelled", blocks)
}

fn latency_in_words(study: &KernelStudy<'_>) -> String {
    let (latency, interval) = (study.answer.latency, study.answer.interval);
    if latency.is_open {
        return "No number of cycles is given: data decide it, or a part is not known. See what is not known."
            .to_owned();
    }
    if latency.rests_on_type {
        return format!(
            "No number of cycles is given: data decide how often a loop runs. The tool's report would count with the range of a type, and say {}. See what is not known.",
            words::cycles(latency.reported)
        );
    }
    let [low, high] = uncertainty(study.answer).bound(latency.expected).map(words::cycles);
    let time = |cycles: f64| quantity(Seconds(cycles * study.settings.clock_ns * 1e-9));
    let mut text = format!(
        "{} cycles, {}; between {low} and {high}. The tool's report would say {}",
        words::cycles(latency.expected),
        time(latency.expected),
        words::cycles(latency.reported),
    );
    if latency.best < latency.worst {
        let _ = write!(
            text,
            "; by the data it is {} to {}",
            words::cycles(latency.best),
            words::cycles(latency.worst)
        );
    }
    if interval.is_known() {
        let _ = write!(text, "; a run may start every {} cycles", words::cycles(interval.expected));
    }
    text.push('.');
    text
}
