//! Which design the reports of solutions and the v++ configurations are of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use derate_hls::{FileId, Report, Sources, gather_syntheses, read_report};

use super::design::DesignPlan;
use super::directives::kept_folder;
use super::link::defines;
use super::place::design_folder;
use crate::paths::{folder_of, is_within, plain};
use crate::search::{BuildScript, read_small};

/// Gives the reports of solutions to the designs that make them. Where none is around them, they are of the only design beside
/// them that defines their top: `firmware` for `syn/report`.
pub(super) fn add_solutions(
    designs: &mut Vec<DesignPlan>,
    solutions: BTreeMap<String, Vec<PathBuf>>,
) {
    for design in designs.iter_mut() {
        put_newest_first(design, &solutions);
    }
    let makes =
        |design: &DesignPlan, solution: &str, _: &Vec<PathBuf>| makes_project(design, solution);
    let is_of_some = |place: &str| {
        designs.iter().any(|one| is_within(place, &one.folder) || makes_project(one, place))
    };
    let (own, open): (BTreeMap<_, _>, BTreeMap<_, _>) =
        solutions.into_iter().partition(|(place, _)| is_of_some(place));
    let give = |design: &mut DesignPlan, reports| design.reports = reports;
    let keep = |design: &mut DesignPlan, reports: &Vec<PathBuf>| {
        design.solutions.extend(reports.iter().cloned());
    };
    add_builds(designs, own, makes, give, keep);
    let has_top = |design: &DesignPlan, place: &str, reports: &Vec<PathBuf>| {
        design.reports.is_empty()
            && is_within(&design.folder, folder_of(place))
            && defines_a_top(design, reports)
    };
    add_builds(designs, open, has_top, give, keep);
}

/// Puts the scripts that the tool keeps in the folders of solutions in the order of their reports, the newest first: older solutions
/// are earlier tries. The others stay where they are.
fn put_newest_first(design: &mut DesignPlan, solutions: &BTreeMap<String, Vec<PathBuf>>) {
    let mut sources = Sources::default();
    let mut read = |script: &BuildScript| {
        solutions.get(kept_folder(script)?)?.iter().find_map(|path| {
            let file = sources.add(path.to_string_lossy(), read_small(path)?);
            read_report(&sources, file).ok().filter(Report::has_date)
        })
    };
    let is_kept = |(at, script): (usize, &BuildScript)| kept_folder(script).map(|_| at);
    let kept: Vec<usize> = design.scripts.iter().enumerate().filter_map(is_kept).collect();
    if kept.len() < 2 {
        return;
    }
    let dated = kept.into_iter().filter_map(|at| Some((at, read(&design.scripts[at])?)));
    let mut dated: Vec<(usize, Report)> = dated.collect();
    let places: Vec<usize> = dated.iter().map(|(at, _)| *at).collect();
    dated.sort_by(|(_, one), (_, other)| other.is_newer_than(one).cmp(&one.is_newer_than(other)));
    let ordered: Vec<_> = dated.iter().map(|(at, _)| design.scripts[*at].clone()).collect();
    for (place, script) in places.into_iter().zip(ordered) {
        design.scripts[place] = script;
    }
}

/// Whether a design defines a top of these reports.
fn defines_a_top(design: &DesignPlan, reports: &[PathBuf]) -> bool {
    let mut sources = Sources::default();
    let read = reports.iter().filter_map(|path| {
        let file = sources.add(path.to_string_lossy(), read_small(path)?);
        Some((file, read_report(&sources, file).ok()?))
    });
    let read: Vec<(FileId, Report)> = read.collect();
    let tops: BTreeSet<String> = gather_syntheses(&read).into_iter().map(|one| one.top).collect();
    design
        .sources
        .iter()
        .filter_map(|path| read_small(path))
        .any(|text| tops.iter().any(|top| defines(&text, top)))
}

