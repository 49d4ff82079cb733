//! Measured times beside the predicted ones, transfers, regions and changes: on the example project of kernels as the design.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;

use derate_model::audit::{Finding, audit};
use derate_model::design::{
    ComparedTime, Doubt, KernelChange, KernelDesign, TermKind, TimeVerdict, join_kernels,
};
use derate_model::load::{Preprocess, load_project};
use derate_model::units::Seconds;
use derate_model::{Analysis, Level, Provenance};

fn load() -> Analysis {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/kernels-as-design");
    load_project(&folder, &Preprocess::default()).unwrap().analysis
}

fn design(analysis: &Analysis) -> KernelDesign {
    join_kernels(analysis).unwrap().unwrap()
}

fn find<'a>(design: &'a KernelDesign, kernel: &str) -> &'a ComparedTime {
    design.measured.iter().find(|one| one.kernel.as_deref() == Some(kernel)).unwrap()
}

/// The same project, where `fc2` takes another time.
fn with_time(seconds: f64) -> Analysis {
    let mut analysis = load();
    for time in analysis.times.iter_mut().flatten() {
        if time.name.as_deref() == Some("fc2") {
            time.time.value = Seconds(seconds);
            time.extremes = None;
        }
    }
    analysis
}

fn findings(analysis: &Analysis) -> Vec<Finding> {
    let all = audit(analysis).findings.into_iter();
    all.filter(|finding| finding.code == "design/measured").collect()
}

#[test]
fn the_clock_that_the_card_shows_explains_the_slower_kernel() {
    let design = design(&load());
    let fc2 = find(&design, "fc2");
    assert_eq!((fc2.verdict, fc2.measured.provenance), (TimeVerdict::Slower, Provenance::Measured));
    let first = &fc2.terms[0];
    assert_eq!((first.term, first.doubt, first.is_shown), (TermKind::Clock, None, true));
    // 9,732,173 cycles in 45.05 ms; at the 250 MHz that the card shows they take 38.93 ms.
    assert!((first.needed.unwrap() - 9_732_173.0 / 0.04505).abs() < 1.0, "{first:?}");
    assert!((fc2.at_clock.unwrap().0 - 9_732_173.0 / 250e6).abs() < 1e-9, "{fc2:?}");
    // 9,523,201 cycles at 250 MHz are 38.09 ms of the 38.20.
    let fc1 = find(&design, "fc1");
    assert!((fc1.at_clock.unwrap().0 / fc1.measured.value.0 - 1.0).abs() < 0.01, "{fc1:?}");
}

#[test]
fn each_term_alone_gives_the_measured_time() {
    let design = design(&load());
    let inference = design.measured.iter().find(|one| one.kernel.is_none()).unwrap();
    let gap = inference.measured.value.0 - inference.predicted.value.0;
    let term = |kind| inference.terms.iter().find(|one| one.term == kind).unwrap();
    let launch = term(TermKind::Launch);
    // Two calls.
    assert!((2.0 * (launch.needed.unwrap() - launch.predicted) - gap).abs() < 1e-9, "{launch:?}");
    let moved = term(TermKind::Transfers);
    let seconds = |rate: f64| 2.0 * 786_432.0 / rate;
    let change = seconds(moved.needed.unwrap()) - seconds(moved.predicted);
    assert!((change - gap).abs() < 1e-9, "{moved:?}");
}

#[test]
fn a_known_clock_explains_nothing() {
    let mut analysis = load();
    for time in analysis.times.iter_mut().flatten() {
        time.clock = Some(derate_model::units::Hertz(300e6));
    }
    let design = design(&analysis);
    let fc2 = find(&design, "fc2");
    let clock = fc2.terms.iter().find(|one| one.term == TermKind::Clock).unwrap();
    assert_eq!(clock.doubt, Some(Doubt::ClockKnown));
    // 6.45 ms of waiting are half of the 12.61 ms.
    assert_eq!(fc2.terms[0].term, TermKind::MemoryStall);
}

#[test]
fn a_time_below_the_minimum_is_said_and_one_below_the_roof_is_an_error() {
    assert_eq!(find(&design(&with_time(0.0325)), "fc2").verdict, TimeVerdict::Agrees);
    let faster = with_time(0.025);
    let fc2 = find(&design(&faster), "fc2").clone();
    assert_eq!(fc2.verdict, TimeVerdict::Faster);
    let clock = fc2.terms.iter().find(|one| one.term == TermKind::Clock).unwrap();
    assert!(clock.doubt.is_some(), "no kernel runs faster than its clock: {clock:?}");
    let level = |analysis: &Analysis| {
        findings(analysis).iter().find(|one| one.subject == "fc2").map(|one| one.level)
    };
    assert_eq!(level(&faster), Some(Level::Warning));
    // 2,416 M multiply-adds on 9,020 DSP at 1.75 each and 300 MHz: 0.51 ms.
    assert_eq!(level(&with_time(0.0004)), Some(Level::Error));
    assert_eq!(level(&with_time(0.0325)), None);
}

