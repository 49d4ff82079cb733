//! Which logs end with a synthesis that failed, and what came after it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::csynth::{Attempt, AttemptEnd, LoggedError, MissingName, ReportDate};
use crate::{FileId, Report, ReportKind, Sources, Span};
use derate_source::{bare_name, find_words};

/// A synthesis that ended in an error and that nothing is known to follow.
#[derive(Copy, Clone, Debug)]
pub struct FailedRun<'a> {
    /// What its log has of it.
    pub attempt: &'a Attempt,
    /// What the reports are of.
    pub beside: Beside,
}

/// The reports of the top of a synthesis that failed.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Beside {
    /// There are none.
    Nothing,
    /// They are older: of a run before it.
    Older,
    /// The log or the reports have no date.
    Undated,
}

/// Whether an error can still be in the source.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum ErrorFit {
    /// Its line has the name.
    Here,
    /// Nothing says that the line is another one.
    Open,
    /// The name is in another line, or something that is read may declare it.
    Moved,
    /// The source has no such line or name.
    Gone,
}

/// The syntheses that failed, each top's newest. A synthesis of the top that came to its end counts where a log or a report has it: after
/// the other one, or at a time that is not known, it leaves nothing to say.
pub fn list_failed<'a>(logs: &'a [Report], reports: &[&Report]) -> Vec<FailedRun<'a>> {
    let attempts = || logs.iter().filter_map(|log| log.attempt.as_ref());
    let mut failed: Vec<&Attempt> =
        attempts().filter(|one| one.end == AttemptEnd::Failed).collect();
    // What has a date goes first, the newest of all.
    failed.sort_by_key(|one| Reverse(one.date));
    let mut newest: Vec<&Attempt> = Vec::new();
    for one in failed {
        if !newest.iter().any(|other| may_be_same(one.top.as_deref(), other.top.as_deref())) {
            newest.push(one);
        }
    }
    let is_last = |one: &&Attempt| {
        let same = |other: &&Attempt| may_be_same(one.top.as_deref(), other.top.as_deref());
        let mut done = attempts().filter(|other| other.end == AttemptEnd::Done).filter(same);
        done.all(|other| is_before(other.date, one.date))
    };
    let judged = newest.into_iter().filter(is_last).filter_map(|attempt| {
        let beside = look_beside(attempt, reports)?;
        Some(FailedRun { attempt, beside })
    });
    judged.collect()
}

/// Whether two functions may be one: the log of a solution does not name it where nothing was scheduled.
fn may_be_same(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_none_or(|(one, other)| bare_name(one) == bare_name(other))
}

fn is_before(one: Option<ReportDate>, other: Option<ReportDate>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one < other)
}

/// What the reports of its top are of; `None` where one is newer.
fn look_beside(attempt: &Attempt, reports: &[&Report]) -> Option<Beside> {
    let is_synthesis = |kind| {
        use ReportKind::{CsynthXml, ModuleText, SummaryXml, TreeText};
        matches!(kind, CsynthXml | ModuleText | SummaryXml | TreeText)
    };
    let top = |report: &Report| report.top.as_ref().map(|top| top.value.clone());
    let own = |report: &&&Report| {
        is_synthesis(report.kind) && may_be_same(top(report).as_deref(), attempt.top.as_deref())
    };
    let own: Vec<&&Report> = reports.iter().filter(own).collect();
    if own.is_empty() {
        return Some(Beside::Nothing);
    }
    // XML has no date: the texts beside it have.
    let newest = own.iter().filter_map(|report| report.date).max();
    match attempt.date.zip(newest) {
        None => Some(Beside::Undated),
        Some((failed, report)) => (report < failed).then_some(Beside::Older),
    }
}

