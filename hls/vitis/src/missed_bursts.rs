//! The tables of accesses: which of them are bursts after all.

use std::collections::{BTreeMap, BTreeSet};

use crate::reserved_words::strip_ending;
use crate::{Burst, BurstVerdict, Located, Module, Report};

/// What is the same in two places of a burst; `None` where the report does not say.
pub fn word_of(word: Option<&Located<String>>) -> Option<&str> {
    word.map(|word| word.value.as_str())
}

/// The accesses without a burst.
pub fn list_missed<'a>(
    reports: &[Report],
    report: &Report,
    bursts: &[&'a Burst],
) -> Vec<&'a Burst> {
    let missed = |burst: &&&Burst| {
        matches!(burst.verdict, BurstVerdict::Failed | BurstVerdict::Missed)
            && !is_inferred(report, burst)
            && !is_region_of_bursts(report, burst)
            && !bursts_within(reports, report, burst)
    };
    bursts.iter().filter(missed).copied().collect()
}

/// The accesses of a port that could not be made wider, each once.
pub fn list_not_widened<'a>(bursts: &[&'a Burst], port: &str) -> Vec<&'a Burst> {
    let mut seen = BTreeSet::new();
    let own = bursts.iter().filter(|burst| {
        burst.verdict == BurstVerdict::NotWidened && is_port_of(port, &burst.interface.value)
    });
    own.filter(|one| seen.insert((word_of(one.variable.as_ref()), word_of(one.location.as_ref()))))
        .copied()
        .collect()
}

/// Each once: since 2022.2 one table lists what was missed, and another one all accesses, with their directions.
pub fn list_bursts(report: &Report) -> Vec<&Burst> {
    let same = |a: &Burst, b: &Burst| {
        (&a.interface.value, a.verdict) == (&b.interface.value, b.verdict)
            && word_of(a.variable.as_ref()) == word_of(b.variable.as_ref())
            && word_of(a.loop_name.as_ref()) == word_of(b.loop_name.as_ref())
            && word_of(a.code.as_ref()) == word_of(b.code.as_ref())
    };
    let mut known: BTreeMap<&str, Vec<&Burst>> = BTreeMap::new();
    let mut all: Vec<&Burst> = Vec::new();
    // Those with a direction say more.
    let (full, short): (Vec<&Burst>, Vec<&Burst>) =
        report.bursts.iter().partition(|burst| burst.direction.is_some());
    for burst in full.into_iter().chain(short) {
        let beside = known.entry(&burst.interface.value).or_default();
        let repeated = beside.iter().any(|other| {
            let place = word_of(other.location.as_ref()) == word_of(burst.location.as_ref())
                && word_of(other.direction.as_ref()) == word_of(burst.direction.as_ref());
            same(other, burst) && (place || other.direction.is_some() != burst.direction.is_some())
        });
        if !repeated {
            beside.push(burst);
            all.push(burst);
        }
    }
    all.sort_by_key(|burst| burst.interface.span);
    all
}

/// Whether an access is in no loop by the report, and neither is another of its variable.
#[must_use]
pub fn is_outside_loops(report: &Report, burst: &Burst) -> bool {
    let name = word_of(burst.variable.as_ref());
    let own = report.bursts.iter().filter(|one| word_of(one.variable.as_ref()) == name);
    let is_burst =
        |one: &Burst| matches!(one.verdict, BurstVerdict::Inferred | BurstVerdict::NotWidened);
    name.is_some()
        && burst.location.is_some()
        && own.into_iter().all(|one| word_of(one.loop_name.as_ref()).is_none() && !is_burst(one))
}

/// The port for a memory or a stream outside that the only loop of a kernel copies from or to an `m_axi` port of the same width: it has
/// one word a cycle, however wide the other is.
#[must_use]
pub fn find_word_port<'a>(reports: &'a [Report], report: &Report, bits: u64) -> Option<&'a str> {
    let loops = report.modules.iter().flat_map(Module::all_loops).count();
    if loops != 1 || report.ports.len() != 1 {
        return None;
    }
    let beside = reports.iter().filter(|one| one.run_place() == report.run_place());
    let mut all = beside.flat_map(|one| &one.word_ports);
    let (name, own) = all.next()?;
    let is_alone = all.all(|(other, _)| other == name);
    (is_alone && *own == bits).then_some(name)
}

/// Whether an argument is a pointer that no pragma gives an interface, by the reports of a run: it became `m_axi` by default.
#[must_use]
pub fn is_by_default(reports: &[Report], report: &Report, name: &str) -> bool {
    let beside = || reports.iter().filter(|one| one.run_place() == report.run_place());
    let mut interfaces = beside()
        .flat_map(|one| &one.pragmas)
        .filter(|one| one.kind.value.eq_ignore_ascii_case("interface"))
        .peekable();
    let names_it = |options: &str| options.split([' ', '=']).any(|word| word == name);
    let is_pointer = |datatype: &str| datatype == "pointer" || datatype.ends_with('*');
    let mut arguments = beside().flat_map(|one| &one.arguments);
    arguments.any(|one| one.name == name && is_pointer(&one.datatype))
        && interfaces.peek().is_some()
        && !interfaces.any(|one| names_it(&one.options.value))
}

