//! What `derate estimate` prints on one screen.

use derate_audit::Summary;
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Analysis, Ceiling, Estimate, ScenarioEstimate};
use derate_render::{Block, Cell, Column, Document, NumberFormat, Section, Table};
use derate_units::Seconds;
use derate_units::figures::{quantity, significant};

use crate::first_page::{describe_certainty, tabulate_longest_of, write_headline};
use crate::kernel_design::summarise_design;
use crate::latency::describe_latency;
use crate::live::Formulas;
use crate::section::write_subtitle;

/// What is not counted, where the workload is the 2-D weights alone.
const OF_WEIGHTS: &str = "The times are of the 2-D weights alone: this is not a whole inference.";

/// So many parts are named with their shares.
const PARTS: usize = 3;

/// What holds, what dominates, the longest kernels, and how sure that is. `summarise` audits the project, where the headline
/// needs it.
pub fn estimate_in_short(
    analysis: &Analysis,
    summarise: impl FnOnce() -> Summary,
    estimate: &Estimate,
) -> Document {
    let ladder: Vec<&ScenarioEstimate> = estimate.ladder().collect();
    let mut first = vec![Block::Table(tabulate_steps(&ladder))];
    let limits = list_limits(estimate);
    if !limits.is_empty() {
        first.push(Block::Prose(limits.join(" ")));
    }
    let steps = ladder.iter().copied().filter(|step| step.kind != ScenarioKind::Design);
    let known = steps.rev().find(|step| step.running_time().is_some());
    let mut second = known.map(tell_where_it_goes).unwrap_or_default();
    second.extend(summarise_design(analysis).map(Block::Prose));
    second.push(Block::Prose(describe_certainty(estimate)));
    let title = match known {
        Some(step) if step.kind != ScenarioKind::DerivedPeak => {
            format!("Where the time goes, {}", step.heading())
        }
        _ => "Where the time goes".to_owned(),
    };
    Document {
        title: write_headline(analysis, summarise, estimate),
        subtitle: write_subtitle(analysis, &[]),
        controls: Vec::new(),
        sections: vec![
            Section::new("Scenarios", "From the claim to what holds", first),
            Section::new("Time", &title, second),
        ],
    }
}

/// What the times do not say: what nobody claims, and what is not in them.
fn list_limits(estimate: &Estimate) -> Vec<String> {
    let claimed = estimate.scenario(ScenarioKind::Claimed);
    let defaults = claimed.filter(|first| !first.unclaimed.is_empty());
    let defaults = defaults
        .map(|first| format!("Not claimed, so defaults are used: {}.", first.unclaimed_text()));
    let partial = (!estimate.is_whole()).then(|| OF_WEIGHTS.to_owned());
    let missing = estimate
        .missing_parts
        .iter()
        .map(|missing| format!("Part {} is not in it: {}.", missing.part, missing.reason));
    defaults.into_iter().chain(partial).chain(missing).collect()
}

/// The times of one scenario, what dominates, and the longest kernels.
pub fn scenario_in_short(analysis: &Analysis, scenario: &ScenarioEstimate) -> Document {
    let mut first = vec![Block::Table(tabulate_steps(&[scenario]))];
    let latency = scenario.latency.as_ref();
    first.extend(latency.map(|latency| Block::Prose(describe_latency(scenario, latency))));
    first.extend((!scenario.whole).then(|| Block::Prose(OF_WEIGHTS.to_owned())));
    let mut sections = vec![Section::new("Scenario", "At the roofline", first)];
    let second = tell_where_it_goes(scenario);
    if !second.is_empty() {
        sections.push(Section::new("Time", "Where the time goes", second));
    }
    Document {
        title: format!("Estimate: {}", scenario.heading()),
        subtitle: write_subtitle(analysis, &[]),
        controls: Vec::new(),
        sections,
    }
}

/// A row for each scenario: its figures and its times.
fn tabulate_steps(steps: &[&ScenarioEstimate]) -> Table {
    let four = NumberFormat::Significant(4);
    let has_tokens = steps.iter().any(|step| step.has_tokens);
    let has_latency = steps.iter().any(|step| step.totals.latency_seconds.is_some());
    let time = |step: &ScenarioEstimate, time: Option<Seconds>| match time {
        Some(time) => Cell::number(time.0 * 1e3, four),
        None => Cell::Unknown(step.unknown_roof().unwrap_or_default().to_owned()),
    };
    let rows = steps.iter().map(|step| {
        let peak = |ceiling: &Ceiling| Cell::number(ceiling.peak.rate.value.0 / 1e12, four);
        let mut cells = vec![Cell::text(step.heading()), Cell::text(&step.precision)];
        cells.extend(has_tokens.then(|| Cell::number(step.tokens.value, NumberFormat::Integer)));
        cells.extend([
            Cell::number(step.bandwidth.value.0 / 1e9, four),
            step.main_ceiling().map_or_else(|| Cell::Unknown(String::new()), peak),
            time(step, step.running_time()),
        ]);
        if has_latency {
            let latency = step.totals.latency_seconds;
            cells.push(latency.map_or(Cell::Empty, |known| time(step, Some(known))));
        }
        cells
    });
    let mut columns =
        vec![Column::text("scenario", "Scenario"), Column::text("precision", "Bytes as")];
    columns.extend(has_tokens.then(|| Column::number("tokens", "Tokens", "")));
    columns.extend([
        Column::number("bandwidth", "Bandwidth", "GB/s"),
        Column::number("peak", "Peak", "TOP/s"),
        Column::number("time", "Time", "ms"),
    ]);
    if has_latency {
        columns.push(Column::number("latency", "Latency", "ms"));
    }
    let (name, caption) = ("scenarios".to_owned(), String::new());
    Table { name, caption, columns, rows: rows.collect() }
}

/// The parts by their shares, and the longest kernels; nothing where the time is not known.
fn tell_where_it_goes(scenario: &ScenarioEstimate) -> Vec<Block> {
    let shares = describe_shares(scenario).map(Block::Prose);
    let kernels = tabulate_longest_of(scenario, &Formulas::default()).map(Block::Table);
    shares.into_iter().chain(kernels).collect()
}

/// `Of 805.7 ms, vision takes 76.8 %, expert x10 13.4 %.`; nothing where there is one part.
fn describe_shares(scenario: &ScenarioEstimate) -> Option<String> {
    let whole = scenario.running_time()?;
    let parts = scenario
        .running_parts()
        .filter_map(|part| Some((part.name.as_str(), part.totals.throughput_seconds? / whole)));
    let mut parts: Vec<(&str, f64)> = parts.collect();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let percent = |share: f64| format!("{} %", significant(100.0 * share, 3));
    let mut named = parts.iter().take(PARTS).map(|(name, share)| (name, percent(*share)));
    let (first, share) = named.next().filter(|_| parts.len() > 1)?;
    let others: Vec<String> = named.map(|(name, share)| format!(", {name} {share}")).collect();
    Some(format!("Of {}, {first} takes {share}{}.", quantity(whole), others.concat()))
}