impl FailedRun<'_> {
    /// The error to show: the first one in a source that was found, else the first one. `None` where a source that is not there has all
    /// errors that name one.
    #[must_use]
    pub fn find_error(&self) -> Option<&LoggedError> {
        let errors = &self.attempt.errors;
        let is_found = |one: &&LoggedError| one.place.as_ref().is_some_and(|it| it.file.is_some());
        let is_lost = |one: &LoggedError| one.place.as_ref().is_some_and(|it| !it.is_of_tool());
        let found = errors.iter().find(is_found);
        found.or_else(|| errors.first().filter(|_| !errors.iter().any(is_lost)))
    }

    /// Whether that error can still be in its source, which has changed where another one of the log cannot.
    #[must_use]
    pub fn find_fit(&self, sources: &Sources, others: &BTreeSet<FileId>) -> ErrorFit {
        let Some(error) = self.find_error() else { return ErrorFit::Open };
        let fit = error.find_fit(sources, others);
        let mut all = self.attempt.errors.iter().map(|one| one.find_fit(sources, others));
        let mut has_changed = || all.any(|fit| matches!(fit, ErrorFit::Moved | ErrorFit::Gone));
        if fit == ErrorFit::Open && has_changed() { ErrorFit::Moved } else { fit }
    }
}

impl LoggedError {
    /// The line that it names, where its source was found.
    #[must_use]
    pub fn find_line(&self, sources: &Sources) -> Option<Span> {
        let place = self.place.as_ref()?;
        sources.line_span(place.file?, place.line)
    }

    /// Whether it can still be in its source. `others` are the files that are read with it.
    fn find_fit(&self, sources: &Sources, others: &BTreeSet<FileId>) -> ErrorFit {
        let Some((place, file)) = self.place.as_ref().and_then(|one| Some((one, one.file?))) else {
            return ErrorFit::Open;
        };
        let line = self.find_line(sources).filter(|line| line.start < line.end);
        let Some(missing) = &self.name else {
            let reaches = |line: &Span| {
                let end = sources.position(Span { start: line.end, ..*line }).column;
                place.column.is_none_or(|column| usize::try_from(column).is_ok_and(|it| it <= end))
            };
            return if line.is_some_and(|line| reaches(&line)) {
                ErrorFit::Open
            } else {
                ErrorFit::Gone
            };
        };
        let (name, text) = (missing.word(), sources.text(file));
        let Some(line) = line.filter(|line| has_word(sources.slice(*line), name)) else {
            return if has_word(text, name) { ErrorFit::Moved } else { ErrorFit::Gone };
        };
        let before = text.get(..line.start).unwrap_or_default();
        let elsewhere = |other: &FileId| *other != file && has_word(sources.text(*other), name);
        let may_be_declared =
            missing.is_undeclared && (has_word(before, name) || others.iter().any(elsewhere));
        if may_be_declared { ErrorFit::Moved } else { ErrorFit::Here }
    }
}

impl MissingName {
    /// The name without what it is in: `stream` of `hls::stream<int>`.
    fn word(&self) -> &str {
        let name = self.name.split(['<', '(']).next().unwrap_or_default();
        name.rsplit("::").next().unwrap_or_default().trim()
    }
}

