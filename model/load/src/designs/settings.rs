//! Scripts that name no source which is there: for which designs they are.

use std::collections::BTreeSet;

use super::design::DesignPlan;
use super::link::defines;
use super::place::design_folder;
use super::software::is_for_the_card;
use crate::paths::{folder_of, is_within};
use crate::search::{BuildScript, read_small};

/// Gives each design the scripts that are for it: those that compile a source of it, wherever they are; those around it whose top
/// it defines, else those of its own folder if it is the only one there, and where nothing names its part or clock, those of the
/// nearest folder that name no top.
pub(super) fn add_settings(designs: &mut [DesignPlan], scripts: Vec<BuildScript>) {
    let (named, shared): (Vec<_>, Vec<_>) =
        scripts.into_iter().partition(|script| !script.tops.is_empty());
    for script in named {
        let folder = design_folder(folder_of(&script.name)).to_owned();
        let may_be = |design: &DesignPlan| {
            let is_around = !script.is_readme && is_within(&design.folder, &folder);
            is_around || !script.compiled.is_disjoint(&design.sources)
        };
        let defining = designs.iter_mut().filter(|one| may_be(one) && defines_top(one, &script));
        let mut defining: Vec<&mut DesignPlan> = defining.collect();
        // A reference in software has a function of the same name, and not the files that the script adds.
        if defining.iter().any(|one| has_missing(one, &script)) {
            defining.retain(|one| has_missing(one, &script));
        }
        let is_given = !defining.is_empty();
        for design in defining {
            design.scripts.push(script.clone());
        }
        if !is_given && !script.is_readme {
            give_to_only(designs, &folder, script);
        }
    }
    let mut rest = Vec::new();
    for script in shared {
        let compiles = |design: &DesignPlan| !script.compiled.is_disjoint(&design.sources);
        if designs.iter().any(compiles) {
            for design in designs.iter_mut().filter(|one| compiles(one)) {
                design.scripts.push(script.clone());
            }
            continue;
        }
        let folder = design_folder(folder_of(&script.name)).to_owned();
        if count_in(designs, &folder) != 1 {
            rest.push((folder, script));
            continue;
        }
        // A program beside the kernels is not what it is for.
        let only = designs.iter().find(|one| one.folder == folder);
        if only.is_some_and(|one| !is_for_the_card(one)) {
            rest.push((folder.clone(), script.clone()));
        }
        give_to_only(designs, &folder, script);
    }
    for design in designs.iter_mut().filter(|one| names_no_target(one)) {
        let around = rest.iter().filter(|(folder, _)| is_within(&design.folder, folder));
        let nearest = around.clone().map(|(folder, _)| folder.len()).max();
        let own = around.filter(|(folder, _)| Some(folder.len()) == nearest);
        design.scripts.extend(own.map(|(_, script)| script.clone()));
    }
}

fn give_to_only(designs: &mut [DesignPlan], folder: &str, script: BuildScript) {
    if count_in(designs, folder) == 1
        && let Some(only) = designs.iter_mut().find(|one| one.folder == folder)
    {
        only.scripts.push(script);
    }
}

fn count_in(designs: &[DesignPlan], folder: &str) -> usize {
    designs.iter().filter(|one| one.folder == folder).count()
}

fn defines_top(design: &DesignPlan, script: &BuildScript) -> bool {
    let has_top = |text: &str| script.tops.iter().any(|top| defines(text, top));
    design.sources.iter().any(|path| read_small(path).is_some_and(|text| has_top(&text)))
}

/// Whether a design has a source of the name of one that the script adds from a place where it is not.
fn has_missing(design: &DesignPlan, script: &BuildScript) -> bool {
    let file_name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
    let missing: BTreeSet<String> = script.missing.iter().map(|path| file_name(path)).collect();
    let mut names = design.sources.iter().filter_map(|path| path.file_name()?.to_str());
    names.any(|name| missing.contains(name))
}

fn names_no_target(design: &DesignPlan) -> bool {
    design.scripts.iter().all(|script| script.parts.is_empty() && !script.names_clock())
}

#[cfg(test)]
mod tests {
    use super::super::{PlanFiles, plan_designs};
    use crate::search::testing::search_files;

