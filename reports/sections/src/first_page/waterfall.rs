//! The time of an inference from the claim to what holds, step by step.

use derate_render::{BarSeries, Bars, Formula, Length, NumberFormat, formula};

use super::super::live::Formulas;
use super::headline::describe_step;
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Estimate, ScenarioEstimate};
use derate_units::figures::quantity;

/// What a bar is called.
fn name_step(step: &ScenarioEstimate) -> &str {
    match step.kind {
        ScenarioKind::Claimed => "claimed",
        ScenarioKind::AsBuilt => "+ bytes as built",
        ScenarioKind::TrueTokens => "+ tokens as run",
        ScenarioKind::Derated => "+ bandwidth derated",
        ScenarioKind::DerivedPeak => "+ peak that can be built",
        ScenarioKind::Design | ScenarioKind::Custom => "design",
    }
}

/// A bar per step: what the step before takes, and what the step adds or saves; `None` where a time is unknown.
pub(super) fn chart_steps(estimate: &Estimate, formulas: &Formulas<'_>) -> Option<Bars> {
    let steps: Vec<&ScenarioEstimate> =
        estimate.ladder().filter(|step| step.kind != ScenarioKind::Design).collect();
    let times: Vec<f64> =
        steps.iter().map(|step| Some(step.running_time()?.0 * 1e3)).collect::<Option<_>>()?;
    let live: Option<Vec<Formula>> =
        steps.iter().map(|step| Some(formulas.of(step)?.inference_time())).collect();
    let lengths = |value: &dyn Fn(f64, f64) -> f64, write: &dyn Fn(Formula, Formula) -> Formula| {
        let each = times.iter().enumerate().map(|(at, now)| {
            let before = if at == 0 { *now } else { times[at - 1] };
            let formula = live
                .as_ref()
                .map(|live| write(live[at.saturating_sub(1)].clone(), live[at].clone()));
            Some(Length { value: value(before, *now), live: formula })
        });
        each.collect()
    };
    let zero = || formula::number(0.0);
    let mut series = vec![
        BarSeries {
            name: "before the step".to_owned(),
            lengths: lengths(&f64::min, &formula::min),
        },
        BarSeries {
            name: "added by the step".to_owned(),
            lengths: lengths(&|before, now| (now - before).max(0.0), &|before, now| {
                formula::max(now - before, zero())
            }),
        },
    ];
    if times.windows(2).any(|pair| pair[1] < pair[0]) {
        series.push(BarSeries {
            name: "saved by the step".to_owned(),
            lengths: lengths(&|before, now| (before - now).max(0.0), &|before, now| {
                formula::max(before - now, zero())
            }),
        });
    }
    let largest = steps.windows(2).max_by(|a, b| {
        let moved = |pair: &[&ScenarioEstimate]| {
            let time = |step: &ScenarioEstimate| step.running_time().map_or(0.0, |time| time.0);
            (time(pair[1]) - time(pair[0])).abs()
        };
        moved(a).total_cmp(&moved(b))
    });
    let largest = largest.and_then(|pair| describe_step(pair[0], pair[1]));
    let (first, last) = (steps.first()?.running_time()?, steps.last()?.running_time()?);
    Some(Bars {
        name: "waterfall".to_owned(),
        title: "From the claim to what holds".to_owned(),
        caption: format!(
            "The roofline time of an inference goes from {} to {}{}.",
            quantity(first),
            quantity(last),
            largest.map_or_else(String::new, |why| format!(", most of all because {why}"))
        ),
        label: "Time".to_owned(),
        unit: "ms".to_owned(),
        format: NumberFormat::Significant(4),
        bars: steps.iter().map(|step| name_step(step).to_owned()).collect(),
        series,
        stacked: true,
    })
}
