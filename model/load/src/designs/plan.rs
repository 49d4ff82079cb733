//! Which files make one design: what one script builds, else what lies in one folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use derate_hls::{FileId, Report, Sources, gather_syntheses, read_report};

use super::PlanFiles;
use super::design::DesignPlan;
use super::link::{defines, join_linked};
use super::named_parts::{add_named_parts, find_beside_link};
use super::place::{design_folder, solution_folder};
use super::settings::add_settings;
use crate::paths::{folder_of, is_within, plain};
use crate::search::{BuildScript, Search, read_small};

/// The designs of a folder, sorted by name.
pub(crate) fn plan_designs(search: &Search, files: &PlanFiles) -> Vec<DesignPlan> {
    let (mut designs, others) = join_scripts(list_own_scripts(search, files), search);
    add_loose_sources(&mut designs, search, files);
    let is_loose =
        |link: &&PathBuf| !(files.are_named && join_linked(&mut designs, link.as_path()));
    let links: Vec<&PathBuf> = files.connectivity.iter().filter(is_loose).collect();
    add_settings(&mut designs, others);
    let named = search.find_named_parts();
    add_named_parts(&mut designs, &named, &search.find_readme_commands());
    name_designs(&mut designs);
    let reports = files.reports.iter().map(|path| {
        let name = search.name(path);
        (solution_folder(folder_of(&name)).to_owned(), path.clone())
    });
    let mut solutions: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (folder, path) in reports {
        solutions.entry(folder).or_default().push(path);
    }
    add_solutions(&mut designs, solutions);
    let links = links.into_iter().map(|path| (search.name(path), path.clone())).collect();
    let give = |design: &mut DesignPlan, path| design.connectivity = Some(path);
    add_builds(&mut designs, links, |_, _, _| false, give, |_, _| {});
    if files.are_named {
        add_own_links(&mut designs, search, files);
    }
    for design in designs.iter_mut().filter(|one| one.sources.is_empty() && one.named.is_empty()) {
        let Some(link) = &design.connectivity else { continue };
        let takes = |script: &&BuildScript| script.configs.contains(link);
        let linkers = search.scripts().iter().filter(takes).map(|script| script.name.as_str());
        design.named = find_beside_link(&search.name(link), &linkers.collect(), &named);
    }
    designs.sort_by(|a, b| a.name.cmp(&b.name));
    designs
}

/// A project names one v++ configuration; the other designs have the one that lies in their folder.
fn add_own_links(designs: &mut [DesignPlan], search: &Search, files: &PlanFiles) {
    let links = search.list_connectivity().into_iter();
    let others: Vec<(String, &PathBuf)> = links
        .filter(|link| !files.connectivity.contains(link))
        .map(|link| (search.name(link), link))
        .collect();
    for design in
        designs.iter_mut().filter(|one| one.connectivity.is_none() && !one.folder.is_empty())
    {
        let mut own = others.iter().filter(|(place, _)| is_within(place, &design.folder));
        if let (Some((_, link)), None) = (own.next(), own.next()) {
            design.connectivity = Some((*link).clone());
        }
    }
}

/// The scripts of a folder, with the sources that are the designs'. One that builds only others is of no design.
fn list_own_scripts(search: &Search, files: &PlanFiles) -> Vec<BuildScript> {
    let mut scripts = search.scripts().to_vec();
    scripts.retain_mut(|script| {
        let builds_nothing = script.files.is_empty();
        script.files.retain(|path| !files.are_named || files.sources.contains(path));
        builds_nothing || !script.files.is_empty()
    });
    scripts
}

