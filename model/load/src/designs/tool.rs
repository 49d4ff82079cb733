//! Which version of the tool a design is built with, of all that the files of a folder name.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use derate_estimate::{DesignFiles, DesignTool, ToolOrigin, find_agreed_tool};
use derate_hls::{FileId, Report, Sources};

use super::clock::is_same_clock;
use super::design::DesignPlan;
use super::place::design_folder;
use crate::paths::{folder_of, is_within};
use crate::search::{BuildScript, Search, ToolFile};

/// The folder and the scripts of each design, by its name.
pub(crate) struct ToolPlan(BTreeMap<String, (String, Vec<BuildScript>)>);

/// The last version that exists only as Vivado HLS: 2020.1 exists as Vitis HLS, too.
const LAST_VIVADO: (u16, u16) = (2019, 2);

impl ToolPlan {
    /// Those of these plans.
    pub(crate) fn of(plans: &[DesignPlan]) -> Self {
        let own =
            |plan: &DesignPlan| (plan.name.clone(), (plan.folder.clone(), plan.scripts.clone()));
        Self(plans.iter().map(own).collect())
    }

    fn scripts(&self, design: &DesignFiles) -> Option<&Vec<BuildScript>> {
        self.0.get(&design.name).map(|(_, scripts)| scripts)
    }

    /// Sets the version of each design whose own reports name none: that of the reports of its solution, else the one that all
    /// other reports name, else the one of all logs, else the one that the files nearest to it name in passing, around it or at last
    /// elsewhere in the folder. Other reports and files do not count where the heading of its scripts has another year.
    pub(crate) fn settle(&self, designs: &mut [DesignFiles], search: &Search) {
        let is_open = |design: &DesignFiles| design.tool.origin == ToolOrigin::Assumed;
        if !designs.iter().any(is_open) {
            return;
        }
        let others = find_agreed_tool(designs.iter().map(|design| &design.build));
        let others = others.map(|version| DesignTool { version, origin: ToolOrigin::OtherReports });
        let has_reports = designs.iter().any(|one| !is_open(one));
        let logs = if has_reports { None } else { search.find_log_tool() };
        let logs =
            logs.map(|(version, file)| DesignTool { version, origin: ToolOrigin::File(file) });
        // They are read where nothing else names a version.
        let files = LazyCell::new(|| search.find_tool_files());
        for at in (0..designs.len()).filter(|at| is_open(&designs[*at])).collect::<Vec<_>>() {
            let heading = self.find_heading(&designs[at]);
            let is_of_year = |tool: &DesignTool| {
                heading.as_ref().is_none_or(|own| own.version.0 == tool.version.0)
            };
            let found = self
                .find_solution(designs, at)
                .or_else(|| others.clone().filter(is_of_year))
                .or_else(|| logs.clone())
                .or_else(|| self.find_mention(&designs[at], &files).filter(is_of_year))
                .or_else(|| heading.clone())
                .or_else(|| self.find_vivado(&designs[at], &files))
                .or_else(|| self.find_family(&designs[at], &files))
                .or_else(|| self.find_beside(&designs[at], &files));
            if let Some(tool) = found {
                designs[at].tool = tool;
            }
        }
    }

    /// What the reports of the solutions of a design agree on: of the one whose directives it has, else of all.
    fn find_solution(&self, designs: &[DesignFiles], at: usize) -> Option<DesignTool> {
        let design = &designs[at];
        let is_solution = |other: &&DesignFiles| {
            other.tool.origin == ToolOrigin::Reports && self.share_a_script(design, other)
        };
        let solutions: Vec<&DesignFiles> = designs.iter().filter(is_solution).collect();
        let taken = design.asked.others.solution.as_ref().and_then(|one| one.solution.as_deref());
        let is_taken = |one: &&&DesignFiles| one.name.rsplit('/').next() == taken;
        let taken: Vec<&DesignFiles> = solutions.iter().filter(is_taken).copied().collect();
        let all = if taken.is_empty() { solutions } else { taken };
        let version = find_agreed_tool(all.iter().map(|one| &one.build))?;
        let part = |one: &DesignFiles| one.part.as_ref().map(|part| part.name.clone());
        let of_part = all.iter().find(|one| part(one).is_some() && part(one) == part(design));
        let folder = of_part.or(all.first())?.name.clone();
        Some(DesignTool { version, origin: ToolOrigin::Solution(folder) })
    }

