//! What a figure of a bench leaves out, in sentences.

use derate_model::Platform;
use derate_model::measurement::{KernelKind, Measurement, Run};
use derate_model::quantity::shown;
use derate_model::units::{Bytes, Cycles, Seconds};

use super::reach::memory_of_all;
use super::{Outcome, Subject};

/// A start-up below this share of a repetition is not worth a sentence.
const SHARE: f64 = 0.01;

/// Nor is a difference of size that four digits do not show.
const TELLING: f64 = 1e-4;

/// Sizes that were not run as they were asked for: units move whole words, and each the same number.
pub fn rounding_notes(asked: &[u64], measurement: &Measurement) -> Vec<String> {
    let one = |(&asked, run): (&u64, &Run)| {
        let ran = run.size.filter(|size| size.0 > asked as f64 * (1.0 + TELLING))?;
        let units = measurement.compute_units.map_or_else(
            || "the threads move whole numbers of 64 bit, each as many".to_owned(),
            |units| match units {
                1 => "a unit moves whole words of its port".to_owned(),
                units => format!("{units} units move whole words of their ports, each as many"),
            },
        );
        Some(format!(
            "{} were asked for, and {} were run: {units}.",
            shown(Bytes(asked as f64)),
            shown(ran)
        ))
    };
    asked.iter().zip(&measurement.runs).filter_map(one).collect()
}

/// Sizes at which no byte was moved: there is no bandwidth, and no size would give one.
pub(super) fn idle_notes(measurement: &Measurement) -> Vec<String> {
    let nothing = measurement.runs.iter().filter(|run| run.moves_nothing());
    let sizes: Vec<String> = nothing.filter_map(|run| run.size.map(shown)).collect();
    if sizes.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "At {} the kernel moved no byte of external memory, so there is no bandwidth. Look whether its loop runs at all: the \
         number of words that it is told to move, and the branches around its accesses.",
        sizes.join(", ")
    )]
}

/// Ports that no design on the card could have: each pseudo channel of HBM has one port to the fabric.
pub(super) fn too_many_ports(platform: &Platform, banks: &[usize], ports: usize) -> Option<String> {
    let memory = memory_of_all(platform, banks)?;
    let there = memory.channels.value as usize;
    let is_hbm = memory.bank.as_deref() == Some("HBM");
    (is_hbm && ports > there).then(|| {
        format!(
            "{ports} ports are used, and {} has only {there} ports to its HBM: no design with more fits on it.",
            platform.title
        )
    })
}

/// Modelled repetitions so short that what the model leaves out would show.
pub(super) fn startup_notes<D>(subject: &Subject<'_, D>, outcome: &Outcome) -> Vec<String> {
    let defaults = &subject.platform.kernel;
    let cycles: Cycles = defaults.m_axi_latency.value;
    // A device that models time has a clock.
    let Some(clock) = subject.clock else { return Vec::new() };
    let first: Seconds = cycles / clock;
    let short = |run: &&Run| {
        !run.moves_nothing() && run.median().is_some_and(|median| first.0 > SHARE * median.0)
    };
    // The smallest tells enough.
    let shortest = outcome.measurement.runs.iter().filter(short).min_by(|a, b| {
        let of = |run: &Run| run.median().map_or(0.0, |median| median.0);
        of(a).total_cmp(&of(b))
    });
    let Some(run) = shortest.filter(|_| !outcome.modelled.is_empty()) else { return Vec::new() };
    let (Some(size), Some(median)) = (run.size, run.median()) else { return Vec::new() };
    let small = |sums: Bytes| run.bytes().is_some_and(|all| sums.0 <= SHARE * all.0);
    let sums = if outcome.measurement.kernel == KernelKind::Read
        && run.bytes_written.is_some_and(|sums| !small(sums))
    {
        " The sums, a word of each unit, are not a small part of it."
    } else {
        ""
    };
    vec![format!(
        "At {} a repetition is modelled at {}, without a start: neither the {} cycles until a memory port has its first \
         word ({}) nor the host's call ({}) are in it.{sums} Take larger sizes for a bandwidth.",
        shown(size),
        shown(median),
        cycles.0,
        shown(first),
        shown(defaults.launch.value)
    )]
}
