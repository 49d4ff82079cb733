//! What becomes of all findings: comments allow some, `[audit.levels]` changes levels, and the rest is sorted.

use std::collections::BTreeSet;

use derate_hls::{FileId, Span};
use derate_units::figures::list_few;
use glob::{MatchOptions, Pattern};

use super::allow::{Allow, AllowState};
use super::catalogue::{all_rules, find_rule};
use super::folds::{fold_copies, fold_older, weaken_stale};
use super::read_allows::read_allows;
use super::uncalled::find_uncalled;
use super::{AuditInput, Finding, Level};
use derate_finding::{Strategy, Twins, join_causes};
use derate_project::alias_twin::find_sibling;

/// What an audit gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// The gravest first, then by code and place.
    pub findings: Vec<Finding>,
    /// In the same order, what a comment in the source allows.
    pub allowed: Vec<Allowed>,
}

/// A finding that a comment in the source allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Allowed {
    /// The finding.
    pub finding: Finding,
    /// Why it is allowed, as the comment says.
    pub reason: String,
    /// Where the finding is.
    pub at: Span,
    /// The comment.
    pub by: Span,
}

/// Sorts the findings, takes out the allowed ones and adds those about the comments that allow.
/// The designs have their texts and their project in common.
pub(super) fn settle_findings(designs: &[AuditInput<'_>], mut found: Vec<Finding>) -> Audit {
    let Some(input) = designs.first() else { return Audit::default() };
    let mut comments = read_allows(designs);
    for finding in &mut found {
        weaken_unbuilt(designs, finding);
        weaken_assumed(input, finding);
        weaken_switch(designs, finding);
    }
    weaken_stale(designs, &mut found);
    sort_findings(&mut found);
    let mut audit = Audit::default();
    for finding in found {
        let own = comments.iter_mut().filter(|one| one.code == finding.code).collect();
        match finding.place().and_then(|at| Some((find_allow(input, own, at)?, at))) {
            Some((comment, at)) => {
                comment.state = AllowState::Used;
                let (reason, by) = (comment.reason.clone(), comment.span);
                let graded = apply_level(input, finding);
                audit.allowed.extend(graded.map(|finding| Allowed { finding, reason, at, by }));
            }
            None => audit.findings.extend(apply_level(input, finding)),
        }
    }
    let comments = check_allows(&comments).into_iter();
    audit.findings.extend(comments.filter_map(|finding| apply_level(input, finding)));
    sort_findings(&mut audit.findings);
    audit.findings = fold_older(designs, audit.findings);
    fold_copies(designs, &mut audit.findings);
    audit.findings = join_causes(audit.findings);
    sort_findings(&mut audit.findings);
    audit
}

/// An alias that the step beside this one has as its name promises is the switch between them.
fn weaken_switch(designs: &[AuditInput<'_>], finding: &mut Finding) {
    let Some(at) = finding.place().filter(|_| finding.code == "precision/alias-format") else {
        return;
    };
    let (codes, sources) = (designs.iter().map(|one| one.code), designs[0].sources);
    let mut twins = Twins::of(sources);
    let is_step = |file: FileId| twins.are_steps(at.file, file);
    let Some(other) = find_sibling(codes, &finding.subject, is_step) else { return };
    let (file, kind) = (sources.name(other.alias.span.file), other.resolution.known());
    let kind = kind.map(ToString::to_string).unwrap_or_default();
    finding.level = Level::Note;
    finding.notes.push(format!("it is `{kind}` in the step beside it, `{file}`: a switch"));
}

/// Findings at one place that are named.
const NAMED: usize = 4;

/// What is wrong in a file that nothing of the design builds is worth knowing, and changes no claim.
fn weaken_unbuilt(designs: &[AuditInput<'_>], finding: &mut Finding) {
    let Some(at) = finding.place().filter(|_| finding.level != Level::Note) else { return };
    let has = |input: &AuditInput<'_>| input.unbuilt().is_some_and(|all| all.contains(&at.file));
    let note = if designs.first().is_some_and(has) {
        "nothing of the design includes this file: it decides nothing"
    } else if is_of_code(finding.code) && is_left_out(designs, at.file) {
        "no script or build file adds this file, and others of its design are added"
    } else if is_of_code(finding.code) && is_old_copy(designs, at.file) {
        "its name says that it is an old copy of the file beside it"
    } else if finding.code.starts_with("kernel/")
        && let Some(name) = find_uncalled(designs, at)
    {
        &format!("nothing calls `{name}`: it is of no kernel that a script names")
    } else {
        return;
    };
    finding.level = Level::Note;
    finding.notes.push(note.to_owned());
    finding.fixes.retain(|fix| fix.strategy == Some(Strategy::Code));
}

/// Whether a rule judges what is compiled.
fn is_of_code(code: &str) -> bool {
    code.starts_with("kernel/") || code == "source/unread"
}

/// Whether no design adds a file, and one that has it or another source of its folder adds others.
fn is_left_out(designs: &[AuditInput<'_>], file: FileId) -> bool {
    let Some(sources) = designs.first().map(|input| input.sources) else { return false };
    let folder = |file: FileId| sources.name(file).rsplit_once('/').map_or("", |(it, _)| it);
    let adds_others = |input: &AuditInput<'_>| {
        let has = input.code.list_read().contains(&file);
        input.list_built().any(|built| has || folder(built) == folder(file))
    };
    // Scripts and configurations are added by nothing.
    designs.iter().any(|input| input.code.list_read().contains(&file))
        && designs.iter().any(adds_others)
        && !designs.iter().any(|input| input.adds(file))
}

/// Marks in the name of a file that is not the current one.
const OLD: [&str; 4] = ["_old", "_backup", "_bak", "_orig"];

/// Whether a file that no design adds is an old copy of one beside it, by its name.
fn is_old_copy(designs: &[AuditInput<'_>], file: FileId) -> bool {
    let Some(sources) = designs.first().map(|input| input.sources) else { return false };
    let name = sources.name(file);
    let Some((stem, end)) = name.rsplit_once('.') else { return false };
    let Some(plain) = OLD.iter().find_map(|mark| stem.strip_suffix(mark)) else { return false };
    let current = format!("{plain}.{end}");
    sources.files().any(|other| sources.name(other) == current)
        && designs.iter().any(|input| input.code.list_read().contains(&file))
        && !designs.iter().any(|input| input.adds(file))
}

/// What rests on a card that nobody named is worth knowing, and proves nothing.
fn weaken_assumed(input: &AuditInput<'_>, finding: &mut Finding) {
    let Some(project) = input.project.filter(|project| project.assumes_platform) else { return };
    let rests = input.analysis.is_some()
        && find_rule(finding.code).is_some_and(super::Rule::depends_on_card);
    if rests {
        finding.level = Level::Note;
        finding
            .notes
            .push(format!("derate.toml names no card: the {} is assumed", project.platform.value));
    }
}

/// The comment that allows what is found at `at`.
fn find_allow<'a>(
    input: &AuditInput<'_>,
    comments: Vec<&'a mut Allow>,
    at: Span,
) -> Option<&'a mut Allow> {
    if comments.is_empty() {
        return None;
    }
    let places = allow_lines(input, at);
    comments.into_iter().find(|one| places.iter().any(|(file, line)| one.covers(*file, *line)))
}

/// The lines where a comment may allow what is found at `at`: its own, and for a report, which nobody edits, the entries
/// of `[hls] reports` that name it.
fn allow_lines(input: &AuditInput<'_>, at: Span) -> Vec<(FileId, usize)> {
    let sources = input.sources;
    let mut places = vec![(at.file, sources.position(at).line)];
    let name = sources.name(at.file);
    // As the files were looked for: a star does not pass a slash.
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
    for entry in input.project.iter().flat_map(|project| &project.hls.reports) {
        if Pattern::new(&entry.value).is_ok_and(|pattern| pattern.matches_with(name, options)) {
            places.push((entry.span.file, sources.position(entry.span).line));
        }
    }
    places
}

/// The finding at the level that the project wants; nothing where the rule is off.
fn apply_level(input: &AuditInput<'_>, mut finding: Finding) -> Option<Finding> {
    if let Some(level) = input.project.and_then(|project| project.levels.get(finding.code)) {
        finding.level = level.level.value?;
    }
    Some(finding)
}

fn check_allows(comments: &[Allow]) -> Vec<Finding> {
    all_rules().iter().flat_map(|rule| rule.check_allows(comments)).collect()
}

/// Sorts, and drops what is found twice, as in a header that several sources include. What differs is named: another design may
/// find something else there.
fn sort_findings(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| {
        let key = |one: &Finding| (one.level, one.code, one.place());
        key(a).cmp(&key(b)).then_with(|| a.subject.cmp(&b.subject))
    });
    let mut more: Vec<(usize, BTreeSet<String>)> = Vec::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in std::mem::take(findings) {
        let is_same = |one: &&Finding| {
            (one.code, one.place(), &one.subject)
                == (finding.code, finding.place(), &finding.subject)
        };
        let Some(first) = kept.last().filter(is_same) else {
            kept.push(finding);
            continue;
        };
        if first.message != finding.message && finding.code.starts_with("kernel/") {
            let at = kept.len() - 1;
            if more.last().is_none_or(|one| one.0 != at) {
                more.push((at, BTreeSet::new()));
            }
            if let Some((_, others)) = more.last_mut() {
                let what =
                    finding.message.split_once(": ").map_or(finding.message.as_str(), |it| it.1);
                others.insert(what.to_owned());
            }
        }
    }
    for (at, others) in more {
        let number = others.len();
        let others: Vec<String> = others.into_iter().collect();
        kept[at].notes.push(format!("and {number} more here: {}", list_few(&others, NAMED)));
    }
    *findings = kept;
}