fn has_word(text: &str, word: &str) -> bool {
    find_words(text, word).next().is_some()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;
    use crate::read_report;

    const ERROR: &str = "ERROR: [HLS 207-3776] use of undeclared identifier 'taps' (f.cpp:2:4)";
    const DONE: &str = "INFO: [HLS 200-789] **** Estimated Fmax: 200.00 MHz";

    /// A log of `fir`, or of a top that it does not name, of a day in May.
    fn log(top: &str, day: Option<u32>, end: &str) -> String {
        let date = day.map(|day| {
            format!(
                "INFO: [HLS 200-10] For user 'a' on host 'b' on Mon May {day:2} 10:00:00 CST 2024\n"
            )
        });
        let top = if top.is_empty() {
            String::new()
        } else {
            format!("INFO: [HLS 200-1510] Running: set_top {top}\n")
        };
        format!(
            "{}{top}INFO: [HLS 200-1510] Running: csynth_design\n{end}\n",
            date.unwrap_or_default()
        )
    }

    fn report(top: &str, day: u32) -> String {
        format!(
            "== Vitis HLS Report for '{top}'\n* Date:           Mon May {day:2} 10:00:00 2024\n"
        )
    }

    /// What is beside the failed syntheses of these logs.
    fn beside(logs: &[String], reports: &[String]) -> Vec<Beside> {
        let mut sources = Sources::default();
        let mut read = |text: &String| {
            let file = sources.add("a", text.as_str());
            read_report(&sources, file).unwrap()
        };
        let logs: Vec<Report> = logs.iter().map(&mut read).collect();
        let reports: Vec<Report> = reports.iter().map(&mut read).collect();
        let reports: Vec<&Report> = reports.iter().collect();
        list_failed(&logs, &reports).iter().map(|one| one.beside).collect()
    }

    #[test]
    fn reports_that_are_newer_leave_nothing_to_say() {
        let failed = [log("fir", Some(5), ERROR)];
        assert_eq!(beside(&failed, &[]), [Beside::Nothing]);
        assert_eq!(beside(&failed, &[report("fir", 4)]), [Beside::Older]);
        assert_eq!(beside(&failed, &[report("fir", 6)]), []);
        assert_eq!(beside(&failed, &[report("fir", 4), report("fir", 6)]), []);
        assert_eq!(beside(&failed, &[report("iir", 6)]), [Beside::Nothing], "another top");
        assert_eq!(beside(&[log("fir", None, ERROR)], &[report("fir", 4)]), [Beside::Undated]);
        assert_eq!(beside(&[log("", Some(5), ERROR)], &[report("iir", 6)]), []);
    }

    #[test]
    fn of_several_logs_the_newest_counts() {
        let failed = || log("fir", Some(5), ERROR);
        let of = |other: String| beside(&[other, failed()], &[]).len();
        assert_eq!(of(log("", None, ERROR)), 1, "the log of the solution");
        assert_eq!(of(log("iir", Some(4), ERROR)), 2, "another top");
        assert_eq!(of(log("fir", Some(4), DONE)), 1);
        assert_eq!(of(log("iir", Some(6), DONE)), 1);
        for later in [log("fir", Some(6), DONE), log("fir", None, DONE), log("", None, DONE)] {
            assert_eq!(of(later.clone()), 0, "{later}");
        }
        // The reports are newer than the dated one of two logs of one top.
        assert_eq!(beside(&[log("", None, ERROR), failed()], &[report("fir", 6)]), []);
    }

    /// Whether the errors of a log fit a text and another one.
    fn fit(errors: &str, text: &str, other: &str) -> ErrorFit {
        let mut sources = Sources::default();
        let log = sources.add("a.log", log("fir", None, errors));
        let (file, other) = (sources.add("f.cpp", text), sources.add("o.h", other));
        let mut log = read_report(&sources, log).unwrap();
        for error in &mut log.attempt.as_mut().unwrap().errors {
            error.place.as_mut().unwrap().file = Some(file);
        }
        let logs = [log];
        list_failed(&logs, &[])[0].find_fit(&sources, &BTreeSet::from([file, other]))
    }

    #[test]
    fn a_name_that_the_source_no_longer_has_is_gone() {
        let fit = |text: &str, other: &str| fit(ERROR, text, other);
        assert_eq!(fit("void f() {\n  taps[0] = 1;\n}\n", ""), ErrorFit::Here);
        assert_eq!(fit("void f() {\n\n  taps[0] = 1;\n}\n", ""), ErrorFit::Moved);
        assert_eq!(fit("void f() {\n  int x;\n  taps[0] = 1;\n}\n", ""), ErrorFit::Moved);
        assert_eq!(fit("void f() {\n  x[0] = 1;\n}\n", ""), ErrorFit::Gone);
        assert_eq!(fit("int taps[8]; void f() {\n  taps[0] = 1;\n}\n", ""), ErrorFit::Moved);
        assert_eq!(fit("void f() {\n  taps[0] = 1;\n}\n", "int taps[8];"), ErrorFit::Moved);
        assert_eq!(fit("int all_taps; void f() {\n  taps[0] = 1;\n}\n", ""), ErrorFit::Here);
    }

    #[test]
    fn an_error_without_a_name_needs_its_line() {
        let error = "ERROR: [HLS 207-1398] unexpected ';' before ')': f.cpp:2:9";
        assert_eq!(fit(error, "void f() {\n  g(1, 2;);\n}\n", ""), ErrorFit::Open);
        assert_eq!(fit(error, "void f() {\n  g();\n}\n", ""), ErrorFit::Gone, "too short");
        assert_eq!(fit(error, "void f() {\n\n  g(1, 2;);\n}\n", ""), ErrorFit::Gone);
        // Another error of the same log cannot be in this text.
        let both = format!("{error}\n{}", ERROR.replace(":2:4", ":3:4"));
        assert_eq!(fit(&both, "void f() {\n  g(1, 2;);\n}\n", ""), ErrorFit::Moved);
    }
}