#[test]
fn the_usual_launch_is_no_minimum() {
    let mut analysis = load();
    for time in analysis.times.iter_mut().flatten() {
        if time.name.as_deref() == Some("fc2") {
            // What XRT's queue shows where a call takes 60 us.
            (time.time.value, time.extremes) = (Seconds(0.03244 + 60e-6), None);
            time.timer = derate_model::Timer::Host;
        }
    }
    analysis.platform.kernel.launch.value = Seconds(0.01);
    let fc2 = find(&design(&analysis), "fc2").clone();
    assert_eq!(fc2.verdict, TimeVerdict::Agrees, "{fc2:?}");
    assert!(fc2.range[0].0 < 0.0325 && fc2.range[1].0 > 0.0424, "{:?}", fc2.range);
}

#[test]
fn times_of_an_emulation_are_no_evidence() {
    let mut analysis = load();
    for time in analysis.times.iter_mut().flatten() {
        time.time.provenance = Provenance::Emulated;
    }
    assert!(findings(&analysis).is_empty());
    let design = design(&analysis);
    assert!(design.measured.iter().all(|one| one.verdict == TimeVerdict::NotEvidence));
}

#[test]
fn transfers_are_terms_of_the_inference_with_their_rates() {
    let mut analysis = load();
    let with = design(&analysis);
    let seconds = 786_432.0 / 10.8e9 + 786_432.0 / 11.4e9;
    assert!((with.totals.transfers.0 - seconds).abs() < 1e-12, "{:?}", with.totals.transfers);
    let rates: Vec<Provenance> =
        with.transfers.list.iter().map(|one| one.rate.as_ref().unwrap().provenance).collect();
    // No log of a U280 on a fast link was found.
    assert_eq!(rates, [Provenance::Assumed; 2]);
    analysis.project.transfers.to_card = None;
    analysis.project.transfers.from_card = None;
    let without = design(&analysis);
    let less = with.totals.latency.unwrap().value.0 - without.totals.latency.unwrap().value.0;
    assert!((less - seconds).abs() < 1e-12, "{less}");
    assert!(without.transfers.unknown[0].contains("[transfers]"), "{:?}", without.transfers);
    analysis = load();
    analysis.platform.host = derate_model::HostLink::default();
    let unknown = design(&analysis).transfers;
    assert!(unknown.list.iter().all(|one| one.time.is_none()) && unknown.unknown.len() == 1);
}

#[test]
fn kernels_are_held_against_the_region_that_they_are_placed_in() {
    let mut analysis = load();
    analysis.project.kernels[1].used.dsp.as_mut().unwrap().value = 3_100;
    let resources = |analysis: &Analysis| {
        let all = audit(analysis).findings.into_iter();
        all.filter(|one| one.code == "design/resources").map(|one| one.subject).collect::<Vec<_>>()
    };
    // All of the card has 9,020, and SLR1 has 3,072.
    assert_eq!(resources(&analysis), ["DSP of SLR1"]);
    analysis.project.kernels[1].slr = None;
    assert!(resources(&analysis).is_empty());
    let regions = design(&analysis).totals.regions;
    let largest = regions.largest.iter().find(|one| one.kernel == "fc2").unwrap();
    assert!(largest.used > largest.available, "{largest:?}");
}

#[test]
fn changes_are_sorted_by_what_they_save_of_the_inference() {
    let mut analysis = load();
    let latency = design(&analysis).totals.latency.unwrap().value.0;
    let changes = design(&analysis).changes;
    assert!(changes.windows(2).all(|pair| pair[0].saves.0 >= pair[1].saves.0), "{changes:?}");
    assert!(changes.iter().all(|one| one.saves.0 > 0.0 && one.saves.0 < latency), "{changes:?}");
    // Each of 1,000 calls of the host takes 10 ms.
    analysis.platform.kernel.launch.value = Seconds(0.01);
    let mut calls = analysis.project.kernels[1].used.dsp.clone();
    calls.as_mut().unwrap().value = 1000;
    analysis.project.kernels[0].calls = calls;
    let joined = design(&analysis).changes;
    let joined = joined.iter().find(|one| matches!(one.change, KernelChange::JoinCalls { .. }));
    assert!((joined.unwrap().saves.0 - 999.0 * 0.01).abs() < 1e-9, "{joined:?}");
}