/// An access that bursts in an inner loop is a burst, though none was made of the outer loop. The table of the bursts of 2022.1
/// names no variable: its place is enough.
fn is_inferred(report: &Report, burst: &Burst) -> bool {
    let is_same = |one: Option<&Located<String>>, other: Option<&Located<String>>| {
        one.is_none() || word_of(one) == word_of(other)
    };
    burst.variable.is_some()
        && burst.location.is_some()
        && report.bursts.iter().any(|other| {
            other.verdict == BurstVerdict::Inferred
                && other.interface.value == burst.interface.value
                && word_of(other.location.as_ref()) == word_of(burst.location.as_ref())
                && is_same(other.variable.as_ref(), burst.variable.as_ref())
                && (burst.direction.is_none()
                    || is_same(other.direction.as_ref(), burst.direction.as_ref()))
        })
}

/// The number of the reason that several accesses of a region are to one bundle: it costs their burst and often the interval.
const SAME_BUNDLE: &str = "214-224";

/// A row without a variable is of a region whose accesses were not joined to one burst. They have rows of their own.
fn is_region_of_bursts(report: &Report, burst: &Burst) -> bool {
    burst.variable.is_none()
        && word_of(burst.code.as_ref()) != Some(SAME_BUNDLE)
        && burst.location.is_some()
        && report.bursts.iter().any(|other| {
            other.verdict == BurstVerdict::Inferred
                && other.variable.is_some()
                && is_port_of(&other.interface.value, &burst.interface.value)
                && word_of(other.direction.as_ref()) == word_of(burst.direction.as_ref())
        })
}

/// A table that lists a burst of a loop within the one that has none: only the outer one was not widened.
fn bursts_within(reports: &[Report], report: &Report, burst: &Burst) -> bool {
    let (Some(outer), Some(place)) = (&burst.loop_name, &burst.location) else { return false };
    report.bursts.iter().any(|other| {
        let is_inner =
            |inner: &Located<String>| is_loop_within(reports, &outer.value, &inner.value);
        // The place of an access may be that of another one of its function.
        let same_file = |at: &Located<String>| {
            file_of(&at.value) == file_of(&place.value)
                || burst.variable.is_some()
                    && word_of(burst.variable.as_ref()) == word_of(other.variable.as_ref())
        };
        other.verdict == BurstVerdict::Inferred
            && is_port_of(&other.interface.value, &burst.interface.value)
            && other.location.as_ref().is_some_and(same_file)
            && other.loop_name.as_ref().is_some_and(is_inner)
    })
}

/// Whether one port is among several: `m_axi_a2` in `m_axi_a2,a3`, and in `m_axi_a2a3`, as XML has it; `m_axi_output_r` in
/// `m_axi_output`, as accesses have it.
pub fn is_port_of(port: &str, all: &str) -> bool {
    let (port, all) = (port.trim_start_matches("m_axi_"), all.trim_start_matches("m_axi_"));
    let is_whole = |port: &str| all.split(',').any(|one| one.trim() == port);
    is_among(port, all) || strip_ending(port).is_some_and(is_whole)
}

fn is_among(port: &str, all: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '_');
    all.split(',').any(|one| {
        let one = one.trim();
        one.strip_prefix(port).is_some_and(ends)
            || one.strip_suffix(port).is_some_and(|rest| !rest.ends_with('_'))
    })
}

/// `conv.cpp` of `conv.cpp:33:29`.
fn file_of(place: &str) -> &str {
    place.split(':').next().unwrap_or(place)
}

/// Whether one loop is in another: as some report nests them, or in the name of a flattened one, `outer_inner`.
fn is_loop_within(reports: &[Report], outer: &str, inner: &str) -> bool {
    let called = reports
        .iter()
        .flat_map(|report| &report.modules)
        .filter(|one| one.caller_loop.as_deref() == Some(outer));
    if called.flat_map(Module::all_loops).any(|one| one.name.value.contains(inner)) {
        return true;
    }
    let loops = reports.iter().flat_map(|report| &report.modules).flat_map(Module::all_loops);
    let mut loops = loops.filter(|one| outer != inner && one.name.value.contains(outer));
    loops.any(|one| {
        let name = &one.name.value;
        let flattened = name.find(outer).is_some_and(|at| name[at + outer.len()..].contains(inner));
        let mut open: Vec<_> = one.loops.iter().collect();
        while let Some(deeper) = open.pop() {
            if deeper.name.value.contains(inner) {
                return true;
            }
            open.extend(&deeper.loops);
        }
        flattened
    })
}

#[cfg(test)]
mod tests {
    use super::is_port_of;

    #[test]
    fn a_port_is_found_by_the_name_that_accesses_have() {
        assert!(is_port_of("m_axi_a2", "m_axi_a2,a3") && is_port_of("m_axi_a2", "m_axi_a2a3"));
        assert!(is_port_of("m_axi_INPUT_r", "m_axi_INPUT"));
        assert!(!is_port_of("m_axi_gmem_r", "m_axi_gmem"));
        assert!(!is_port_of("m_axi_in_r", "m_axi_index"));
        assert!(!is_port_of("m_axi_in_r", "m_axi_main"));
        assert!(!is_port_of("m_axi_a2", "m_axi_a21"));
    }
}
