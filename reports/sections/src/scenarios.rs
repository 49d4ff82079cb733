//! The ladder and the grid as tables.

use derate_render::{Cell, Column, Formula, KeyFigure, NumberFormat, Table, Value};

use super::live::{self, Followed, Formulas};
use derate_estimate::scenario::{PeakSource, ScenarioKind};
use derate_estimate::{Estimate, GridPoint, ScenarioEstimate};

const GBS: f64 = 1e9;

/// The row that says whether the figures above it still hold.
const FOLLOWS: &str = "Formulas follow";

/// The time of a point, in ms.
fn time_cell(point: &GridPoint, claimed: f64, formulas: &Formulas<'_>) -> Cell {
    let time = point.totals.throughput_seconds.map(|time| Value::Number(time.0 * 1e3));
    let bandwidth = if point.bandwidth.0.to_bits() == claimed.to_bits() {
        live::claimed_bandwidth()
    } else {
        formulas.derated_bandwidth()
    };
    let formula = formulas.find_uniform(&point.precision, point.tokens).and_then(|own| {
        own.time_first_part(&formulas.find_roof(own.precision, point.peak_basis, bandwidth)?)
    });
    make_cell((time, NumberFormat::Significant(4), formula))
}

/// The name of the part that OI and ridge are of.
fn main_name(estimate: &Estimate) -> &str {
    estimate
        .scenarios
        .first()
        .and_then(ScenarioEstimate::main_part)
        .map_or("main part", |part| part.name.as_str())
}

/// A reading of a scenario: its number, or the word for it, and the formula that gives it.
type Reading = (Option<Value>, NumberFormat, Option<Formula>);

fn make_cell((value, format, formula): Reading) -> Cell {
    match (value, formula) {
        (Some(value), Some(formula)) => Cell::formula(value, formula, format),
        (None, Some(formula)) => Cell::formula(live::UNKNOWN, formula, format),
        (Some(Value::Number(value)), None) => Cell::number(value, format),
        (Some(Value::Text(word)), None) => Cell::Text(word),
        (None, None) => Cell::Unknown(String::new()),
    }
}

/// A figure of a scenario that follows its inputs: unknown where no formula gives it, so that no old value remains beside new ones.
fn follow_figure(
    value: Option<Value>,
    live: Option<&Followed<'_>>,
    format: NumberFormat,
    formula: Option<Formula>,
) -> Reading {
    match value {
        Some(_) if live.is_some() && formula.is_none() => {
            (Some(Value::from("unknown: follows no input")), format, None)
        }
        value => (value, format, formula),
    }
}

/// The row of what a workload with recorded shapes has not.
const TOKENS: &str = "Tokens";

