//! `vitis_hls.log`, `vivado_hls.log` and what `nohup` keeps of them: the messages of a synthesis, line by line.
//!
//! A log has no latency and no resources. It has what was asked of each pipeline and what came of it, the violations with
//! their reasons, part and clock. Of several syntheses in one log the last counts.

use super::attempt::{Attempt, AttemptEnd, AttemptReader};
use super::figure::{Decimal, Figure, Located};
use super::log_line::{Line, quoted_after};
use super::module::{Module, ReportedLoop, Violation};
use super::refused::RefusedPipeline;
use super::report::{Report, ReportKind};
use super::schedule::{CriticalPath, Held, Schedule, ScheduledPipeline, parse_step};
use crate::{FileId, Sources, Span};

const VIOLATION: &str = "II Violation";

/// Whether a line is one that HLS writes into its log.
pub(crate) fn is_log_line(line: &str) -> bool {
    let banner = line.strip_prefix("****** ").unwrap_or_default();
    banner.starts_with("Vitis HLS")
        || banner.starts_with("Vivado(TM) HLS")
        || ["[HLS 200-", "[SCHED 204-", "[XFORM 203-"]
            .iter()
            .any(|code| line.split_once(": ").is_some_and(|(_, message)| message.starts_with(code)))
        || is_old_message(line)
}

/// Whether a line is a message of a release before 2016: `@I [HLS-10] Synthesizing 'fir' ...`.
fn is_old_message(line: &str) -> bool {
    let message = ["@I ", "@W ", "@E "].iter().find_map(|level| line.strip_prefix(level));
    message.is_some_and(|message| {
        ["[HLS-", "[SCHED-", "[XFORM-"].iter().any(|code| message.starts_with(code))
    })
}

struct State {
    report: Report,
    /// The loop that is being pipelined: releases before 2020.2 name it on a line of its own.
    pipelined: Option<Located<String>>,
    /// The causes that are named for the pipeline which is being scheduled.
    causes: Vec<Located<String>>,
    /// Whether the lines are those of a path.
    in_path: bool,
}

/// Reads the whole text.
pub(crate) fn read_log(sources: &Sources, file: FileId) -> Report {
    let mut state = State {
        report: Report::new(ReportKind::Log),
        pipelined: None,
        causes: Vec::new(),
        in_path: false,
    };
    let (mut attempts, mut start) = (AttemptReader::new(), 0);
    for line in sources.text(file).split_inclusive('\n') {
        let read = Line { text: line.trim_end(), file, start };
        state.read_line(read);
        attempts.read_line(read);
        start += line.len();
    }
    state.report.attempt = attempts.finish();
    if state.report.modules.is_empty() {
        let span =
            Span { file, start: 0, end: sources.text(file).lines().next().map_or(0, str::len) };
        let has_failed = |one: &Attempt| one.end == AttemptEnd::Failed;
        let reason = if state.report.attempt.as_ref().is_some_and(has_failed) {
            "the synthesis of the log ended in an error"
        } else {
            "the log has no synthesis"
        };
        state.report.note_unread(span, reason);
    }
    state.report
}

