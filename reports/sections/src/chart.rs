//! The roofline figure: claimed roof and kernels, corrected roof and kernels, the design's roof and parts.

use derate_render::formula::number;
use derate_render::{Axis, Chart, Formula, Line, LineStyle, Marker, Point, PointSeries, Position};

use super::live::{Followed, Formulas, Roof, WhatIf};
use super::own_roofs::roofs_of_the_claim;
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Estimate, KernelEstimate, PartEstimate, ScenarioEstimate};
use derate_units::figures::{grouped, quantity, rate, significant};
use derate_units::{OpsPerByte, Roofline};

/// Operations per second in a GOP/s and a TOP/s.
const GIGA: f64 = 1e9;
const TERA: f64 = 1e12;

/// The claim beside what is left of it when precision, bandwidth and peak are corrected at the same tokens; `None`
/// where neither has a peak.
pub(super) fn roofline(estimate: &Estimate, formulas: &Formulas<'_>) -> Option<Chart> {
    let claimed = estimate.scenario(ScenarioKind::Claimed)?;
    let corrected = estimate.scenario(ScenarioKind::DerivedPeak)?;
    let design = estimate.design();
    let mut lines = Vec::new();
    let mut points = vec![
        kernel_series(claimed, formulas.of(claimed), Marker::Hollow),
        kernel_series(corrected, formulas.of(corrected), Marker::Solid),
    ];
    let roofs = [(Some(claimed), LineStyle::Claimed), (Some(corrected), LineStyle::Corrected)];
    for (scenario, style) in roofs.into_iter().chain([(design, LineStyle::Design)]) {
        let Some(scenario) = scenario else { continue };
        for ceiling in &scenario.ceilings {
            let roof =
                Roofline { peak: ceiling.peak.rate.value, bandwidth: scenario.bandwidth.value };
            let live = formulas.of(scenario).map(|live| live.find_roof(ceiling.peak.precision));
            let name = match (&live, &scenario.ceilings[..]) {
                // What follows its inputs has no figure in its name; on paper nothing does.
                (Some(_), [_]) if !formulas.is_on_paper() => scenario.heading(),
                (Some(_), _) if !formulas.is_on_paper() => {
                    format!("{}: {}", scenario.heading(), ceiling.peak.precision)
                }
                _ => {
                    format!("{}: {}", scenario.heading(), describe_roof(scenario, ceiling))
                }
            };
            lines.push((name, roof, style, live));
        }
    }
    lines.extend(roofs_of_the_claim(estimate, claimed, corrected, formulas));
    // Where the claim models nothing else, the kernels of these parts are there already.
    points.extend(
        corrected
            .parts
            .iter()
            .any(|part| !part.runs)
            .then(|| part_series(corrected, formulas.of(corrected))),
    );
    points.extend(design.map(|design| part_series(design, formulas.of(design))));
    points.extend(WhatIf::of(estimate, formulas).and_then(|asked| what_if(&asked)));
    if !formulas.is_live() {
        leave_out_what_holds(&mut points);
    }
    points.retain(|series| !series.points.is_empty());
    let (x, y) = (
        decade_range(
            points
                .iter()
                .flat_map(|s| &s.points)
                .map(|p| p.at.x)
                .chain(lines.iter().map(|(_, r, ..)| r.ridge().0)),
        )?,
        decade_range(
            points
                .iter()
                .flat_map(|s| &s.points)
                .map(|p| p.at.y)
                .chain(lines.iter().map(|(_, r, ..)| r.peak.0)),
        )?,
    );
    // The axes on paper are those of the page, with the same decades.
    if formulas.is_on_paper() {
        points.retain(|series| series.marker != Marker::WhatIf);
        leave_out_what_holds(&mut points);
        points.retain(|series| !series.points.is_empty());
    }
    Some(Chart {
        name: "roofline".to_owned(),
        title: "Roofline: what is claimed and what holds".to_owned(),
        caption: write_caption(claimed, corrected, design),
        x: Axis {
            label: "Operational intensity".to_owned(),
            unit: "OP/B".to_owned(),
            min: x.0,
            max: x.1,
        },
        y: Axis {
            label: "Attainable rate".to_owned(),
            unit: "OP/s".to_owned(),
            min: y.0,
            max: y.1,
        },
        lines: lines
            .into_iter()
            .map(|(name, roof, style, live)| roof_line(name, &roof, style, live.as_ref(), x))
            .collect(),
        points,
    })
}