    /// Gives a design without reports those of its solutions, which are designs of their own, else those of a design of which
    /// all its files are copies. Those of another design that are of a function of its own are elsewhere.
    pub(crate) fn lend_reports(&self, sources: &Sources, designs: &mut [DesignFiles]) {
        let is_bare = |one: &DesignFiles| {
            one.build.reports.is_empty()
                && one.solutions.is_empty()
                && !one.code.headers().is_empty()
        };
        for at in (0..designs.len()).filter(|at| is_bare(&designs[*at])).collect::<Vec<_>>() {
            let is_solution = |other: &&DesignFiles| {
                other.code.headers().is_empty() && self.share_a_script(&designs[at], other)
            };
            let solutions = designs.iter().filter(is_solution);
            let lent: Vec<_> = solutions.flat_map(|one| &one.build.reports).cloned().collect();
            let original = designs.iter().find(|other| {
                lent.is_empty()
                    && !other.build.reports.is_empty()
                    && self.define_the_same(&designs[at], other)
                    && is_copy(sources, &designs[at], other)
            });
            let solutions = original.map_or(lent, |original| original.build.reports.clone());
            if solutions.is_empty() {
                designs[at].elsewhere = list_elsewhere(&designs[at], designs);
            }
            designs[at].solutions = solutions;
        }
    }

    /// Whether scripts give two designs the same macros.
    fn define_the_same(&self, one: &DesignFiles, other: &DesignFiles) -> bool {
        let defines = |design: &DesignFiles| -> BTreeSet<(String, String)> {
            let scripts = self.scripts(design).into_iter().flatten();
            scripts.flat_map(|script| script.defines.iter().cloned()).collect()
        };
        defines(one) == defines(other)
    }

    /// Whether a script of one is a script of the other.
    fn share_a_script(&self, one: &DesignFiles, other: &DesignFiles) -> bool {
        let (own, others) = (self.scripts(one), self.scripts(other));
        own.zip(others).is_some_and(|(own, others)| own.iter().any(|one| others.contains(one)))
    }

    fn find_heading(&self, design: &DesignFiles) -> Option<DesignTool> {
        let scripts = self.scripts(design)?;
        let named = || scripts.iter().filter_map(|script| Some((script.tool?, &script.name)));
        let versions: BTreeSet<(u16, u16)> = named().map(|(version, _)| version).collect();
        let (version, file) = named().next().filter(|_| versions.len() == 1)?;
        Some(DesignTool { version, origin: ToolOrigin::Heading(file.clone()) })
    }

    /// The one version that the files name in the folder of the design, else in the nearest one around it.
    fn find_mention(&self, design: &DesignFiles, files: &[ToolFile]) -> Option<DesignTool> {
        let near = self.list_nearest(design, files, |file| !file.versions.is_empty());
        let versions: BTreeSet<(u16, u16)> =
            near.iter().flat_map(|file| file.versions.iter().copied()).collect();
        let version = versions.first().copied().filter(|_| versions.len() == 1)?;
        let origin = ToolOrigin::File(near.first()?.name.clone());
        Some(DesignTool { version, origin })
    }

    /// The one version of Vivado that saved the block designs nearest to it.
    fn find_vivado(&self, design: &DesignFiles, files: &[ToolFile]) -> Option<DesignTool> {
        let near = self.list_nearest(design, files, |file| file.vivado.is_some());
        let versions: BTreeSet<(u16, u16)> = near.iter().filter_map(|file| file.vivado).collect();
        let version = versions.first().copied().filter(|_| versions.len() == 1)?;
        Some(DesignTool { version, origin: ToolOrigin::Vivado(near.first()?.name.clone()) })
    }

