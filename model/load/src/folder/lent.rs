//! What the reports of its solutions say of a design that has no reports of its own.

use std::collections::BTreeSet;
use std::path::PathBuf;

use derate_estimate::{DesignFiles, DesignTool, ToolOrigin, find_agreed_tool};
use derate_hls::{FileId, Report, gather_syntheses, read_report};
use derate_project::Build;

use super::Reader;
use crate::designs::{DesignPlan, defines, solution_folder};
use crate::paths::folder_of;
use crate::search::read_small;

impl Reader<'_> {
    /// Lets the reports of its solutions, or the log of its only synthesis, say for which chip and clock a design is built, and with which tool, where it has no
    /// reports and no script and no build file says so. Gives what it has itself, and the tops of these reports.
    pub(super) fn lend_solutions(
        &mut self,
        plan: &DesignPlan,
        design: &mut DesignFiles,
    ) -> Option<(Build, BTreeSet<String>)> {
        let is_said = !plan.named.is_empty()
            || plan.scripts.iter().any(|one| one.names_clock() || !one.parts.is_empty());
        if is_said || !plan.reports.is_empty() {
            return None;
        }
        let logs = if plan.solutions.is_empty() { self.find_own_log(plan) } else { Vec::new() };
        let files: Vec<FileId> =
            plan.solutions.iter().chain(&logs).filter_map(|path| self.read_file(path)).collect();
        let read = |file: FileId| Some((file, read_report(&self.folder.sources, file).ok()?));
        let read: Vec<(FileId, Report)> = files.into_iter().filter_map(read).collect();
        // The log may be of an older source.
        let is_there = |top: &String| {
            let mut texts = plan.sources.iter().filter_map(|path| read_small(path));
            logs.is_empty() || texts.any(|text| defines(&text, top))
        };
        let tops = gather_syntheses(&read).into_iter().map(|one| one.top);
        let tops = tops.filter(is_there).collect();
        let reports: Vec<Report> = read.into_iter().map(|(_, report)| report).collect();
        if reports.is_empty() {
            return None;
        }
        if logs.is_empty() {
            design.solutions.clone_from(&reports);
        }
        let reported = Build { reports, ..design.build.clone() };
        // Of several solutions of a script, it is the one whose directives are taken.
        if plan.scripts.is_empty()
            && logs.is_empty()
            && let Some(version) = find_agreed_tool([&reported])
        {
            let first = plan.solutions.first().map(|path| self.search.name(path))?;
            let origin = ToolOrigin::Solution(solution_folder(folder_of(&first)).to_owned());
            design.tool = DesignTool { version, origin };
        }
        Some((std::mem::replace(&mut design.build, reported), tops))
    }

    /// The only log of a synthesis in the folder of a design, where nothing else there says what was built: one that adds a source of
    /// the design.
    fn find_own_log(&self, plan: &DesignPlan) -> Vec<PathBuf> {
        let folder = plan.folder();
        let is_here = |path: &PathBuf| folder_of(&self.search.name(path)) == folder;
        let logs = self.search.list_synthesis_logs(is_here);
        let [only] = logs[..] else { return Vec::new() };
        let names = plan.sources.iter().filter_map(|path| path.file_name()?.to_str());
        let names: BTreeSet<&str> = names.collect();
        let adds = |line: &str| {
            let (_, file) = line.split_once("Adding design file '")?;
            names.contains(file.split('\'').next()?.rsplit(['/', '\\']).next()?).then_some(())
        };
        let text = read_small(only).unwrap_or_default();
        if text.lines().any(|line| adds(line).is_some()) { vec![only.clone()] } else { Vec::new() }
    }
}
