//! `derate audit`.

use std::path::{Component, Path};

use anyhow::{Error, bail};
use derate_hls::Sources;
use derate_model::Analysis;
use derate_model::audit::{Audit as Audited, AuditReport, Level, Summary, audit};
use derate_model::load::LoadedAudit;
use derate_reports::sections;

use super::audit_folder::{FolderAudit, FolderFixes, keep_only};
use super::fix;
use crate::args::{Audit, AuditFormat, Fix, Format};
use crate::load::load_audit;
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
    match load_audit(&args.project, &args.preprocess, &args.exclude, args.solution.as_deref())? {
        LoadedAudit::Project(loaded) => run_project(args, &loaded.analysis),
        LoadedAudit::Folder(folder) => {
            let mut found = FolderAudit::new(&folder);
            if let Some(side) = args.fix {
                if side == Fix::Claim && folder.project.is_none() {
                    bail!(
                        "--fix edits the claims of a derate.toml, and {} has none: --fix=code shows how the source would become true",
                        args.project.display()
                    );
                }
                return fix::run(args, side, &FolderFixes(&folder), &found.audit.findings);
            }
            found.keep_only(&args.only);
            let report = || found.report(&folder);
            let closing = || found.closing_lines(&folder, args.detail);
            put_audit(args, &folder.sources, &found.audit, report, closing)
        }
    }
}

fn run_project(args: &Audit, analysis: &Analysis) -> Result<Outcome, Error> {
    let mut audit = audit(analysis);
    keep_only(&mut audit, &args.only);
    if let Some(strategy) = args.fix {
        return fix::run(args, strategy, analysis, &audit.findings);
    }
    let report = || AuditReport::new(analysis, &audit);
    put_audit(args, &analysis.sources, &audit, report, || closing_lines(analysis, &audit))
}

/// Prints findings in the form that is asked for; `closing` has the lines below them.
fn put_audit(
    args: &Audit,
    sources: &Sources,
    audit: &Audited,
    report: impl Fn() -> AuditReport,
    closing: impl Fn() -> String,
) -> Result<Outcome, Error> {
    let log = || sections::log(sources, audit);
    match args.format {
        AuditFormat::Json => {
            let mut report = report();
            report.command.extend(args.only.iter().map(|code| format!(" --only {code}")));
            output::put_as(Format::Json, &report, || sections::audit(sources, audit))?;
        }
        AuditFormat::Text => {
            let closing = output::wrap_lines(&closing());
            let findings = if args.detail {
                render_findings(sources, audit)
            } else {
                render_screen(
                    sources,
                    audit,
                    output::SCREEN.saturating_sub(closing.lines().count() + 2),
                )
            };
            output::put_bytes((findings + &closing).as_bytes())?;
        }
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

/// What was not audited.
fn closing_lines(analysis: &Analysis, audit: &Audited) -> String {
    let unchecked = audit
        .findings
        .is_empty()
        .then(|| sections::say_unchecked(analysis))
        .flatten()
        .map(str::to_owned);
    let not_audited = analysis.code.not_audited_line(&analysis.sources);
    unchecked.into_iter().chain(not_audited).map(|line| line + "\n").collect()
}

/// All findings in full, and a line that counts them.
fn render_findings(sources: &Sources, audit: &Audited) -> String {
    let diagnostics = sections::diagnostics(sources, &audit.findings);
    let text = derate_reports::render_diagnostics(
        &diagnostics,
        output::wants_color(),
        output::find_width(),
    );
    text + &count_findings(audit, "")
}

/// The findings in about `lines` lines, and a line that counts them.
fn render_screen(sources: &Sources, audit: &Audited, lines: usize) -> String {
    let diagnostics = sections::diagnostics(sources, &audit.findings);
    let width = output::find_width();
    let colored = output::wants_color();
    let screen = derate_reports::render_diagnostics_screen(&diagnostics, colored, width, lines);
    let more = if screen.is_cut { "; --detail shows all in full" } else { "" };
    screen.text + &count_findings(audit, more)
}

fn count_findings(audit: &Audited, more: &str) -> String {
    let Summary { error, warning, note, allowed } = Summary::of(audit);
    let hint = audit
        .findings
        .first()
        .map_or_else(String::new, |f| format!("; `derate rule {}` explains the first", f.code));
    let count = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    output::fit_lines(&format!(
        "{}, {}, {}{}{hint}{more}\n",
        count(error, "error"),
        count(warning, "warning"),
        count(note, "note"),
        if allowed == 0 { String::new() } else { format!(", {allowed} allowed") },
    ))
}
