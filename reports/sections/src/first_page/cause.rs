//! Findings by their cause: one step of the ladder, one kind of work, or one rule.

use derate_audit::{Finding, Level};
use derate_render::{Cell, Column, NumberFormat, Table};

use super::super::diagnostics;
use derate_estimate::Estimate;
use derate_estimate::scenario::ScenarioKind;
use derate_units::figures::count;
use derate_units::{Precision, Seconds};

/// More causes are left to the findings.
const MOST: usize = 6;

/// What several findings have in common.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Cause {
    /// A step of the ladder corrects it.
    Step(ScenarioKind),
    /// A peak of arithmetic that the code does not use.
    UnusedPeak,
    /// Work that an inference can do without, by its key under `[design]`.
    Variant(&'static str),
    /// Anything else, by its rule.
    Rule(&'static str),
}

impl Cause {
    pub(super) fn of(finding: &Finding, estimate: &Estimate) -> Self {
        match finding.code {
            "peak/underivable" if !is_used(&finding.subject, estimate) => Self::UnusedPeak,
            "peak/underivable" => Self::Step(ScenarioKind::DerivedPeak),
            "bandwidth/theoretical-as-achieved" => Self::Step(ScenarioKind::Derated),
            "workload/sequence-length" => Self::Step(ScenarioKind::TrueTokens),
            "precision/alias-width" | "precision/assumed-bytes" => {
                Self::Step(ScenarioKind::AsBuilt)
            }
            code => {
                let known =
                    estimate.variants.iter().find(|v| !v.chosen && v.key == finding.subject);
                known.map_or(Self::Rule(code), |variant| Self::Variant(variant.key))
            }
        }
    }

    /// The cause in a few words.
    fn name(self) -> String {
        match self {
            Self::Step(ScenarioKind::AsBuilt) => "the code stores other bytes".to_owned(),
            Self::Step(ScenarioKind::TrueTokens) => "an inference runs other tokens".to_owned(),
            Self::Step(ScenarioKind::Derated) => "the memory gives less".to_owned(),
            Self::Step(_) => "the peak cannot be built".to_owned(),
            Self::UnusedPeak => "peaks of arithmetic that is not in use".to_owned(),
            Self::Variant("hoist_cross_kv") => "the same work in every step".to_owned(),
            Self::Variant(_) => "results that nothing uses".to_owned(),
            Self::Rule(code) => name_rule(code),
        }
    }

    /// What it adds to the roofline time of an inference; `None` where that is not known.
    pub(super) fn cost(self, estimate: &Estimate) -> Option<Seconds> {
        match self {
            Self::Step(kind) => cost_step(estimate, kind),
            Self::UnusedPeak => Some(Seconds(0.0)),
            Self::Variant(key) => {
                estimate.variants.iter().find(|variant| variant.key == key)?.throughput_seconds
            }
            Self::Rule(_) => None,
        }
    }
}

/// What a rule finds, in a few words.
fn name_rule(code: &str) -> String {
    let words = match code {
        "design/work" => "kernels do other work than the model",
        "design/multiply-rate" => "kernels multiply more than the card can",
        "design/latency" => "kernels take longer than is claimed",
        "design/throughput" => "kernels are slower than is claimed",
        "design/measured" => "a measured time is not the modelled one",
        "design/resources" => "kernels do not fit the card",
        "design/unserved" => "parts that no kernel computes",
        "design/precision" => "kernels compute in another format",
        "design/operand-format" => "kernels read another format than is written",
        _ => return code.split_once('/').map_or(code, |(_, name)| name).replace('-', " "),
    };
    words.to_owned()
}

/// What a step of the ladder adds to the time of the step before it.
fn cost_step(estimate: &Estimate, kind: ScenarioKind) -> Option<Seconds> {
    let mut before = None;
    for scenario in estimate.ladder() {
        if scenario.kind == kind {
            return Some(Seconds(scenario.running_time()?.0 - before?));
        }
        before = scenario.running_time().map(|time| time.0);
    }
    None
}

/// Whether the corrected scenario multiplies in the arithmetic of a claimed peak.
fn is_used(subject: &str, estimate: &Estimate) -> bool {
    let key = subject.rsplit('.').next().and_then(Precision::parse);
    let Some(corrected) = estimate.scenario(ScenarioKind::DerivedPeak) else { return true };
    key.is_none_or(|key| corrected.ceilings.iter().any(|roof| roof.peak.precision == key))
}

/// How much a finding matters for the time; what is not known counts as nothing.
fn weigh(finding: &Finding, estimate: &Estimate) -> f64 {
    Cause::of(finding, estimate).cost(estimate).map_or(0.0, |cost| cost.0.abs())
}

/// The findings that cost most first, then the gravest; what is about arithmetic that is not in use comes last of these.
pub(crate) fn order_by_cost(findings: &[Finding], estimate: &Estimate) -> Vec<Finding> {
    let weighed = findings.iter().map(|finding| {
        let unused = Cause::of(finding, estimate) == Cause::UnusedPeak;
        (weigh(finding, estimate), finding.level, unused, finding)
    });
    let mut weighed: Vec<_> = weighed.collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    weighed.into_iter().map(|(.., finding)| finding.clone()).collect()
}

/// One cause, with its findings.
struct Grouped<'a> {
    cause: Cause,
    findings: Vec<&'a Finding>,
}

