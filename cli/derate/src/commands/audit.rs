//! `derate audit`.

use std::path::{Component, Path};

use anyhow::{Error, bail};
use derate_model::Analysis;
use derate_model::audit::{Audit as Audited, AuditReport, Level, Summary, audit};
use derate_reports::sections;

use super::fix;
use crate::args::{Audit, AuditFormat};
use crate::load::load_project;
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Audit) -> Result<Outcome, Error> {
    if args.write && args.fix.is_none() {
        bail!(
            "--write applies what --fix shows: give both, such as `derate audit --fix=claim --write`"
        );
    }
    let word = args.project.to_string_lossy();
    if args.fix.is_some() && matches!(&*word, "claim" | "code") && !args.project.exists() {
        bail!("`{word}` is not a folder: to choose the side that is edited, write `--fix={word}`");
    }
    let analysis = load_project(&args.project, &args.preprocess)?;
    let audit = audit(&analysis);
    if let Some(strategy) = args.fix {
        return fix::run(args, strategy, &analysis, &audit);
    }
    let log = || sections::log(&analysis.sources, &audit);
    match args.format {
        AuditFormat::Json => output::put_json(&AuditReport::new(&analysis, &audit))?,
        AuditFormat::Text => output::put_bytes(render_audit(&analysis, &audit).as_bytes())?,
        AuditFormat::Sarif => output::put_bytes(&derate_reports::render_sarif(&log())?)?,
        AuditFormat::Github => {
            output::put_bytes(&derate_reports::render_github(&log(), &base_path(&args.project)))?;
        }
    }
    Ok(if audit.findings.iter().any(|f| f.level == Level::Error) {
        Outcome::Refused
    } else {
        Outcome::Clean
    })
}

/// The project's folder as it was named, where that leads down from here; a workflow runs in the repository's root.
fn base_path(project: &Path) -> String {
    let folder = if project.is_dir() { Some(project) } else { project.parent() };
    let parts =
        folder.into_iter().flat_map(Path::components).filter(|part| *part != Component::CurDir);
    let parts: Option<Vec<_>> = parts
        .map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy()),
            _ => None,
        })
        .collect();
    parts.unwrap_or_default().join("/")
}

/// The findings, a line that counts them, and one that names what was not audited.
pub(crate) fn render_audit(analysis: &Analysis, audit: &Audited) -> String {
    let findings = &audit.findings;
    let diagnostics = sections::diagnostics(&analysis.sources, findings);
    let Summary { error, warning, note, allowed } = Summary::of(audit);
    let hint = findings
        .first()
        .map_or_else(String::new, |f| format!("; `derate rule {}` explains the first", f.code));
    let count = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let not_audited = analysis.code.not_audited_line(&analysis.sources);
    format!(
        "{}{}, {}, {}{}{hint}\n{}",
        derate_reports::render_diagnostics(&diagnostics, output::wants_color()),
        count(error, "error"),
        count(warning, "warning"),
        count(note, "note"),
        if allowed == 0 { String::new() } else { format!(", {allowed} allowed") },
        not_audited.map_or_else(String::new, |line| line + "\n"),
    )
}