impl State {
    fn read_line(&mut self, line: Line<'_>) {
        let text = line.text;
        if self.read_schedule(line) {
            return;
        }
        let report = &mut self.report;
        if let Some(banner) = text.strip_prefix("****** ") {
            read_banner(report, line, banner);
        } else if let Some(top) = quoted_after(text, "Synthesizing ") {
            report.modules.clear();
            report.schedule = Schedule::default();
            report.routed_period = None;
            report.top = Some(line.locate(top));
        } else if let Some(part) = quoted_after(text, "Setting target device to ") {
            report.part = Some(line.locate(part));
        } else if let Some((_, period)) = text.split_once("with a period of ") {
            let period = period.trim_end_matches('.').trim_end_matches("ns");
            report.clock.target = Some(line.locate(period).map(|it| Decimal::parse(&it, "ns")));
        } else if let Some(period) = text.strip_prefix("CP achieved post-implementation:") {
            let period = line.locate(period.trim());
            report.routed_period = Some(period.map(|it| Decimal::parse(&it, "ns")));
        } else if let Some(module) = quoted_after(text, "-- Implementing module ")
            .or_else(|| quoted_after(text, "-- Scheduling module "))
        {
            report.modules.push(Module::new(line.locate(module)));
            (self.pipelined, self.causes) = (None, Vec::new());
        } else if let Some(name) = quoted_after(text, "Pipelining loop ") {
            (self.pipelined, self.causes) = (Some(line.locate(name)), Vec::new());
        } else if text.contains("Pipelining function ") {
            (self.pipelined, self.causes) = (None, Vec::new());
        } else if let Some((_, result)) = text
            .split_once("Pipelining result : ")
            .or_else(|| text.split_once("Pipelining result: "))
        {
            self.read_pipeline(line, result);
        } else if let Some(at) = text.find(VIOLATION) {
            let (issue, rest) = text[at..].split_at(VIOLATION.len());
            self.read_violation(line, issue, rest);
        }
    }

    /// Reads what the schedule says of its reasons; whether the line is a step of a path.
    fn read_schedule(&mut self, line: Line<'_>) -> bool {
        let text = line.text;
        let Some(module) = self.report.modules.last().map(|one| one.name.value.clone()) else {
            return false;
        };
        if self.in_path && text.starts_with('\t') {
            let path = self.report.schedule.paths.last_mut();
            if let Some((path, step)) = path.zip(parse_step(text)) {
                path.operations.push(step);
            }
            return true;
        }
        // What binding says of a path comes after the schedule's, and names no module.
        self.in_path = text.contains("The critical path ")
            && text.ends_with("consists of the following:")
            && !text.contains("[BIND ");
        if self.in_path {
            let module = quoted_after(text, "in module ").map_or(module, str::to_owned);
            let path =
                CriticalPath { module, span: line.locate(text).span, operations: Vec::new() };
            self.report.schedule.paths.retain(|one| one.module != path.module);
            self.report.schedule.paths.push(path);
        } else if let Some(one) = RefusedPipeline::parse(text, &module, line.locate(text).span) {
            self.report.schedule.refused.push(one);
        } else if let Some(at) = text.find("Unable to enforce").or(text.find("Unable to schedule "))
        {
            self.causes.push(line.locate(&text[at..]));
        } else if let Some(pair) = text.strip_prefix("   between ")
            && let Some(cause) = self.causes.last_mut()
        {
            // Releases before 2020.2 name the two on a line of their own.
            cause.value = format!("{} between {pair}", cause.value);
        }
        false
    }

    /// `Target II = 1, Final II = 2, Depth = 4, loop 'L'`.
    fn read_pipeline(&mut self, line: Line<'_>, result: &str) {
        let Some(module) = self.report.modules.last_mut() else { return };
        let figure = |name: &str| {
            let (_, rest) = result.split_once(name)?;
            let value = rest.trim_start_matches([' ', '=', ':']).split([',', ' ']).next()?;
            Some(line.locate(value.trim_end_matches('.')).map(|it| Figure::parse(&it)))
        };
        let (target, reached) = (figure("Target II"), figure("Final II"));
        let depth = figure("Depth");
        let named = quoted_after(result, "loop ").map(|name| line.locate(name));
        let held = std::mem::take(&mut self.causes).into_iter().rev();
        let mut held =
            held.filter_map(|one| Some(Located::new(Held::parse(&one.value)?, one.span)));
        if let Some(reached) = reached.as_ref().and_then(|it| it.value.known()) {
            let loop_name = named.as_ref().or(self.pipelined.as_ref()).map(|it| it.value.clone());
            let module = module.name.value.clone();
            let held = held.next();
            let one = ScheduledPipeline { module, loop_name, reached, held };
            self.report.schedule.pipelines.push(one);
        }
        if let Some(name) = named.or_else(|| self.pipelined.take()) {
            module.loops.push(ReportedLoop {
                ii_target: target,
                ii_achieved: reached,
                depth,
                pipelined: Some(true),
                ..ReportedLoop::new(name)
            });
        } else {
            (module.interval, module.depth) = (reached, depth);
        }
    }

