//! Chooses the fixes of one strategy and tries them: the result has been audited again.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{FileId, Reason, Sources};

use super::comment::correct_comments;
use super::{Patch, apply_patches};
use derate_audit::{Finding, audit};
use derate_estimate::Analysis;
use derate_finding::{Edit, Fix, Strategy};
use derate_project::ProjectError;

/// A finding that the edits fix.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedFinding {
    /// The finding.
    pub finding: Finding,
    /// What was done, in a few words.
    pub title: String,
}

/// A finding that stays.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedFix {
    /// The finding.
    pub finding: Finding,
    /// Why.
    pub reason: String,
}

/// Edits that were tried, and what they do.
#[derive(Clone, Debug, PartialEq)]
pub struct FixOutcome {
    /// By file and place, each with the rules and the words for what it does; none overlaps another.
    pub edits: BTreeMap<Edit, String>,
    /// What they fix.
    pub fixed: Vec<FixedFinding>,
    /// What they do not.
    pub refused: Vec<RefusedFix>,
    /// What the audit finds when they are made.
    pub after: Vec<Finding>,
}

/// What makes two findings the same before and after an edit that moves lines.
type FindingKey = (&'static str, String, Option<FileId>);

fn finding_key(finding: &Finding) -> FindingKey {
    (finding.code, finding.subject.clone(), finding.place().map(|span| span.file))
}

impl FixOutcome {
    /// The edits of one file, as its text was read.
    pub fn patches(&self, file: FileId) -> Vec<Patch> {
        patches(&self.edits, file)
    }

    /// The files that change.
    pub fn changed_files(&self) -> BTreeSet<FileId> {
        self.edits.keys().map(|edit| edit.span.file).collect()
    }

    /// What the edits bring to light: a claim that was right only beside another wrong one.
    pub fn new_findings(&self) -> impl Iterator<Item = &Finding> {
        let before: BTreeSet<FindingKey> =
            (self.fixed.iter().map(|fixed| finding_key(&fixed.finding)))
                .chain(self.refused.iter().map(|refusal| finding_key(&refusal.finding)))
                .collect();
        self.after.iter().filter(move |finding| !before.contains(&finding_key(finding)))
    }
}

fn patches(edits: &BTreeMap<Edit, String>, file: FileId) -> Vec<Patch> {
    edits
        .iter()
        .filter(|(edit, _)| edit.span.file == file)
        .map(|(edit, reason)| Patch {
            range: edit.span.start..edit.span.end,
            replacement: edit.replacement.clone(),
            reason: reason.clone(),
        })
        .collect()
}

/// What is audited, and audited again with other texts.
pub trait Fixable {
    /// The texts.
    fn sources(&self) -> &Sources;

    /// What the audit finds when files have these texts.
    ///
    /// # Errors
    ///
    /// The new text of `derate.toml` is not one.
    fn audit_texts(&self, texts: &BTreeMap<FileId, String>) -> Result<Vec<Finding>, ProjectError>;
}

impl Fixable for Analysis {
    fn sources(&self) -> &Sources {
        &self.sources
    }

    fn audit_texts(&self, texts: &BTreeMap<FileId, String>) -> Result<Vec<Finding>, ProjectError> {
        Ok(audit(&self.with_texts(texts)?).findings)
    }
}

/// Fixes those of `findings` that the strategy can fix. `locked` has the files that must not change, with the reason.
///
/// A fix is dropped if it overlaps an earlier one, or if the audit of the changed texts still finds what it should fix.
pub fn apply_fixes(
    subject: &impl Fixable,
    findings: &[Finding],
    strategy: Strategy,
    locked: &BTreeMap<FileId, String>,
) -> FixOutcome {
    let mut chosen: Vec<(usize, &Fix, &[Edit])> = Vec::new();
    let mut reasons: BTreeMap<usize, String> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        match choose_fix(finding, strategy, locked) {
            Ok((fix, edits)) => chosen.push((index, fix, edits)),
            Err(reason) => {
                reasons.insert(index, reason.into());
            }
        }
    }
    loop {
        let edits = collect_edits(subject.sources(), findings, &mut chosen, &mut reasons);
        let failed = match audit_with(subject, &edits) {
            Ok(after) => {
                let still = find_remaining(findings, &chosen, &after);
                if still.is_empty() {
                    return build_outcome(findings, &chosen, &reasons, edits, after);
                }
                still
                    .into_iter()
                    .map(|i| (i, "it is still found after the change".to_owned()))
                    .collect()
            }
            Err(error) => find_broken(subject, &chosen, &error.to_string()),
        };
        reasons.extend(failed);
        chosen.retain(|(index, ..)| !reasons.contains_key(index));
    }
}

/// Those whose edits break the project file by themselves; all, if they only do so together.
fn find_broken(
    subject: &impl Fixable,
    chosen: &[(usize, &Fix, &[Edit])],
    error: &str,
) -> Vec<(usize, String)> {
    let reason = |error: &str| format!("the change would not be read: {error}");
    let alone: Vec<(usize, String)> = chosen
        .iter()
        .filter_map(|(index, _, edits)| {
            let edits = edits.iter().map(|edit| (edit.clone(), String::new())).collect();
            Some((*index, reason(&audit_with(subject, &edits).err()?.to_string())))
        })
        .collect();
    if alone.is_empty() {
        chosen.iter().map(|(index, ..)| (*index, reason(error))).collect()
    } else {
        alone
    }
}