/// Whether a script of a design makes the project that a solution is in: `open_project p` makes `p/solution1` beside the
/// script, and the tool writes `p/solution1/script.tcl` itself.
fn makes_project(design: &DesignPlan, solution: &str) -> bool {
    let project = Path::new(folder_of(solution));
    design.scripts.iter().any(|script| {
        let Some(name) = &script.project else { return false };
        let folder = folder_of(&script.name);
        if script.name == format!("{solution}/script.tcl") {
            return true;
        }
        let bases = [folder, design_folder(folder), &design.folder];
        bases.iter().any(|base| plain(&Path::new(base).join(name)) == project)
    })
}

/// Gives what was built to the design that makes it, else to the one around it. Of several builds of one design, such as solutions with the same
/// function, each is a design of its own: they are not compared with each other, and the design keeps what they are.
pub(super) fn add_builds<T>(
    designs: &mut Vec<DesignPlan>,
    builds: BTreeMap<String, T>,
    makes: impl Fn(&DesignPlan, &str, &T) -> bool,
    give: impl Fn(&mut DesignPlan, T),
    keep: impl Fn(&mut DesignPlan, &T),
) {
    let mut owned: BTreeMap<Option<usize>, Vec<(String, T)>> = BTreeMap::new();
    for (place, build) in builds {
        let owner = find_only(designs, |one| makes(one, &place, &build)).or_else(|| {
            let length =
                |one: &DesignPlan| is_within(&place, &one.folder).then_some(one.folder.len());
            let longest = designs.iter().filter_map(length).max()?;
            find_only(designs, |one| length(one) == Some(longest))
        });
        owned.entry(owner).or_default().push((place, build));
    }
    for (owner, mut builds) in owned {
        match owner.and_then(|index| designs.get_mut(index)) {
            Some(design) if builds.len() == 1 => {
                builds.drain(..).for_each(|(_, build)| give(design, build));
            }
            mut around => {
                let scripts = around.as_ref().map_or_else(Vec::new, |one| one.scripts.clone());
                if let Some(design) = &mut around {
                    for (_, build) in &builds {
                        keep(design, build);
                    }
                }
                for (folder, build) in builds {
                    let name = if folder.is_empty() { ".".to_owned() } else { folder.clone() };
                    let scripts = scripts.clone();
                    let mut alone = DesignPlan { name, scripts, folder, ..DesignPlan::default() };
                    give(&mut alone, build);
                    designs.push(alone);
                }
            }
        }
    }
}

