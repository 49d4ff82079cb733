//! Parts that build files name which are not the tool's own.

use std::collections::BTreeSet;

use derate_machine::{BuildFile, NamedPart};

use super::design::DesignPlan;
use super::place::design_folder;
use crate::paths::{folder_of, is_within};
use crate::search::BuildScript;

/// A file and the parts that it names.
type PartsOfFile = (String, Vec<NamedPart>);

/// Gives each design what the files around it name that run the tools: those of its folder, else of the nearest one above, else
/// those of the rules that compile its sources, else the scripts of Vivado that are beside it.
pub(super) fn add_named_parts(
    designs: &mut [DesignPlan],
    files: &[PartsOfFile],
    readmes: &[PartsOfFile],
) {
    let folders: Vec<String> = designs.iter().map(|one| one.folder.clone()).collect();
    for design in designs {
        design.named = find_nearest(&design.folder, files);
        if design.named.is_empty() {
            design.named = find_of_compilers(design, files, readmes);
        }
        if design.named.is_empty() {
            design.named = find_beside(&design.folder, files, &folders);
        }
    }
}

/// What is named for a v++ configuration that no design with sources has: by the files whose commands take it, else in its
/// folder, else in the nearest one above.
pub(super) fn find_beside_link(
    link: &str,
    linkers: &BTreeSet<&str>,
    files: &[PartsOfFile],
) -> Vec<PartsOfFile> {
    let is_linker = |file: &&PartsOfFile| linkers.contains(file.0.as_str());
    let is_beside = |file: &&PartsOfFile| folder_of(&file.0) == folder_of(link);
    let linking: Vec<PartsOfFile> = files.iter().filter(is_linker).cloned().collect();
    let beside = || files.iter().filter(is_beside).cloned().collect();
    let found = if linking.is_empty() { beside() } else { linking };
    if found.is_empty() { find_nearest(design_folder(folder_of(link)), files) } else { found }
}

/// What the files name in a folder, else in the nearest one above.
fn find_nearest(inner: &str, files: &[PartsOfFile]) -> Vec<PartsOfFile> {
    let around = files.iter().filter_map(|file| {
        let folder = design_folder(folder_of(&file.0));
        is_within(inner, folder).then_some((folder.len(), file))
    });
    let nearest = around.clone().map(|(length, _)| length).max();
    let own = around.filter(|(length, _)| Some(*length) == nearest);
    own.map(|(_, file)| file.clone()).collect()
}

/// What is named where the rules are that compile a source of the design: `vitis/Makefile` for `src/vadd.cpp`.
fn find_of_compilers(
    design: &DesignPlan,
    files: &[PartsOfFile],
    readmes: &[PartsOfFile],
) -> Vec<PartsOfFile> {
    let compiles = |script: &&BuildScript| !script.compiled.is_disjoint(&design.sources);
    let (texts, rules): (Vec<&BuildScript>, Vec<&BuildScript>) =
        design.scripts.iter().filter(compiles).partition(|script| script.is_readme);
    let folders: BTreeSet<&str> =
        rules.iter().map(|script| design_folder(folder_of(&script.name))).collect();
    let of_rules: Vec<PartsOfFile> =
        folders.into_iter().flat_map(|folder| find_nearest(folder, files)).collect();
    if !of_rules.is_empty() {
        return of_rules;
    }
    let is_own = |file: &&PartsOfFile| texts.iter().any(|script| script.name == file.0);
    readmes.iter().filter(is_own).cloned().collect()
}

/// What scripts name in folders that hold no design: `vivado/system.tcl` for `hls/net`. They are in the nearest folder above
/// the design that has any, or in a folder there without a design.
fn find_beside(design: &str, files: &[PartsOfFile], designs: &[String]) -> Vec<PartsOfFile> {
    let is_script = |name: &str| BuildFile::of_name(name) == Some(BuildFile::Tcl);
    let mut above = design;
    while !above.is_empty() {
        above = folder_of(above);
        let is_free = |name: &str| {
            let branch = find_branch(name, above);
            branch.is_some_and(|branch| !designs.iter().any(|one| is_within(one, branch)))
        };
        let mut free = files.iter().filter(|(name, _)| is_script(name) && is_free(name)).peekable();
        if free.peek().is_some() {
            return free.cloned().collect();
        }
    }
    Vec::new()
}

