//! Figures of two reports, told apart by scenario, part and name.

use gathered::Figures;
use serde_json::Value;

use super::{items, text};

mod gathered;

/// A figure's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A number in its unit.
    Number(f64),
    /// A word, such as the bound.
    Word(String),
    /// Nobody knows, or the report does not have it.
    Unknown,
}

/// A figure that is not what it was.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureChange {
    /// The scenario, with its schedule where that is not `unfused`; `inputs` of what stands in no scenario.
    pub scenario: String,
    /// The part; empty of the scenario as a whole.
    pub part: String,
    /// Which figure.
    pub figure: String,
    /// Its unit; empty of a word or a bare number.
    pub unit: String,
    /// What it was.
    pub before: Reading,
    /// What it is.
    pub after: Reading,
}

impl FigureChange {
    /// The change over the old value; nothing where one of both is no number or the old one is zero.
    pub fn relative(&self) -> Option<f64> {
        match (&self.before, &self.after) {
            (Reading::Number(before), Reading::Number(after)) if *before != 0.0 => {
                Some(after / before - 1.0)
            }
            _ => None,
        }
    }
}

/// A smaller change is one of the arithmetic.
const SAME: f64 = 1e-9;

/// Fields of a scenario, and of a figure's object in it, with their names.
const TOTALS: [(&str, &str, &str); 7] = [
    ("flops", "work", "OP"),
    ("bytes", "traffic", "B"),
    ("weight_bytes", "weights", "B"),
    ("oi", "OI", "OP/B"),
    ("bound", "bound", ""),
    ("throughput_seconds", "roofline time", "s"),
    ("latency_seconds", "latency", "s"),
];

/// What changed, and how many figures both have.
pub(super) fn changes(old: &Value, new: &Value) -> (Vec<FigureChange>, usize) {
    let (before, after) = (gather(old), gather(new));
    let compared = after.all().filter(|(key, _)| before.get(key).is_some()).count();
    let unknown = (Reading::Unknown, String::new());
    let mut changes = Vec::new();
    let gone = before.all().filter(|(key, _)| after.get(key).is_none());
    for (key, _) in after.all().chain(gone) {
        let (was, old_unit) = before.get(key).unwrap_or(&unknown);
        let (is, unit) = after.get(key).unwrap_or(&unknown);
        if same(was, is) {
            continue;
        }
        let (scenario, part, figure) = key.clone();
        let unit = if unit.is_empty() { old_unit } else { unit }.clone();
        let (before, after) = (was.clone(), is.clone());
        changes.push(FigureChange { scenario, part, figure, unit, before, after });
    }
    // What was put in and what came out first, then what it is made of.
    changes.sort_by_key(|change| (!change.part.is_empty(), change.scenario.ends_with(')')));
    (changes, compared)
}

fn same(a: &Reading, b: &Reading) -> bool {
    match (a, b) {
        (Reading::Number(a), Reading::Number(b)) => (a - b).abs() <= SAME * a.abs().max(b.abs()),
        _ => a == b,
    }
}

fn reading(value: Option<&Value>) -> Reading {
    match value {
        Some(Value::Number(number)) => number.as_f64().map_or(Reading::Unknown, Reading::Number),
        Some(Value::String(word)) => Reading::Word(word.clone()),
        Some(Value::Bool(yes)) => Reading::Word(if *yes { "yes" } else { "no" }.to_owned()),
        _ => Reading::Unknown,
    }
}

/// Every figure of a report that is compared.
fn gather(report: &Value) -> Figures {
    let mut figures = Figures::default();
    let platform = reading(report.pointer("/estimate/platform"));
    figures.put("inputs", "", "platform", platform, "");
    figures.put("inputs", "", "batch", reading(report.pointer("/estimate/batch")), "");
    let claimed = reading(report.pointer("/estimate/claimed_latency"));
    figures.put("inputs", "", "claimed latency", claimed, "s");
    for peak in items(report, "/estimate/peaks") {
        let name = format!(
            "{} peak, {} ({})",
            text(peak, "basis"),
            text(peak, "precision"),
            text(peak, "variant")
        );
        let unit = peak.pointer("/rate/unit").and_then(Value::as_str).unwrap_or_default();
        figures.put("inputs", "", &name, reading(peak.pointer("/rate/value")), unit);
    }
    for scenario in items(report, "/estimate/scenarios") {
        gather_scenario(scenario, &mut figures);
    }
    figures
}

fn gather_scenario(scenario: &Value, figures: &mut Figures) {
    let (name, schedule) = (text(scenario, "name"), text(scenario, "schedule"));
    let heading = if schedule == "unfused" { name } else { format!("{name} ({schedule})") };
    // A schedule changes none of these.
    if schedule == "unfused" {
        figures.put(&heading, "", "precision", reading(scenario.get("precision")), "");
        for (field, name) in
            [("tokens", "tokens"), ("bandwidth", "bandwidth"), ("on_chip", "on-chip memory")]
        {
            let unit = scenario.pointer(&format!("/{field}/unit")).and_then(Value::as_str);
            let value = reading(scenario.pointer(&format!("/{field}/value")));
            figures.put(&heading, "", name, value, unit.unwrap_or_default());
        }
        for ceiling in items(scenario, "/ceilings") {
            let name = format!("ridge point, {}", text(ceiling, "precision"));
            figures.put(&heading, "", &name, reading(ceiling.get("ridge")), "OP/B");
        }
    }
    if let Some(totals) = scenario.get("totals") {
        gather_totals(totals, &heading, "", figures);
    }
    for part in items(scenario, "/parts") {
        gather_totals(part, &heading, &text(part, "name"), figures);
    }
}

fn gather_totals(totals: &Value, scenario: &str, part: &str, figures: &mut Figures) {
    for (field, name, unit) in TOTALS {
        figures.put(scenario, part, name, reading(totals.get(field)), unit);
    }
}
