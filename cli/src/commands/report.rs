//! `derate report`: all files or none.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Error};
use derate_model::audit::{Audit, AuditReport, audit};
use derate_model::estimate::{Estimate, estimate};
use derate_model::measurement::Validation;
use derate_model::{Analysis, present};
use derate_reports::render;
use serde::Serialize;
use tempfile::NamedTempFile;

use super::audit::text;
use crate::args::Report;
use crate::output::{self, Outcome};
use crate::project;

/// Drawn only where a roof is known.
const FIGURE: &str = "roofline.svg";

/// `derate.report/1`: the audit, the estimate and what was measured in one file.
#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    audit: AuditReport,
    estimate: &'a Estimate,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<&'a Validation>,
}

pub(crate) fn run(args: &Report) -> Result<Outcome, Error> {
    let analysis = project::load(&args.project, &args.preprocess)?;
    let audit = audit(&analysis);
    let estimate = estimate(&analysis);
    let validation = analysis.validation();
    let files = render_all(&analysis, &audit, &estimate, validation.as_ref())?;
    // As late as can be: whoever is interrupted before leaves no empty folder.
    fs::create_dir_all(&args.out).with_context(|| {
        format!("{} cannot be made: name another folder with --out", args.out.display())
    })?;
    write_all(&args.out, &files)?;
    let mut out = text(&analysis, &audit);
    out.push('\n');
    let mut said = present::verdict(&audit, &estimate);
    said.extend(present::measurements(validation.as_ref()));
    out.push_str(&said.join("\n"));
    out.push_str("\n\n");
    out.extend(files.iter().map(|(name, bytes)| {
        format!("wrote {} ({} kB)\n", args.out.join(name).display(), bytes.len().div_ceil(1000))
    }));
    if files.iter().all(|(name, _)| *name != FIGURE) {
        // The figure of an earlier run would not belong to this report.
        let old = args.out.join(FIGURE);
        if old.exists() {
            fs::remove_file(&old).with_context(|| {
                format!("{} cannot be removed: it is out of date", old.display())
            })?;
        }
        out.push_str("no figure: no peak is known\n");
    }
    output::put(out.as_bytes())?;
    Ok(Outcome::Clean)
}

/// Every file's name and bytes.
fn render_all(
    analysis: &Analysis,
    audit: &Audit,
    estimate: &Estimate,
    validation: Option<&Validation>,
) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    let document = present::report(analysis, audit, estimate);
    let audit = AuditReport::new(analysis, audit);
    let mut json = serde_json::to_vec_pretty(&Json {
        schema: "derate.report/1",
        audit,
        estimate,
        validation,
    })?;
    json.push(b'\n');
    let mut files = vec![
        ("derate.xlsx", render::xlsx(&document)?),
        ("report.md", render::markdown(&document)?),
        ("report.json", json),
    ];
    if let Some(chart) = present::roofline(estimate) {
        files.push((FIGURE, render::svg(&chart)?));
    }
    Ok(files)
}

/// Writes each file beside its target first, and moves them all once every byte is on the disk.
fn write_all(dir: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), Error> {
    let refused = |name: &str| {
        format!(
            "{} cannot be written, so no file was changed: free space, or name another folder with --out",
            dir.join(name).display()
        )
    };
    let mut ready = Vec::new();
    for (name, bytes) in files {
        let target = dir.join(name);
        if target.is_dir() {
            anyhow::bail!(
                "{} is a directory: move it away, or name another folder with --out",
                target.display()
            );
        }
        let mut file = NamedTempFile::new_in(dir).with_context(|| refused(name))?;
        file.write_all(bytes)
            .and_then(|()| file.as_file().sync_all())
            .with_context(|| refused(name))?;
        readable_by_all(&file).with_context(|| refused(name))?;
        ready.push((file, target));
    }
    for (file, target) in ready {
        file.persist(&target).with_context(|| {
            format!("{} cannot be replaced: close whatever holds it", target.display())
        })?;
    }
    Ok(())
}

/// Temporary files are private; a report is not.
#[cfg(unix)]
fn readable_by_all(file: &NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &NamedTempFile) -> std::io::Result<()> {
    Ok(())
}
