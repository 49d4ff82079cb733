//! The last synthesis that a log has, and whether it came to its end.
//!
//! C simulation, co-simulation and export write into the same log: their errors are none of the synthesis.

use super::date::ReportDate;
use super::log_line::{Line, quoted_after};
use super::logged_error::{LoggedError, is_of_machine};

/// More errors than these say nothing new.
const KEPT: usize = 100;

/// The last synthesis of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// How it ended.
    pub end: AttemptEnd,
    /// The function, where the log names it.
    pub top: Option<String>,
    /// Its errors, the first one first: at most a hundred.
    pub errors: Vec<LoggedError>,
    /// Whether it has more.
    pub has_more: bool,
    /// When the tool ended, else when it was started, in the clock of its machine.
    pub(crate) date: Option<ReportDate>,
}

/// How a synthesis ended.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum AttemptEnd {
    /// It wrote its reports.
    Done,
    /// In an error of the design.
    Failed,
    /// The log does not say, or says that the machine lacks something.
    Unknown,
}

#[derive(Copy, Clone, Eq, PartialEq)]
enum Phase {
    /// Between two commands.
    Between,
    /// In a synthesis; a log of a release before 2020.2 does not name the command.
    Synthesis { is_named: bool },
    /// In a simulation.
    Simulation,
}

/// Reads the attempts of a log, line by line; each one replaces that before it.
pub(super) struct AttemptReader {
    last: Option<Attempt>,
    phase: Phase,
    top: Option<String>,
    started: Option<ReportDate>,
    /// Whether a synthesis came to its end since the tool was started.
    has_done: bool,
}

impl AttemptReader {
    pub(super) fn new() -> Self {
        let phase = Phase::Between;
        Self { last: None, phase, top: None, started: None, has_done: false }
    }

    /// The last attempt.
    pub(super) fn finish(self) -> Option<Attempt> {
        let mut last = self.last?;
        if last.errors.iter().any(|one| is_of_machine(&one.message)) {
            last.end = AttemptEnd::Unknown;
        }
        Some(last)
    }

    pub(super) fn read_line(&mut self, line: Line<'_>) {
        let text = line.text;
        if self.read_date(text) {
            return;
        }
        if let Some((_, name)) = text.split_once("Running: set_top ") {
            self.top = name.split_whitespace().last().map(str::to_owned);
        } else if text.contains("Running: csynth_design") {
            self.begin(true);
        } else if let Some(top) = quoted_after(text, "] Synthesizing ") {
            if self.phase == Phase::Between {
                self.begin(false);
            }
            if let (Phase::Synthesis { .. }, Some(last)) = (self.phase, &mut self.last) {
                last.top = Some(top.to_owned());
            }
        } else if text.contains("] Analyzing design file ") {
            let has_failed = self.last.as_ref().is_some_and(|one| !one.errors.is_empty());
            let is_next = self.phase == (Phase::Synthesis { is_named: false }) && has_failed;
            if self.phase == Phase::Between || is_next {
                self.begin(false);
            }
        } else if matches!(self.phase, Phase::Synthesis { .. }) {
            self.read_synthesis(line);
        }
        self.read_other(text);
    }

    /// Whether the line says when the tool was started or ended.
    fn read_date(&mut self, text: &str) -> bool {
        let started = text
            .split_once("] For user '")
            .and_then(|(_, rest)| rest.rsplit_once(" on "))
            .or_else(|| text.split_once("Start of session at: "));
        if let Some((_, date)) = started {
            (self.started, self.has_done) = (ReportDate::parse(date), false);
            return true;
        }
        let is_end = ["] Exiting vitis_hls at ", "] Exiting vivado_hls at "];
        let Some((_, date)) = is_end.iter().find_map(|words| text.split_once(words)) else {
            return false;
        };
        if let Some(last) = &mut self.last
            && self.started.is_some()
        {
            last.date = ReportDate::parse(date).or(last.date);
        }
        (self.started, self.has_done, self.phase) = (None, false, Phase::Between);
        true
    }

    fn begin(&mut self, is_named: bool) {
        self.phase = Phase::Synthesis { is_named };
        self.last = Some(Attempt {
            end: AttemptEnd::Unknown,
            top: self.top.clone(),
            errors: Vec::new(),
            has_more: false,
            // A report of this start may be of the synthesis before.
            date: self.started.filter(|_| !self.has_done),
        });
    }

    fn read_synthesis(&mut self, line: Line<'_>) {
        let Some(last) = &mut self.last else { return };
        let is_done = ["Finished generating all RTL", "Finished Generating all RTL"]
            .iter()
            .any(|words| line.text.contains(words));
        if is_done || line.text.contains("**** Estimated Fmax") {
            last.end = AttemptEnd::Done;
            self.has_done = true;
            self.phase = Phase::Between;
        } else if let Some(error) = LoggedError::parse(line) {
            last.end = AttemptEnd::Failed;
            last.errors.retain(|one| !one.is_heading);
            if last.errors.len() < KEPT {
                last.errors.push(error);
            } else {
                last.has_more = true;
            }
        }
    }

    /// Reads what ends a synthesis, or begins another command.
    fn read_other(&mut self, text: &str) {
        let has = |words: &[&str]| words.iter().any(|words| text.contains(words));
        if has(&SIMULATIONS) {
            self.phase = Phase::Simulation;
        } else if text.starts_with("****** ") || has(&ENDS) {
            self.phase = Phase::Between;
        }
    }
}

