//! Logs and timing summaries that say which clock a kernel reached once it was routed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use derate_estimate::DesignFiles;
use derate_hls::{ClockPeriods, Report, ReportKind, RoutedTiming, read_report};
use derate_project::{Build, Code};

use super::Reader;
use crate::designs::DesignPlan;
use crate::paths::folder_of;

impl Reader<'_> {
    /// Adds what the logs beside the reports of a design, or in a folder above them, say of a routed kernel, and of why the schedule is
    /// as it is. The rest of a log is in the reports, too.
    pub(super) fn add_routed(&mut self, build: &mut Build, reports: &[PathBuf]) {
        let folders: Vec<String> =
            reports.iter().map(|path| folder_of(&self.search.name(path)).to_owned()).collect();
        let is_above = |path: &PathBuf| {
            let name = self.search.name(path);
            let own = folder_of(&name);
            // Vitis of 2023.2 and newer has the logs of a component in a folder of their own.
            let own = own.strip_suffix("/logs").unwrap_or(own);
            folders.iter().any(|folder| {
                let rest = folder.strip_prefix(own);
                own.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let logs: Vec<PathBuf> = self.search.list_telling_logs(is_above).cloned().collect();
        for path in logs {
            let Some(file) = self.read_file(&path) else { continue };
            let Ok(mut report) = read_report(&self.folder.sources, file) else { continue };
            let of = |one: &Report| one.top.as_ref().map(|top| top.value.clone());
            if build.reports.iter().any(|one| of(one) == of(&report)) {
                (report.modules, report.unread) = (Vec::new(), Vec::new());
                if report.routed_period.is_none() {
                    (report.part, report.clock) = (None, ClockPeriods::default());
                    (report.tool, report.version) = (None, None);
                }
                build.reports.push(report);
            }
        }
    }

    /// The logs of a synthesis beside the sources of a design that has no reports: they have the intervals that its loops reached.
    pub(super) fn read_lone_logs(&mut self, plan: &DesignPlan, code: &Code) -> Vec<Report> {
        if !plan.reports.is_empty() {
            return Vec::new();
        }
        let folder = |path: &PathBuf| folder_of(&self.search.name(path)).to_owned();
        let folders: BTreeSet<String> = plan.sources.iter().map(folder).collect();
        let logs = self.search.list_synthesis_logs(|path| folders.contains(&folder(path)));
        let logs: Vec<PathBuf> = logs.into_iter().cloned().collect();
        let mut read = Vec::new();
        for path in logs {
            let Some(file) = self.read_file(&path) else { continue };
            let Ok(report) = read_report(&self.folder.sources, file) else { continue };
            let is_top = |top: &str| code.functions().any(|one| one.name == top);
            if report.top.as_ref().is_some_and(|top| is_top(&top.value)) {
                read.push(report);
            }
        }
        read
    }

    /// Adds the timing summary of each routed design to the designs whose kernels are in it: those that have a report of one, or
    /// whose scripts name it; where several have, the nearest. One that misses its clock and names no kernel goes to the design whose
    /// folder is nearest. What HLS exported and routed alone has a report of its own.
    pub(super) fn add_timing_summaries(&mut self) {
        let mut tries: BTreeMap<(String, String), Vec<Report>> = BTreeMap::new();
        for path in self.search.list_timing_summaries() {
            let name = self.search.name(&path);
            let Some(file) = self.read_file(&path) else { continue };
            let Ok(report) = read_report(&self.folder.sources, file) else { continue };
            let Some(timing) = &report.timing else { continue };
            let key = (folder_of(folder_of(&name)).to_owned(), timing.design.clone());
            tries.entry(key).or_default().push(report);
        }
        let designs = &self.folder.designs;
        let chosen = tries.into_values().flat_map(|all| choose_summaries(designs, all));
        for summary in chosen.collect::<Vec<_>>() {
            for at in summary.designs {
                let reports = &mut self.folder.designs[at].build.reports;
                if !is_exported(reports, &summary.report) {
                    reports.push(summary.report.clone());
                }
            }
        }
    }
}

/// A timing summary, and the designs that it is of.
struct Summary {
    designs: Vec<usize>,
    report: Report,
}

/// Of the summaries of one design in one folder, or in folders beside each other: they are tries, and of those with the same
/// kernels the newest counts. One that names none is of a kernel that another one with its file name has.
fn choose_summaries(designs: &[DesignFiles], tries: Vec<Report>) -> Vec<Summary> {
    let mut newest: BTreeMap<Vec<usize>, Report> = BTreeMap::new();
    let (named, others): (Vec<_>, Vec<_>) = tries
        .into_iter()
        .map(|report| (find_nearest(designs, &report), report))
        .partition(|(nearest, _)| !nearest.is_empty());
    let names: Vec<(String, Vec<usize>)> = named
        .iter()
        .map(|(nearest, report)| (file_name(report).to_owned(), nearest.clone()))
        .collect();
    // An older try beside one that names its kernel.
    let folder = |report: &Report| report.place.as_ref().map(|place| place.folder().to_owned());
    let is_older = |report: &Report| {
        let mut beside = named.iter().filter(|(_, other)| folder(other) == folder(report));
        beside.any(|(_, other)| other.is_newer_than(report))
    };
    let others: Vec<_> = others.into_iter().filter(|(_, report)| !is_older(report)).collect();
    let others = others.into_iter().filter_map(|(_, mut report)| {
        let own = names.iter().find(|(name, _)| *name == file_name(&report));
        let known = own.map(|(_, nearest)| nearest.clone());
        let lacks_kernel = known.is_none();
        let timing = report.timing.as_mut()?;
        timing.lacks_kernel = lacks_kernel;
        let place = report.place.as_ref().map_or("", |place| place.path());
        let around = || find_around(designs, place).into_iter().collect();
        Some((known.unwrap_or_else(around), report))
    });
    for (nearest, report) in named.into_iter().chain(others) {
        if newest.get(&nearest).is_none_or(|other| report.is_newer_than(other)) {
            newest.insert(nearest, report);
        }
    }
    // What meets its clock and names no kernel says nothing.
    let counts = |report: &Report| {
        report.timing.as_ref().is_some_and(|timing| !timing.lacks_kernel || timing.is_late())
    };
    let all = newest.into_iter().filter(|(_, report)| counts(report));
    all.map(|(designs, report)| Summary { designs, report }).collect()
}

/// The name of the file that a report is in.
fn file_name(report: &Report) -> &str {
    let place = report.place.as_ref().map_or("", |place| place.path());
    place.rsplit_once('/').map_or(place, |(_, name)| name)
}

/// The designs with a report of a kernel that is in a routed design, or whose scripts name such a kernel; where several have, the
/// nearest.
fn find_nearest(designs: &[DesignFiles], summary: &Report) -> Vec<usize> {
    let place = summary.place.as_ref().map_or("", |place| place.path());
    let near = |design: &DesignFiles| {
        let own = design.build.reports.iter().filter(|one| summary.is_routed_of(one));
        let reported = own.map(|one| summary.count_common(one)).max();
        let has = |timing: &RoutedTiming| design.tops.iter().any(|top| timing.has_cell(top));
        let named = summary.timing.as_ref().is_some_and(has);
        reported.or_else(|| named.then(|| count_common(place, &design.name)))
    };
    let Some(most) = designs.iter().filter_map(near).max() else { return Vec::new() };
    let all = designs.iter().enumerate().filter(|(_, one)| near(one) == Some(most));
    all.map(|(at, _)| at).collect()
}

/// The design whose folder is nearest to a file: the one that has most folders with it in common.
fn find_around(designs: &[DesignFiles], file: &str) -> Option<usize> {
    let all = designs.iter().enumerate().filter(|(_, design)| design.is_recognised());
    let near = |design: &DesignFiles| count_common(file, &design.name);
    all.max_by_key(|(_, one)| (near(one), Reverse(&one.name))).map(|(at, _)| at)
}

/// How many folders two paths have in common, from the top.
pub(super) fn count_common(one: &str, other: &str) -> usize {
    one.split('/').zip(other.split('/')).take_while(|(a, b)| a == b).count()
}

/// Whether a report has the clock of what HLS exported and routed alone.
fn is_exported(reports: &[Report], summary: &Report) -> bool {
    let path = |one: &Report| one.place.as_ref().map_or("", |place| place.path()).to_owned();
    let own = path(summary);
    let Some((solution, _)) = own.split_once("/impl/") else { return false };
    let is_there = |one: &Report| path(one).starts_with(&format!("{solution}/impl/"));
    reports.iter().any(|one| one.kind == ReportKind::Implementation && is_there(one))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use derate_hls::ReportKind;

    use crate::{Preprocess, load_folder};

    const LOG: &str = "****** Vitis HLS - High-Level Synthesis from C, C++ and OpenCL v2022.1 (64-bit)\n\
        INFO: [HLS 200-10] Synthesizing 'fir' ...\nCP required: 10.000\nCP achieved post-implementation: 7.500\n";

    fn module(top: &str) -> String {
        format!("== Vitis HLS Report for '{top}'\n* Date: Mon May  4 10:00:00 2026\n")
    }

    fn summary(day: u32, cell: &str) -> String {
        format!(
            "| Date : Mon May {day:2} 10:00:00 2026\n| Command : report_timing_summary -file a_routed.rpt\n\
             | Design : design_1_wrapper\n| Design State : Routed\n\n\
             | Clock Summary\nclk  {{0.000 5.000}}  10.000  100.000\n\
             | Intra Clock Table\nClock  WNS(ns)\n-----  -------\nclk     -0.100\n\
             | Timing Details\nSource: design_1_i/{cell}/inst/a_reg/C\n"
        )
    }

    /// What is said of routing in each design: its name, the kind and the file.
    fn routed(files: &[(&str, String)]) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
        let mut all = Vec::new();
        for design in &folder.designs {
            for report in &design.build.reports {
                if matches!(report.kind, ReportKind::Log | ReportKind::TimingSummary) {
                    let place = report.place.as_ref().unwrap();
                    all.push(format!("{}: {}", design.name, place.path()));
                }
            }
        }
        all
    }

    #[test]
    fn a_log_above_the_reports_of_its_kernel_is_read() {
        let report = ("fir/p/s/syn/report/fir_csynth.rpt", module("fir"));
        let code = ("fir/fir.cpp", "void fir(int* a) {\n#pragma HLS PIPELINE\n}\n".to_owned());
        let log = |name| (name, LOG.to_owned());
        let all = routed(&[report.clone(), code.clone(), log("fir/vitis_hls.log")]);
        assert_eq!(all, ["fir: fir/vitis_hls.log"]);
        assert!(routed(&[report.clone(), code.clone(), log("iir/vitis_hls.log")]).is_empty());
        let other = ("fir/p/s/syn/report/iir_csynth.rpt", module("iir"));
        assert!(routed(&[other, code, log("fir/vitis_hls.log")]).is_empty(), "another kernel");
    }

    #[test]
    fn a_log_that_says_what_a_pipeline_waits_for_is_read() {
        let report = ("fir/hls/syn/report/fir_csynth.rpt", module("fir"));
        let code = ("fir/fir.cpp", "void fir(int* a) {\n#pragma HLS PIPELINE\n}\n".to_owned());
        let plain = LOG.replace("CP achieved", "CP expected");
        let why =
            format!("{plain}Unable to schedule 'load' operation due to limited memory ports.\n");
        let all = |name, text| routed(&[report.clone(), code.clone(), (name, text)]);
        assert_eq!(all("fir/vitis_hls.log", why.clone()), ["fir: fir/vitis_hls.log"]);
        assert_eq!(all("fir/logs/hls_compile.log", why), ["fir: fir/logs/hls_compile.log"]);
        assert!(all("fir/vitis_hls.log", plain).is_empty());
    }

    #[test]
    fn a_timing_summary_is_of_the_nearest_design_with_an_instance() {
        let report = |board: &str| format!("{board}/hls/p/s/syn/report/fir_csynth.rpt");
        let (a, b) = (report("a"), report("b"));
        let both = [(a.as_str(), module("fir")), (b.as_str(), module("fir"))];
        let of = |summaries: &[(&str, String)]| routed(&[&both[..], summaries].concat());
        let (first, second) = (
            "b/v/v.runs/impl_1/w_timing_summary_routed.rpt",
            "b/v/v.runs/impl_2/w_timing_summary_routed.rpt",
        );
        let is = |all: Vec<String>, file: &str| {
            all.len() == 1 && all[0].ends_with(file) && all[0].starts_with("b/")
        };
        assert!(is(of(&[(first, summary(5, "fir_0"))]), first));
        let met = |cell| summary(5, cell).replace("-0.100", " 0.100");
        assert!(of(&[(first, met("iir_0"))]).is_empty(), "no instance, and it is met");
        assert!(is(of(&[(first, summary(5, "iir_0"))]), first), "missed beside a kernel");
        assert!(of(&[("b/w_routed.rpt", summary(5, "fir_0"))]).is_empty(), "another name");
        assert!(is(of(&[("b/post_Timing.rpt", summary(5, "fir_0"))]), "b/post_Timing.rpt"));
        // Of two tries the newest counts.
        assert!(is(of(&[(first, summary(6, "fir_0")), (second, summary(5, "fir_0"))]), first));
    }
}