/// One column per scenario: each makes one correction to the one before.
pub(super) fn ladder_figures(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<KeyFigure> {
    type Read<'a> = &'a dyn Fn(&ScenarioEstimate, Option<&Followed<'_>>) -> Reading;
    let row = |label: &str, read: Read<'_>| KeyFigure {
        label: label.to_owned(),
        values: estimate
            .ladder()
            .map(|s| (s.heading(), make_cell(read(s, formulas.of(s)))))
            .collect(),
    };
    let number = |value: f64| Some(Value::Number(value));
    let word = |word: &str| Some(Value::from(word));
    // Only the unfused estimate has the claim's own kernels.
    let main = |s: &ScenarioEstimate| {
        estimate.scenario(s.kind)?.main_part().map(|part| part.totals.clone())
    };
    let ceiling = |s: &ScenarioEstimate| estimate.scenario(s.kind)?.main_ceiling();
    let of_main =
        |s: &ScenarioEstimate, key: &str| formulas.of(estimate.scenario(s.kind)?)?.of_main(key);
    let (two, four) = (NumberFormat::Significant(4), NumberFormat::Significant(4));
    let whole = NumberFormat::Integer;
    let mut rows = vec![
        row("Corrects", &|s, f| {
            let change = if s.unclaimed.is_empty() {
                s.change.clone()
            } else {
                format!("{}; not claimed: {}", s.change, s.unclaimed_text())
            };
            // What the design is made of is among the inputs.
            let told = f.filter(|_| s.kind == ScenarioKind::Design);
            (word(&change), whole, told.map(|_| live::told_unless_changed(&change)))
        }),
        row("Bytes as", &|s, f| (word(&s.precision), whole, f.map(Followed::precision))),
        row(TOKENS, &|s, f| (number(s.tokens.value), whole, f.map(Followed::tokens))),
        row("Bandwidth (GB/s)", &|s, f| {
            (number(s.bandwidth.value.0 / GBS), four, f.map(Followed::bandwidth))
        }),
        row("Peak (TOP/s)", &|s, f| {
            let peak = ceiling(s).map(|c| Value::Number(c.peak.rate.value.0 / 1e12));
            follow_figure(peak, f, four, formulas.array_peak(s).or_else(|| f?.main_peak()))
        }),
        row("Ridge (OP/B)", &|s, f| {
            let ridge = ceiling(s).map(|c| Value::Number(c.ridge.0));
            let of_array = || Some(formulas.array_peak(s)? * 1e3 / f?.bandwidth());
            follow_figure(ridge, f, two, of_array().or_else(|| f?.main_ridge()))
        }),
        row(&format!("OI, {} (OP/B)", main_name(estimate)), &|s, _| {
            let oi = main(s).map(|totals| Value::Number(totals.oi.0));
            (oi, two, of_main(s, "oi"))
        }),
        row("Bound", &|s, _| {
            let bound = main(s).and_then(|totals| word(totals.bound?.as_str()));
            (bound, whole, of_main(s, "bound"))
        }),
        row("Roofline time (ms)", &|s, f| {
            let time = s.running_time().map(|time| Value::Number(time.0 * 1e3));
            (time, four, f.map(Followed::inference_time))
        }),
        row("Latency (ms)", &|s, _| {
            let latency = s.totals.latency_seconds;
            let formula = formulas.find_latency(s).map(|latency| latency.whole_time());
            (latency.map(|time| Value::Number(time.0 * 1e3)), four, formula)
        }),
        row("Latency / roofline time", &|s, _| {
            let gap = s.latency.as_ref().and_then(|latency| latency.gap);
            (
                gap.map(Value::Number),
                NumberFormat::Significant(3),
                formulas.find_latency(s).map(|latency| latency.find_gap()),
            )
        }),
    ];
    if estimate.scenarios.iter().all(|scenario| !scenario.has_tokens) {
        rows.retain(|row| row.label != TOKENS);
    }
    if formulas.can_edit() {
        rows.push(row(FOLLOWS, &|_, f| match f {
            Some(f) => (word(live::YES), whole, Some(f.write_holds())),
            None => (word(live::NO), whole, None),
        }));
    }
    rows
}

/// One row per precision and token count; the claimed roof beside the corrected one.
pub(super) fn tabulate_grid(estimate: &Estimate, formulas: &Formulas<'_>) -> Table {
    let claimed = estimate.grid.first().map_or(0.0, |point| point.bandwidth.0);
    let role = |bandwidth: f64| {
        if bandwidth.to_bits() == claimed.to_bits() { "claimed" } else { "derated" }
    };
    let key = |basis: PeakSource, bandwidth: f64| {
        format!("{}_peak_{}_bandwidth", basis.name(), role(bandwidth))
    };
    let mut bandwidths: Vec<f64> = Vec::new();
    for scenario in &estimate.grid {
        if bandwidths.iter().all(|b| b.to_bits() != scenario.bandwidth.0.to_bits()) {
            bandwidths.push(scenario.bandwidth.0);
        }
    }
    let mut columns = vec![
        Column::text("precision", "Precision"),
        Column::number("tokens", "Tokens", ""),
        Column::number("oi", "OI", "OP/B"),
        Column::number("weights", "Weights", "MB"),
    ];
    // As claimed, and with both corrected: what is between says nothing more.
    let ends =
        [(PeakSource::Claimed, bandwidths.first()), (PeakSource::Derived, bandwidths.last())];
    for (basis, bandwidth) in ends {
        let Some(bandwidth) = bandwidth else { continue };
        // What follows its inputs has no figure in its name.
        let slope = if formulas.is_live() {
            format!("{} bandwidth", role(*bandwidth))
        } else {
            format!("{} GB/s", bandwidth / GBS)
        };
        let heading = format!("{} peak, {slope}", basis.name());
        columns.push(Column::number(key(basis, *bandwidth), heading, "ms"));
    }
    let mut rows: Vec<(String, u64, Vec<Cell>)> = Vec::new();
    for scenario in &estimate.grid {
        let own = (scenario.precision.clone(), scenario.tokens.to_bits());
        let at =
            rows.iter().position(|(p, t, _)| (p, *t) == (&own.0, own.1)).unwrap_or_else(|| {
                let totals = &scenario.totals;
                let uniform = formulas.find_uniform(&scenario.precision, scenario.tokens);
                let (tokens, [oi, weights]) = uniform.map_or((None, [None, None]), |own| {
                    (Some(own.tokens.clone()), own.sum_first_part().map(Some))
                });
                let number = |value: f64, format, formula| {
                    make_cell((Some(Value::Number(value)), format, formula))
                };
                let two = NumberFormat::Significant(4);
                let mut cells = vec![
                    Cell::text(&scenario.precision),
                    number(scenario.tokens, NumberFormat::Integer, tokens),
                    number(totals.oi.0, two, oi),
                    number(totals.weight_bytes.0 / 1e6, two, weights),
                ];
                cells.resize(columns.len(), Cell::Empty);
                rows.push((own.0, own.1, cells));
                rows.len() - 1
            });
        let column = key(scenario.peak_basis, scenario.bandwidth.0);
        if let Some(index) = columns.iter().position(|c| c.key == column)
            && let Some(cell) = rows[at].2.get_mut(index)
        {
            *cell = time_cell(scenario, claimed, formulas);
        }
    }
    Table {
        name: "grid".to_owned(),
        caption: format!(
            "The {} as the claim models them: roofline time, OI and weights. A peak that is not claimed, or whose operator cost is not known, leaves the time unknown.",
            main_name(estimate)
        ),
        columns,
        rows: rows.into_iter().map(|(_, _, cells)| cells).collect(),
    }
}
