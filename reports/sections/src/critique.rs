//! The critique of the first analysis, point by point: what was claimed, what holds, what a correct peak changes.

use derate_render::{Cell, Column, Table};

use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{ClaimKey, Estimate, ScenarioEstimate};
use derate_units::Precision;
use derate_units::figures::{quantity, rate, significant};

/// What a roofline time of scenario `claimed` depends on, besides the peak.
const TIME: [ClaimKey; 3] = [ClaimKey::Precision, ClaimKey::Tokens, ClaimKey::Bandwidth];

fn compare_ridges(scenario: &ScenarioEstimate) -> Option<String> {
    Some(format!("{} OP/B", significant(scenario.main_ceiling()?.ridge.0, 3)))
}

fn compare_intensity(scenario: &ScenarioEstimate) -> Option<String> {
    Some(format!("{} OP/B", significant(scenario.main_part()?.totals.oi.0, 4)))
}

fn compare_bounds(scenario: &ScenarioEstimate) -> Option<String> {
    let (oi, ridge) = (scenario.main_part()?.totals.oi, scenario.main_ceiling()?.ridge);
    Some(format!(
        "{} bound at {} times the ridge",
        scenario.main_part()?.totals.bound?.as_str(),
        significant(oi / ridge, 2)
    ))
}

/// What the width of the elements alone does to the intensity: fp32 against the claimed precision, or bf16 where that is
/// no narrower or not one for all elements.
fn compare_widths(estimate: &Estimate, claimed: &ScenarioEstimate) -> Option<String> {
    let narrower = |one: &Precision| one.bits() < Precision::FP32.bits();
    let narrow = Precision::parse(&claimed.precision).filter(narrower).unwrap_or(Precision::BF16);
    let at = |precision: Precision| {
        let one = estimate.by_precision.iter().find(|s| s.precision == precision.key());
        Some((compare_intensity(one?)?, one?.main_part()?.name.as_str()))
    };
    let ((wide, part), (oi, _)) = (at(Precision::FP32)?, at(narrow)?);
    let bytes = if narrow.bits() == 16 { "half the" } else { "fewer" };
    let name = narrow.key();
    Some(format!(
        "All in fp32 the {part} have {wide}, all in {name} {oi}: the same products over {bytes} bytes. "
    ))
}

/// A figure of scenario `claimed`, apart from a default where its inputs are not claimed: a default is not a claim.
fn as_claimed(
    claimed: &ScenarioEstimate,
    figure: Option<String>,
    stands_on: &[ClaimKey],
) -> Option<String> {
    let missing = stands_on.iter().filter(|on| claimed.unclaimed.contains(on));
    let missing: Vec<&str> = missing.map(|key| key.name()).collect();
    if missing.is_empty() {
        return figure;
    }
    let none = format!("not claimed ({})", missing.join(", "));
    Some(figure.map_or_else(|| none.clone(), |figure| format!("{none}; by default {figure}")))
}

/// A row per point; a point whose figures are not known is left out.
pub(super) fn tabulate_critique(estimate: &Estimate, batch: u64) -> Option<Table> {
    let (claimed, corrected) =
        (estimate.scenario(ScenarioKind::Claimed)?, estimate.scenario(ScenarioKind::DerivedPeak)?);
    let derated = estimate.scenario(ScenarioKind::Derated)?;
    let fused = estimate.schedules(ScenarioKind::DerivedPeak).last()?;
    let mut rows = Vec::new();
    let mut row = |point: &str, before: Option<String>, after: Option<String>, peak: String| {
        if let (Some(before), Some(after)) = (before, after) {
            rows.push([point.to_owned(), before, after, peak].map(Cell::Text).into());
        }
    };
    let ceiling =
        |s: &ScenarioEstimate| s.main_ceiling().map(|c| rate(c.peak.rate.value, c.peak.precision));
    let said = |figure, stands_on: &[ClaimKey]| as_claimed(claimed, figure, stands_on);
    row(
        "Operational intensity",
        said(compare_intensity(claimed), &[ClaimKey::Precision, ClaimKey::Tokens]),
        compare_intensity(corrected),
        format!(
            "{}A peak changes no intensity, only what it is measured against.",
            compare_widths(estimate, claimed).unwrap_or_default()
        ),
    );
    row(
        "Peak",
        said(ceiling(claimed), &[ClaimKey::Peak]),
        ceiling(corrected),
        corrected.main_ceiling().map_or_else(String::new, |c| c.peak.rate.source.clone()),
    );
    row(
        "Bandwidth",
        said(Some(quantity(claimed.bandwidth.value)), &[ClaimKey::Bandwidth]),
        Some(quantity(derated.bandwidth.value)),
        "The peak does not change the bandwidth.".to_owned(),
    );
    row(
        "Ridge point",
        compare_ridges(claimed).and_then(|ridge| said(Some(ridge), &[ClaimKey::Bandwidth])),
        compare_ridges(corrected),
        compare_ridges(derated)
            .map_or_else(String::new, |r| format!("With the claimed peak it would be {r}.")),
    );
    row(
        "Distance to the memory wall",
        compare_bounds(claimed).and_then(|bound| said(Some(bound), &TIME)),
        compare_bounds(corrected),
        compare_bounds(derated)
            .map_or_else(String::new, |b| format!("With the claimed peak they would be {b}.")),
    );
    let time = |s: &ScenarioEstimate| s.running_time().map(quantity);
    let step = |unfused: &ScenarioEstimate, fused: &ScenarioEstimate| {
        let all = |s| Some(format!("{}, {}", time(s)?, quantity(s.totals.bytes)));
        Some(format!(
            "{} unfused; {} fused ({})",
            all(unfused)?,
            all(fused)?,
            fused.schedule.name()
        ))
    };
    row(
        "Fused against unfused, whole inference",
        // Where nothing is fused there is nothing to compare.
        estimate
            .is_whole()
            .then(|| {
                step(claimed, estimate.schedules(ScenarioKind::Claimed).last().unwrap_or(claimed))
            })
            .flatten(),
        step(corrected, fused),
        "The lower the peak, the less the bytes matter.".to_owned(),
    );
    let design = estimate.design();
    row(
        &format!("Latency against throughput, batch {batch}"),
        estimate.claimed_latency.map(|claim| format!("{} by the claim", quantity(claim))).or_else(
            || {
                let time = time(claimed).map(|t| format!("{t} by throughput"))?;
                said(Some(time), &TIME)
            },
        ),
        Some(design.and_then(|s| s.latency.as_ref()).map_or_else(
            || "unknown".to_owned(),
            |l| {
                format!(
                    "{} ({} times its roofline time)",
                    quantity(l.seconds),
                    l.gap.map_or_else(|| "unknown".to_owned(), |gap| significant(gap, 3))
                )
            },
        )),
        if design.is_some() {
            "Its roofline time is what the design's own peak and bandwidth would allow.".to_owned()
        } else {
            format!("{}.", estimate.no_latency())
        },
    );
    Some(critique_table(rows))
}

fn critique_table(rows: Vec<Vec<Cell>>) -> Table {
    Table {
        name: "critique".to_owned(),
        caption: "The critique, point by point".to_owned(),
        columns: vec![
            Column::text("point", "Point"),
            Column::text("claimed", "Claimed"),
            Column::text("holds", "What holds"),
            Column::text("peak", "Why, and what a correct peak changes"),
        ],
        rows,
    }
}
