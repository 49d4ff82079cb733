//! Which syntheses are runs of one design, and which of them is the newest.

use std::collections::{BTreeMap, BTreeSet};

use crate::csynth::{ReportDate, ReportPlace};
use crate::{Located, Report, ReportKind};

/// What is below the folder of a solution.
const STEPS: [&str; 3] = ["syn", "impl", "sim"];

/// The runs of a folder: a run is what lies in the folder of one solution, `project/solution1`, a folder with `csynth.rpt` that
/// somebody kept of one, or another report that lies in none.
///
/// Two runs are of one design where both have the same top function, no other family of parts is named, and
///
/// - both are solutions of one project, `p/naive` and `p/final`, and not each has sources of its own; or
/// - they are reports that lie in one folder beside each other, for one part and one clock: `reports/1_csynth.rpt`; or
/// - they have one clock, and a source that both reports name is in a folder with both and in none that only one of them is in; or
/// - the older one was kept in a folder without sources, the other one has sources beside it, and part, clock and most modules of the
///   larger one are the same, without those that the tool adds.
pub struct Runs<'a> {
    runs: BTreeMap<&'a str, Run<'a>>,
}

/// What the reports of one solution say together.
#[derive(Default)]
struct Run<'a> {
    /// The functions that no other one of the run calls.
    tops: BTreeSet<&'a str>,
    families: BTreeSet<&'a str>,
    parts: BTreeSet<&'a str>,
    /// The folder that it is in, where it is no solution.
    kept_in: Option<&'a str>,
    /// Whether a report has the name that the tool gives one of its top: each run writes it anew.
    has_tool_name: bool,
    /// The periods that were asked for, in ns with one digit: trees print no other.
    clocks: BTreeSet<String>,
    sources: BTreeSet<&'a str>,
    /// What is called in it.
    modules: BTreeSet<&'a str>,
    date: Option<ReportDate>,
}

/// A run that does not count, and the one that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OlderRun<'a> {
    /// The folder of the newest run.
    pub newest: &'a str,
    /// The folder of the older one.
    pub older: &'a str,
    /// The function that both are of.
    pub top: &'a str,
}

impl<'a> Runs<'a> {
    /// The runs that reports are of.
    pub fn of_reports(reports: impl IntoIterator<Item = &'a Report>) -> Self {
        let reports: Vec<&Report> = reports.into_iter().collect();
        let places = || reports.iter().filter_map(|report| report.place.as_ref());
        let whole = places().filter(|place| WHOLE.contains(&name_of(place.path())));
        let whole: BTreeSet<&str> = whole.map(ReportPlace::folder).collect();
        let mut own: BTreeMap<&str, Vec<&Report>> = BTreeMap::new();
        for report in reports {
            own.entry(find_run(report, &whole).unwrap_or_default()).or_default().push(report);
        }
        own.remove("");
        let runs = own.into_iter().map(|(folder, reports)| (folder, Run::of_reports(&reports)));
        Self { runs: runs.collect() }
    }