/// One design for the scripts that have a source in common; and the scripts that name no source.
fn join_scripts(scripts: Vec<BuildScript>, search: &Search) -> (Vec<DesignPlan>, Vec<BuildScript>) {
    let mut designs: Vec<DesignPlan> = Vec::new();
    let mut others = Vec::new();
    for script in scripts {
        if script.files.is_empty() {
            others.push(script);
            continue;
        }
        let shares = |one: &DesignPlan| !one.sources.is_disjoint(&script.files);
        let (same, rest): (Vec<_>, Vec<_>) = designs.into_iter().partition(shares);
        designs = rest;
        let mut joined = DesignPlan::default();
        for one in same {
            joined.sources.extend(one.sources);
            joined.scripts.extend(one.scripts);
        }
        joined.sources.extend(script.files.iter().cloned());
        joined.scripts.push(script);
        designs.push(joined);
    }
    for design in &mut designs {
        let first = design.scripts.first().and_then(find_main);
        let name = first.map(|path| search.name(path)).unwrap_or_default();
        design_folder(folder_of(&name)).clone_into(&mut design.folder);
    }
    (designs, others)
}

/// The file in whose folder the design of a script is: the one that defines its top, else the first.
fn find_main(script: &BuildScript) -> Option<&PathBuf> {
    let folders: BTreeSet<_> = script.files.iter().map(|path| path.parent()).collect();
    let defines_top = |path: &&PathBuf| {
        read_small(path).is_some_and(|text| script.tops.iter().any(|top| defines(&text, top)))
    };
    let main = script.files.iter().filter(|_| folders.len() > 1).find(defines_top);
    main.or(script.files.first())
}

/// The sources that no script names: with the one design of their folder, else a design of their own.
fn add_loose_sources(designs: &mut Vec<DesignPlan>, search: &Search, files: &PlanFiles) {
    let named: BTreeSet<PathBuf> = designs.iter().flat_map(|one| one.sources.clone()).collect();
    let mut loose: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for path in files.sources.iter().filter(|path| !named.contains(*path)) {
        let name = search.name(path);
        let folder = design_folder(folder_of(&name)).to_owned();
        loose.entry(folder).or_default().insert(path.clone());
    }
    for (folder, sources) in loose {
        let mut own = designs.iter_mut().filter(|one| one.folder == folder);
        match (own.next(), own.next()) {
            (Some(one), None) => one.sources.extend(sources),
            _ => designs.push(DesignPlan { sources, folder, ..DesignPlan::default() }),
        }
    }
}

fn name_designs(designs: &mut [DesignPlan]) {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for design in designs.iter() {
        *folders.entry(design.folder.clone()).or_default() += 1;
    }
    let mut taken = BTreeSet::new();
    for design in designs {
        let folder = if design.folder.is_empty() { "." } else { &design.folder };
        let is_alone = folders.get(&design.folder) == Some(&1);
        let project = design
            .scripts
            .iter()
            .find_map(|script| script.project.clone().or_else(|| script.tops.first().cloned()));
        let mut name = match project.filter(|_| !is_alone) {
            Some(project) => format!("{folder} ({project})"),
            None => folder.to_owned(),
        };
        for number in 2.. {
            if taken.insert(name.clone()) {
                break;
            }
            name = format!("{folder} ({number})");
        }
        design.name = name;
    }
}