/// The first fix that the strategy takes and that can be made.
fn choose_fix<'a>(
    finding: &'a Finding,
    strategy: Strategy,
    locked: &BTreeMap<FileId, String>,
) -> Result<(&'a Fix, &'a [Edit]), Reason> {
    let mut reason: Option<Reason> = None;
    for fix in finding.fixes.iter().filter(|fix| fix.suits(strategy)) {
        match &fix.edits {
            Ok(edits) => match edits.iter().find_map(|edit| locked.get(&edit.span.file)) {
                Some(why) => reason = reason.or_else(|| Some(why.as_str().into())),
                None => return Ok((fix, edits)),
            },
            Err(why) => reason = reason.or_else(|| Some(why.clone())),
        }
    }
    let other = strategy.other();
    let elsewhere = finding.fixes.iter().find(|fix| fix.suits(other) && fix.edits.is_ok());
    Err(reason
        .or_else(|| {
            elsewhere.map(|fix| format!("`--fix={}` can: {}", other.as_str(), fix.title).into())
        })
        .unwrap_or_else(|| format!("no edit fixes it; {}", finding.help).into()))
}

/// All chosen edits in order, each once; what overlaps one that comes before it is taken out of the choice.
fn collect_edits(
    sources: &Sources,
    findings: &[Finding],
    chosen: &mut Vec<(usize, &Fix, &[Edit])>,
    reasons: &mut BTreeMap<usize, String>,
) -> BTreeMap<Edit, String> {
    let mut all: BTreeMap<Edit, usize> = BTreeMap::new();
    let mut reasons_by_edit: BTreeMap<Edit, String> = BTreeMap::new();
    chosen.retain(|(index, fix, edits)| {
        let rival = edits.iter().find_map(|edit| {
            all.iter().find(|(other, _)| do_overlap(edit, other)).map(|(other, by)| (other, *by))
        });
        if let Some((other, by)) = rival {
            let line = sources.position(other.span).line;
            reasons.insert(
                *index,
                format!(
                    "its change overlaps that of {} at {}:{line}",
                    findings[by].code,
                    sources.name(other.span.file)
                ),
            );
            return false;
        }
        all.extend(edits.iter().map(|edit| (edit.clone(), *index)));
        for edit in *edits {
            let why = format!("{}: {}", findings[*index].code, fix.title);
            let reasons_by_edit = reasons_by_edit.entry(edit.clone()).or_default();
            if !reasons_by_edit.is_empty() {
                reasons_by_edit.push_str("; ");
            }
            reasons_by_edit.push_str(&why);
        }
        true
    });
    let comments = correct_comments(sources, &reasons_by_edit);
    reasons_by_edit.extend(comments);
    reasons_by_edit
}

/// The same edit twice is one edit, and two lines may be added at one place.
fn do_overlap(a: &Edit, b: &Edit) -> bool {
    let inserts = a.span.start == a.span.end && b.span.start == b.span.end;
    a != b
        && !inserts
        && a.span.file == b.span.file
        && a.span.start <= b.span.end
        && b.span.start <= a.span.end
}

/// The audit of the texts with these edits.
fn audit_with(
    subject: &impl Fixable,
    edits: &BTreeMap<Edit, String>,
) -> Result<Vec<Finding>, ProjectError> {
    let sources = subject.sources();
    let files: BTreeSet<FileId> = edits.keys().map(|edit| edit.span.file).collect();
    let texts = files
        .into_iter()
        .map(|file| {
            let bytes = apply_patches(sources.text(file).as_bytes(), &patches(edits, file));
            (file, String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect();
    subject.audit_texts(&texts)
}

/// The chosen findings that are still found.
fn find_remaining(
    findings: &[Finding],
    chosen: &[(usize, &Fix, &[Edit])],
    after: &[Finding],
) -> Vec<usize> {
    let counts = |keys: &mut dyn Iterator<Item = FindingKey>| {
        keys.fold(BTreeMap::<FindingKey, usize>::new(), |mut counts, key| {
            *counts.entry(key).or_default() += 1;
            counts
        })
    };
    let before = counts(&mut findings.iter().map(finding_key));
    let fixing = counts(&mut chosen.iter().map(|(index, ..)| finding_key(&findings[*index])));
    let after = counts(&mut after.iter().map(finding_key));
    chosen
        .iter()
        .map(|(index, ..)| *index)
        .filter(|index| {
            let own = finding_key(&findings[*index]);
            let of = |counts: &BTreeMap<FindingKey, usize>| counts.get(&own).copied().unwrap_or(0);
            of(&after) + of(&fixing) > of(&before)
        })
        .collect()
}

fn build_outcome(
    findings: &[Finding],
    chosen: &[(usize, &Fix, &[Edit])],
    reasons: &BTreeMap<usize, String>,
    edits: BTreeMap<Edit, String>,
    after: Vec<Finding>,
) -> FixOutcome {
    let fixed = chosen.iter().map(|(index, fix, _)| FixedFinding {
        finding: findings[*index].clone(),
        title: fix.title.clone(),
    });
    let refused = reasons.iter().map(|(index, reason)| RefusedFix {
        finding: findings[*index].clone(),
        reason: reason.clone(),
    });
    FixOutcome { edits, fixed: fixed.collect(), refused: refused.collect(), after }
}
