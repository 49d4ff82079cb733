//! What kernels did that the model of their time does not count.

use std::collections::BTreeMap;

use derate_model::bandwidth::Port;

use super::{Moved, TimedRun};

/// A sentence for each argument whose accesses make no bursts as long as the model counts, and for each port that several
/// arguments share, of the runs whose own cycles nobody modelled; units that do the same are one.
pub(super) fn left_out(runs: &[TimedRun<'_>], modelled: &Port) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for run in runs.iter().filter(|run| run.cycles.is_none()) {
        let jumps =
            run.moved.iter().filter_map(|moved| note_short_bursts(moved, modelled.burst_beats));
        for one in jumps.chain(note_shared_ports(run.moved)) {
            if !said.contains(&one) {
                said.push(one);
            }
        }
    }
    said
}

/// Accesses that follow one another for less than a burst on average.
fn note_short_bursts(moved: &Moved, beats: f64) -> Option<String> {
    let word = u64::from(moved.width_bits / 8).max(1);
    let accesses = (moved.read + moved.written) / word;
    (moved.jumps > 1 && moved.jumps as f64 * beats > accesses as f64).then(|| {
        format!(
            "`{}` makes {accesses} accesses, and {} of them do not go on where the one before ended: that gives no bursts of \
             {beats} words, which the time counts, so a card takes longer.",
            moved.argument, moved.jumps
        )
    })
}

/// Arguments that name one bundle have one port.
fn note_shared_ports(moved: &[Moved]) -> Vec<String> {
    let mut ports: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for one in moved.iter().filter(|one| one.read + one.written > 0) {
        if let Some(bundle) = &one.bundle {
            ports.entry(bundle).or_default().push(format!("`{}`", one.argument));
        }
    }
    let several = ports.into_iter().filter(|(_, arguments)| arguments.len() > 1);
    let sentence = |(bundle, arguments): (&str, Vec<String>)| {
        format!(
            "{} share the bundle {bundle}, one port to memory: the time adds up what goes through it the same way, and lets it \
             read and write at once, which a kernel that takes turns does not.",
            arguments.join(" and ")
        )
    };
    several.map(sentence).collect()
}
