//! The best design of a kernel as files: its directives, and changes of its sources.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error};
use derate_hls::{TclDirective, is_vivado, name_tool};
use derate_model::explore::Design;
use derate_model::explore::kernel::{
    KernelSpace, insert_config, runs_tool, write_config, write_tcl,
};
use derate_model::kernel::Settings;
use derate_model::load::{self, KernelTexts};

use super::diff::{Change, diff_texts};
use super::kernel_change::KernelChange;
use super::ports::write_interface_comment;
use super::sources::{ChangedSources, WrittenKernel};
use crate::args::Explore;
use crate::commands::kernel::request::Request;
use crate::output;

/// Writes the directives of the best design into the file of `--write`, where there is one.
pub(super) fn write_best(
    args: &Explore,
    settings: &Settings,
    space: &KernelSpace<'_>,
    best: Option<&Design>,
) -> Result<(), Error> {
    let (Some(path), Some(Design { point, .. })) = (&args.write, best) else { return Ok(()) };
    let values = space.substitutions(point);
    let text = write_directives(args, settings, &values, &space.own_directives(point))?;
    fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    output::note(&format!("wrote {}", path.display()));
    Ok(())
}

/// Directives in the form of those that were given, then those of a design. What the form cannot say is in comments.
fn write_directives(
    args: &Explore,
    settings: &Settings,
    values: &[(String, String)],
    own: &[TclDirective],
) -> Result<String, Error> {
    let mut text = format!("{}: {}\n", output::EXPLORED, output::command_line());
    // Writing to a text cannot fail.
    let _ = writeln!(
        text,
        "# for {}, {}, {:.3} ns; another version may take other cycles",
        name_tool(settings.tool),
        settings.part.name,
        settings.clock_ns
    );
    for (name, value) in values {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "# in the source or by -D: {name} = {value}");
    }
    let labels = own.iter().filter_map(|one| one.label.as_deref());
    for label in labels.filter(|label| is_vivado(settings.tool) && label.starts_with("VITIS_")) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "# Vivado HLS has no name {label}: give this loop a label");
    }
    if let Some(config) = find_config(&args.source.directives) {
        text.push_str(&insert_config(&load::read_text(config)?, &write_config(own)));
        return Ok(text);
    }
    for path in &args.source.directives {
        let given = load::read_text(path)?;
        if runs_tool(&given) {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "# source this in {} before csynth_design", path.display());
            continue;
        }
        text.push_str(&given);
        if !given.is_empty() && !given.ends_with('\n') {
            text.push('\n');
        }
    }
    text.push_str(&write_tcl(own));
    Ok(text)
}

/// The `hls_config.cfg` among files of directives.
pub(super) fn find_config(directives: &[PathBuf]) -> Option<&PathBuf> {
    directives.iter().find(|path| !is_tcl(path))
}

/// Whether a file of directives is Tcl, and no `hls_config.cfg`.
pub(super) fn is_tcl(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "tcl")
}

/// A change of the configuration that was given, or a new file of Tcl beside the first source.
fn change_directives(
    args: &Explore,
    settings: &Settings,
    own: &[TclDirective],
    source: Option<&PathBuf>,
) -> Result<Change, Error> {
    if let Some(config) = find_config(&args.source.directives) {
        let old = load::read_text(config)?;
        let new = insert_config(&old, &write_config(own));
        return Ok(Change { name: config.display().to_string(), old: Some(old), new });
    }
    let name = beside(source).display().to_string();
    Ok(Change { name, old: None, new: write_directives(args, settings, &[], own)? })
}

/// The best design as changes of the sources, with what no pragma of them says in a new file of directives. `--write` has
/// written all directives: the sources then keep their pragmas.
pub(super) fn diff_kernel(
    args: &Explore,
    request: &Request,
    (space, top): (&KernelSpace<'_>, &str),
    texts: &KernelTexts,
    best: Option<&Design>,
) -> Result<Vec<u8>, Error> {
    let Some(best) = best else { return Ok(Vec::new()) };
    let kernel =
        WrittenKernel { texts, top, given: &request.directives, settings: &request.settings };
    let design = KernelChange {
        values: space.substitutions(&best.point),
        directives: space.own_directives(&best.point),
        arguments: space.changed_arguments(&best.point),
        units: None,
        promised: best.cost,
    };
    let ChangedSources { files: mut changes, macros, directives } =
        kernel.change_sources(&design, args.write.is_none())?;
    for (name, value) in macros {
        output::note(&format!(
            "note: no file defines `{name}`: give the compiler -D {name}={value}"
        ));
    }
    let mut head = write_interface_comment(top, &design.arguments);
    if !directives.is_empty() && args.write.is_none() {
        let change =
            change_directives(args, &request.settings, &directives, request.files.first())?;
        let name = &change.name;
        // Writing to a text cannot fail.
        let _ =
            writeln!(head, "# The directives are in {name}: `derate kernel --directives {name}`.");
        changes.push(change);
    }
    Ok(if changes.is_empty() {
        Vec::new()
    } else {
        [head.into_bytes(), diff_texts(&changes)].concat()
    })
}

/// `best.tcl` in the folder of a source.
fn beside(source: Option<&PathBuf>) -> PathBuf {
    let folder = source.and_then(|path| path.parent()).unwrap_or(Path::new(""));
    folder.join("best.tcl")
}
