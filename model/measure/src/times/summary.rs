//! `summary.csv` of XRT: what the runtime saw of each kernel.
//!
//! A table is a line with its title, a line with its headings and a line for each row, up to the next title. *Compute Unit
//! Utilization* is what counters on the card saw; *Kernel Execution* is what the host saw, from the call to its end.

use std::collections::BTreeMap;

use super::{MeasuredTime, TimesError};
use derate_project::Timer;
use derate_units::{Figure, Hertz, Provenance, Seconds};

/// No design has more kernels.
const MOST: usize = 1000;
/// No run has more calls.
const MOST_CALLS: f64 = 1e12;
/// A picosecond and some decades, in milliseconds.
const LEAST_MS: f64 = 1e-9;
const MOST_MS: f64 = 1e12;

/// Columns of a table by their headings.
type Columns = BTreeMap<String, usize>;

#[derive(Clone, Copy, PartialEq)]
enum Table {
    Kernels,
    Units,
    Stalls,
    Other,
}

impl Table {
    /// The table that begins with these headings.
    fn of_headings(columns: &Columns) -> Option<Self> {
        let has = |name: &str| columns.contains_key(name);
        let is_timed = has("average time (ms)");
        match () {
            () if has("compute unit") && has("kernel") && is_timed => Some(Self::Units),
            () if has("compute unit") && has("external memory stalls (ms)") => Some(Self::Stalls),
            () if has("kernel") && has("number of enqueues") && is_timed => Some(Self::Kernels),
            () if columns
                .keys()
                .any(|name| name.contains("(ms)") || name.contains("number of")) =>
            {
                Some(Self::Other)
            }
            () => None,
        }
    }
}

/// All calls of one kernel, in milliseconds.
#[derive(Default)]
struct Calls {
    count: f64,
    total: f64,
    extremes: Option<[f64; 2]>,
    clock: Option<f64>,
    stall: Option<f64>,
}

impl Calls {
    fn add(&mut self, count: f64, average: f64, least: f64, most: f64) {
        self.count += count;
        self.total += count * average;
        let [low, high] = self.extremes.unwrap_or([least, most]);
        self.extremes = Some([low.min(least), high.max(most)]);
    }
}

/// The times in a `summary.csv`; of each kernel what the card counted, where it did, else what the host saw. `file` is its
/// name.
///
/// # Errors
///
/// The text has no table of kernels, or a row has no number where one belongs.
pub fn read_summary(file: &str, text: &str) -> Result<Vec<MeasuredTime>, TimesError> {
    let (mut columns, mut table) = (Columns::new(), Table::Other);
    let (mut kernels, mut units) = (BTreeMap::<String, Calls>::new(), BTreeMap::new());
    let mut kernel_of_unit = BTreeMap::<String, String>::new();
    let mut flow = None;
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if let Some(mode) = line.strip_prefix("Flow mode:") {
            flow = Some(mode.trim_matches([',', ' ']).to_owned());
        }
        let fields: Vec<&str> = line.trim_end_matches(',').split(',').map(str::trim).collect();
        if fields.len() < 2 {
            table = Table::Other;
            continue;
        }
        let headings: Columns =
            fields.iter().enumerate().map(|(at, name)| (name.to_lowercase(), at)).collect();
        if let Some(begun) = Table::of_headings(&headings) {
            (columns, table) = (headings, begun);
            continue;
        }
        let row = Row { file, line: at + 1, fields: &fields, columns: &columns };
        match table {
            Table::Kernels => {
                let calls = kernels.entry(row.text("kernel")?).or_default();
                row.add_to(calls, "number of enqueues")?;
            }
            Table::Units => {
                let kernel = row.text("kernel")?;
                kernel_of_unit.insert(row.text("compute unit")?, kernel.clone());
                let calls: &mut Calls = units.entry(kernel).or_default();
                row.add_to(calls, "number of calls")?;
                calls.clock = row.number("clock frequency (mhz)").ok().filter(|mhz| *mhz > 0.0);
            }
            Table::Stalls => {
                let unit = row.text("compute unit")?;
                let kernel = kernel_of_unit.get(&unit);
                if let Some(calls) = kernel.and_then(|kernel| units.get_mut(kernel)) {
                    let stall = row.number("external memory stalls (ms)")?;
                    calls.stall = Some(calls.stall.unwrap_or(0.0) + stall);
                }
            }
            Table::Other => {}
        }
        if kernels.len() + units.len() > MOST {
            return Err(TimesError::at(file, at + 1, format!("it has more than {MOST} kernels")));
        }
    }
    let is_emulated = flow.as_ref().is_some_and(|mode| mode.contains("Emulation"));
    let source = match &flow {
        Some(mode) => format!("{file} of XRT, flow mode {mode}"),
        None => format!("{file} of XRT"),
    };
    let provenance = if is_emulated { Provenance::Emulated } else { Provenance::Measured };
    let make = |name: String, calls: &Calls, timer| MeasuredTime {
        name: Some(name),
        time: Figure::new(Seconds(calls.total / calls.count / 1e3), provenance, source.clone()),
        extremes: calls.extremes.map(|edges| edges.map(|edge| Seconds(edge / 1e3))),
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        count: Some(calls.count as u64),
        timer,
        clock: calls.clock.map(|mhz| Hertz(1e6 * mhz)),
        memory_stall: calls.stall.map(|stall| Seconds(stall / calls.count / 1e3)),
    };
    let counted = units.iter().map(|(name, calls)| make(name.clone(), calls, Timer::Card));
    let host = kernels.iter().filter(|(name, _)| !units.contains_key(*name));
    let host = host.map(|(name, calls)| make(name.clone(), calls, Timer::Host));
    let all: Vec<MeasuredTime> = counted.chain(host).collect();
    if all.is_empty() {
        let reason = "there is no table Kernel Execution or Compute Unit Utilization with a call: name \
                      the summary.csv that XRT writes with opencl_trace or device_counters in xrt.ini";
        return Err(TimesError::at(file, 1, reason));
    }
    Ok(all)
}

