//! `derate audit`.

use anyhow::{Error, bail};
use derate_model::audit::{AuditReport, Finding, Level, Summary, audit};
use derate_model::{Analysis, present};
use derate_reports::render;

use super::fix;
use crate::args::{Audit, Format};
use crate::output::{self, Outcome};
use crate::project;

pub(crate) fn run(args: &Audit) -> Result<Outcome, Error> {
    if args.write && args.fix.is_none() {
        bail!(
            "--write applies what --fix shows: give both, such as `derate audit --fix claim --write`"
        );
    }
    let analysis = project::load(&args.project)?;
    let findings = audit(&analysis);
    if let Some(strategy) = args.fix {
        return fix::run(args, strategy, &analysis, &findings);
    }
    match args.format {
        Format::Json => output::put_json(&AuditReport::new(&analysis.sources, &findings))?,
        Format::Text => output::put(text(&analysis, &findings).as_bytes())?,
    }
    Ok(if findings.iter().any(|f| f.level == Level::Error) {
        Outcome::Refused
    } else {
        Outcome::Clean
    })
}

/// The findings, and a line that counts them.
pub(crate) fn text(analysis: &Analysis, findings: &[Finding]) -> String {
    let diagnostics = present::diagnostics(&analysis.sources, findings);
    let Summary { error, warning, note } = Summary::of(findings);
    let hint = findings
        .first()
        .map_or_else(String::new, |f| format!("; `derate rule {}` explains one", f.code));
    let count = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    format!(
        "{}{}, {}, {}{hint}\n",
        render::diagnostics_text(&diagnostics, output::color()),
        count(error, "error"),
        count(warning, "warning"),
        count(note, "note")
    )
}