impl Grouped<'_> {
    /// `3 errors, 1 note`.
    fn count_levels(&self) -> String {
        let of = |level: Level| self.findings.iter().filter(|f| f.level == level).count();
        let each = [Level::Error, Level::Warning, Level::Note].map(|level| (of(level), level));
        let said = each.into_iter().filter(|(number, _)| *number > 0);
        let said: Vec<String> = said.map(|(number, level)| count(number, level.as_str())).collect();
        said.join(", ")
    }
}

/// The causes of findings, in the order of their first ones.
fn group_causes<'a>(findings: &'a [Finding], estimate: &Estimate) -> Vec<Grouped<'a>> {
    let mut all: Vec<Grouped<'_>> = Vec::new();
    for finding in findings {
        let cause = Cause::of(finding, estimate);
        match all.iter_mut().find(|one| one.cause == cause) {
            Some(one) => one.findings.push(finding),
            None => all.push(Grouped { cause, findings: vec![finding] }),
        }
    }
    all
}

/// What is said of one cause: its level and name, what it adds, and how many findings it has.
fn write_cells(one: &Grouped<'_>, estimate: &Estimate) -> Option<[Cell; 3]> {
    let level = one.findings.iter().map(|finding| finding.level).min()?;
    Some([
        Cell::Status(diagnostics::level(level), one.cause.name()),
        match one.cause.cost(estimate) {
            Some(cost) => Cell::number(cost.0 * 1e3, NumberFormat::Significant(3)),
            None => Cell::Unknown(String::new()),
        },
        Cell::Text(one.count_levels()),
    ])
}

/// The gravest finding of a cause.
fn find_gravest<'a>(one: &Grouped<'a>) -> Option<&'a Finding> {
    one.findings.iter().copied().min_by_key(|finding| finding.level)
}

fn first_columns() -> Vec<Column> {
    vec![
        Column::text("cause", "Cause"),
        Column::number("cost", "Adds", "ms"),
        Column::text("findings", "Findings"),
    ]
}

/// So many causes fit beside the other lines of a terminal.
const ON_TERMINAL: usize = 5;

/// The causes that cost most, without their remedies; `findings` are in that order.
pub(super) fn list_causes(findings: &[Finding], estimate: &Estimate) -> Option<Table> {
    let all = group_causes(findings, estimate);
    let rows = all.iter().take(ON_TERMINAL).filter_map(|one| {
        let mut cells = Vec::from(write_cells(one, estimate)?);
        cells.push(Cell::text(find_gravest(one)?.code));
        Some(cells)
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    let mut columns = first_columns();
    columns.push(Column::text("rule", "Rule"));
    (!rows.is_empty()).then(|| Table {
        name: "causes".to_owned(),
        caption: String::new(),
        columns,
        rows,
    })
}

/// What to do about the cause that costs most.
pub(super) fn advise_first(findings: &[Finding], estimate: &Estimate) -> Option<String> {
    let all = group_causes(findings, estimate);
    let help = &find_gravest(all.first()?)?.help;
    Some(format!("Do first: {help}."))
}

/// How many causes the terminal does not list.
pub(super) fn count_left(findings: &[Finding], estimate: &Estimate) -> Option<String> {
    match group_causes(findings, estimate).len().saturating_sub(ON_TERMINAL) {
        0 => None,
        1 => Some("One more cause is in the report.".to_owned()),
        left => Some(format!("{left} more causes are in the report.")),
    }
}

/// A row per cause, what costs most first; `findings` are in that order.
pub(super) fn tabulate_causes(findings: &[Finding], estimate: &Estimate) -> Option<Table> {
    let all = group_causes(findings, estimate);
    let left = all.len().saturating_sub(MOST);
    let rows = all.iter().take(MOST).filter_map(|one| {
        let first = find_gravest(one)?;
        let mut cells = Vec::from(write_cells(one, estimate)?);
        cells.extend([Cell::text(&first.help), Cell::link(first.code, first.code)]);
        Some(cells)
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    let more = match left {
        0 => String::new(),
        left => format!("; {left} more are under Findings"),
    };
    let mut columns = first_columns();
    columns.extend([Column::text("remedy", "What to do"), Column::text("rule", "Rule")]);
    (!rows.is_empty()).then(|| Table {
        name: "causes".to_owned(),
        caption: format!("What to do first: the causes by the time that each adds to an inference, on top of the steps before it{more}"),
        columns,
        rows,
    })
}
