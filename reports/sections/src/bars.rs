//! Bars: what a design's latency is made of, and what fusing saves.

use derate_render::{BarSeries, Bars, Length, NumberFormat};

use super::live::{Formulas, Latencies};
use super::part_rows::list_part_rows;
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Estimate, ScenarioEstimate, Terms};
use derate_units::figures::{quantity, significant};
use derate_units::{Bytes, Seconds};

/// Parts with a smaller share of the whole have no bar of their own.
const SMALL: f64 = 0.02;

/// The terms of the latency of each part, and of the whole.
pub(super) fn chart_gap(scenario: &ScenarioEstimate, live: &Latencies<'_>) -> Option<Bars> {
    let latency = scenario.latency.as_ref()?;
    let running = scenario.parts.iter().filter(|part| part.runs).enumerate();
    let large = running.filter_map(|(at, part)| {
        let terms = part.latency?;
        let share = terms.total() / latency.seconds;
        (share >= SMALL).then_some((Some(at), part.name.as_str(), terms))
    });
    let mut bars: Vec<(Option<usize>, &str, Terms)> =
        vec![(None, scenario.all_parts(), latency.terms)];
    bars.extend(large);
    if bars.len() == 2 && scenario.parts.iter().filter(|part| part.runs).count() == 1 {
        bars.truncate(1);
    }
    let series = (0..latency.terms.named().len()).map(|term| BarSeries {
        name: latency.terms.named()[term].0.to_owned(),
        lengths: bars
            .iter()
            .map(|(part, _, terms)| {
                let (_, time) = terms.named()[term];
                Some(Length { value: time.0 * 1e3, live: live.term_time(*part, term) })
            })
            .collect(),
    });
    // A term that a change of an input may bring back keeps its place.
    let series = series.collect();
    Some(Bars {
        name: "latency-gap".to_owned(),
        title: "What the latency of the design is made of".to_owned(),
        caption: gap_caption(scenario, latency.seconds, &latency.terms, latency.gap),
        label: "Time".to_owned(),
        unit: "ms".to_owned(),
        format: NumberFormat::Significant(4),
        bars: bars.into_iter().map(|(_, name, _)| name.to_owned()).collect(),
        series,
        stacked: true,
    })
}

/// What takes most of the latency beyond the roofline, and what is to be done about it.
fn gap_caption(
    scenario: &ScenarioEstimate,
    seconds: Seconds,
    terms: &Terms,
    gap: Option<f64>,
) -> String {
    let [roofline, rest @ ..] = terms.named();
    let largest = rest.into_iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0));
    let Some((name, time)) = largest.filter(|(_, time)| time.0 > 0.0) else {
        return format!(
            "The design takes {}, all of it under its roofs: only a higher roof or less traffic makes it faster.",
            quantity(seconds)
        );
    };
    let percent = |part: Seconds| significant(100.0 * (part / seconds), 3);
    let times = gap.map_or_else(String::new, |gap| {
        format!(", {} times its roofline time", significant(gap, 3))
    });
    let lead =
        format!("The design ({}) takes {}{times}", scenario.schedule.name(), quantity(seconds));
    if roofline.1 >= time {
        format!(
            "{lead}: the roofline itself is {} % of it, and of what comes on top {name} is the largest, {} ({} %).",
            percent(roofline.1),
            quantity(time),
            percent(time)
        )
    } else {
        format!(
            "{lead}: of it {} ({} %) for {name}, more than the roofline ({}), and the first thing to fix.",
            quantity(time),
            percent(time),
            quantity(roofline.1)
        )
    }
}

/// What crosses memory for the whole inference and for its large parts under each schedule.
pub(super) fn chart_savings(
    estimate: &Estimate,
    scenario: ScenarioKind,
    formulas: &Formulas<'_>,
) -> Option<Bars> {
    let all: Vec<&ScenarioEstimate> = estimate.schedules(scenario).collect();
    let (first, last) = (*all.first()?, *all.last()?);
    let rows = list_part_rows(first);
    let large = |at: &usize| {
        let share = rows.get(*at).map(|(_, totals)| totals.bytes / first.totals.bytes);
        share.is_some_and(|share| share >= SMALL)
    };
    let mut shown: Vec<usize> = (0..rows.len()).filter(large).collect();
    if rows.len() > 1 {
        // The whole on top.
        shown.rotate_right(1);
    }
    let series = all.iter().map(|s| {
        let own = list_part_rows(s);
        let live = formulas.of(s);
        let lengths = shown.iter().map(|&at| {
            let (_, totals) = own.get(at)?;
            let live = live.map(|live| live.sum_figure(at, "bytes") / 1e6);
            Some(Length { value: totals.bytes.0 / 1e6, live })
        });
        BarSeries { name: s.schedule.name().to_owned(), lengths: lengths.collect() }
    });
    Some(Bars {
        name: "fusion-savings".to_owned(),
        title: format!("What fusing keeps off external memory, scenario {scenario}"),
        caption: savings_caption(first, last, &all)?,
        label: "Traffic".to_owned(),
        unit: "MB".to_owned(),
        format: NumberFormat::Significant(4),
        bars: shown.iter().filter_map(|&at| Some(rows.get(at)?.0.to_owned())).collect(),
        series: series.collect(),
        stacked: false,
    })
}

/// What all fusing saves in bytes and in time, and which step of it the most.
fn savings_caption(
    first: &ScenarioEstimate,
    last: &ScenarioEstimate,
    all: &[&ScenarioEstimate],
) -> Option<String> {
    let moved = |s: &ScenarioEstimate| s.totals.bytes.0;
    let percent = |part: f64, of: f64| significant(100.0 * part / of, 3);
    let saved = moved(first) - moved(last);
    if saved <= 0.0 {
        let all_too_large =
            !last.refused.is_empty() && last.refused.iter().all(|group| group.exceeds.0 > 0.0);
        let reason = if all_too_large {
            "nothing that a kernel hands on fits on the chip"
        } else {
            "no fused group moves less than its kernels apart"
        };
        return Some(format!("No schedule keeps a byte off external memory: {reason}."));
    }
    let steps =
        all.windows(2).map(|pair| (pair[1].schedule.name(), moved(pair[0]) - moved(pair[1])));
    let (schedule, most) = steps.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let traffic = format!(
        "Schedule {} keeps {} % of the traffic on the chip, most of it ({}) by schedule {schedule}",
        last.schedule.name(),
        percent(saved, moved(first)),
        quantity(Bytes(most))
    );
    let Some((before, after)) = first.running_time().zip(last.running_time()) else {
        return Some(format!("{traffic}; what time that saves is unknown without a peak."));
    };
    let share = 1.0 - after / before;
    let time = format!(
        "{} % of the roofline time ({} of {})",
        percent(share, 1.0),
        quantity(Seconds(before.0 - after.0)),
        quantity(before)
    );
    if saved / moved(first) < SMALL {
        return Some(format!("Fusing saves next to nothing here. {traffic}, and {time}."));
    }
    let bound = first.totals.bound.map_or("unknown", |bound| bound.as_str());
    Some(if share < saved / moved(first) / 2.0 {
        format!("{traffic}, yet saves no more than {time}: unfused, an inference is {bound} bound.")
    } else {
        format!("{traffic}, and saves {time}.")
    })
}
