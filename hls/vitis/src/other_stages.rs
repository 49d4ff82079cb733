//! The processes of a dataflow beside those that access memory.

use std::collections::BTreeSet;

use super::loop_runs::is_part;
use crate::csynth::{Figure, Located, Module, Report};

/// The longest process of a dataflow beside those that have some loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherStage<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its cycles.
    pub cycles: u64,
    /// The cycles of the longest process that has one of the loops.
    pub own: u64,
}

impl OtherStage<'_> {
    /// A stage that takes so many percent of another one holds the dataflow as well.
    const AS_LONG: u64 = 90;
    /// A stage that takes so many percent of another one holds the dataflow alone.
    const LONGER: u64 = 150;

    /// Whether it takes about as long as the others, or longer.
    #[must_use]
    pub fn is_as_long(&self) -> bool {
        self.cycles.saturating_mul(100) >= self.own.saturating_mul(Self::AS_LONG)
    }

    /// Whether the others wait for it.
    #[must_use]
    pub fn is_longer(&self) -> bool {
        self.cycles.saturating_mul(100) >= self.own.saturating_mul(Self::LONGER)
    }
}

/// The longest process of a top that is a dataflow which has none of these loops, itself or in what it calls; `None` where the top
/// is none, or a process with one of the loops is not known. Where the top only calls a dataflow that takes nearly all of its cycles,
/// that counts.
#[must_use]
pub fn find_other_stage<'a>(report: &'a Report, loops: &BTreeSet<&str>) -> Option<OtherStage<'a>> {
    let cycles = |module: &Module| -> Option<u64> {
        let of = |figure: &Option<Located<Figure>>| figure.as_ref().and_then(|one| one.value.max());
        of(&module.latency)
    };
    let top = report.top_module()?;
    let at = report.modules.iter().position(|one| std::ptr::eq(one, top))?;
    let at = if top.dataflow {
        at
    } else {
        let all = cycles(top)?;
        let takes_most = |one: &Module| {
            cycles(one).is_some_and(|own| own.saturating_mul(100) >= all.saturating_mul(MOST))
        };
        report.modules.iter().position(|one| {
            one.caller == Some(at)
                && one.other_callers.is_empty()
                && one.dataflow
                && takes_most(one)
        })?
    };
    let has_loop = |module: &Module| {
        module.all_loops().into_iter().any(|one| loops.iter().any(|name| is_part(one, name)))
    };
    let mut with = BTreeSet::new();
    for module in report.modules.iter().filter(|module| has_loop(module)) {
        with.insert(find_process(report, module, at)?);
    }
    let is_process = |(_, module): &(usize, &'a Module)| module.caller == Some(at);
    let processes = || report.modules.iter().enumerate().filter(is_process);
    let own: Option<Vec<u64>> = with.iter().map(|one| cycles(report.modules.get(*one)?)).collect();
    let own = own?.into_iter().max()?;
    let others = processes().filter(|(one, _)| !with.contains(one));
    let (cycles, name) = others
        .filter_map(|(_, module)| Some((cycles(module)?, module.name.value.as_str())))
        .max_by_key(|one| one.0)?;
    Some(OtherStage { name, cycles, own })
}

/// Of a hundred cycles of a top so many are of the dataflow that it calls.
const MOST: u64 = 95;

/// The process of the region that a module is in.
fn find_process(report: &Report, module: &Module, top: usize) -> Option<usize> {
    let mut at = report.modules.iter().position(|one| std::ptr::eq(one, module))?;
    for _ in 0..report.modules.len() {
        let module = report.modules.get(at)?;
        // Which of its callers waits for it is not known.
        if !module.other_callers.is_empty() {
            return None;
        }
        match module.caller? {
            caller if caller == top => return Some(at),
            caller => at = caller,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use derate_source::Sources;

    use super::*;
    use crate::read_report;

    const TREE: &str = include_str!("../../../fixtures/reports/tree-2022/csynth.rpt");

    /// What is beside the loop `copy` of the process `load`, which takes 530 cycles.
    fn find(layer: &str, kind: &str) -> Option<(u64, bool, bool)> {
        let text = TREE.replace("|    66048|", &format!("|{layer:>9}|"));
        let text = text.replace("mlp*", "mlp ").replace("|  dataflow|", &format!("|{kind:>10}|"));
        let mut sources = Sources::default();
        let file = sources.add("csynth.rpt", text);
        let report = read_report(&sources, file).unwrap();
        let stage = find_other_stage(&report, &BTreeSet::from(["copy"]))?;
        Some((stage.cycles, stage.is_as_long(), stage.is_longer()))
    }

    /// A top of so many cycles around a dataflow of `load` with the loop `copy`, and of `fft`.
    fn find_below(top: u64) -> Option<u64> {
        let row = |name: &str, cycles: u64, kind: &str| {
            format!(
                "    |{name:<18}|     -|  0.00|{cycles:>9}|        -|         -|{cycles:>9}|     -|{kind:>10}|\n"
            )
        };
        let bar = "    +------------------+------+------+---------+---------+----------+---------+------+----------+\n";
        let head = "    |      Modules     | Issue|      | Latency | Latency | Iteration|         | Trip |          |\n    \
                    |      & Loops     | Type | Slack| (cycles)|   (ns)  |  Latency | Interval| Count| Pipelined|\n";
        let rows = [
            row("+ k", top, "no"),
            row(" + core*", 24_813, "dataflow"),
            row("  + load", 8268, "no"),
            row("   o copy", 8193, "yes"),
            row("  + fft", 24_732, "no"),
        ];
        let text = format!(
            "== Synthesis Summary Report of 'k'\n+ Performance & Resource Estimates: \n{bar}{head}{bar}{}{bar}",
            rows.concat()
        );
        let mut sources = Sources::default();
        let file = sources.add("csynth.rpt", text);
        let report = read_report(&sources, file).unwrap();
        find_other_stage(&report, &BTreeSet::from(["copy"])).map(|one| one.cycles)
    }

    #[test]
    fn a_dataflow_that_takes_all_of_the_top_counts() {
        assert_eq!(find_below(24_815), Some(24_732));
        assert_eq!(find_below(50_000), None);
    }

    #[test]
    fn the_longest_process_beside_the_access_is_found() {
        assert_eq!(find("66048", "dataflow"), Some((66_048, true, true)));
        assert_eq!(find("520", "dataflow"), Some((520, true, false)));
        assert_eq!(find("100", "dataflow"), Some((100, false, false)));
        assert_eq!(find("66048", "no"), None);
    }
}
