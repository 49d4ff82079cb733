//! Which files make one design: what one script builds, else what lies in one folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::PlanFiles;
use super::builds::{add_builds, add_solutions};
use super::design::DesignPlan;
use super::link::{defines, join_linked};
use super::named_parts::{add_named_parts, find_beside_link};
use super::place::{design_folder, solution_folder};
use super::settings::add_settings;
use crate::paths::{folder_of, is_within};
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
    join_steps(&mut solutions);
    add_solutions(&mut designs, solutions);
    let links = links.into_iter().map(|path| (search.name(path), path.clone())).collect();
    let give = |design: &mut DesignPlan, path| design.connectivity = Some(path);
    add_builds(&mut designs, links, |_, _, _| false, give, |_, _| {});
    if files.are_named {
        add_own_links(&mut designs, search, files);
    }
    for design in designs.iter_mut().filter(|one| !one.is_compiled() && one.named.is_empty()) {
        let Some(link) = &design.connectivity else { continue };
        let takes = |script: &&BuildScript| script.configs.contains(link);
        let linkers = search.scripts().iter().filter(takes).map(|script| script.name.as_str());
        design.named = find_beside_link(&search.name(link), &linkers.collect(), &named);
    }
    designs.sort_by(|a, b| a.name.cmp(&b.name));
    designs
}

/// What the tool writes above the folder of the solution: of a component `k` with `k/hls/syn/report`, and of a kernel of `SDAccel`.
const ABOVE: [&str; 3] = ["hls_compile.rpt", "hls_cosim.rpt", ".design.xml"];

/// Such reports are of the only solution below them.
fn join_steps(solutions: &mut BTreeMap<String, Vec<PathBuf>>) {
    let is_above = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        ABOVE.iter().any(|end| name.ends_with(end))
    };
    let above =
        solutions.iter().filter(|(folder, all)| !folder.is_empty() && all.iter().all(is_above));
    let above: Vec<String> = above.map(|(folder, _)| folder.clone()).collect();
    for folder in above {
        let mut below = solutions.keys().filter(|one| folder_of(one) == folder);
        if let (Some(only), None) = (below.next().cloned(), below.next()) {
            let reports = solutions.remove(&folder).unwrap_or_default();
            solutions.entry(only).or_default().extend(reports);
        }
    }
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

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::search::testing::search_files;

    pub(crate) fn plan(files: &[(&str, &str)]) -> Vec<String> {
        plan_some(files, PlanFiles::found)
    }

    pub(super) fn plan_some(
        files: &[(&str, &str)],
        choose: impl Fn(&Search) -> PlanFiles,
    ) -> Vec<String> {
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
}

#[cfg(test)]
mod tests {
    use super::testing::{plan, plan_some};
    use super::*;

    const REPORT: &str = include_str!("../../../../fixtures/reports/tree-2022/csynth.rpt");

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
    fn what_a_component_keeps_above_its_only_solution_is_of_it() {
        let cosim = "Report time : Mon May  4 10:00:00 2026.\nSimulation tool   : xsim.\n";
        let files = [("k/hls/syn/report/csynth.rpt", REPORT), ("k/reports/hls_cosim.rpt", cosim)];
        assert_eq!(plan(&files), ["k/hls: : 2 reports, 0 link"]);
        let two = [files[0], files[1], ("k/other/syn/report/csynth.rpt", REPORT)];
        assert_eq!(plan(&two).len(), 3, "two solutions");
        let kept = [files[0], ("k/reports/old_cosim.rpt", cosim)];
        assert_eq!(plan(&kept).len(), 2, "what somebody kept");
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
}