/// Gives the reports of solutions to the designs that make them. Where none is around them, they are of the only design beside
/// them that defines their top: `firmware` for `syn/report`.
fn add_solutions(designs: &mut Vec<DesignPlan>, solutions: BTreeMap<String, Vec<PathBuf>>) {
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
fn add_builds<T>(
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
                    builds.iter().for_each(|(_, build)| keep(design, build));
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
    use super::*;
    use crate::search::testing::search_files;

    const REPORT: &str = include_str!("../../../../fixtures/reports/tree-2022/csynth.rpt");

    fn plan(files: &[(&str, &str)]) -> Vec<String> {
        plan_some(files, PlanFiles::found)
    }

    fn plan_some(files: &[(&str, &str)], choose: impl Fn(&Search) -> PlanFiles) -> Vec<String> {
        let (_dir, search) = search_files(files);
        let shown = |design: &DesignPlan| {
            let sources = design.sources.iter().map(|path| search.name(path));
            let sources: Vec<String> = sources.collect();
            let link = design.connectivity.as_ref().map_or(0, |_| 1);
            let built = format!("{} reports, {link} link", design.reports.len());
            format!("{}: {}: {built}", design.name, sources.join(" "))
        };
        plan_designs(&search, &choose(&search)).iter().map(shown).collect()
    }

    #[test]
    fn what_one_script_builds_is_a_design_and_else_what_lies_in_one_folder() {
        let run =
            |top: &str| format!("open_project {top}_prj\nset_top {top}\nadd_files {top}.cpp\n");
        let designs = plan(&[
            ("a/src/k.cpp", ""),
            ("a/include/k.h", ""),
            ("a/link.cfg", "[connectivity]\nnk=k:1\n"),
            ("a/p/solution1/syn/report/csynth.rpt", REPORT),
            ("b/run_x.tcl", &run("x")),
            ("b/run_y.tcl", &run("y")),
            ("b/x.cpp", ""),
            ("b/y.cpp", ""),
            ("b/readme.cfg", "[format]\n"),
        ]);
        assert_eq!(
            designs,
            [
                "a: a/include/k.h a/src/k.cpp: 1 reports, 1 link",
                "b (x_prj): b/x.cpp: 0 reports, 0 link",
                "b (y_prj): b/y.cpp: 0 reports, 0 link",
            ]
        );
    }

    #[test]
    fn a_configuration_that_is_named_joins_the_kernels_that_it_links() {
        let files = [
            ("a/a.cpp", "void a() {}"),
            ("b/b.cpp", "void b (int x) {}"),
            ("c/c.cpp", "void c() {}"),
            ("link/two.cfg", "[connectivity]\nnk=a:1\nsp=b_1.x:HBM[0]\n"),
        ];
        let named = |search: &Search| PlanFiles { are_named: true, ..PlanFiles::found(search) };
        assert_eq!(
            plan_some(&files, named),
            [".: a/a.cpp b/b.cpp: 0 reports, 1 link", "c: c/c.cpp: 0 reports, 0 link"]
        );
        assert_eq!(plan(&files).len(), 4);
    }

    #[test]
    fn the_designs_that_a_project_links_nothing_for_keep_their_own_configurations() {
        let link = |name: &str| format!("[connectivity]\nnk={name}:1\n");
        let (first, second) = (link("a"), link("b"));
        let files = [
            ("a/a.cpp", "void a() {}"),
            ("a/link.cfg", first.as_str()),
            ("b/b.cpp", "void b() {}"),
            ("b/link.cfg", second.as_str()),
            ("c/c.cpp", "void c() {}"),
        ];
        let named = |search: &Search| PlanFiles {
            are_named: true,
            connectivity: vec![search.dir.join("a/link.cfg")],
            ..PlanFiles::found(search)
        };
        assert_eq!(
            plan_some(&files, named),
            [
                "a: a/a.cpp: 0 reports, 1 link",
                "b: b/b.cpp: 0 reports, 1 link",
                "c: c/c.cpp: 0 reports, 0 link",
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
    fn a_design_is_in_the_folder_of_its_top() {
        let run = "open_project p\nset_top k\nadd_files k.cpp\nadd_files ../common/a.cpp\n";
        let files =
            [("k/run.tcl", run), ("k/k.cpp", "void k() {}\n"), ("common/a.cpp", "void a() {}\n")];
        assert_eq!(plan(&files), ["k: common/a.cpp k/k.cpp: 0 reports, 0 link"]);
        // A file with another function of the top's file does not count.
        let files =
            [files[0], ("k/k.cpp", "void a() { k(); }\n"), ("common/a.cpp", "void k() {}\n")];
        assert_eq!(plan(&files), ["common: common/a.cpp k/k.cpp: 0 reports, 0 link"]);
    }

    #[test]
    fn a_solution_is_made_by_the_script_that_the_tool_writes_into_it() {
        let run = "open_project all\nset_top k\nadd_files all/k.c\nopen_solution solution1\n";
        let again = run.replace("project all", "project p").replace("all/k.c", "k.c");
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
}