    /// The run that a file is of, where a newer one is of the same design. `sources` are the paths of all sources.
    pub fn find_older(&self, file: &str, sources: &BTreeSet<&str>) -> Option<OlderRun<'a>> {
        let holds = |folder: &&&str| {
            file.strip_prefix(**folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let older = self.runs.keys().filter(holds).max_by_key(|folder| folder.len()).copied()?;
        let own = self.runs.get(older)?;
        let date = own.date.as_ref()?;
        let others = self.runs.iter().filter(|(folder, other)| {
            other.date.as_ref().is_some_and(|other| other > date)
                && own.has_top_of(other)
                && is_one_design((older, own), (folder, other), sources)
        });
        let (newest, _) = others.max_by_key(|(_, other)| &other.date)?;
        Some(OlderRun { newest, older, top: own.tops.first()? })
    }
}

impl<'a> Run<'a> {
    fn of_reports(reports: &[&'a Report]) -> Self {
        let mut run = Self::default();
        let mut called: BTreeSet<&str> = BTreeSet::new();
        for report in reports {
            let is_synthesis = matches!(
                report.kind,
                ReportKind::TreeText
                    | ReportKind::ModuleText
                    | ReportKind::CsynthXml
                    | ReportKind::SummaryXml
            );
            if !is_synthesis {
                continue;
            }
            run.tops.extend(word(report.top.as_ref()));
            run.families.extend(word(report.family.as_ref()));
            run.parts.extend(word(report.part.as_ref()));
            let place = report.place.as_ref().map(ReportPlace::folder);
            run.kept_in = place.filter(|folder| find_solution(folder).is_none());
            run.has_tool_name |= is_named_by_tool(report);
            let target = report.clock.target.as_ref().and_then(|one| one.value.known());
            let period = target.or(report.counted_period);
            run.clocks.extend(period.map(|period| format!("{period:.1}")));
            run.date = run.date.max(report.date);
            let top = word(report.top.as_ref());
            let inner = report.modules.iter().map(|module| module.name.value.as_str());
            called.extend(inner.filter(|name| Some(*name) != top));
            called
                .extend(report.modules.iter().flat_map(|module| &module.calls).map(String::as_str));
            let pragmas = report.pragmas.iter().filter_map(|one| word(one.location.as_ref()));
            let places = report.bursts.iter().filter_map(|one| word(one.location.as_ref()));
            run.sources.extend(pragmas.chain(places).filter_map(|at| at.split(':').next()));
        }
        run.tops.retain(|top| !called.contains(top));
        run.modules = called;
        run
    }

    /// Whether all that is synthesised here is synthesised there, too.
    fn has_top_of(&self, other: &Self) -> bool {
        !self.tops.is_empty() && self.tops.is_subset(&other.tops)
    }
}

fn is_one_design(
    (one, own): (&str, &Run<'_>),
    (other, others): (&str, &Run<'_>),
    sources: &BTreeSet<&str>,
) -> bool {
    let differ =
        |a: &BTreeSet<&str>, b: &BTreeSet<&str>| !a.is_empty() && !b.is_empty() && a.is_disjoint(b);
    let (project, beside) = (folder_of(one), folder_of(other));
    if differ(&own.families, &others.families) {
        return false;
    }
    if own.kept_in.is_some() && own.kept_in == others.kept_in {
        let is_one_run = own.has_tool_name && others.has_tool_name;
        return !is_one_run && own.parts == others.parts && own.clocks == others.clocks;
    }
    if own.kept_in.or(others.kept_in).is_none() && project == beside {
        let has_own = |folder| sources.iter().any(|path| is_in(path, folder));
        let is_named = |folder: &str| folder.starts_with("solution");
        let is_project = !project.is_empty() || is_named(one) && is_named(other);
        return is_project && !(has_own(one) && has_own(other));
    }
    own.clocks == others.clocks
        && (share_source((one, own), (other, others), sources)
            || is_try_of((one, own), (other, others), sources))
}

/// Modules that two runs have at least, where their sources do not say that they are of one design.
const MODULES: usize = 3;

/// What the names of modules have that the tool adds to every design: adapters of ports, channels, memories, control of loops.
const MADE: [&str; 7] =
    ["_s_axi", "_m_axi", "_regslice_both", "_fifo_w", "_flow_control_loop_", "_RAM_", "_ROM_"];

/// Whether a module is no function of the source: an adapter, a memory, or an operator such as `k_fmul_32ns_32ns_32_4_max_dsp_1`.
fn is_made_by_tool(module: &str) -> bool {
    let is_width = |part: &str| {
        let width = part.strip_suffix("ns").or_else(|| part.strip_suffix('s'));
        width.is_some_and(|it| !it.is_empty() && it.bytes().all(|sign| sign.is_ascii_digit()))
    };
    MADE.iter().any(|words| module.contains(words)) || module.split('_').any(is_width)
}

/// Whether a run without sources, kept in some folder, is of a design that has its sources beside another run: more than half of the
/// functions of the larger one have the same names.
fn is_try_of<'a>(
    (one, own): (&str, &Run<'a>),
    (other, others): (&str, &Run<'a>),
    sources: &BTreeSet<&str>,
) -> bool {
    let [left, right] = list_branches(one, other);
    let has_own = |branch: &str| sources.iter().any(|path| is_in(path, branch));
    let named = |run: &Run<'a>| -> BTreeSet<&'a str> {
        run.modules.iter().copied().filter(|name| !is_made_by_tool(name)).collect()
    };
    let (named, others_named) = (named(own), named(others));
    let both = named.intersection(&others_named).count();
    let more = named.len().max(others_named.len());
    own.kept_in.is_some()
        && own.parts == others.parts
        && both >= MODULES
        && both * 2 > more
        && has_own(&right)
        && !has_own(&left)
}

/// The folders in which the paths of two runs differ first.
fn list_branches(one: &str, other: &str) -> [String; 2] {
    let parts = one.split('/').zip(other.split('/')).take_while(|(a, b)| a == b);
    let common: usize = parts.map(|(part, _)| part.len() + 1).sum();
    [one, other].map(|path| {
        let end = path.get(common..).and_then(|rest| rest.find('/')).map(|at| common + at);
        path.get(..end.unwrap_or(path.len())).unwrap_or_default().to_owned()
    })
}

fn is_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a source that both reports name is in a folder with both, and none that only one of them is in has sources.
fn share_source(
    (one, own): (&str, &Run<'_>),
    (other, others): (&str, &Run<'_>),
    sources: &BTreeSet<&str>,
) -> bool {
    let parts = one.split('/').zip(other.split('/')).take_while(|(a, b)| a == b);
    let common: usize = parts.map(|(part, _)| part.len() + 1).sum();
    let [left, right] = list_branches(one, other);
    let has_own = |branch: &str| sources.iter().any(|path| is_in(path, branch));
    if has_own(&left) || has_own(&right) {
        return false;
    }
    let above = one.get(..common).or_else(|| other.get(..common)).unwrap_or_default();
    let is_there =
        |name: &str| sources.iter().any(|path| path.starts_with(above) && name_of(path) == name);
    let names = |run: &Run<'_>| -> BTreeSet<String> {
        run.sources.iter().map(|path| name_of(path).to_owned()).collect()
    };
    names(own).intersection(&names(others)).any(|name| is_there(name))
}

/// The reports of a whole synthesis, where the tool names them.
const WHOLE: [&str; 2] = ["csynth.rpt", "csynth.xml"];

/// The run that a report is of: its solution, the folder of the whole that it is kept with, or itself.
fn find_run<'a>(report: &'a Report, whole: &BTreeSet<&str>) -> Option<&'a str> {
    let place = report.place.as_ref()?;
    let is_own = is_named_by_tool(report) || name_of(place.path()).starts_with("csynth.");
    let is_kept = whole.contains(place.folder()) && is_own;
    let kept = || is_kept.then(|| place.folder());
    let is_text = matches!(report.kind, ReportKind::TreeText | ReportKind::ModuleText);
    find_solution(place.folder()).or_else(kept).or_else(|| is_text.then(|| place.path()))
}

/// `k_csynth.rpt`, `k_csynth.xml`, `k.verbose.sched.rpt`.
fn is_named_by_tool(report: &Report) -> bool {
    let name = report.place.as_ref().map_or("", |place| name_of(place.path()));
    let rest = word(report.top.as_ref()).and_then(|top| name.strip_prefix(top));
    rest.is_some_and(|rest| rest.starts_with(".verbose") || rest.starts_with("_csynth."))
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn word(word: Option<&Located<String>>) -> Option<&str> {
    word.map(|word| word.value.as_str())
}

/// The folder above the last step of the tool: `p/solution1` of `p/solution1/syn/report`.
#[must_use]
pub fn find_solution(folder: &str) -> Option<&str> {
    let mut end = folder.len();
    while let Some(at) = folder.get(..end)?.rfind('/') {
        if STEPS.contains(&folder.get(at + 1..end)?) {
            return folder.get(..at);
        }
        end = at;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sources, read_report};

    /// The summary of a run of `k` on a day of May.
    fn summary(day: u32, family: &str, source: &str) -> String {
        let bar = "    +----------+-----------+--------+\n";
        format!(
            "\n== Synthesis Summary Report of 'k'\n+ General Information: \n    * Date:           Sun May {day:2} 10:08:22 2026\n    \
             * Version:        2024.2 (Build 1)\n    * Product family: {family}\n\n== Pragma Report\n* Valid Pragma Syntax\n\
             {bar}    | Type     | Options   | Location |\n{bar}    | pipeline | II=1      | {source}:7 in k |\n{bar}"
        )
    }

    /// The folder of the newest run for each file that an older one has.
    fn older(files: &[(&str, String)], code: &[&str]) -> Vec<String> {
        let mut sources = Sources::default();
        let reports = files.iter().map(|(name, text)| {
            let file = sources.add(*name, text.clone());
            read_report(&sources, file).unwrap()
        });
        let reports: Vec<Report> = reports.collect();
        let runs = Runs::of_reports(&reports);
        let code = code.iter().copied().collect();
        let find = |(name, _): &(&str, String)| {
            let one = runs.find_older(name, &code)?;
            assert_eq!(one.top, "k");
            Some(format!("{} < {}", one.older, one.newest))
        };
        files.iter().filter_map(find).collect()
    }

    #[test]
    fn of_the_solutions_of_one_project_the_newest_counts() {
        let name = |solution: &str| format!("p/{solution}/syn/report/csynth.rpt");
        let (a, b) = (name("a"), name("b"));
        let of = |text: [String; 2]| {
            let [one, other] = text;
            older(&[(&a, one), (&b, other)], &["p/k.cpp"])
        };
        let plain = |day| summary(day, "zynq", "k.cpp");
        assert_eq!(of([plain(3), plain(12)]), ["p/a < p/b"]);
        assert_eq!(of([plain(12), plain(3)]), ["p/b < p/a"]);
        assert_eq!(of([plain(3), plain(3)]), [] as [&str; 0], "one date");
        assert_eq!(of([plain(3), plain(4).replace("* Date:", "* When:")]), [] as [&str; 0]);
        assert_eq!(of([plain(3), summary(4, "versal", "k.cpp")]), [] as [&str; 0]);
        assert_eq!(of([plain(3), plain(4).replace("'k'", "'l'")]), [] as [&str; 0], "other top");
        // Folders of two layers, each with its source, look like two solutions.
        let files = [(a.as_str(), plain(3)), (b.as_str(), plain(12))];
        assert_eq!(older(&files, &["p/a/k.cpp", "p/b/k.cpp"]), [] as [&str; 0], "two sources");
        assert_eq!(older(&files, &["p/a/k.cpp"]), ["p/a < p/b"], "a copy in one");
    }

    #[test]
    fn projects_beside_each_other_are_runs_where_their_source_is() {
        let name = |project: &str| format!("x/{project}/solution1/syn/report/csynth.rpt");
        let (a, b, xml) = (name("a"), name("b"), "x/b/solution1/syn/report/k_csynth.xml");
        let of = |other: String, code: &[&str]| {
            let clock = "<profile><TargetClockPeriod>8.00</TargetClockPeriod></profile>";
            let text =
                clock.replace("<Target", "<UserAssignments><TopModelName>k</TopModelName><Target");
            let text = text.replace("</profile>", "</UserAssignments></profile>");
            let two = [(a.as_str(), summary(3, "zynq", "k.cpp")), (&b, other)];
            let three = [&two[..], &[(xml, text)]].concat();
            assert_eq!(older(&three, code), [] as [&str; 0], "another clock");
            older(&two, code)
        };
        let next = |source| summary(4, "zynq", source);
        assert_eq!(of(next("k.cpp"), &["x/k.cpp"]), ["x/a/solution1 < x/b/solution1"]);
        let none: [&str; 0] = [];
        assert_eq!(of(next("k.cpp"), &["k.cpp"]), none, "the source is in neither folder");
        assert_eq!(of(next("k2.cpp"), &["x/k.cpp", "x/k2.cpp"]), none, "two sources");
        assert_eq!(of(next("k.cpp"), &["x/k.cpp", "x/b/k.cpp"]), none, "sources of its own");
    }

    #[test]
    fn of_the_summaries_in_one_folder_the_newest_counts() {
        let of = |(one, other): (&str, &str), text: [String; 2]| {
            let [first, second] = text;
            older(&[(one, first), (other, second)], &[])
        };
        let plain = |day| summary(day, "zynq", "k.cpp");
        let names = ("r/1_csynth.rpt", "r/2_csynth.rpt");
        assert_eq!(of(names, [plain(3), plain(12)]), ["r/1_csynth.rpt < r/2_csynth.rpt"]);
        let none: [&str; 0] = [];
        let by_tool = ("r/k.verbose.sched.rpt", "r/k_csynth.rpt");
        assert_eq!(of(by_tool, [plain(3), plain(4)]), none, "one run writes both");
        assert_eq!(of(names, [plain(3), plain(4).replace("'k'", "'l'")]), none, "other top");
        let part = |name| format!("zynq\n    * Target device:  {name}");
        let on = |day, name| summary(day, &part(name), "k.cpp");
        assert_eq!(of(names, [on(3, "xc7z020"), on(4, "xc7z045")]), none, "another part");
        let apart = ("r/1_csynth.rpt", "q/2_csynth.rpt");
        assert_eq!(of(apart, [plain(3), plain(4)]), none, "another folder");
        let solution = ("r/1_csynth.rpt", "r/s/syn/report/csynth.rpt");
        assert_eq!(of(solution, [plain(3), plain(4)]), none, "a solution beside it");
    }

    #[test]
    fn a_folder_that_was_kept_is_older_than_a_solution_of_its_source() {
        let (kept, new) = ("x/reports/report/csynth.rpt", "x/p/s/syn/report/csynth.rpt");
        let of = |days: (u32, u32), source, code: &[&str]| {
            older(
                &[
                    (kept, summary(days.0, "zynq", "../k.cpp")),
                    (new, summary(days.1, "zynq", source)),
                ],
                code,
            )
        };
        assert_eq!(of((3, 12), "k.cpp", &["x/k.cpp"]), ["x/reports/report < x/p/s"]);
        assert_eq!(of((12, 3), "k.cpp", &["x/k.cpp"]), ["x/p/s < x/reports/report"]);
        let none: [&str; 0] = [];
        assert_eq!(of((3, 12), "l.cpp", &["x/k.cpp", "x/l.cpp"]), none, "another source");
        assert_eq!(of((3, 12), "k.cpp", &["x/k.cpp", "x/p/k.cpp"]), none, "a copy of its own");
        assert_eq!(of((3, 12), "k.cpp", &["y/k.cpp"]), none, "the source is not there");
    }

    /// A report of `k` with these instances.
    fn module(day: u32, called: &[&str]) -> String {
        let rows: Vec<String> =
            called.iter().map(|name| format!("    |{name}_U0 |{name} |        0|\n")).collect();
        let rows = rows.concat();
        let bar = "    +-----+-----+---------+\n";
        format!(
            "== Vivado HLS Report for 'k'\n* Date:           Sun May {day:2} 10:08:22 2026\n* Target device:  xc7z020\n\
             == Utilization Estimates\n================\n+ Detail: \n    * Instance: \n\
             {bar}    | Instance | Module | BRAM_18K|\n{bar}{rows}{bar}"
        )
    }

    #[test]
    fn tries_without_sources_are_older_than_the_design_with_its_sources() {
        let (xml, kept, new) =
            ("x/tries/a/csynth.xml", "x/tries/a/k_csynth.rpt", "x/opt/reports/k_csynth.rpt");
        let whole =
            "<profile><UserAssignments><TopModelName>k</TopModelName></UserAssignments></profile>";
        let of = |called: &[&str], day, code: &[&str]| {
            older(
                &[
                    (xml, whole.to_owned()),
                    (kept, module(day, called)),
                    (new, module(12, &["conv", "pool", "relu", "fc"])),
                ],
                code,
            )
        };
        let same = ["conv", "pool", "relu"];
        let found = format!("x/tries/a < {new}");
        assert_eq!(of(&same, 3, &["x/opt/k.cpp"]), [found.clone(), found]);
        let none: [&str; 0] = [];
        assert_eq!(of(&same, 13, &["x/opt/k.cpp"]), none, "newer");
        assert_eq!(of(&["conv", "mul", "add"], 3, &["x/opt/k.cpp"]), none, "other modules");
        assert_eq!(of(&same, 3, &["x/opt/k.cpp", "x/tries/k.cpp"]), none, "sources of its own");
        assert_eq!(of(&same, 3, &["x/k.cpp"]), none, "no sources beside the newer one");
    }

    #[test]
    fn solutions_in_the_root_are_of_one_project() {
        let name = |solution: &str| format!("{solution}/syn/report/csynth.rpt");
        let of = |a: &str, b: &str| {
            let day = |day| summary(day, "zynq", "k.cpp");
            older(&[(&name(a), day(3)), (&name(b), day(12))], &["src/k.cpp"])
        };
        assert_eq!(of("solution2", "solution1"), ["solution2 < solution1"]);
        assert_eq!(of("conv", "pool"), [] as [&str; 0]);
    }

    #[test]
    fn folders_that_are_not_solutions_are_no_runs() {
        for folder in ["a/report", "syn", "a/synthesis/report"] {
            assert_eq!(find_solution(folder), None, "{folder}");
        }
        assert_eq!(find_solution("sim/p/s/syn/report"), Some("sim/p/s"));
    }
}
