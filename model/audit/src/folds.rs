//! What is said once: the findings of older runs of one top function, and those of copies of one file.

use std::collections::{BTreeMap, BTreeSet};

use derate_finding::Twins;
use derate_hls::{FileId, OlderRun, Report, Runs, Sources};
use derate_units::figures::{count, list_few};
use serde_json::{Value, json};

use super::{AuditInput, Finding, Level};

/// What a run says of its design, and a newer run may not.
const OF_RUN: [&str; 8] = [
    "report/burst",
    "report/cosim",
    "report/ii",
    "report/pragma-ignored",
    "report/refused-pipeline",
    "report/timing",
    "report/unknown-latency",
    "report/utilisation",
];

/// What a report says that is of another version of its source is a note: the source may say it no more. The reports of one run
/// of the tool lie beside each other. A folder where reports are kept may have those of several kernels: of these, a `csynth.rpt` has
/// its top and the modules that it lists.
pub(super) fn weaken_stale(designs: &[AuditInput<'_>], findings: &mut [Finding]) {
    let Some(sources) = designs.first().map(|design| design.sources) else { return };
    let reports = designs.iter().flat_map(|design| &design.build.reports);
    let path = |report: &Report| Some(report.place.as_ref()?.path().to_owned());
    let reports: BTreeMap<String, &Report> =
        reports.filter_map(|report| Some((path(report)?, report))).collect();
    let stale = findings.iter().filter(|one| one.code == "report/stale");
    let stale = stale.flat_map(|one| &one.labels).map(|label| label.span.file);
    let stale: BTreeSet<FileId> = stale.collect();
    let names: BTreeSet<&str> = stale.iter().map(|file| sources.name(*file)).collect();
    let lists = |whole: &str, name: &str| {
        let (Some(whole), Some(own)) = (reports.get(whole), reports.get(name)) else {
            return false;
        };
        let Some(top) = own.top.as_ref().map(|top| top.value.as_str()) else { return false };
        whole.top.as_ref().is_some_and(|one| one.value == top)
            || whole.modules.iter().any(|one| one.name.value == top)
    };
    let is_of_run = |name: &str, stale: &str| {
        let folder = |name: &str| name.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let Some(own) = folder(name).filter(|own| Some(own) == folder(stale).as_ref()) else {
            return false;
        };
        let is_whole = stale.ends_with("/csynth.rpt") || stale.ends_with("/csynth.xml");
        own.ends_with("/syn/report") || own == "syn/report" || is_whole && lists(stale, name)
    };
    for one in findings.iter_mut().filter(|one| OF_RUN.contains(&one.code)) {
        let is_of = |file: FileId| {
            let name = sources.name(file);
            stale.contains(&file) || names.iter().any(|stale| is_of_run(name, stale))
        };
        if one.level != Level::Note && one.place().is_some_and(|place| is_of(place.file)) {
            one.level = Level::Note;
            one.notes
                .push("report/stale: this report is of another version of its source".to_owned());
        }
    }
}

/// Names that are given of many.
const NAMED: usize = 4;

/// Of several runs of a top function the newest counts: what the older ones say is one note. A project that names its reports
/// wants all of them.
pub(super) fn fold_older(designs: &[AuditInput<'_>], findings: Vec<Finding>) -> Vec<Finding> {
    let Some(input) = designs.first().filter(|input| input.analysis.is_none()) else {
        return findings;
    };
    let runs = Runs::of_reports(designs.iter().flat_map(|design| &design.build.reports));
    let sources = input.sources;
    let code = designs.iter().flat_map(|design| design.code.headers());
    let code: BTreeSet<&str> = code.map(|header| sources.name(header.file)).collect();
    let mut kept = Vec::new();
    let mut older: BTreeMap<(&str, &str), Vec<(OlderRun<'_>, Finding)>> = BTreeMap::new();
    for finding in findings {
        let place = finding.place().filter(|_| OF_RUN.contains(&finding.code));
        match place.and_then(|place| runs.find_older(sources.name(place.file), &code)) {
            Some(run) => older.entry((run.newest, run.top)).or_default().push((run, finding)),
            None => kept.push(finding),
        }
    }
    kept.extend(older.into_values().filter_map(|all| describe_older(&all)));
    kept
}

/// One note for what all older runs of a top function say; it has the place of the gravest.
fn describe_older(all: &[(OlderRun<'_>, Finding)]) -> Option<Finding> {
    let (OlderRun { newest, top, .. }, first) = all.first()?;
    let names: BTreeSet<String> = all.iter().map(|(run, _)| format!("`{}`", run.older)).collect();
    let names: Vec<String> = names.into_iter().collect();
    let of_level = |level| all.iter().filter(|(_, one)| one.level == level).count();
    let levels = [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "note")];
    let said = levels.iter().map(|(level, word)| (of_level(*level), *word));
    let said: Vec<String> =
        said.filter(|(number, _)| *number > 0).map(|(number, word)| count(number, word)).collect();
    let runs = if names.len() == 1 {
        "an older run".to_owned()
    } else {
        format!("{} older runs", names.len())
    };
    let finding = Finding::new(first.code, Level::Note, *top)
        .with_message(format!("{runs} of `{top}` gave {}: not counted", said.join(", ")))
        .with_labels(first.labels.first().cloned())
        .with_note(format!("the newest run is `{newest}`, by the dates of the reports"))
        .with_note(format!("older: {}", list_few(&names, NAMED)))
        .with_help("read the newest run; delete the older ones where they are not needed")
        .with_evidence(json!({ "top": top, "newest": newest, "older_runs": names.len(), "findings": all.len() }));
    Some(Finding { design: first.design.clone(), ..finding })
}

/// What is said of a definition: where several files have it, no header shares it, and it is one fact.
const OF_DEFINITION: &str = "precision/alias-width";

/// What is found in copies of one file is found once: the gravest stays, of equals the one with the shortest path, with the names
/// of the others. What an edit fixes stays in each. A configuration is a copy where the code of its design is one, too, or where it
/// connects the same, and not both have the kernel. So is a file that was edited a little, in a folder beside that of the other.
pub(super) fn fold_copies(designs: &[AuditInput<'_>], findings: &mut Vec<Finding>) {
    let Some(sources) = designs.first().map(|input| input.sources) else { return };
    let code: BTreeMap<Option<&str>, BTreeSet<FileId>> = designs
        .iter()
        .map(|one| {
            (one.design_name(), one.code.headers().iter().map(|header| header.file).collect())
        })
        .collect();
    let texts = |design: &Option<String>| -> BTreeSet<&str> {
        let files = code.get(&design.as_deref()).into_iter().flatten();
        files.map(|file| sources.text(*file)).collect()
    };
    let is_code = |file: FileId| code.values().any(|files| files.contains(&file));
    let mut groups: Vec<Vec<Finding>> = Vec::new();
    let mut known: BTreeMap<(&'static str, String), Vec<usize>> = BTreeMap::new();
    let mut twins = Twins::of(sources);
    for finding in std::mem::take(findings) {
        let has_edit = finding.fixes.iter().any(|fix| fix.edits.is_ok());
        let Some(place) = finding.place().filter(|_| !has_edit) else {
            groups.push(vec![finding]);
            continue;
        };
        let is_definition = finding.code == OF_DEFINITION;
        let key = (finding.code, finding.subject.clone());
        let before = known.entry(key).or_default();
        let mut is_copy = |other: &Finding| {
            let Some(at) = other.place().filter(|_| other.message == finding.message) else {
                return false;
            };
            let is_same = sources.text(at.file) == sources.text(place.file);
            if is_definition {
                return at.file != place.file || is_same && at.start == place.start;
            }
            let homes = (find_home(designs, &finding), find_home(designs, other));
            if let (Some(own), Some(others)) = homes
                && twins.are_copies(own, others)
            {
                return true;
            }
            let is_judged = finding.code.starts_with("report/") || is_code(place.file);
            let (own, others) = (texts(&finding.design), texts(&other.design));
            let is_exact = is_same && at.start == place.start && (is_judged || own == others);
            let may_share =
                own == others || !(links_own(designs, &finding) && links_own(designs, other));
            is_exact
                || finding.code.starts_with("connectivity/")
                    && may_share
                    && twins.connect_same(at.file, place.file)
                || is_judged && twins.are_alike(at, place)
        };
        if let Some(&at) = before.iter().find(|&&at| is_copy(&groups[at][0])) {
            groups[at].push(finding);
        } else {
            before.push(groups.len());
            groups.push(vec![finding]);
        }
    }
    findings.extend(groups.into_iter().filter_map(|group| keep_one(sources, group)));
}

/// The file with the function of a loop that a report does not know the runs of: another report may be of the same loop.
fn find_home(designs: &[AuditInput<'_>], finding: &Finding) -> Option<FileId> {
    let module = finding
        .evidence
        .get("module")
        .filter(|_| finding.code == "report/unknown-latency")?
        .as_str()?;
    let own = designs.iter().find(|one| one.design_name() == finding.design.as_deref())?;
    Some(own.code.functions().find(|function| function.name == module)?.span.file)
}

/// Whether the design of a finding about a configuration defines a kernel whose arguments it names.
fn links_own(designs: &[AuditInput<'_>], finding: &Finding) -> bool {
    let arguments = finding.evidence.get("arguments").and_then(Value::as_array);
    let named = || arguments.into_iter().flatten().filter_map(Value::as_str);
    let is_linked = |name: &str| {
        let is_unit =
            |argument: &str| argument.strip_prefix(name).is_some_and(|it| it.starts_with('_'));
        named().any(is_unit)
    };
    let mut own = designs.iter().filter(|one| one.design_name() == finding.design.as_deref());
    own.any(|one| one.code.functions().any(|function| is_linked(&function.name)))
}

/// One finding for all copies. One file may say a thing twice.
fn keep_one(sources: &Sources, mut group: Vec<Finding>) -> Option<Finding> {
    let name = |one: &Finding| one.place().map_or("", |place| sources.name(place.file));
    let names: BTreeSet<String> = group.iter().map(|one| name(one).to_owned()).collect();
    let home = group.iter().enumerate();
    let home = home.min_by_key(|(at, one)| (one.level, name(one).len(), *at))?.0;
    let mut kept = group.swap_remove(home);
    let others = names.iter().filter(|other| *other != name(&kept));
    let others: Vec<String> = others.map(|other| format!("`{other}`")).collect();
    if !others.is_empty() {
        let who = match kept.code {
            OF_DEFINITION => "other files",
            code if code.starts_with("report/") => "copies of this report, or alike ones,",
            _ => "copies of this file, or alike ones,",
        };
        kept.notes.push(format!("{who} say the same: {}", list_few(&others, NAMED)));
    }
    Some(kept)
}
