//! Which version of the tool a design is built with, of all that the files of a folder name.

use std::collections::{BTreeMap, BTreeSet};

use derate_estimate::{DesignFiles, DesignTool, ToolOrigin, find_agreed_tool};

use super::design::DesignPlan;
use crate::search::{BuildScript, Search};

/// The scripts of each design, by its name.
pub(crate) struct ToolPlan(BTreeMap<String, Vec<BuildScript>>);

impl ToolPlan {
    /// Those of these plans.
    pub(crate) fn of(plans: &[DesignPlan]) -> Self {
        Self(plans.iter().map(|plan| (plan.name.clone(), plan.scripts.clone())).collect())
    }

    /// Sets the version of each design whose own reports name none: that of the reports of its solution, else the one that all
    /// other reports name where the heading of its scripts has no other year, else the one of all logs, else that of this year.
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
            logs.map(|(version, file)| DesignTool { version, origin: ToolOrigin::Logs(file) });
        for at in (0..designs.len()).filter(|at| is_open(&designs[*at])).collect::<Vec<_>>() {
            let heading = self.find_heading(&designs[at]);
            let is_of_year = |tool: &DesignTool| {
                heading.as_ref().is_none_or(|own| own.version.0 == tool.version.0)
            };
            let found = self
                .find_solution(designs, at)
                .or_else(|| others.clone().filter(is_of_year))
                .or_else(|| logs.clone())
                .or_else(|| heading.clone());
            if let Some(tool) = found {
                designs[at].tool = tool;
            }
        }
    }

    /// What the reports of the solutions of a design agree on: of the one whose directives it has, else of all.
    fn find_solution(&self, designs: &[DesignFiles], at: usize) -> Option<DesignTool> {
        let design = &designs[at];
        let own = self.0.get(&design.name)?;
        let shares = |other: &DesignFiles| {
            let scripts = self.0.get(&other.name);
            scripts.is_some_and(|scripts| scripts.iter().any(|script| own.contains(script)))
        };
        let solutions: Vec<&DesignFiles> = designs
            .iter()
            .filter(|other| other.tool.origin == ToolOrigin::Reports && shares(other))
            .collect();
        let taken = design.asked.others.solution.as_ref().and_then(|one| one.solution.as_deref());
        let is_taken = |one: &&&DesignFiles| one.name.rsplit('/').next() == taken;
        let taken: Vec<&DesignFiles> = solutions.iter().filter(is_taken).copied().collect();
        let all = if taken.is_empty() { solutions } else { taken };
        let version = find_agreed_tool(all.iter().map(|one| &one.build))?;
        let folder = all.first()?.name.clone();
        Some(DesignTool { version, origin: ToolOrigin::Solution(folder) })
    }

    /// Gives a design without reports those of its solutions, which are designs of their own.
    pub(crate) fn lend_reports(&self, designs: &mut [DesignFiles]) {
        let is_bare =
            |one: &DesignFiles| one.build.reports.is_empty() && !one.code.headers().is_empty();
        for at in 0..designs.len() {
            let Some(own) = self.0.get(&designs[at].name).filter(|_| is_bare(&designs[at])) else {
                continue;
            };
            let shares = |other: &&DesignFiles| {
                let scripts = self.0.get(&other.name);
                other.code.headers().is_empty()
                    && scripts.is_some_and(|all| all.iter().any(|script| own.contains(script)))
            };
            let lent: Vec<_> =
                designs.iter().filter(shares).flat_map(|one| &one.build.reports).cloned().collect();
            designs[at].solutions = lent;
        }
    }

    fn find_heading(&self, design: &DesignFiles) -> Option<DesignTool> {
        let scripts = self.0.get(&design.name)?;
        let named = || scripts.iter().filter_map(|script| Some((script.tool?, &script.name)));
        let versions: BTreeSet<(u16, u16)> = named().map(|(version, _)| version).collect();
        let (version, file) = named().next().filter(|_| versions.len() == 1)?;
        Some(DesignTool { version, origin: ToolOrigin::Heading(file.clone()) })
    }
}
