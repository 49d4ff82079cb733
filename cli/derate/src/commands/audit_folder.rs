//! `derate audit` of a folder without a model: its designs, and what was not checked in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use derate_hls::{FileId, Sources, Span};
use derate_model::audit::{
    Audit, AuditInput, AuditReport, Finding, Needs, NotChecked, audit_designs, list_checked,
    list_not_checked,
};
use derate_model::estimate::DesignFiles;
use derate_model::fix::Fixable;
use derate_model::load::LoadedFolder;
use derate_model::units::command::quote_word;
use derate_model::units::figures::{count, list_few};
use derate_model::{NotAuditedReport, ProjectError};

mod choice;
mod left_out;
mod modelled;
mod schedule;

use choice::clock_lines;
use left_out::{list_left_out, list_libraries, say_libraries, say_other_tools};
use modelled::modelled_line;
use schedule::{schedule_lines, unread_lines};

/// So many are named in a line.
const NAMED: usize = 3;

/// What the rules say of the designs of a folder.
pub(super) struct FolderAudit {
    pub(super) audit: Audit,
    /// The rules that have what they need in a design or more.
    checked: Vec<&'static str>,
    not_checked: Vec<NotChecked>,
    not_audited: Vec<NotAuditedReport>,
    /// The rules of findings in third-party libraries, which are not shown.
    in_libraries: Vec<&'static str>,
}

/// Leaves the findings of these rules, all where none is named.
pub(super) fn keep_only(audit: &mut Audit, only: &[&str]) {
    if !only.is_empty() {
        audit.findings.retain(|finding| only.contains(&finding.code));
        audit.allowed.retain(|allowed| only.contains(&allowed.finding.code));
    }
}

/// A folder whose findings are fixed: all of it is audited again.
pub(super) struct FolderFixes<'a>(pub(super) &'a LoadedFolder);

impl Fixable for FolderFixes<'_> {
    fn sources(&self) -> &Sources {
        &self.0.sources
    }

    fn audit_texts(&self, texts: &BTreeMap<FileId, String>) -> Result<Vec<Finding>, ProjectError> {
        Ok(FolderAudit::new(&self.0.with_texts(texts)?).audit.findings)
    }
}

impl FolderAudit {
    pub(super) fn new(folder: &LoadedFolder) -> Self {
        let (sources, project) = (&folder.sources, folder.project.as_ref());
        let read = |design| AuditInput::of_design(sources, project, design);
        let inputs: Vec<AuditInput<'_>> = folder.designs.iter().map(read).collect();
        let mut audit = audit_designs(&inputs);
        // Kernels include what is left out; they need it, nobody wants to hear of it.
        let is_kept = |finding: &Finding| {
            let place = finding.place();
            !place.is_some_and(|at| folder.exclude.leaves_out(sources.name(at.file)))
        };
        audit.findings.retain(is_kept);
        let built: BTreeSet<FileId> =
            folder.designs.iter().flat_map(|design| design.code.files()).copied().collect();
        let is_own = |finding: &Finding| {
            let in_library = |at: Span| folder.vendored.is_foreign(sources.name(at.file));
            finding.place().is_none_or(|at| built.contains(&at.file) || !in_library(at))
        };
        let hidden = audit.findings.extract_if(.., |finding| !is_own(finding));
        let in_libraries = hidden.map(|finding| finding.code).collect();
        audit.allowed.retain(|allowed| is_kept(&allowed.finding) && is_own(&allowed.finding));
        let mut not_audited = folder.not_audited.clone();
        for design in &folder.designs {
            not_audited.extend(design.code.not_audited_files(sources));
        }
        let (checked, not_checked) = (list_checked(&inputs), list_not_checked(&inputs));
        Self { audit, checked, not_checked, not_audited, in_libraries }
    }

    /// Leaves what these rules say, and why they say nothing; all where none is named.
    pub(super) fn keep_only(&mut self, only: &[&str]) {
        keep_only(&mut self.audit, only);
        if !only.is_empty() {
            self.in_libraries.retain(|code| only.contains(code));
            self.checked.retain(|code| only.contains(code));
            for one in &mut self.not_checked {
                one.rules.retain(|code| only.contains(code));
            }
            self.not_checked.retain(|one| !one.rules.is_empty());
        }
    }

