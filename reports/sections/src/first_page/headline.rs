//! The answer in one sentence, made from the figures.

use derate_audit::Summary;
use derate_render::{Cell, Column, NumberFormat, Table};

use super::super::live::{Formulas, follow_cell};
use super::super::verdict::could_check;
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Analysis, ClaimKey, Estimate, ScenarioEstimate};
use derate_units::figures::{count, quantity, significant};

/// Times nearer to each other than this are the same.
const SAME: f64 = 0.01;

/// The step between two scenarios of the ladder that moves the time most, in words.
fn describe_largest(estimate: &Estimate) -> Option<String> {
    let steps: Vec<&ScenarioEstimate> =
        estimate.ladder().filter(|step| step.kind != ScenarioKind::Design).collect();
    let moved = |pair: &[&ScenarioEstimate]| {
        Some((pair[1].running_time()?.0 - pair[0].running_time()?.0).abs())
    };
    let each = steps.windows(2).filter_map(|pair| Some((moved(pair)?, pair)));
    let (_, pair) = each.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    describe_step(pair[0], pair[1])
}

/// What a step corrects, with the factor.
pub(super) fn describe_step(before: &ScenarioEstimate, after: &ScenarioEstimate) -> Option<String> {
    let (what, claimed, holds) = match after.kind {
        ScenarioKind::DerivedPeak => {
            let rate = |s: &ScenarioEstimate| Some(s.main_ceiling()?.peak.rate.value.0);
            ("the peak", rate(before)?, rate(after)?)
        }
        ScenarioKind::Derated => {
            ("the bandwidth", before.bandwidth.value.0, after.bandwidth.value.0)
        }
        ScenarioKind::AsBuilt => {
            let factor = after.totals.bytes.0 / before.totals.bytes.0;
            return Some(format!(
                "the code moves {} times the claimed bytes",
                significant(factor, 2)
            ));
        }
        ScenarioKind::TrueTokens => {
            let factor = after.tokens.value / before.tokens.value;
            return Some(format!(
                "an inference runs {} times the claimed tokens",
                significant(factor, 2)
            ));
        }
        _ => return None,
    };
    let (factor, how) =
        if claimed >= holds { (claimed / holds, "high") } else { (holds / claimed, "low") };
    Some(format!("{what} is claimed {} times too {how}", significant(factor, 2)))
}

/// The headline: what holds, what was claimed, and what makes the difference. It asks for the findings only where the
/// figures do not give the reason.
pub(crate) fn write_headline(
    analysis: &Analysis,
    summarise: impl FnOnce() -> Summary,
    estimate: &Estimate,
) -> String {
    let found = || match summarise().error {
        0 if !could_check(analysis) => "nothing could be checked".to_owned(),
        0 => "no finding is an error".to_owned(),
        error => format!("the audit found {}", count(error, "error")),
    };
    let time = |kind| estimate.scenario(kind).and_then(ScenarioEstimate::running_time);
    let (claimed, holds) = (time(ScenarioKind::Claimed), time(ScenarioKind::DerivedPeak));
    let unclaimed = || {
        let first = estimate.scenario(ScenarioKind::Claimed);
        first.is_some_and(|first| first.unclaimed.contains(&ClaimKey::Peak))
    };
    match (claimed, holds) {
        (Some(claimed), Some(holds)) if (holds.0 / claimed.0 - 1.0).abs() < SAME => {
            format!("{}, as claimed: {}.", quantity(holds), found())
        }
        (_, Some(holds)) if unclaimed() => {
            format!(
                "{} an inference at the least: no peak is claimed, and {}.",
                quantity(holds),
                found()
            )
        }
        (Some(claimed), Some(holds)) => {
            let why = describe_largest(estimate).unwrap_or_else(found);
            format!("{}, not {}: {why}.", quantity(holds), quantity(claimed))
        }
        (None, Some(holds)) => {
            let (holds, found) = (quantity(holds), found());
            format!("{holds} an inference at the least, the claimed time is unknown: {found}.")
        }
        (Some(claimed), None) => {
            format!("{} as claimed, what holds is unknown: {}.", quantity(claimed), found())
        }
        _ => format!("The time of an inference is unknown: {}.", found()),
    }
}

/// The two times of the headline as derate has them, and as the inputs have them now.
pub(super) fn tabulate_answer(estimate: &Estimate, formulas: &Formulas<'_>) -> Option<Table> {
    if !formulas.can_edit() {
        return None;
    }
    let four = NumberFormat::Significant(4);
    let rows = [
        (ScenarioKind::Claimed, "as claimed"),
        (ScenarioKind::DerivedPeak, "with all corrections"),
    ];
    let rows = rows.into_iter().map(|(kind, name)| {
        let scenario = estimate.scenario(kind)?;
        let time = scenario.running_time().map(|time| time.0 * 1e3);
        let now = formulas.of(scenario)?.inference_time();
        Some(vec![Cell::text(name), Cell::number(time?, four), follow_cell(time, now, four)])
    });
    Some(Table {
        name: "answer".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("which", "Time of an inference"),
            Column::number("own", "Before", "ms"),
            Column::number("now", "Now", "ms"),
        ],
        rows: rows.collect::<Option<_>>()?,
    })
}
