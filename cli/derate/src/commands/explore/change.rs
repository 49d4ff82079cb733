//! Chosen designs of kernels as changes of sources, directives and `derate.toml`.

use std::path::Path;

use anyhow::{Error, bail};
use derate_model::design::KernelDesign;
use derate_model::explore::array::Insertion;
use derate_model::explore::kernel::{insert_config, insert_tcl, write_config, write_tcl};
use derate_model::load::{self, read_kernel_setup};
use derate_model::{Claim, KernelOrigin, KernelSection, KernelSource};

use super::asked::Asked;
use super::best_files::is_tcl;
use super::diff::Change;
use super::kernel_change::KernelChange;
use super::sources::{ChangedSources, WrittenKernel};
use super::toml::apply;
use crate::output;

/// The files that make a design of all kernels; `None` leaves a kernel as it is.
pub(super) fn change_files(
    asked: &Asked<'_>,
    design: &KernelDesign,
    chosen: &[(&str, Option<KernelChange>)],
) -> Result<Vec<Change>, Error> {
    let (analysis, mut changes) = (asked.analysis, Vec::new());
    let project = analysis.project.file;
    let old = analysis.sources.text(project);
    let mut edits = Vec::new();
    let kernels = analysis.project.kernels.iter().zip(&design.kernels);
    for ((section, kernel), (_, change)) in kernels.zip(chosen) {
        let Some(change) = change else { continue };
        let mut lines = String::new();
        match (change.units, &section.units) {
            (Some(units), Some(claim)) => edits.push(replace(claim, units.to_string())),
            (Some(units), None) => lines = format!("units = {units}\n"),
            (None, _) => {}
        }
        if let (false, KernelOrigin::Source(source)) = (change.keeps_source(), &section.origin) {
            let name = kernel.hardware();
            let source = (section, source);
            lines += &change_kernel(asked, name, source, change, &mut changes, &mut edits)?;
            edits.extend(drop_stated(old, section));
        }
        if !lines.is_empty() {
            let at = end_of_line(old, section.name.span.end);
            edits.push(Insertion { range: at..at, text: lines });
        }
    }
    edits.sort_by_key(|edit: &Insertion| edit.range.start);
    let new = apply(old, edits);
    let name = in_folder(asked, analysis.sources.name(project));
    changes.push(Change { name, old: Some(old.to_owned()), new });
    Ok(changes)
}

/// A path of the project as the diff has it: from the project's folder.
pub(super) fn in_folder(asked: &Asked<'_>, path: &str) -> String {
    let folder = load::project_folder(asked.place).to_string_lossy().into_owned();
    let inner = path.strip_prefix(&folder).unwrap_or(path);
    inner.trim_start_matches('/').to_owned()
}

/// Changes files; gives the lines that are new in the section. Kernels that are one hardware get the same directives.
fn change_kernel(
    asked: &Asked<'_>,
    hardware: &str,
    (section, source): (&KernelSection, &KernelSource),
    change: &KernelChange,
    changes: &mut Vec<Change>,
    edits: &mut Vec<Insertion>,
) -> Result<String, Error> {
    let dir = load::project_folder(asked.place);
    let options = asked.args.source.preprocess.options();
    let setup = read_kernel_setup(dir, asked.analysis, section, source, &options)?;
    let kernel = WrittenKernel {
        texts: &setup.texts,
        top: &setup.top,
        given: &setup.directives,
        settings: &setup.settings,
    };
    let ChangedSources { files, macros, directives } = kernel.change_sources(change, true)?;
    for file in files {
        let name = in_folder(asked, &file.name);
        // Two kernels may share a source: what both change is one change.
        match changes.iter().find(|one| one.name == name) {
            Some(one) if one.new == file.new => {}
            Some(_) => {
                bail!("two kernels want different values in {name}: give each its own source")
            }
            None => changes.push(Change { name, ..file }),
        }
    }
    let mut lines = String::new();
    if !directives.is_empty() {
        let config = setup.given.as_ref().filter(|(given, _)| !is_tcl(Path::new(given)));
        let end = if config.is_some() { "cfg" } else { "tcl" };
        let path = format!("{hardware}.explored.{end}");
        let mut text = format!("{}: {}\n", output::EXPLORED, output::command_line());
        text.push_str(&match (config, &setup.given) {
            (Some((_, given)), _) => insert_config(given, &write_config(&directives)),
            (None, Some((_, given))) => insert_tcl(given, &write_tcl(&directives)),
            (None, None) => write_tcl(&directives),
        });
        if changes.iter().all(|one| one.name != path) {
            changes.push(Change { name: path.clone(), old: None, new: text });
        }
        match &source.directives {
            Some(claim) => edits.push(replace(claim, format!("\"{path}\""))),
            None => lines += &["directives = \"", &path, "\"\n"].concat(),
        }
    }
    let mut added = Vec::new();
    for (name, value) in &macros {
        match source.defines.iter().find(|one| one.value.0 == *name) {
            Some(claim) => edits.push(replace(claim, format!("\"{name}={value}\""))),
            None => added.push(format!("\"{name}={value}\"")),
        }
    }
    match source.defines.last() {
        Some(last) if !added.is_empty() => {
            let at = last.span.end;
            edits.push(Insertion { range: at..at, text: format!(", {}", added.join(", ")) });
        }
        None if !added.is_empty() => lines += &["defines = [", &added.join(", "), "]\n"].concat(),
        _ => {}
    }
    Ok(lines)
}

fn replace<T>(claim: &Claim<T>, text: String) -> Insertion {
    Insertion { range: claim.span.start..claim.span.end, text }
}

/// Stated resources are those of the source as it was: their lines go.
fn drop_stated(text: &str, section: &KernelSection) -> Vec<Insertion> {
    let of = &section.used;
    let stated = [&of.dsp, &of.bram18, &of.uram, &of.lut, &of.ff].into_iter().flatten();
    let line = |claim: &Claim<u64>| {
        let start = text[..claim.span.start].rfind('\n').map_or(0, |at| at + 1);
        Insertion { range: start..end_of_line(text, claim.span.end), text: String::new() }
    };
    stated.map(line).collect()
}

/// The place after the end of a line.
fn end_of_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |more| at + more + 1)
}