/// So many kernels are drawn: the labels of more are in nobody's way to a conclusion.
const MOST_KERNELS: usize = 16;

fn kernel_series(
    scenario: &ScenarioEstimate,
    live: Option<&Followed<'_>>,
    marker: Marker,
) -> PointSeries {
    let mut points: Vec<(Point, (usize, usize))> = Vec::new();
    // The claim's own kernels; where it has none, those that run. What nothing calls is in the tables alone.
    let claims = scenario.parts.iter().any(|part| !part.runs);
    let parts = scenario.parts.iter().enumerate();
    let parts = parts.filter(|(_, part)| part.runs != claims && !part.is_uncalled);
    let all = parts.flat_map(|(at, part)| {
        part.kernels.iter().enumerate().map(move |(kernel, own)| (at, kernel, own))
    });
    let mut all: Vec<(usize, usize, &KernelEstimate)> = all.collect();
    let number = all.len();
    let time = |kernel: &KernelEstimate| {
        kernel.totals.throughput_seconds.map_or(0.0, |time| time.0) * kernel.calls as f64
    };
    let whole: f64 = all.iter().map(|(.., kernel)| time(kernel)).sum();
    let share_of = |kernel: &KernelEstimate| (whole > 0.0).then(|| time(kernel) / whole);
    if number > MOST_KERNELS {
        all.sort_by(|a, b| time(b.2).total_cmp(&time(a.2)));
        all.truncate(MOST_KERNELS);
    }
    for (part, at, kernel) in all {
        let Some(rate) = kernel.totals.attainable else { continue };
        let (x, y) = (kernel.totals.oi.0, rate.0);
        // What coincides by chance goes apart with another input.
        let here = |(p, own): &&mut (Point, (usize, usize))| {
            (p.at.x.to_bits(), p.at.y.to_bits()) == (x.to_bits(), y.to_bits())
                && live.is_none_or(|live| live.are_alike(*own, (part, at)))
        };
        if let Some((point, _)) = points.iter_mut().find(here) {
            join_label(&mut point.label, &kernel.name);
            point.share = point.share.zip(share_of(kernel)).map(|(one, other)| one + other);
        } else {
            let formulas = live.and_then(|live| live.find_point(part, Some(at)));
            let point = Point {
                label: kernel.name.to_string(),
                at: make_position(x, y, formulas),
                range: None,
                share: share_of(kernel),
            };
            points.push((point, (part, at)));
        }
    }
    let name = if live.is_some() {
        format!("{}: kernels", scenario.name)
    } else {
        let ScenarioEstimate { name, precision, tokens, .. } = scenario;
        format!("{name}: {precision}, {} tokens", tokens.value)
    };
    let name = match number {
        0..=MOST_KERNELS => name,
        _ => format!(
            "{name} (the {MOST_KERNELS} of {} kernels that take most)",
            grouped(number as f64)
        ),
    };
    let points = points.into_iter().map(|(point, _)| point).collect();
    PointSeries { name, points, marker }
}

/// A claimed point that the corrected one covers needs no mark of its own.
fn leave_out_what_holds(points: &mut [PointSeries]) {
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.02;
    if let [claimed @ PointSeries { marker: Marker::Hollow, .. }, corrected, ..] = points {
        let holds = |p: &Point| {
            corrected.points.iter().any(|c| near(p.at.x, c.at.x) && near(p.at.y, c.at.y))
        };
        claimed.points.retain(|p| !holds(p));
    }
}

