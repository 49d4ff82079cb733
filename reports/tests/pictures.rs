//! What the figures of the report draw: roofs of the claim's own precision, sizes by time, steps of one kind together.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use derate_model::audit::audit;
use derate_model::estimate::{Estimate, Step, estimate};
use derate_reports::{Bars, Block, Chart, Document, LineStyle, sections};
use fixture::Fixture;

fn read(precision: &str) -> (Estimate, Document) {
    let claim = format!("precision = \"{precision}\"");
    let fixture = Fixture::new("smolvla").with("derate.toml", "precision = \"bf16\"", &claim);
    let analysis = fixture.analysis();
    let estimate = estimate(&analysis);
    let report = sections::report(&analysis, &audit(&analysis), &estimate);
    (estimate, report)
}

fn chart<'a>(report: &'a Document, name: &str) -> &'a Chart {
    let blocks = report.sections.iter().flat_map(|section| &section.blocks);
    let mut charts = blocks.filter_map(|block| match block {
        Block::Chart(chart) => Some(chart),
        _ => None,
    });
    charts.find(|chart| chart.name == name).unwrap()
}

fn bars<'a>(report: &'a Document, name: &str) -> &'a Bars {
    let blocks = report.sections.iter().flat_map(|section| &section.blocks);
    let mut all = blocks.filter_map(|block| match block {
        Block::Bars(bars) => Some(bars),
        _ => None,
    });
    all.find(|bars| bars.name == name).unwrap()
}

/// A claim of integers beside a design in FP32 has the roof of integers, too; one whose roof is the same has no second line.
#[test]
fn a_claim_has_the_roof_of_its_own_precision() {
    let own = |precision: &str| {
        let (_, report) = read(precision);
        let lines = &chart(&report, "roofline").lines;
        let mut own = lines.iter().filter(|line| line.style == LineStyle::Reference);
        own.next().map(|line| (line.name.clone(), line.corners.last().unwrap().y))
    };
    let (name, peak) = own("int8").unwrap();
    assert!(name.contains("INT8"), "{name}");
    assert!((peak - 9.471e12).abs() < 1e9, "{peak}");
    assert_eq!(own("bf16"), None);
}

#[test]
fn every_precision_has_both_of_its_roofs() {
    let (estimate, report) = read("bf16");
    let picture = chart(&report, "precision-roofs");
    let claimed = picture.lines.iter().filter(|line| line.style == LineStyle::Claimed);
    assert_eq!(claimed.count(), 3);
    for line in &picture.lines {
        let peak = line.corners.last().unwrap().y;
        let is_it = |row: &derate_model::estimate::PeakRow| {
            row.peak.rate.value.0.to_bits() == peak.to_bits()
        };
        assert!(estimate.peaks.iter().any(is_it), "{}", line.name);
    }
}

#[test]
fn shares_of_a_series_are_parts_of_a_whole() {
    let (_, report) = read("bf16");
    for series in &chart(&report, "roofline").points {
        let shares: Vec<f64> = series.points.iter().filter_map(|point| point.share).collect();
        let sum: f64 = shares.iter().sum();
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)) && sum < 1.0 + 1e-9);
        // What is tried has no time yet.
        assert_eq!(shares.is_empty(), series.name.starts_with("what if"), "{}", series.name);
    }
}

#[test]
fn steps_of_one_kind_are_together_and_add_or_save() {
    let (estimate, report) = read("bf16");
    let picture = bars(&report, "sensitivity");
    let step = |bar: &String| {
        let row = estimate
            .sensitivity
            .iter()
            .find(|row| *bar == format!("{}, {} to {}", row.name, row.from, row.to));
        row.unwrap().step
    };
    let steps: Vec<Step> = picture.bars.iter().map(step).collect();
    assert!(steps.is_sorted(), "{steps:?}");
    assert!(steps.iter().filter(|step| **step == Step::Tenth).count() >= 2);
    let length =
        |series: usize, bar: usize| picture.series[series].lengths[bar].as_ref().unwrap().value;
    for bar in 0..picture.bars.len() {
        let (adds, saves) = (length(0, bar), length(1, bar));
        assert!((adds > 0.0) != (saves > 0.0), "{}", picture.bars[bar]);
    }
}