/// A line of a table.
struct Row<'a> {
    file: &'a str,
    line: usize,
    fields: &'a [&'a str],
    columns: &'a Columns,
}

impl Row<'_> {
    fn field(&self, name: &str) -> &str {
        self.columns.get(name).and_then(|at| self.fields.get(*at)).copied().unwrap_or_default()
    }

    fn text(&self, name: &str) -> Result<String, TimesError> {
        match self.field(name) {
            "" => {
                Err(TimesError::at(self.file, self.line, format!("the column `{name}` is empty")))
            }
            text => Ok(text.to_owned()),
        }
    }

    fn number(&self, name: &str) -> Result<f64, TimesError> {
        let text = self.field(name);
        let number = text.parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
        number.ok_or_else(|| {
            let text = text.escape_debug();
            let reason = format!("`{text}` in the column `{name}` is not a number");
            TimesError::at(self.file, self.line, reason)
        })
    }

    /// Adds the calls of this row; a row without a call says nothing.
    fn add_to(&self, calls: &mut Calls, count: &str) -> Result<(), TimesError> {
        let (count, average) = (self.number(count)?, self.number("average time (ms)")?);
        if !(1.0..=MOST_CALLS).contains(&count) || !(LEAST_MS..=MOST_MS).contains(&average) {
            let reason = "the kernel has no call that took a time that can be: leave the row out";
            return Err(TimesError::at(self.file, self.line, reason));
        }
        let edge = |name| self.number(name).unwrap_or(average);
        calls.add(count, average, edge("minimum time (ms)"), edge("maximum time (ms)"));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Profile Summary\nGenerated on: 2024-05-02 10:11:12\nTarget devices: a, b\nFlow mode: System Run\n\n\
        OpenCL API Calls\nAPI Name,Number Of Calls,Total Time (ms),Minimum Time (ms),Average Time (ms),Maximum Time (ms),\n\
        clFinish,3,1.5,0.1,0.5,0.9,\n\n\
        Kernel Execution\nKernel,Number Of Enqueues,Total Time (ms),Minimum Time (ms),Average Time (ms),Maximum Time (ms),\n\
        attention,36,1116,30.5,31,32,\nmlp,12,120,9,10,12,\n\n\
        Compute Unit Utilization\nDevice,Compute Unit,Kernel,Global Work Size,Local Work Size,Number Of Calls,Dataflow Execution,\
        Max Overlapping Executions,Dataflow Acceleration,Total Time (ms),Minimum Time (ms),Average Time (ms),Maximum Time (ms),\
        Clock Frequency (MHz),\n\
        u280-0,attention_1,attention,1:1:1,1:1:1,36,No,1,1.0x,1080,29.5,30,31,250,\n\n\
        Compute Units: Stall Information\nCompute Unit,Execution Count,Running Time (ms),Intra-Kernel Dataflow Stalls (ms),\
        External Memory Stalls (ms),Inter-Kernel Pipe Stalls (ms),\nattention_1,36,1080,0,360,0\n";

    #[test]
    fn counters_of_the_card_go_before_what_the_host_saw() {
        let read = read_summary("summary.csv", TEXT).unwrap();
        assert_eq!(read.len(), 2);
        let attention = &read[0];
        assert_eq!(attention.name.as_deref(), Some("attention"));
        assert_eq!((attention.time.value, attention.timer), (Seconds(0.030), Timer::Card));
        assert_eq!(attention.time.provenance, Provenance::Measured);
        assert_eq!(attention.clock, Some(Hertz(250e6)));
        assert_eq!(attention.memory_stall, Some(Seconds(0.010)));
        let mlp = &read[1];
        assert_eq!((mlp.time.value, mlp.timer, mlp.count), (Seconds(0.010), Timer::Host, Some(12)));
    }

    #[test]
    fn a_run_of_an_emulation_measures_nothing() {
        let text = TEXT.replace("System Run", "Hardware Emulation");
        let read = read_summary("summary.csv", &text).unwrap();
        assert!(read.iter().all(|one| one.time.provenance == Provenance::Emulated));
    }

    #[test]
    fn what_is_not_a_summary_is_refused_with_its_line() {
        for (text, sentence) in [
            ("", "s.csv:1: there is no table"),
            ("name,oi\nq,1\n", "s.csv:1: there is no table"),
            (
                "Kernel,Number Of Enqueues,Average Time (ms)\nk,two,3\n",
                "s.csv:2: `two` in the column",
            ),
            (
                "Kernel,Number Of Enqueues,Average Time (ms)\nk,0,3\n",
                "s.csv:2: the kernel has no call",
            ),
        ] {
            let error = read_summary("s.csv", text).unwrap_err().to_string();
            assert!(error.starts_with(sentence), "{text:?}: {error}");
        }
    }
}