    /// Vivado HLS, where a file asks for it and none beside it for Vitis HLS.
    fn find_family(&self, design: &DesignFiles, files: &[ToolFile]) -> Option<DesignTool> {
        let near = self.list_nearest(design, files, |file| file.is_of_vivado || file.is_of_vitis);
        if near.iter().any(|file| file.is_of_vitis) {
            return None;
        }
        let origin = ToolOrigin::Family(near.first()?.name.clone());
        Some(DesignTool { version: LAST_VIVADO, origin })
    }

    /// The one version that the files name in the folders below and beside the design's: of those around it, in the smallest that has
    /// any. A design for Vitis HLS gets no version that is one of Vivado HLS alone.
    fn find_beside(&self, design: &DesignFiles, files: &[ToolFile]) -> Option<DesignTool> {
        let (own, _) = self.0.get(&design.name)?;
        let naming: Vec<&ToolFile> =
            files.iter().filter(|file| !file.versions.is_empty()).collect();
        let above = own.match_indices('/').map(|(end, _)| &own[..end]).rev();
        let around = iter::once(own.as_str()).chain(above).chain([""]);
        let is_in = |file: &ToolFile, folder: &str| is_within(folder_of(&file.name), folder);
        let mut near = around.map(|folder| {
            naming.iter().filter(|file| is_in(file, folder)).copied().collect::<Vec<_>>()
        });
        let near = near.find(|near| !near.is_empty())?;
        let versions: BTreeSet<(u16, u16)> =
            near.iter().flat_map(|file| file.versions.iter().copied()).collect();
        let version = versions.first().copied().filter(|_| versions.len() == 1)?;
        let vitis = self.list_nearest(design, files, |file| file.is_of_vitis);
        let is_possible = vitis.is_empty() || version > LAST_VIVADO;
        let origin = ToolOrigin::Beside(near.first()?.name.clone());
        is_possible.then_some(DesignTool { version, origin })
    }

    /// The files that say something, in the folder of the design, else in the nearest one around it.
    fn list_nearest<'f>(
        &self,
        design: &DesignFiles,
        files: &'f [ToolFile],
        says: fn(&ToolFile) -> bool,
    ) -> Vec<&'f ToolFile> {
        let Some((own, _)) = self.0.get(&design.name) else { return Vec::new() };
        let around = files.iter().filter(|file| says(file)).filter_map(|file| {
            let folder = design_folder(folder_of(&file.name));
            is_within(own, folder).then_some((folder.len(), file))
        });
        let nearest = around.clone().map(|(length, _)| length).max();
        around.filter(|(length, _)| Some(*length) == nearest).map(|(_, file)| file).collect()
    }
}

/// The reports of other designs whose top, or the loop of it that the tool made a module of, this design alone defines.
fn list_elsewhere(design: &DesignFiles, designs: &[DesignFiles]) -> Vec<Report> {
    let defines = |one: &DesignFiles, name: &str| {
        one.code.functions().any(|function| function.name == name && function.body.is_some())
    };
    let reports = designs.iter().flat_map(|one| one.build.reports.iter().map(move |it| (one, it)));
    let own = reports.filter(|(other, report)| {
        let Some(top) = report.top.as_ref().map(|top| top.value.as_str()) else { return false };
        let function = top.split_once("_Pipeline_").map_or(top, |(function, _)| function);
        !defines(other, function) && defines(design, function)
    });
    own.map(|(_, report)| report.clone()).collect()
}

/// Whether another design has a file of the same name and text for each of one, is for the same part and clock, and neither is
/// built with directives that the files do not have.
fn is_copy(sources: &Sources, one: &DesignFiles, other: &DesignFiles) -> bool {
    let name = |file: FileId| sources.name(file).rsplit('/').next();
    let part = |design: &DesignFiles| design.part.as_ref().map(|part| part.name.clone());
    let is_plain = |design: &DesignFiles| {
        let mut all = design.asked.own.values().chain([&design.asked.others]);
        all.all(|asked| asked.directives.is_empty())
    };
    part(one) == part(other)
        && is_same_clock(one.clock.value.0, other.clock.value.0)
        && is_plain(one)
        && is_plain(other)
        && one.code.headers().iter().all(|own| {
            let mut others = other.code.headers().iter().map(|header| header.file);
            others.any(|file| {
                name(file) == name(own.file) && sources.text(file) == sources.text(own.file)
            })
        })
}