/// The folder or the file in `above` that a file is in or is: `a/b` of `a/b/c.tcl` in `a`.
fn find_branch<'n>(name: &'n str, above: &str) -> Option<&'n str> {
    if !is_within(name, above) {
        return None;
    }
    let start = if above.is_empty() { 0 } else { above.len() + 1 };
    let rest = name.get(start..)?;
    name.get(..start + rest.find('/').unwrap_or(rest.len()))
}

#[cfg(test)]
mod tests {
    use super::super::{PlanFiles, plan_designs};
    use super::*;
    use crate::search::testing::search_files;

    fn name(files: &[(&str, &str)]) -> Vec<String> {
        let (_dir, search) = search_files(files);
        let plans = plan_designs(&search, &PlanFiles::found(&search));
        let named = |plan: &DesignPlan| {
            let parts: Vec<&str> = plan
                .named
                .iter()
                .flat_map(|(_, parts)| parts)
                .map(|one| one.part.device())
                .collect();
            format!("{}: {}", plan.name, parts.join(" "))
        };
        plans.iter().map(named).collect()
    }

    #[test]
    fn a_rule_names_the_part_of_what_it_compiles() {
        let make = "PLATFORM ?= xilinx_u55c_gen3x16_xdma_3_202210_1\n";
        let rule = "a.xo: $(ROOT)/src/a.cpp\n\tv++ -c --platform $(PLATFORM) -k a $<\n";
        let code = ("src/a.cpp", "void a() {}\n");
        let other = ("old/a.cpp", "void a() {}\n");
        let files = [code, other, ("vitis/Makefile", make), ("vitis/rules.mk", rule)];
        assert_eq!(name(&files), [".: xcu55c", "old: "]);
        assert_eq!(name(&files[..3]), [".: ", "old: "]);
    }

    #[test]
    fn a_command_names_the_card_of_the_configuration_that_it_takes() {
        let make = "PLATFORM := xilinx_u250_gen3x16_xdma_4_1_202210_1\nCFG := $(realpath ../src/common)/a.cfg\n\
                    a.xclbin: a.xo\n\tv++ -l --platform $(PLATFORM) --config $(CFG) $<\n";
        let link = "[connectivity]\nnk=a:1:a_1\n";
        let files = [("build/Makefile", make), ("src/common/a.cfg", link), ("other/b.cfg", link)];
        assert_eq!(name(&files), ["other/b.cfg: ", "src/common/a.cfg: xcu250"]);
        // What is around a configuration goes behind what takes it.
        let shell = ("run.sh", "PLATFORM=xilinx_u280_xdma_201920_3\n");
        assert_eq!(
            name(&[files[0], files[1], files[2], shell]),
            ["other/b.cfg: xcu280", "src/common/a.cfg: xcu250"]
        );
    }

    #[test]
    fn a_script_beside_a_design_names_its_part_where_no_design_has_it() {
        let project = |part: &str| format!("create_project p ./p -part {part}\n");
        let (ours, other) = (project("xczu3eg-sbva484-1-e"), project("xc7z020clg400-1"));
        let (code, more) = (("a/hls/net/k.cpp", ""), ("b/k.cpp", ""));
        assert_eq!(name(&[code, more, ("a/vivado/bd.tcl", &ours)]), ["a/hls/net: xczu3eg", "b: "]);
        // A design's own script is not of another one, and one that is nearer goes first.
        assert_eq!(name(&[code, more, ("b/bd.tcl", &other)]), ["a/hls/net: ", "b: xc7z020"]);
        assert_eq!(
            name(&[code, ("a/vivado/bd.tcl", &ours), ("c/bd.tcl", &other)]),
            ["a/hls/net: xczu3eg"]
        );
    }
}
