//! `derate audit --fix`.

use std::collections::BTreeMap;

use anyhow::{Error, bail};
use derate_hls::{FileId, Sources};
use derate_model::audit::{Finding, Level};
use derate_model::fix::{
    FixOutcome, Fixable, RefusedFix, Strategy, apply_fixes, apply_patches, unified_diff,
};
use serde::Serialize;

use crate::args::{Audit, AuditFormat, Fix};
use crate::original::{Folder, Original};
use crate::output::{self, Outcome};
use crate::replace::{Replacement, replace_all};

/// `derate.fix/2`.
#[derive(Serialize)]
struct Json {
    schema: &'static str,
    strategy: Strategy,
    written: bool,
    files: Vec<JsonFile>,
    fixed: Vec<JsonFinding>,
    not_fixed: Vec<JsonFinding>,
    revealed: Vec<JsonFinding>,
}

#[derive(Serialize)]
struct JsonFile {
    file: String,
    diff: String,
}

/// A finding, and what was done about it or why nothing was.
#[derive(Serialize)]
struct JsonFinding {
    code: &'static str,
    subject: String,
    text: String,
}

/// A file that changes.
struct Changed {
    file: FileId,
    name: String,
    original: Original,
    bytes: Vec<u8>,
    diff: Vec<u8>,
}

pub(crate) fn run(
    args: &Audit,
    fix: Fix,
    subject: &impl Fixable,
    findings: &[Finding],
) -> Result<Outcome, Error> {
    let sources = subject.sources();
    if matches!(args.format, AuditFormat::Sarif | AuditFormat::Github) {
        bail!("--fix prints text or JSON: leave --format out, or write --format json");
    }
    let strategy = match fix {
        Fix::Claim => Strategy::Claim,
        Fix::Code => Strategy::Code,
    };
    let folder = Folder::of(&args.project)?;
    let locked: BTreeMap<FileId, String> = sources
        .files()
        .filter_map(|file| Some((file, folder.lock_reason(sources.name(file))?)))
        .collect();
    let outcome = apply_fixes(subject, findings, strategy, &locked);
    let changed = changed_files(sources, &outcome, &folder)?;
    if args.write {
        let replacements: Vec<Replacement<'_>> = changed
            .iter()
            .map(|c| Replacement { path: &c.original.path, old: &c.original.bytes, new: &c.bytes })
            .collect();
        replace_all(&replacements)?;
    }
    match args.format {
        AuditFormat::Json => output::put_json(&fix_json(args, strategy, &outcome, &changed))?,
        _ => print_fixes(args, sources, &outcome, &changed)?,
    }
    // The findings of what is on the disk decide the status.
    let left = if args.write { &outcome.after } else { findings };
    Ok(if left.iter().any(|f| f.level == Level::Error) { Outcome::Refused } else { Outcome::Clean })
}

/// Every file that changes, on the bytes that it has on the disk.
fn changed_files(
    sources: &Sources,
    outcome: &FixOutcome,
    folder: &Folder,
) -> Result<Vec<Changed>, Error> {
    let mut all = Vec::new();
    for file in outcome.changed_files() {
        let name = sources.name(file).to_owned();
        let original = folder.read_file(&name)?;
        if original.text != sources.text(file) {
            bail!("{name} was changed while it was audited: run the command again");
        }
        let mut patches = outcome.patches(file);
        for patch in &mut patches {
            patch.range =
                original.byte_offset(patch.range.start)..original.byte_offset(patch.range.end);
        }
        let bytes = apply_patches(&original.bytes, &patches);
        let diff = unified_diff(&name, &original.bytes, &patches);
        all.push(Changed { file, name, original, bytes, diff });
    }
    Ok(all)
}

/// The diff, or the files that were written, on stdout; the result for each finding on stderr.
fn print_fixes(
    args: &Audit,
    sources: &Sources,
    outcome: &FixOutcome,
    changed: &[Changed],
) -> Result<(), Error> {
    for fixed in &outcome.fixed {
        let done = if args.write { "fixed" } else { "would fix" };
        output::note(&format!(
            "{done}: {}: {}",
            finding_place(sources, &fixed.finding),
            fixed.title
        ));
    }
    let mut refused: Vec<(&RefusedFix, usize)> = Vec::new();
    for one in &outcome.refused {
        let same = |(first, _): &&mut (&RefusedFix, usize)| {
            (first.finding.code, &first.reason) == (one.finding.code, &one.reason)
        };
        match refused.iter_mut().find(same) {
            Some((_, more)) => *more += 1,
            None => refused.push((one, 0)),
        }
    }
    for (one, more) in refused {
        let place = finding_place(sources, &one.finding);
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        output::note(&format!("not fixed: {place}{more}: {}", one.reason));
    }
    for finding in outcome.new_findings() {
        output::note(&format!(
            "appears: {}: {}; run --fix again after this is written",
            finding.code, finding.message
        ));
    }
    if changed.is_empty() {
        output::note("nothing to fix");
    }
    for change in changed {
        if args.write {
            let edits = outcome.patches(change.file).len();
            let noun = if edits == 1 { "change" } else { "changes" };
            output::put_bytes(format!("wrote {}: {edits} {noun}\n", change.name).as_bytes())?;
        } else {
            output::put_bytes(&change.diff)?;
        }
    }
    Ok(())
}

/// `derate.toml:17: precision/assumed-bytes`.
fn finding_place(sources: &Sources, finding: &Finding) -> String {
    finding.labels.first().map_or_else(
        || finding.code.to_owned(),
        |label| {
            let (name, line) = (sources.name(label.span.file), sources.position(label.span).line);
            format!("{name}:{line}: {}", finding.code)
        },
    )
}

fn fix_json(args: &Audit, strategy: Strategy, outcome: &FixOutcome, changed: &[Changed]) -> Json {
    let finding = |finding: &Finding, text: &str| JsonFinding {
        code: finding.code,
        subject: finding.subject.clone(),
        text: text.to_owned(),
    };
    Json {
        schema: "derate.fix/2",
        strategy,
        written: args.write,
        files: changed
            .iter()
            .map(|c| JsonFile {
                file: c.name.clone(),
                diff: String::from_utf8_lossy(&c.diff).into_owned(),
            })
            .collect(),
        fixed: outcome.fixed.iter().map(|one| finding(&one.finding, &one.title)).collect(),
        not_fixed: outcome.refused.iter().map(|one| finding(&one.finding, &one.reason)).collect(),
        revealed: outcome.new_findings().map(|f| finding(f, &f.message)).collect(),
    }
}