/// The place of the one design that is asked for; `None` of none or several.
fn find_only(designs: &[DesignPlan], is_it: impl Fn(&DesignPlan) -> bool) -> Option<usize> {
    let mut found = designs.iter().enumerate().filter(|(_, one)| is_it(one));
    found.next().filter(|_| found.next().is_none()).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::super::plan::testing::plan;
    use super::super::{PlanFiles, plan_designs};
    use crate::search::testing::search_files;

    const REPORT: &str = include_str!("../../../../fixtures/reports/tree-2022/csynth.rpt");

    #[test]
    fn a_report_is_of_the_design_whose_script_makes_its_project() {
        let run = |project: &str| {
            format!("open_project {project}\nset_top k\nadd_files inner/k.cpp\nopen_solution s\n")
        };
        let plan_with = |project: &str| {
            plan(&[
                ("n/run.tcl", run(project).as_str()),
                ("n/inner/k.cpp", "void k() {}\n"),
                ("n/other.cpp", ""),
                ("n/k_prj/s/syn/report/csynth.rpt", REPORT),
            ])
        };
        let (own, other) = ("n/inner: n/inner/k.cpp", "n: n/other.cpp");
        assert_eq!(
            plan_with("k_prj"),
            [format!("{other}: 0 reports, 0 link"), format!("{own}: 1 reports, 0 link")]
        );
        // Another project is of the design around it.
        assert_eq!(
            plan_with("new_prj"),
            [format!("{other}: 1 reports, 0 link"), format!("{own}: 0 reports, 0 link")]
        );
    }

    #[test]
    fn reports_beside_a_design_are_of_the_one_with_their_top() {
        let top = REPORT.split("Report of '").nth(1).and_then(|text| text.split('\'').next());
        let top = top.unwrap_or_default();
        let (own, other) =
            (format!("void {top}(int x) {{}}\n"), format!("void f() {{ {top}(1); }}\n"));
        let report = ("syn/report/csynth.rpt", REPORT);
        let files = [("firmware/k.cpp", own.as_str()), ("firmware/nets/n.h", &other), report];
        assert_eq!(
            plan(&files),
            [
                "firmware: firmware/k.cpp: 1 reports, 0 link",
                "firmware/nets: firmware/nets/n.h: 0 reports, 0 link"
            ]
        );
        // Two have it, or none.
        let files = [("a/k.cpp", own.as_str()), ("b/k.cpp", &own), report];
        assert_eq!(plan(&files)[0], ".: : 1 reports, 0 link");
        assert_eq!(plan(&[("a/k.cpp", other.as_str()), report])[0], ".: : 1 reports, 0 link");
    }

    #[test]
    fn a_solution_is_made_by_the_script_that_the_tool_writes_into_it() {
        let run = "open_project all\nset_top k\nadd_files all/k.c\nopen_solution solution1\n";
        let again = run.replace("all", "p");
        let files = [
            ("solution1/script.tcl", run),
            ("solution1/syn/report/csynth.rpt", REPORT),
            ("p/solution1/script.tcl", again.as_str()),
            ("p/solution1/syn/report/csynth.rpt", REPORT),
            ("k.c", "void k() {}\n"),
            ("p/k.c", "void k() {}\n"),
        ];
        let designs = plan(&files);
        assert_eq!(designs.len(), 2, "{designs:?}");
        assert!(designs.iter().all(|one| one.contains("1 reports")), "{designs:?}");
    }

    #[test]
    fn the_newest_solution_goes_first() {
        let run = |solution: &str| {
            format!("open_project p\nset_top k\nadd_files k.cpp\nopen_solution {solution}\n")
        };
        let order = |first: &str| {
            let first = REPORT.replace("2025", first);
            let (a, b, all) = (run("a"), run("b"), run("all"));
            let files = [
                ("k.cpp", "void k() {}\n"),
                ("all.tcl", all.as_str()),
                ("p/a/script.tcl", a.as_str()),
                ("p/a/syn/report/csynth.rpt", first.as_str()),
                ("p/b/script.tcl", b.as_str()),
                ("p/b/syn/report/csynth.rpt", REPORT),
            ];
            let (_dir, search) = search_files(&files);
            let plans = plan_designs(&search, &PlanFiles::found(&search));
            let scripts = plans.iter().flat_map(|plan| &plan.scripts);
            let mut names: Vec<&str> = scripts.map(|script| script.name.as_str()).collect();
            names.truncate(3);
            names.join(" ")
        };
        assert_eq!(order("2024"), "all.tcl p/b/script.tcl p/a/script.tcl");
        assert_eq!(order("2026"), "all.tcl p/a/script.tcl p/b/script.tcl");
        assert_eq!(order("2025"), "all.tcl p/a/script.tcl p/b/script.tcl");
    }

    #[test]
    fn solutions_of_one_design_are_apart() {
        let designs = plan(&[
            ("k.cpp", ""),
            ("p/solution1/syn/report/csynth.rpt", REPORT),
            ("p/solution2/syn/report/csynth.rpt", REPORT),
        ]);
        assert_eq!(
            designs,
            [
                ".: k.cpp: 0 reports, 0 link",
                "p/solution1: : 1 reports, 0 link",
                "p/solution2: : 1 reports, 0 link",
            ]
        );
    }

    #[test]
    fn reports_that_vitis_copies_are_read_once() {
        let other = REPORT.replace("2022", "2023");
        let designs = plan(&[
            ("w/k/hls/syn/report/csynth.rpt", REPORT),
            ("w/k/reports/hls_compile.rpt", REPORT),
            ("w/k/hls/impl/misc/hls_files/hls/syn/report/csynth.rpt", REPORT),
            // The only one, and one of another synthesis.
            ("alone/reports/hls_compile.rpt", other.as_str()),
        ]);
        assert_eq!(designs, ["alone: : 1 reports, 0 link", "w/k/hls: : 1 reports, 0 link"]);
    }
}