/// `Attn_K` and `Attn_V` as `Attn_K, V`, `attn.q_proj` and `attn.k_proj` as `attn.q_proj, k_proj`: what both begin with
/// is there once.
fn join_label(label: &mut String, name: &str) {
    let mut names = label.split(", ");
    let first = names.next().unwrap_or_default();
    let family = match (first.rfind('.'), first.find('_')) {
        (Some(dot), _) => first.get(..=dot),
        (None, at) => at.and_then(|at| first.get(..=at)),
    };
    // Behind a name of another family a short one would read as of that.
    let own = family.filter(|_| !names.any(|other| other.contains('.')));
    let rest = own.and_then(|family| name.strip_prefix(family)).unwrap_or(name).to_owned();
    label.push_str(", ");
    label.push_str(&rest);
}

/// Parts with a smaller share of the work have no point.
const OF_NO_WEIGHT: f64 = 1e-4;

/// The parts that run, one point each: their kernels would crowd the same roof again.
fn part_series(scenario: &ScenarioEstimate, live: Option<&Followed<'_>>) -> PointSeries {
    let all = scenario.totals.flops.0;
    let whole = scenario.totals.throughput_seconds;
    let running = scenario.parts.iter().enumerate();
    let running = running.filter(|(_, part)| part.runs && part.totals.flops.0 > all * OF_NO_WEIGHT);
    let points = running.filter_map(|(at, part)| {
        let formulas = live.and_then(|live| live.find_point(at, None));
        let at = make_position(part.totals.oi.0, part.totals.attainable?.0, formulas);
        let share = whole.zip(part.totals.throughput_seconds).map(|(all, own)| own / all);
        Some(Point { label: part.name.clone(), at, range: None, share })
    });
    PointSeries {
        name: format!("{}: parts of {}", scenario.heading(), of_all(scenario)),
        points: points.collect(),
        marker: Marker::Diamond,
    }
}

fn of_all(scenario: &ScenarioEstimate) -> &'static str {
    if scenario.whole { "a whole inference" } else { "all 2-D weights" }
}

/// Those parts.
fn what_if(asked: &WhatIf<'_>) -> Option<PointSeries> {
    let own = asked.own_estimate()?;
    let all = own.totals.flops.0;
    let running = own.parts.iter().filter(|part| part.runs).enumerate();
    let running = running.filter(|(_, part)| part.totals.flops.0 > all * OF_NO_WEIGHT);
    let points = running.filter_map(|(at, part)| {
        let [x, y] = [0, 1]
            .map(|axis| asked.pick_schedule(|live| live.running_point(at)?.into_iter().nth(axis)));
        let at = make_position(
            part.totals.oi.0,
            part.totals.attainable?.0,
            x.zip(y).map(|(x, y)| [x, y]),
        );
        Some(Point { label: part.name.clone(), at, range: None, share: None })
    });
    Some(PointSeries {
        name: "what if: parts under the schedule to try".to_owned(),
        points: points.collect(),
        marker: Marker::WhatIf,
    })
}

/// The factor by which a value may move before it leaves the axes: inputs change on the page and in the workbook, which have
/// the same axes.
const SPARE: f64 = 2.0;

/// Whole decades around all values, for axes that a reader can count on.
pub(super) fn decade_range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values
        .filter(|v| v.is_finite() && *v > 0.0)
        .fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
    (low <= high).then(|| {
        (10_f64.powf((low / SPARE).log10().floor()), 10_f64.powf((high * SPARE).log10().ceil()))
    })
}

fn make_position(x: f64, y: f64, formulas: Option<[Formula; 2]>) -> Position {
    match formulas {
        Some(formulas) => Position::live(x, y, formulas),
        None => Position::fixed(x, y),
    }
}

/// The roof from the left edge over the ridge to the right edge.
pub(super) fn roof_line(
    name: String,
    roof: &Roofline,
    style: LineStyle,
    live: Option<&Roof>,
    (left, right): (f64, f64),
) -> Line {
    let at = |x: f64| {
        let formulas = live.map(|live| [number(x), live.write_attainable(number(x)) * GIGA]);
        make_position(x, roof.attainable(OpsPerByte(x)).0, formulas)
    };
    let ridge = roof.ridge().0;
    let mut corners = vec![at(left)];
    if left < ridge && ridge < right {
        let formulas = live.map(|live| [live.write_ridge(), live.peak.clone() * TERA]);
        corners.push(make_position(ridge, roof.peak.0, formulas));
    }
    corners.push(at(right));
    Line { name, corners, style }
}