    /// The designs, each with the scripts that are for it.
    fn settle(files: &[(&str, &str)]) -> Vec<String> {
        let (_dir, search) = search_files(files);
        let plans = plan_designs(&search, &PlanFiles::found(&search));
        let shown = plans.iter().map(|plan| {
            let scripts = plan.scripts.iter().map(|script| script.name.as_str());
            format!("{}: {}", plan.name, scripts.collect::<Vec<_>>().join(" "))
        });
        shown.collect()
    }

    #[test]
    fn a_script_above_is_for_the_designs_that_define_its_top() {
        let script = "open_project [lindex $argv 0]\nadd_files $dir/net.cpp\nset_top net\ncreate_clock -period 5\n";
        let designs = settle(&[
            ("nets/hls.tcl", script),
            ("nets/small/hw/net.cpp", "void net(int a[4]) {}\n"),
            ("nets/large/hw/net.cpp", "void net(int a[8]) {}\n"),
            ("nets/other/hw/sum.cpp", "void sum(int a[8]) { net(a); }\n"),
            ("net.cpp", "void net(int a[16]) {}\n"),
        ]);
        let expected =
            [".: ", "nets/large: nets/hls.tcl", "nets/other: ", "nets/small: nets/hls.tcl"];
        assert_eq!(designs, expected);
    }

    #[test]
    fn a_script_is_for_the_design_that_has_the_files_which_it_adds() {
        let script =
            ("hls/run.tcl", "open_project p\nset_top blur\nadd_files blur.cpp\nset_part xc7z020\n");
        let kernel = ("hls/files/blur.cpp", "void blur(int a[4]) {}\n");
        let reference = ("golden/edges.cpp", "void blur(int a[4]) {}\n");
        assert_eq!(settle(&[script, kernel, reference]), ["golden: ", "hls/files: hls/run.tcl"]);
        // Where none has them, the name of the top is all there is.
        let renamed = ("hls/files/new.cpp", kernel.1);
        let both = ["golden: hls/run.tcl", "hls/files: hls/run.tcl"];
        assert_eq!(settle(&[script, renamed, reference]), both);
    }

    #[test]
    fn a_rule_is_for_what_it_compiles_in_another_folder() {
        let make = "a.xo: ../src/a.cpp\n\tv++ -c -k a --kernel_frequency 200 $<\n";
        let flags = "b.xo: ../src/$(B)/b.cpp\n\tv++ -c -k $(TOP) -I../lib '$<'\n";
        let files = [
            ("vitis/Makefile", make),
            ("flags/Makefile", flags),
            ("src/a.cpp", "void a() {}\n"),
            ("old/a.cpp", "void a() {}\n"),
            ("new/src/b.cpp", "void b() {}\n"),
            ("b.cpp", "void b() {}\n"),
        ];
        // Another file with this top is not compiled.
        assert_eq!(settle(&files), [".: vitis/Makefile", "new: ", "old: "]);
        let flags = "b.xo: $(B)/new/src/b.cpp\n\tv++ -c -k $(TOP) -I../lib '$<'\n";
        let files = [files[0], ("flags/Makefile", flags), files[2], files[3], files[4]];
        assert_eq!(settle(&files), [".: vitis/Makefile", "new: flags/Makefile", "old: "]);
    }

    #[test]
    fn settings_are_for_the_designs_below_that_have_none() {
        let run = "open_project p\nset_top b\nadd_files b.cpp\nopen_solution s\nset_part xcu250\ncreate_clock -period 4\n";
        let designs = settle(&[
            ("settings.tcl", "set_part xcu280-fsvh2892-2L-e\ncreate_clock -period 300MHz\n"),
            ("a/a.cpp", "void a() {}\n"),
            ("b/b.cpp", "void b() {}\n"),
            ("b/run.tcl", run),
            ("c/c.cpp", "void c() {}\n"),
            ("c/clock.tcl", "create_clock -period 2\n"),
            // A program beside them.
            ("src/host.cpp", "int main() { return 0; }\n"),
            // A script of Vivado, whose clock is a port's.
            ("pins.tcl", "create_clock -period 8 -name clk [get_ports clk]\n"),
        ]);
        assert_eq!(
            designs,
            [".: settings.tcl", "a: settings.tcl", "b: b/run.tcl", "c: c/clock.tcl"]
        );
    }
}
