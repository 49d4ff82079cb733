//! Logs and timing summaries that say which clock a kernel reached once it was routed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use derate_estimate::DesignFiles;
use derate_hls::{Report, ReportKind, read_report};
use derate_project::Build;

use super::Reader;
use crate::paths::folder_of;

impl Reader<'_> {
    /// Adds what the logs beside the reports of a design, or in a folder above them, say of a routed kernel. The rest of a log is
    /// in the reports, too.
    pub(super) fn add_routed(&mut self, build: &mut Build, reports: &[PathBuf]) {
        let folders: Vec<String> =
            reports.iter().map(|path| folder_of(&self.search.name(path)).to_owned()).collect();
        let is_above = |path: &PathBuf| {
            let name = self.search.name(path);
            let own = folder_of(&name);
            folders.iter().any(|folder| {
                let rest = folder.strip_prefix(own);
                own.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let logs: Vec<PathBuf> = self.search.list_routed_logs(is_above).cloned().collect();
        for path in logs {
            let Some(file) = self.read_file(&path) else { continue };
            let Ok(mut report) = read_report(&self.folder.sources, file) else { continue };
            let of = |one: &Report| one.top.as_ref().map(|top| top.value.clone());
            if build.reports.iter().any(|one| of(one) == of(&report)) {
                (report.modules, report.unread) = (Vec::new(), Vec::new());
                build.reports.push(report);
            }
        }
    }

    /// Adds the timing summary of each routed design to the designs whose kernels are in it: those that have a report of one, or,
    /// where several have, the nearest. What HLS exported and routed alone has a report of its own.
    pub(super) fn add_timing_summaries(&mut self) {
        let mut newest: BTreeMap<(String, String), Report> = BTreeMap::new();
        for path in self.search.list_timing_summaries() {
            let name = self.search.name(&path);
            let Some(file) = self.read_file(&path) else { continue };
            let Ok(report) = read_report(&self.folder.sources, file) else { continue };
            // Several summaries of one folder are tries.
            let design = report.timing.as_ref().map(|it| it.design.clone()).unwrap_or_default();
            let key = (folder_of(&name).to_owned(), design);
            if newest.get(&key).is_none_or(|other| report.is_newer_than(other)) {
                newest.insert(key, report);
            }
        }
        for ((folder, _), summary) in newest {
            let near = |design: &DesignFiles| {
                let reports = design.build.reports.iter();
                reports
                    .filter(|one| summary.is_routed_of(one))
                    .map(|one| summary.count_common(one))
                    .max()
            };
            let solution =
                folder.split_once("/impl/").map(|(solution, _)| format!("{solution}/impl/"));
            let is_known = |report: &Report| {
                let path = report.place.as_ref().map_or("", |place| place.path());
                let is_there = |solution: &String| path.starts_with(solution);
                report.kind == ReportKind::Implementation && solution.as_ref().is_some_and(is_there)
            };
            let designs = &mut self.folder.designs;
            let Some(most) = designs.iter().filter_map(near).max() else { continue };
            for design in designs.iter_mut().filter(|one| near(one) == Some(most)) {
                if !design.build.reports.iter().any(is_known) {
                    design.build.reports.push(summary.clone());
                }
            }
        }
    }
}
