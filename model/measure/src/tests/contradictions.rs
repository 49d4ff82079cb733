//! Files that contradict themselves support nothing, and what only looks like a contradiction does not count as one.

mod origin;
mod runs;
mod times;
mod traffic;

use super::*;

/// Supports the claim: 32 units that copy, measured on a card, five repetitions that differ by a little.
fn good() -> Measurement {
    let mut measurement = copy(32, 512, 300.0, 450.0, 32, 390e9);
    measurement.compute_units = Some(32);
    measurement.runs[0].seconds =
        [1.0, 0.999, 1.002, 1.001, 1.003].map(|times| Seconds(times * BYTES / 390e9)).to_vec();
    measurement
}

fn judged(change: impl FnOnce(&mut Measurement)) -> (Verdict, Vec<&'static str>) {
    let mut measurement = good();
    change(&mut measurement);
    let judged = judge_measurement(&measurement, &claim(300e9));
    for reason in &judged.reasons {
        assert!(!reason.sentence.contains('\n'), "{reason:?}");
    }
    (judged.verdict, codes(&judged.reasons))
}

fn accepts(change: impl FnOnce(&mut Measurement)) {
    assert_eq!(judged(change), (Verdict::Supported, vec!["share"]));
}

fn open(code: &'static str, change: impl FnOnce(&mut Measurement)) {
    assert_eq!(judged(change), (Verdict::Inconclusive, vec![code]));
}
