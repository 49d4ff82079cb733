//! Chosen compute units as a change of the v++ configuration.

use derate_model::design::{DesignKernel, KernelDesign};
use derate_model::explore::array::Insertion;
use derate_model::explore::{LinkChange, LinkRefusal, change_units};
use derate_model::{KernelOrigin, KernelSection};

use super::asked::Asked;
use super::change::in_folder;
use super::diff::Change;
use super::kernel_change::KernelChange;
use super::toml::apply;

/// The configuration that makes the chosen units, and what is to be said of it.
#[derive(Default)]
pub(super) struct Link {
    pub(super) change: Option<Change>,
    pub(super) notes: Vec<String>,
}

/// Writes the chosen units into the file that `[hls] connectivity` names; where it names none, says which line makes them.
pub(super) fn change_link(
    asked: &Asked<'_>,
    design: &KernelDesign,
    chosen: &[(&str, Option<KernelChange>)],
) -> Link {
    let analysis = asked.analysis;
    let sections = analysis.project.kernels.iter().zip(&design.kernels);
    let mut link = Link::default();
    let mut edits: Vec<Insertion> = Vec::new();
    for ((section, kernel), (_, change)) in sections.zip(chosen) {
        // The configuration has one line for each hardware.
        let change = change.as_ref().filter(|_| kernel.same_hardware_as.is_none());
        let Some(units) = change.and_then(|change| change.units) else { continue };
        let names = list_names(section, kernel);
        let Some((file, connectivity)) = &analysis.build.connectivity else {
            link.notes.push(format!(
                "{}: v++ makes {units} units by nk={}:{units} under [connectivity] of its configuration; [hls] connectivity names no such file, so the diff does not write the line",
                kernel.name, names[0]
            ));
            continue;
        };
        let path = in_folder(asked, analysis.sources.name(*file));
        match change_units(analysis.sources.text(*file), connectivity, &names, units) {
            Ok(change) => {
                link.notes.extend(describe_change(&path, &change));
                edits.extend(change.edits);
            }
            Err(refusal) => link.notes.push(format!(
                "{path}: the diff does not write nk={}:{units}: {}",
                names[0],
                describe_refusal(refusal)
            )),
        }
    }
    if let Some((file, _)) = analysis.build.connectivity.as_ref().filter(|_| !edits.is_empty()) {
        let old = analysis.sources.text(*file);
        edits.sort_by_key(|edit| edit.range.start);
        let name = in_folder(asked, analysis.sources.name(*file));
        let new = apply(old, edits);
        link.change = Some(Change { name, old: Some(old.to_owned()), new });
    }
    link
}

/// The names that the configuration may have for a kernel: v++ names it by its top function.
fn list_names<'a>(section: &'a KernelSection, kernel: &'a DesignKernel) -> Vec<&'a str> {
    let stated = match &section.origin {
        KernelOrigin::Source(source) => source.top.as_ref().map(|top| top.value.as_str()),
        _ => None,
    };
    let names = stated.into_iter().chain(kernel.top.as_deref());
    names.chain([section.name.value.as_str()]).collect()
}

fn describe_change(path: &str, change: &LinkChange) -> Vec<String> {
    let mut notes = Vec::new();
    if !change.shared.is_empty() {
        let shared = change.shared.iter().map(|(unit, like)| format!("{unit} those of {like}"));
        notes.push(format!(
            "{path}: new units get banks that others have: {}; give them banks of their own where the card has some",
            shared.collect::<Vec<_>>().join(", ")
        ));
    }
    if !change.unplaced.is_empty() {
        notes.push(format!(
            "{path}: no slr= says where {} go: v++ places them",
            change.unplaced.join(", ")
        ));
    }
    if !change.unwired.is_empty() {
        notes.push(format!(
            "{path}: the streams of {} are connected to nothing: write their stream_connect= lines",
            change.unwired.join(", ")
        ));
    }
    if !change.gone.is_empty() {
        let gone = change.gone.join(", ");
        notes.push(format!("{path}: {gone} go, with their sp= and slr= lines"));
    }
    notes.extend(change.left.iter().map(|(line, text)| {
        format!("{path}:{line} `{text}` names a unit that goes: the diff does not change that line")
    }));
    notes
}

fn describe_refusal(refusal: LinkRefusal) -> &'static str {
    match refusal {
        LinkRefusal::Template => "another program fills in an nk= of the file",
        LinkRefusal::SeveralEntries => "several nk= are of the kernel",
        LinkRefusal::OtherNames => "its nk= has more or fewer names than units",
    }
}
