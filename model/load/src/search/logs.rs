//! The logs of the tool in a folder.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use derate_hls::{AttemptEnd, ReportKind, Sources, read_log_version, read_report, report_kind};

use super::{Search, has_extension, read_small};

/// A log names its tool in its first lines.
const HEAD: u64 = 4096;

impl Search {
    /// The version of the tool that all logs and packing scripts name which name one, and the first of them.
    pub(crate) fn find_log_tool(&self) -> Option<((u16, u16), String)> {
        let logs =
            self.having(&["log"]).filter(|path| self.vendored.find(&self.name(path)).is_none());
        // What the tool writes to pack its result has its version in its heading.
        let packing = self.having(&["tcl"]).filter(|path| path.ends_with("impl/ip/run_ippack.tcl"));
        let named: Vec<_> = logs
            .chain(packing)
            .filter_map(|path| Some((read_log_version(&read_head(path)?)?, self.name(path))))
            .collect();
        let versions: BTreeSet<(u16, u16)> = named.iter().map(|(version, _)| *version).collect();
        named.into_iter().next().filter(|_| versions.len() == 1)
    }

    /// Of the logs that are wanted those of a synthesis.
    pub(crate) fn list_synthesis_logs(
        &self,
        is_wanted: impl Fn(&PathBuf) -> bool,
    ) -> Vec<&PathBuf> {
        let is_own = |path: &&PathBuf| self.vendored.find(&self.name(path)).is_none();
        let is_log = |path: &&PathBuf| {
            let kind = read_small(path).and_then(|text| report_kind(&text));
            kind == Some(ReportKind::Log)
        };
        let wanted = self.having(&["log"]).filter(|path| is_wanted(path));
        wanted.filter(is_own).filter(is_log).collect()
    }

    /// Of the logs that are wanted those of a synthesis which say more than its reports: of a kernel that was placed and routed, too,
    /// and of what the schedule waits for.
    pub(crate) fn list_telling_logs(
        &self,
        is_wanted: impl Fn(&PathBuf) -> bool,
    ) -> impl Iterator<Item = &PathBuf> {
        let is_own = |path: &&PathBuf| self.vendored.find(&self.name(path)).is_none();
        let tells = |path: &&PathBuf| {
            read_small(path).is_some_and(|text| {
                TELLING.iter().any(|words| text.contains(words)) && report_kind(&text).is_some()
            })
        };
        self.having(&["log"]).filter(move |path| is_wanted(path) && is_own(path)).filter(tells)
    }

    /// The logs of syntheses, also those that `nohup` keeps, with how the last one ended: without those that the tool has put
    /// aside for newer ones. None where no last synthesis failed.
    pub(crate) fn list_attempts(&self) -> Vec<(&PathBuf, AttemptEnd)> {
        let is_log = |path: &&PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_named = has_extension(path, &["log"]) || name == "nohup.out";
            is_named && !name.ends_with(".backup.log")
        };
        let is_own = |path: &&PathBuf| self.vendored.find(&self.name(path)).is_none();
        let all = self.having(&["log", "out"]).filter(is_log).filter(is_own);
        let (failing, others): (Vec<_>, Vec<_>) = all.partition(|path| {
            read_small(path).is_some_and(|text| ERRORS.iter().any(|words| text.contains(words)))
        });
        let mut ended: Vec<_> = failing.into_iter().filter_map(read_end).collect();
        if ended.iter().all(|(_, end)| *end != AttemptEnd::Failed) {
            return Vec::new();
        }
        ended.extend(others.into_iter().filter_map(read_end));
        ended
    }

    /// The timing summaries of routed designs: reports with `timing` in their names.
    pub(crate) fn list_timing_summaries(&self) -> Vec<PathBuf> {
        let is_named = |path: &&PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.to_ascii_lowercase().contains("timing"))
        };
        let is_own = |path: &&PathBuf| self.vendored.find(&self.name(path)).is_none();
        let all = self.having(&["rpt"]).filter(is_named).filter(is_own);
        let is_routed = |path: &&PathBuf| {
            let kind = read_small(path).and_then(|text| report_kind(&text));
            kind == Some(ReportKind::TimingSummary)
        };
        all.filter(is_routed).cloned().collect()
    }
}

/// How the last synthesis of a log ended.
fn read_end(path: &PathBuf) -> Option<(&PathBuf, AttemptEnd)> {
    let mut sources = Sources::default();
    let file = sources.add(path.to_string_lossy(), read_small(path)?);
    let report = read_report(&sources, file).ok().filter(|it| it.kind == ReportKind::Log)?;
    Some((path, report.attempt?.end))
}

/// What an error begins with in a log of HLS.
const ERRORS: [&str; 2] = ["ERROR: [", "@E ["];

/// What a log says of a kernel that was placed and routed, and of a schedule.
const TELLING: [&str; 5] = [
    "CP achieved post-implementation:",
    "Unable to enforce a carried ",
    "due to limited memory ports",
    "The critical path in module ",
    "Unable to satisfy pipeline directive",
];

fn read_head(path: &Path) -> Option<String> {
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    Some(String::from_utf8_lossy(&head).into_owned())
}
