//! Parts that build files name which are not the tool's own.

use derate_machine::{BuildFile, NamedPart};

use super::design::DesignPlan;
use super::place::design_folder;
use crate::paths::{folder_of, is_within};

/// Gives each design what the files around it name that run the tools: those of its folder, else of the nearest one above, else
/// the scripts of Vivado that are beside it.
pub(super) fn add_named_parts(designs: &mut [DesignPlan], files: &[(String, Vec<NamedPart>)]) {
    let folders: Vec<String> = designs.iter().map(|one| one.folder.clone()).collect();
    for design in designs {
        let around = files.iter().filter_map(|(name, parts)| {
            let folder = design_folder(folder_of(name));
            is_within(&design.folder, folder).then_some((folder.len(), parts))
        });
        let nearest = around.clone().map(|(length, _)| length).max();
        let own = around.filter(|(length, _)| Some(*length) == nearest);
        design.named = own.flat_map(|(_, parts)| parts.iter().cloned()).collect();
        if design.named.is_empty() {
            design.named = find_beside(&design.folder, files, &folders);
        }
    }
}

/// What scripts name in folders that hold no design: `vivado/system.tcl` for `hls/net`. They are in the nearest folder above
/// the design that has any, or in a folder there without a design.
fn find_beside(
    design: &str,
    files: &[(String, Vec<NamedPart>)],
    designs: &[String],
) -> Vec<NamedPart> {
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
            return free.flat_map(|(_, parts)| parts.iter().cloned()).collect();
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

    #[test]
    fn a_script_beside_a_design_names_its_part_where_no_design_has_it() {
        let project = |part: &str| format!("create_project p ./p -part {part}\n");
        let (ours, other) = (project("xczu3eg-sbva484-1-e"), project("xc7z020clg400-1"));
        let name = |files: &[(&str, &str)]| -> Vec<String> {
            let (_dir, search) = search_files(files);
            let plans = plan_designs(&search, &PlanFiles::found(&search));
            let named = |plan: &DesignPlan| {
                let parts: Vec<&str> = plan.named.iter().map(|one| one.part.device()).collect();
                format!("{}: {}", plan.name, parts.join(" "))
            };
            plans.iter().map(named).collect()
        };
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