    /// ` in module 'm' (loop 'L'): Unable to enforce ...`.
    fn read_violation(&mut self, line: Line<'_>, issue: &str, rest: &str) {
        let Some((place, cause)) = rest.split_once("): ") else { return };
        let Some(name) = quoted_after(place, "in module ") else { return };
        let module = self.report.modules.iter_mut().rev().find(|one| one.name.value == name);
        let Some(module) = module else { return };
        let loop_name = quoted_after(place, "(loop ").map(str::to_owned);
        module.violations.push(Violation {
            issue: line.locate(issue),
            cause: Some(line.locate(cause)),
            loop_name,
            location: None,
        });
    }
}

/// The tool and its release: `Vitis HLS - High-Level Synthesis from C, C++ and OpenCL v2024.2.2 (64-bit)`.
///
/// Vivado and xsim, which HLS starts for cosim and export, write banners of their own into the same log.
fn read_banner(report: &mut Report, line: Line<'_>, banner: &str) {
    let tool = match banner {
        _ if banner.starts_with("Vitis HLS") => "Vitis HLS",
        _ if banner.starts_with("Vivado(TM) HLS") => "Vivado HLS",
        _ => return,
    };
    let release = banner.split_whitespace().find_map(|word| {
        word.strip_prefix('v').filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    });
    if let Some(release) = release {
        report.tool = Some(line.locate(banner).map(|_| tool.to_owned()));
        report.version = Some(line.locate(release));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;
    use crate::read_report;

    fn read(text: &str) -> Report {
        let mut sources = Sources::default();
        let file = sources.add("vitis_hls.log", text);
        read_report(&sources, file).unwrap()
    }

    const LOG: &str = "\
****** Vitis HLS - High-Level Synthesis from C, C++ and OpenCL v2023.2 (64-bit)
INFO: [HLS 200-1611] Setting target device to 'xcu280-fsvh2892-2L-e'
INFO: [SYN 201-201] Setting up clock 'default' with a period of 3.33ns.
INFO: [HLS 200-10] Synthesizing 'scale' ...
INFO: [HLS 200-42] -- Implementing module 'scale_Pipeline_rows' 
INFO: [SCHED 204-61] Pipelining loop 'rows'.
WARNING: [HLS 200-880] The II Violation in module 'scale_Pipeline_rows' (loop 'rows'): Unable to enforce a carried dependence constraint (II = 1, distance = 1, offset = 1) between 'store' operation and 'load' operation.
INFO: [HLS 200-1470] Pipelining result : Target II = 1, Final II = 4, Depth = 11, loop 'rows'
INFO: [HLS 200-42] -- Implementing module 'scale' 
INFO: [HLS 200-789] **** Estimated Fmax: 411.00 MHz
";

    #[test]
    fn a_log_has_intervals_depths_and_why_they_are_missed() {
        let report = read(LOG);
        assert_eq!(report.kind, ReportKind::Log);
        assert_eq!(report.version.unwrap().value, "2023.2");
        assert_eq!(report.part.unwrap().value, "xcu280-fsvh2892-2L-e");
        assert_eq!(report.top.unwrap().value, "scale");
        assert_eq!(report.clock.target.unwrap().value, Decimal::Known(3.33));
        let names: Vec<&str> = report.modules.iter().map(|one| one.name.value.as_str()).collect();
        assert_eq!(names, ["scale_Pipeline_rows", "scale"]);
        let [one] = report.modules[0].loops.as_slice() else { panic!("one loop") };
        let number = |figure: &Option<Located<Figure>>| figure.as_ref().unwrap().value.known();
        assert_eq!(one.name.value, "rows");
        assert_eq!(number(&one.ii_target), Some(1));
        assert_eq!(number(&one.ii_achieved), Some(4));
        assert_eq!(number(&one.depth), Some(11));
        let [violation] = report.modules[0].violations.as_slice() else { panic!("one violation") };
        assert!(violation.cause.as_ref().unwrap().value.starts_with("Unable to enforce"));
    }

    const OLD: &str = "\
@I [HLS-10] Synthesizing 'filter' ...
@I [HLS-10] -- Scheduling module 'filter' 
@I [SCHED-61] Pipelining loop 'Loop 1'.
@W [SCHED-68] Unable to enforce a carried dependency constraint (II = 1, distance = 1)
   between 'load' operation ('p_load', /a/f.c:73) on local variable 'p' and 'store' operation (/a/f.c:70) of variable 'v', /a/f.c:70 on local variable 'p'.
@I [SCHED-61] Pipelining result: Target II: 1, Final II: 3, Depth: 7.
@I [SCHED-61] Pipelining loop 'Loop 2'.
@I [SCHED-61] Pipelining result: Target II: 1, Final II: 1, Depth: 2.
";

    #[test]
    fn the_schedule_has_the_last_cause_of_each_pipeline_and_the_paths() {
        let path = "WARNING: [HLS 200-1016] The critical path in module 'scale_Pipeline_rows' consists of the following:\n\
                    \t'mul' operation 32 bit ('m', f.cpp:9) [12]  (4.52 ns)\n\
                    \t'add' operation 32 bit ('a', f.cpp:10) [13]  (1.2 ns)\n\
                    INFO: [BIND 205-100] The critical path consists of the following:\n\t'add' operation ('b', f.cpp:1) [1]  (9 ns)\n";
        let log = LOG.replace("INFO: [HLS 200-42] -- Implementing module 'scale' \n", path);
        let schedule = read(&log).schedule;
        let [one] = schedule.pipelines.as_slice() else { panic!("{schedule:?}") };
        assert_eq!((one.loop_name.as_deref(), one.reached), (Some("rows"), 4));
        assert!(matches!(one.held.as_ref().unwrap().value, Held::Carried(_)));
        let [path] = schedule.paths.as_slice() else { panic!("{schedule:?}") };
        assert_eq!((path.module.as_str(), path.operations.len()), ("scale_Pipeline_rows", 2));
        let old = read(OLD).schedule;
        let loops: Vec<_> =
            old.pipelines.iter().map(|one| (one.reached, one.held.is_some())).collect();
        assert_eq!(loops, [(3, true), (1, false)]);
    }

    #[test]
    fn old_releases_name_the_loop_on_its_own_line() {
        let text = "\
****** Vivado(TM) HLS - High-Level Synthesis from C, C++ and SystemC v2018.3 (64-bit)
INFO: [HLS 200-10] -- Implementing module 'dot' 
INFO: [SCHED 204-61] Pipelining loop 'L1'.
INFO: [SCHED 204-61] Pipelining result : Target II = 1, Final II = 1, Depth = 3.
";
        let report = read(text);
        assert_eq!(report.tool.unwrap().value, "Vivado HLS");
        let one = &report.modules[0].loops[0];
        assert_eq!(one.name.value, "L1");
        assert_eq!(one.depth.as_ref().unwrap().value.known(), Some(3));
    }

    #[test]
    fn the_last_of_several_syntheses_counts_and_a_log_without_one_says_so() {
        let again = LOG.replace("Final II = 4", "Final II = 1");
        let report = read(&(LOG.to_owned() + &again));
        assert_eq!(report.modules.len(), 2);
        assert_eq!(report.modules[0].loops[0].ii_achieved.as_ref().unwrap().value.known(), Some(1));
        let simulated = read("INFO: [HLS 200-10] Running C simulation\n");
        assert_eq!(simulated.unread[0].reason, "the log has no synthesis");
    }
}
