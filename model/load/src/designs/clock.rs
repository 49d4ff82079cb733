//! Which clock a design is built for, of all that its files name.

use std::collections::BTreeSet;

use derate_estimate::{ClockOrigin, DesignClock, NamedClock};
use derate_hls::Sources;
use derate_project::Build;
use derate_units::Hertz;

use crate::search::{BuildScript, Solution, is_clock};

/// Reports print two or three digits, and people write 3.3 for a third of 10.
const SAME: f64 = 0.015;

/// The clock of a design. Scripts go before reports, which may be of an earlier run, and these before the v++ configuration.
/// Where scripts or solutions differ, it is the clock that a report shows too, else the first one.
pub(crate) fn choose_clock(
    scripts: &[BuildScript],
    build: &Build,
    sources: &Sources,
) -> DesignClock {
    let scripted = list_scripted(scripts);
    let reported = list_reported(scripts, build, sources);
    let is_reported = |one: &NamedClock| reported.iter().any(|other| is_same(one, other));
    let first = scripted
        .iter()
        .find(|one| is_reported(one))
        .or(scripted.first())
        .or(reported.first())
        .cloned();
    let Some(first) = first else {
        return build.asked_clock().map(DesignClock::named).unwrap_or_default();
    };
    let mut named = vec![first];
    for other in scripted.into_iter().chain(reported) {
        if named.iter().all(|known| !is_same(known, &other)) {
            named.push(other);
        }
    }
    let value = named[0].value;
    if named.len() == 1 {
        return DesignClock::named(value);
    }
    DesignClock { value, origin: ClockOrigin::Several(named) }
}

fn is_same(one: &NamedClock, other: &NamedClock) -> bool {
    is_same_clock(one.value.0, other.value.0)
}

/// Whether two clocks are the same but for the digits that they are written with.
pub(crate) fn is_same_clock(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() <= SAME
}

fn list_scripted(scripts: &[BuildScript]) -> Vec<NamedClock> {
    let mut clocks = Vec::new();
    let all = || scripts.iter().flat_map(|one| one.solutions.iter().map(move |it| (one, it)));
    // C++ has no clock: one of a solution that is only simulated counts where no other names one.
    let is_built = |solution: &Solution| !solution.only_simulates && !solution.clocks.is_empty();
    let has_built = all().any(|(_, solution)| is_built(solution));
    for (script, solution) in all().filter(|(_, one)| !has_built || is_built(one)) {
        clocks.extend(solution.clocks.iter().map(|ns| NamedClock {
            file: script.name.clone(),
            solution: solution.name.clone().or_else(|| script.project.clone()),
            value: Hertz(1e9 / ns),
        }));
    }
    clocks
}

/// The targets of the reports of the tops that scripts name; of all reports where none is of such a top.
fn list_reported(scripts: &[BuildScript], build: &Build, sources: &Sources) -> Vec<NamedClock> {
    let tops: BTreeSet<&str> =
        scripts.iter().flat_map(|script| &script.tops).map(String::as_str).collect();
    let read = build.reports.iter().filter_map(|report| {
        let target = report.clock.target.as_ref();
        let printed = target.and_then(|target| target.value.known());
        // The command that linked a bitstream.
        let linked = report.target_frequency.as_ref().filter(|_| !report.clocks.is_empty());
        let linked_ns = linked.and_then(|asked| asked.value.known()).map(|mhz| 1e3 / mhz);
        let ns = printed.or(report.counted_period).or(linked_ns).filter(|ns| is_clock(*ns))?;
        let place = target.map(|target| target.span).or(linked.map(|asked| asked.span));
        let place = place.or(report.modules.first().map(|module| module.name.span))?;
        let named = NamedClock {
            file: sources.name(place.file).to_owned(),
            solution: None,
            value: Hertz(1e9 / ns),
        };
        let is_own = report.top.as_ref().is_some_and(|top| tops.contains(top.value.as_str()));
        Some((is_own, printed.is_none(), named))
    });
    let mut read: Vec<(bool, bool, NamedClock)> = read.collect();
    let has_own = read.iter().any(|(is_own, ..)| *is_own);
    // A target that is printed is exact; one that is counted has the digits of a time.
    read.sort_by_key(|(_, is_counted, _)| *is_counted);
    read.into_iter().filter(|(is_own, ..)| *is_own || !has_own).map(|(.., named)| named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(name: &str, top: &str, clocks: &[(&str, f64)]) -> BuildScript {
        let solution = |(name, ns): &(&str, f64)| Solution {
            name: Some((*name).to_owned()),
            clocks: vec![*ns],
            ..Solution::default()
        };
        BuildScript {
            name: name.to_owned(),
            tops: vec![top.to_owned()],
            solutions: clocks.iter().map(solution).collect(),
            ..BuildScript::default()
        }
    }

    fn choose(scripts: &[BuildScript]) -> DesignClock {
        choose_clock(scripts, &Build::default(), &Sources::default())
    }

    #[test]
    fn a_third_of_ten_is_one_clock_however_it_is_written() {
        let clock = choose(&[script("a.tcl", "f", &[("s", 3.3), ("s", 3.33), ("s", 10.0 / 3.0)])]);
        assert_eq!(clock.origin, ClockOrigin::Named);
        assert!(choose(&[]).is_assumed());
    }

    #[test]
    fn of_solutions_that_differ_the_first_is_taken_and_both_are_named() {
        let clock =
            choose(&[script("a.tcl", "f", &[("slow", 5.0), ("fast", 2.0), ("again", 5.0)])]);
        assert!((clock.value.0 - 200e6).abs() < 1.0);
        let ClockOrigin::Several(named) = clock.origin else { unreachable!("one clock") };
        let solutions: Vec<_> = named.iter().filter_map(|one| one.solution.as_deref()).collect();
        assert_eq!(solutions, ["slow", "fast"]);
    }

    #[test]
    fn the_clock_of_a_simulation_counts_where_nothing_is_synthesised() {
        let mut simulated = script("csim.tcl", "f", &[("s", 4.0)]);
        simulated.solutions[0].only_simulates = true;
        let built = script("vitis.tcl", "f", &[("s", 5.0)]);
        assert!((choose(&[simulated.clone(), built]).value.0 - 200e6).abs() < 1.0);
        assert!((choose(&[simulated]).value.0 - 250e6).abs() < 1.0);
    }
}
