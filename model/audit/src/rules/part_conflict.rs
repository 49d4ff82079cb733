//! Reports, build files and `derate.toml` name different parts.
//!
//! ## What it does
//!
//! Takes the part of each report, those that the files of `[hls] scripts` and the v++ configuration name (`set_part`,
//! `create_project -part`, `part=`, `platform=`, `PLATFORM`, `XPART`), and that of the platform in `derate.toml`. A board
//! counts as its part. Where no report is of the platform's device, each of them is a finding. A file is held against the
//! reports below its folder; where there is none, and all files name one device, against the platform. Reports and files
//! of several devices, one of which fits, are those of several boards. Package, speed grade and temperature do not
//! change what is on a chip and are not compared. A name that is not a part of AMD, or that a program fills in, is not
//! compared.
//!
//! ## Why it matters
//!
//! Latency, clock and the share of resources in a report are those of its part. Held against another part they say
//! nothing: a design that fills half of an Alveo does not fit a Zynq, and its clock is not reached there.
//!
//! ## Example
//!
//! `set_part {xczu9eg-ffvb1156-2-e}` beside a report with `* Target device: xc7z020-clg400-1`.
//!
//! ## How to fix
//!
//! Synthesise again for the part of the build, or name the board that the reports are made for in `derate.toml`.

use derate_hls::Span;
use derate_machine::{PartName, read_named_part};
use serde_json::json;
use std::path::Path;

use crate::{Finding, Label, Level};
use derate_estimate::Analysis;

/// A part, and where it is named.
struct Naming {
    part: PartName,
    text: String,
    span: Span,
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some(platform) = name_platform(analysis) else { return Vec::new() };
    let reports = list_reported(analysis);
    let fits = |one: &Naming, other: &Naming| one.part.device() == other.part.device();
    let of_reports = reports.iter().filter(|_| !reports.iter().any(|one| fits(one, &platform)));
    let of_reports = of_reports.map(|one| report_conflict("report", one, &platform));
    let scripts = list_scripts(analysis);
    // Files for several devices are those of several boards, and the platform is one of them.
    let one_device = scripts.iter().flatten().all(|one| fits(one, &scripts[0][0]));
    let of_scripts = scripts.iter().filter_map(|named| {
        let first = named.first()?;
        let folder = Path::new(analysis.sources.name(first.span.file)).parent()?;
        let is_below =
            |one: &&Naming| Path::new(analysis.sources.name(one.span.file)).starts_with(folder);
        let below: Vec<&Naming> = reports.iter().filter(is_below).collect();
        let against = match below.first() {
            Some(report) => report,
            None if one_device && reports.is_empty() => &platform,
            None => return None,
        };
        let fitting = |one: &Naming| {
            below.iter().any(|report| fits(one, report)) || below.is_empty() && fits(one, against)
        };
        (!named.iter().any(fitting)).then(|| report_conflict("file", first, against))
    });
    of_reports.chain(of_scripts).collect()
}

fn name_platform(analysis: &Analysis) -> Option<Naming> {
    let part = analysis.platform.part_name()?;
    let text = analysis.platform.part.as_ref()?.value.clone();
    Some(Naming { part, text, span: analysis.project.platform.span })
}

/// The parts of the reports.
fn list_reported(analysis: &Analysis) -> Vec<Naming> {
    let parts = analysis.build.reports.iter().filter_map(|report| report.part.as_ref());
    parts
        .filter_map(|part| {
            let (text, span) = (part.value.clone(), part.span);
            Some(Naming { part: PartName::parse(&text)?, text, span })
        })
        .collect()
}

/// What each build file names: those of `[hls] scripts`, and the v++ configuration.
fn list_scripts(analysis: &Analysis) -> Vec<Vec<Naming>> {
    let scripts = analysis.build.scripts.iter().map(|script| {
        let named = script.parts.iter().map(|one| Naming {
            part: one.part.clone(),
            text: one.text.clone(),
            span: script.span(one),
        });
        named.collect::<Vec<Naming>>()
    });
    let entries = analysis.build.connectivity.iter().flat_map(|(_, read)| &read.entries);
    let linked = entries.filter_map(|entry| {
        let derate_hls::EntryValue::Text(value) = &entry.value else { return None };
        let key = entry.key.value.as_str();
        let (part, _) =
            matches!(key, "platform" | "part").then(|| read_named_part(&value.value)).flatten()?;
        Some(Naming { part, text: value.value.clone(), span: value.span })
    });
    scripts.chain([linked.collect()]).filter(|named| !named.is_empty()).collect()
}

fn report_conflict(what: &str, one: &Naming, other: &Naming) -> Finding {
    let (own, expected) = (one.part.device(), other.part.device());
    let help = match what {
        "report" => {
            "synthesise for the part of the platform, or name the board of the reports in derate.toml"
        }
        _ => {
            "build for the part that the reports and derate.toml name, or name that of this file there"
        }
    };
    Finding::new("report/part", Level::Warning, format!("{what}: {own}"))
        .by_file()
        .with_message(format!("this {what} is for {own}, and the other side is {expected}"))
        .with_labels(vec![
            Label::new(one.span, format!("names {}", one.text)),
            Label::new(other.span, format!("here it is {}", other.text)),
        ])
        .with_help(help)
        .with_evidence(json!({ "kind": what, "part": one.text, "other": other.text }))
}
