//! The sections: cycles, loops, resources, and what shows that a report is stale.

use std::fmt::Write;

use derate_hls::{Figure, Synthesis};
use derate_render::{Block, Section, Table};
use derate_units::figures::{count, grouped, list_few, quantity, significant};
use derate_units::{Hertz, Seconds};

use super::figures::{error, list_resources, reported, show, show_error, show_used, used, worst};
use super::{ModelledSide, SynthesisStudy, loops};
use crate::hls_kernel::words;

/// Names that a sentence lists.
const NAMED: usize = 6;

pub(super) fn sections(study: &SynthesisStudy<'_>) -> Vec<Section> {
    let synthesis = study.synthesis;
    let mut blocks = vec![Block::Prose(conditions(study))];
    if let Some(side) = study.modelled.as_ref().filter(|side| !side.stale.is_empty()) {
        blocks.push(Block::Prose(stale_in_words(side)));
    }
    blocks.push(Block::Prose(cycles(study)));
    match loops::loop_table(study) {
        Some(table) => blocks.push(Block::Table(table)),
        None => blocks.push(Block::Prose("It has no loops.".to_owned())),
    }
    if let Some(text) = left_over_in_words(&synthesis.left_over) {
        blocks.push(Block::Prose(text));
    }
    if let Some(side) = &study.modelled {
        blocks.extend(loops::explain_errors(study, side).map(Block::Prose));
        let missing = loops::only_modelled(study, side);
        if !missing.is_empty() {
            blocks.push(Block::Prose(missing_in_words(&missing)));
        }
    }
    blocks.extend(resource_table(study).map(Block::Table));
    vec![Section::new("Kernel", &format!("Kernel {}, synthesised", synthesis.top), blocks)]
}

/// Part, clock, tool, and the reports.
fn conditions(study: &SynthesisStudy<'_>) -> String {
    let synthesis = study.synthesis;
    let part = synthesis.part.clone().unwrap_or_else(|| "the part is not known".to_owned());
    let clock = synthesis.clock_ns.map_or_else(
        || "the clock is not known".to_owned(),
        |period| quantity(Hertz(1e9 / period)),
    );
    let tool = synthesis.version.as_ref().map(|version| format!(", {version}"));
    let names: Vec<&str> = synthesis.reports.iter().map(|file| study.sources.name(*file)).collect();
    let first = names.first().copied().unwrap_or_default();
    let more = match names.len() {
        0 | 1 => String::new(),
        all => format!(" and {}", count(all - 1, "more report")),
    };
    format!("{part}, {clock}{}; synthesised, from {first}{more}.", tool.unwrap_or_default())
}

fn stale_in_words(side: &ModelledSide<'_>) -> String {
    let mut shown: Vec<&str> = side.stale.iter().take(NAMED).map(String::as_str).collect();
    let more = format!("{} more like these", side.stale.len().saturating_sub(NAMED));
    if side.stale.len() > NAMED {
        shown.push(&more);
    }
    format!(
        "The reports are STALE, of another version of the source: {}. The errors below are between two versions.",
        shown.join("; ")
    )
}

fn cycles(study: &SynthesisStudy<'_>) -> String {
    let Synthesis { latency, interval, clock_ns, estimated_ns, .. } = study.synthesis;
    let mut text = match latency {
        Some(Figure::Unknown(word)) => {
            format!("The tool does not know the number of cycles (`{word}`)")
        }
        Some(figure) => format!("{} cycles", show(figure)),
        None => "The reports do not say the number of cycles".to_owned(),
    };
    // Cycles take the period that is reached, where that is the longer one.
    let slower = estimated_ns.filter(|expected| clock_ns.is_some_and(|asked| *expected > asked));
    if let Some((cycles, period)) = worst(latency.as_ref()).zip(slower.or(*clock_ns)) {
        let _ = write!(text, ", {}", quantity(Seconds(cycles * period * 1e-9)));
        if slower.is_some() {
            let _ = write!(text, " at the {} ns that the tool expects", significant(period, 4));
        }
    }
    if let Some(interval) = interval.as_ref().filter(|one| one.max().is_some()) {
        let _ = write!(text, "; a run may start every {} cycles", show(interval));
    }
    text.push('.');
    if let Some(simulated) = study.simulated {
        #[allow(clippy::cast_precision_loss)]
        let _ = write!(text, " The simulated RTL takes {}.", grouped(simulated as f64));
    }
    if let Some(side) = &study.modelled {
        let _ = write!(text, " {}", modelled_in_words(study, side));
    }
    text
}

/// What the model says of the whole.
fn modelled_in_words(study: &SynthesisStudy<'_>, side: &ModelledSide<'_>) -> String {
    let span = &side.answer.latency;
    let files = side.files.join(", ");
    let Some(modelled) = reported(span) else {
        return format!("Modelled from {files}: data decide the number of cycles.");
    };
    let mut text = format!("Modelled from {files}: {} cycles", words::cycles(modelled));
    let latency = study.synthesis.latency.as_ref();
    if let Some(synthesised) = worst(latency) {
        // The error is that of the worst case.
        let is_range = latency.and_then(Figure::min).map(|least| least as f64) != Some(synthesised);
        let at_most = if is_range { "at most " } else { "" };
        let off = error(Some(modelled), Some(synthesised)).map(show_error);
        let off = off.map_or_else(String::new, |error| format!(", {error}"));
        let _ =
            write!(text, " where the tool reports {at_most}{}{off}", words::cycles(synthesised));
    }
    if (span.expected - modelled).abs() >= 0.5 {
        let _ = write!(text, "; the hardware takes {}", words::cycles(span.expected));
    }
    text.push('.');
    text
}

fn missing_in_words(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("Modelled alone, not in the reports: {}.", list_few(&shown, NAMED))
}

fn left_over_in_words(names: &[String]) -> Option<String> {
    let first = names.first()?;
    Some(format!(
        "Left from other runs, as the summary does not name them: {}, such as `{first}`.",
        count(names.len(), "module")
    ))
}

fn resource_table(study: &SynthesisStudy<'_>) -> Option<Table> {
    let modelled = study.modelled.as_ref().map(|side| &side.answer.resources);
    let rows = list_resources(study.synthesis, modelled);
    let rows: Vec<_> = rows.into_iter().filter(|(_, report, _)| report.is_some()).collect();
    Table::from_items("resources", "", rows)
        .text("resource", "Resource", |(name, ..)| *name)
        .figure("value", "Synthesised", |(_, report, _)| report.as_ref().map(show_used))
        .figure("available", "Available", |(_, report, _)| {
            report.as_ref()?.available.as_ref().map(|figure| show(&figure.value))
        })
        .figure("share", "Share", |(_, report, _)| {
            let share = report.as_ref()?.share.as_ref()?.value.clone();
            Some(format!("{} %", share.trim_end_matches('%').trim()))
        })
        .figure("modelled", "Modelled", |(_, _, model)| model.map(|one| grouped(one.value)))
        .figure("error", "Error", |(_, report, model)| {
            let synthesised = used(report.as_ref()?);
            error(model.map(|one| one.value), synthesised).map(show_error)
        })
        .without_empty_columns()
        .build_unless_empty()
}