/// What to conclude.
fn write_caption(
    claimed: &ScenarioEstimate,
    corrected: &ScenarioEstimate,
    design: Option<&ScenarioEstimate>,
) -> String {
    let place = |s: &ScenarioEstimate| {
        Some(describe_place(s.main_part()?.totals.oi, s.main_ceiling()?.ridge))
    };
    let whole = design.and_then(|s| {
        let [ceiling] = &s.ceilings[..] else { return None };
        let place = describe_place(s.totals.oi, ceiling.ridge);
        let all = if s.whole { "The whole inference" } else { "All 2-D weights" };
        Some(format!(" {all} on the design: {place}, {} bound.", s.totals.bound?.as_str()))
    });
    match (place(claimed), place(corrected), claimed.main_part()) {
        (Some(claim), Some(holds), Some(part)) => format!(
            "{}As claimed: {claim}. With all corrections: {holds}.{}",
            corrected
                .main_part()
                .map_or_else(String::new, |corrected| conclude_bound(claimed, part, corrected)),
            whole.unwrap_or_default()
        ),
        _ => "A roof or an intensity is unknown; see Assumptions.".to_owned(),
    }
}

/// Whether the claim's conclusion stays, and what is left of its rate.
fn conclude_bound(
    scenario: &ScenarioEstimate,
    claimed: &PartEstimate,
    corrected: &PartEstimate,
) -> String {
    let (claim, holds) = (&claimed.totals, &corrected.totals);
    let (Some(was), Some(is)) = (claim.bound, holds.bound) else { return String::new() };
    let whose = if scenario.unclaimed.is_empty() { "claimed" } else { "default" };
    let rate = claim.attainable.zip(holds.attainable).map_or_else(String::new, |(was, is)| {
        format!(", at {} % of the {whose} rate", significant(100.0 * (is / was), 3))
    });
    let by = if scenario.unclaimed.is_empty() { whose } else { "by default" };
    let name = &claimed.name;
    let (was, is) = (was.as_str(), is.as_str());
    let how = if was == is {
        format!("{is} bound, as {by}")
    } else {
        format!("{is} bound, not {was} bound as {by}")
    };
    format!("{name}: {how}{rate}. ")
}

/// A roof's two figures.
fn describe_roof(scenario: &ScenarioEstimate, ceiling: &derate_estimate::Ceiling) -> String {
    let peak = rate(ceiling.peak.rate.value, ceiling.peak.precision);
    format!("{}, {peak}", quantity(scenario.bandwidth.value))
}

fn describe_place(oi: OpsPerByte, ridge: OpsPerByte) -> String {
    format!("OI {}, ridge {} OP/B", significant(oi.0, 3), significant(ridge.0, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_family_say_it_once() {
        let joined = |names: &[&str]| {
            let mut label = names[0].to_owned();
            names[1..].iter().for_each(|name| join_label(&mut label, name));
            label
        };
        assert_eq!(joined(&["Attn_K", "Attn_V", "MLP_Up"]), "Attn_K, V, MLP_Up");
        let all = ["layers.*.attn.q_proj", "layers.*.attn.k_proj", "layers.*.mlp.fc1"];
        assert_eq!(joined(&all[..2]), "layers.*.attn.q_proj, k_proj");
        assert_eq!(joined(&all), "layers.*.attn.q_proj, k_proj, layers.*.mlp.fc1");
        let mixed = [all[0], all[2], all[1]];
        assert_eq!(joined(&mixed), mixed.join(", "), "`k_proj` would read as one of `mlp`");
        assert_eq!(joined(&["head", "tail"]), "head, tail");
    }
}
