//! Latency against throughput, what moves the answer, and what could be left out.

use derate_render::formula::{above, at, column};
use derate_render::{Block, Cell, Column, Formula, NumberFormat, Table, formula};

use super::bars;
use super::live::{self, Formulas};
use derate_estimate::{Estimate, Latency, ScenarioEstimate};
use derate_units::figures::{quantity, significant};

/// The terms of the design's latency, or why there is none.
pub(super) fn latency_blocks(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<Block> {
    let Some((scenario, latency)) = estimate.design().and_then(|s| Some((s, s.latency.as_ref()?)))
    else {
        return vec![Block::Prose(format!("Latency is unknown: {}.", estimate.no_latency()))];
    };
    let mut blocks = vec![Block::Prose(describe_latency(scenario, latency))];
    blocks.extend(
        formulas
            .find_latency(scenario)
            .and_then(|live| bars::chart_gap(scenario, &live))
            .map(Block::Bars),
    );
    blocks.push(Block::Table(tabulate_terms(scenario, latency, formulas)));
    blocks.extend(latency.gap.map(|value| Block::Table(tabulate_gap(scenario, value, formulas))));
    blocks.extend(latency.unknown.iter().map(|reason| Block::Prose(end_sentence(reason))));
    blocks
}

/// What the array takes, against its roofs.
pub(super) fn describe_latency(scenario: &ScenarioEstimate, latency: &Latency) -> String {
    let times = latency.gap.map_or_else(String::new, |gap| {
        format!(", {} times its roofline time", significant(gap, 3))
    });
    format!(
        "The design takes {}{times} ({}: by the array of [design], schedule {}).",
        quantity(latency.seconds),
        latency.provenance,
        scenario.schedule.name()
    )
}

/// A row per term, and their sum.
pub(super) fn tabulate_terms(
    scenario: &ScenarioEstimate,
    latency: &Latency,
    formulas: &Formulas<'_>,
) -> Table {
    const TABLE: &str = "latency";
    let own = formulas.find_latency(scenario);
    let own = own.as_ref();
    let (four, one) = (NumberFormat::Significant(4), NumberFormat::Significant(3));
    let named = latency.terms.named();
    let all = named.len();
    let cell = |value: f64, format, formula: Option<Formula>| match formula {
        Some(formula) => Cell::formula(value, formula, format),
        None => Cell::number(value, format),
    };
    let share = || own.map(|_| column("time") / at(TABLE, "time", all) * 100.0);
    let mut rows: Vec<Vec<Cell>> = named
        .into_iter()
        .zip(&latency.rules)
        .enumerate()
        .map(|(at, ((name, term), rule))| {
            vec![
                Cell::text(name),
                cell(term.0 * 1e3, four, own.and_then(|own| own.term_time(None, at))),
                cell(100.0 * (term / latency.seconds), one, share()),
                Cell::text(rule.rule),
                match own {
                    Some(_) => live::unless_changed(&rule.inputs),
                    None => Cell::text(&rule.inputs),
                },
            ]
        })
        .collect();
    let sum = own.map(|_| formula::sum(vec![above("time", 0..all)]));
    rows.push(vec![
        Cell::text("latency"),
        cell(latency.seconds.0 * 1e3, four, sum),
        cell(100.0, one, share()),
        Cell::text("the sum of the terms"),
        Cell::Empty,
    ]);
    Table {
        name: TABLE.to_owned(),
        caption: "What the latency is made of; the terms sum up to it".to_owned(),
        columns: vec![
            Column::text("term", "Term"),
            Column::number("time", "Time", "ms"),
            Column::number("share", "Share", "%"),
            Column::text("rule", "Rule"),
            Column::text("inputs", "Inputs"),
        ],
        rows,
    }
}

/// How far the design stays behind its roofs: a ratio, and so in no column of times.
fn tabulate_gap(scenario: &ScenarioEstimate, value: f64, formulas: &Formulas<'_>) -> Table {
    let format = NumberFormat::Significant(3);
    let ratio = match formulas.find_latency(scenario) {
        Some(live) => Cell::formula(value, live.find_gap(), format),
        None => Cell::number(value, format),
    };
    Table {
        name: "gap".to_owned(),
        caption: "How far the design stays behind its roofs".to_owned(),
        columns: vec![Column::text("figure", "Figure"), Column::number("ratio", "Ratio", "")],
        rows: vec![vec![Cell::text("latency / roofline time"), ratio]],
    }
}

/// `reason` as a sentence of its own.
fn end_sentence(reason: &str) -> String {
    let mut letters = reason.chars();
    letters
        .next()
        .map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// What synthesis reports say.
pub(super) fn tabulate_synthesised(estimate: &Estimate) -> Option<Table> {
    let rows: Vec<Vec<Cell>> = estimate
        .synthesised
        .iter()
        .map(|kernel| {
            let cycles = |cycles: f64| Cell::number(cycles, NumberFormat::Integer);
            let unknown = || Cell::Unknown(String::new());
            vec![
                Cell::text(&kernel.top),
                kernel.best.as_ref().map_or(Cell::Empty, |best| cycles(best.value.0)),
                cycles(kernel.worst.value.0),
                kernel
                    .clock
                    .as_ref()
                    .map_or_else(unknown, |clock| Cell::text(quantity(clock.value))),
                kernel.seconds.as_ref().map_or_else(unknown, |time| {
                    Cell::number(time.value.0 * 1e3, NumberFormat::Significant(4))
                }),
                kernel
                    .seconds
                    .as_ref()
                    .map_or(Cell::Empty, |time| Cell::text(time.provenance.to_string())),
                Cell::text(match (&kernel.clock, &kernel.unknown) {
                    (Some(clock), _) => clock.source.as_str(),
                    (None, reason) => reason.as_deref().unwrap_or_default(),
                }),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        name: "synthesised".to_owned(),
        caption: "Latency of each top function as its synthesis report prints it, and its time at the clock that was reached, else at the report's own target: the tool takes external memory never to stall".to_owned(),
        columns: vec![
            Column::text("top", "Top function"),
            Column::number("best", "Best case", "cycles"),
            Column::number("worst", "Worst case", "cycles"),
            Column::text("clock", "Clock"),
            Column::number("time", "Worst case", "ms"),
            Column::text("provenance", "Provenance"),
            Column::text("clock_source", "Clock from"),
        ],
        rows,
    })
}

/// What an inference computes for nothing, or would without the design.
pub(super) fn describe_variants(estimate: &Estimate) -> Vec<String> {
    estimate
        .variants
        .iter()
        .map(|variant| {
            let time = variant.throughput_seconds.map_or_else(String::new, |t| {
                format!(" and {} of the unfused roofline time", quantity(t))
            });
            let saved = if variant.chosen { "are saved by the design" } else { "could be saved" };
            format!(
                "{} GOP{time} {saved}: {} (`{} = true` under [design]).",
                significant(variant.flops.0 / 1e9, 3),
                variant.title,
                variant.key
            )
        })
        .collect()
}