/// What a log says where a simulation begins.
const SIMULATIONS: [&str; 3] = ["CSIM start", "Running: csim_design", "Running: cosim_design"];

/// What a log says where another command begins or ends.
const ENDS: [&str; 6] = [
    "CSIM finish",
    "HLS - High-Level Synthesis from C",
    "Finished Command ",
    ": [COSIM ",
    ": [IMPL 213-",
    "Running: export_design",
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::{Attempt, AttemptEnd};
    use crate::{Sources, read_report};

    fn read(text: &str) -> Attempt {
        let mut sources = Sources::default();
        let file = sources.add("vitis_hls.log", text);
        read_report(&sources, file).unwrap().attempt.unwrap()
    }

    const START: &str = "\
INFO: [HLS 200-10] For user 'a' on host 'b' (Linux_x86_64 version 5.15) on Mon Oct 28 03:25:38 CST 2024
INFO: [HLS 200-1510] Running: set_top fir
INFO: [HLS 200-1510] Running: csynth_design
INFO: [HLS 200-10] Analyzing design file 'fir.cpp' ...
";
    const ERROR: &str = "ERROR: [HLS 207-3776] use of undeclared identifier 'taps' (fir.cpp:9:4)\n";
    const DONE: &str = "INFO: [HLS 200-10] Synthesizing 'fir' ...\nINFO: [HLS 200-789] **** Estimated Fmax: 200.00 MHz\n";
    const END: &str =
        "INFO: [HLS 200-111] Finished Command csynth_design CPU user time: 1 seconds.\n";

    #[test]
    fn the_last_synthesis_counts() {
        let failed = read(&format!(
            "{START}{ERROR}INFO: [HLS 200-10] Analyzing design file 'b.cpp' ...\n{END}"
        ));
        assert_eq!((failed.end, failed.top.as_deref()), (AttemptEnd::Failed, Some("fir")));
        let [error] = &failed.errors[..] else { panic!("{failed:?}") };
        assert_eq!(error.message, "use of undeclared identifier 'taps'");
        assert_eq!(failed.date, read(START).date);
        assert_eq!(read(&format!("{START}{ERROR}{END}{START}{DONE}{END}")).end, AttemptEnd::Done);
        let again = read(&format!("{START}{DONE}{END}{START}{ERROR}{END}"));
        assert_eq!(again.end, AttemptEnd::Failed);
        // The report of the first one may be newer than the start of the tool.
        let (_, second) = START.split_once('\n').unwrap();
        let text = format!("{START}{DONE}{END}{second}{ERROR}{END}");
        assert_eq!((read(&text).end, read(&text).date), (AttemptEnd::Failed, None));
        let ended = format!(
            "{text}INFO: [Common 17-206] Exiting vitis_hls at Mon Oct 28 03:26:38 2024...\n"
        );
        assert!(read(&ended).date > read(START).date);
    }

    #[test]
    fn old_releases_name_no_command() {
        let start = "INFO: [HLS 200-10] Analyzing design file 'fir.cpp' ... \n";
        let header =
            "ERROR: [HLS 200-70] Compilation errors found: In file included from fir.cpp:1:\n";
        let rest = "fir.cpp:12:50: error: use of undeclared identifier 'taps'\n    y = taps[0];\n1 error generated.\n";
        let one = read(&format!("{start}{header}{rest}{start}{header}{rest}"));
        let [error] = &one.errors[..] else { panic!("{one:?}") };
        assert_eq!(error.place.as_ref().unwrap().line, 12);
        let done =
            "INFO: [HLS 200-111] Finished generating all RTL models Time (s): cpu = 00:00:07\n";
        assert_eq!(read(&format!("{start}{header}{rest}{start}{done}")).end, AttemptEnd::Done);
        let oldest =
            "@I [HLS-10] Analyzing design file 'fir.cpp' ...\n@E [HLS-70] Pre-synthesis failed.\n";
        assert_eq!(read(oldest).end, AttemptEnd::Failed);
    }

    #[test]
    fn errors_of_other_commands_are_none_of_the_synthesis() {
        let others = [
            "INFO: [SIM 211-2] *************** CSIM start ***************\nERROR: [SIM 211-100] 'csim_design' failed: compilation error(s).\n",
            "ERROR: [COSIM 212-4] *** C/RTL co-simulation finished: FAIL ***\n",
            "INFO: [HLS 200-1510] Running: export_design\nERROR: [HLS 200-478] vivado returned an error\n",
        ];
        for other in others {
            assert_eq!(
                read(&format!("{START}{DONE}{END}{other}")).end,
                AttemptEnd::Done,
                "{other}"
            );
            assert_eq!(read(&format!("{START}{END}{other}")).end, AttemptEnd::Unknown, "{other}");
            // A simulation behind a synthesis that failed does not change that.
            let failed = read(&format!("{START}{ERROR}{END}{other}"));
            assert_eq!((failed.end, failed.errors.len()), (AttemptEnd::Failed, 1), "{other}");
        }
    }

    #[test]
    fn what_the_machine_lacks_is_none_of_the_design() {
        for what in
            ["A valid license was not found for feature 'HLS'.", "Part 'xcu280' is not installed."]
        {
            let text = format!("{START}ERROR: [HLS 200-1023] {what}\n{END}");
            assert_eq!(read(&text).end, AttemptEnd::Unknown, "{what}");
        }
        // The tool was stopped.
        assert_eq!(read(&format!("{START}ERROR:  \n")).end, AttemptEnd::Unknown);
    }
}
