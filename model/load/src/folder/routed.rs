//! Logs that say which clock a kernel reached once it was routed.

use std::path::PathBuf;

use derate_hls::{Report, read_report};
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
}