    pub(super) fn report(&self, folder: &LoadedFolder) -> AuditReport {
        let options = folder.options.iter().map(|word| format!("{} ", quote_word(word)));
        let command = format!("derate audit {}--format json", options.collect::<String>());
        AuditReport::of(
            &folder.sources,
            &self.audit,
            command,
            list_left_out(folder)
                .into_iter()
                .chain(list_libraries(folder))
                .chain(self.not_audited.clone())
                .collect(),
            self.not_checked.clone(),
        )
    }

    /// What was audited, and what was not.
    pub(super) fn closing_lines(&self, folder: &LoadedFolder, detail: bool) -> String {
        let designs = &folder.designs;
        let names =
            list_few(&designs.iter().map(|design| design.name.as_str()).collect::<Vec<_>>(), NAMED);
        let plural = if designs.len() == 1 { "" } else { "s" };
        let mut lines = format!("audited: {} design{plural} ({names})\n", designs.len());
        if !designs.iter().any(DesignFiles::is_recognised) {
            lines.push_str(
                "no project of Vivado HLS or Vitis HLS is recognised: nothing here has `#pragma HLS`, a top, a part or a \
                 report, so the rules about kernels have nothing to look at\n",
            );
        }
        lines.push_str(&say_other_tools(folder));
        lines.push_str(&schedule_lines(folder, detail));
        lines.push_str(&modelled_line(folder));
        lines.push_str(&clock_lines(folder));
        lines.push_str(&unread_lines(folder));
        if let Some(first) = self.not_audited.first() {
            let names = list_few(
                &self.not_audited.iter().map(|one| one.file.as_str()).collect::<Vec<_>>(),
                NAMED,
            );
            let more = if self.not_audited.len() == 1 { "" } else { "the reason of the first: " };
            let _ = writeln!(lines, "not audited: {names}: {more}{}", first.reason);
        }
        for one in list_left_out(folder) {
            let _ = writeln!(lines, "not audited: {}: {}", one.file, one.reason);
        }
        lines.extend(say_libraries(folder, self.in_libraries.len()));
        let unchecked = if detail {
            fold_not_checked(&self.not_checked)
        } else {
            let unscheduled = say_unscheduled(&self.not_checked);
            let checked = format!("checked: {}", count(self.checked.len(), "rule"));
            let other = shorten_not_checked(&self.not_checked);
            let last = other.map_or(checked.clone(), |other| format!("{checked}; {other}"));
            unscheduled.into_iter().chain([last]).collect()
        };
        for line in unchecked {
            let _ = writeln!(lines, "{line}");
        }
        lines
    }
}

/// Why no kernel of any design is scheduled: without one, an audit says little.
fn say_unscheduled(all: &[NotChecked]) -> Option<String> {
    let main = all.iter().find(|one| one.needs == Needs::Part && one.designs.is_empty())?;
    Some(format!("no kernel is scheduled: {}", main.reason))
}

/// One line: what is missing, in how many designs, and how many rules say nothing.
fn shorten_not_checked(all: &[NotChecked]) -> Option<String> {
    let groups: Vec<&[NotChecked]> = all.chunk_by(|one, other| one.needs == other.needs).collect();
    let rules: usize = groups.iter().filter_map(|group| Some(group.first()?.rules.len())).sum();
    let name = |group: &&[NotChecked]| {
        let words = group.first().map_or("", |one| one.needs.words());
        let in_all = group.iter().any(|one| one.designs.is_empty());
        let designs: usize = group.iter().map(|one| one.designs.len()).sum();
        if in_all { words.to_owned() } else { format!("{words} (in {})", count(designs, "design")) }
    };
    let names: Vec<String> = groups.iter().map(name).collect();
    let (last, first) = names.split_last()?;
    let names =
        if first.is_empty() { last.clone() } else { format!("{} or {last}", first.join(", ")) };
    Some(format!(
        "not checked: {} that need {names}; --detail says what to add",
        count(rules, "rule")
    ))
}

/// A line for each need: the reason that most designs have, and how many designs have another one.
fn fold_not_checked(all: &[NotChecked]) -> Vec<String> {
    // No name is a reason of all designs.
    let size =
        |one: &NotChecked| if one.designs.is_empty() { usize::MAX } else { one.designs.len() };
    let mut lines = Vec::new();
    for group in all.chunk_by(|one, other| one.needs == other.needs) {
        let Some(main) = group.iter().rev().max_by_key(|one| size(one)) else { continue };
        let others: usize =
            group.iter().map(|one| one.designs.len()).sum::<usize>() - main.designs.len();
        let more = match others {
            0 => String::new(),
            others => format!("; and {} for other reasons", count(others, "more design")),
        };
        lines.push(format!("{}{more}", main.line()));
    }
    lines
}
