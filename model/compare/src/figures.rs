//! Figures of two reports, matched by scenario, part and name.

use gathered::{FigureKey, Figures};
use serde_json::Value;

use super::{array_items, text_of};

mod gathered;
mod rank;

/// A figure's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A number in its unit.
    Number(f64),
    /// A word, such as the bound.
    Word(String),
    /// Nobody knows.
    Unknown,
    /// The report does not have it.
    Absent,
}

/// A figure that is not what it was.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureChange {
    /// The scenario; `inputs`, `measured`, `points` or `sensitivity` for what is in no scenario.
    pub scenario: String,
    /// The schedule; empty of `unfused` and of what no schedule changes.
    pub schedule: String,
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
    /// The change over the old value; `None` where either is not a number or the old one is zero.
    pub fn relative_change(&self) -> Option<f64> {
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

/// Fields of a design's array, with their names: its inputs, not its results.
const ARRAY: [(&str, &str); 10] = [
    ("rows", "array: rows"),
    ("columns", "array: columns"),
    ("unroll", "array: multiply-adds per element and cycle"),
    ("accumulation_ii", "array: accumulation interval"),
    ("fill", "array: fill per tile"),
    ("lanes", "array: elementwise lanes"),
    ("memory_latency", "array: memory latency"),
    ("launch", "array: time of a launch"),
    ("launches", "array: launched per"),
    ("clock", "array: clock"),
];

/// Fields of a report's `inputs`, with their names.
const INPUTS: [(&str, &str); 2] = [("clock", "kernel clock"), ("dsp_budget", "DSP budget")];

/// What changed, and how many figures both have.
pub(super) fn find_changes(old: &Value, new: &Value) -> (Vec<FigureChange>, usize) {
    let (before, after) = (gather_figures(old), gather_figures(new));
    // An older derate did not write them.
    let has_inputs = |report: &Value| report.get("inputs").is_some();
    let silent = |key: &FigureKey| {
        !(has_inputs(old) && has_inputs(new))
            && key.scenario == "inputs"
            && INPUTS.iter().any(|i| i.1 == key.figure)
    };
    let compared = after.all().filter(|(key, _)| before.get(key).is_some()).count();
    let absent = (Reading::Absent, String::new());
    let mut changes = Vec::new();
    let gone = before.all().filter(|(key, _)| after.get(key).is_none());
    for (key, _) in after.all().chain(gone) {
        let (was, old_unit) = before.get(key).unwrap_or(&absent);
        let (is, unit) = after.get(key).unwrap_or(&absent);
        if is_same(was, is) || silent(key) || says_nothing(was, is) {
            continue;
        }
        // Of a scenario that only one report has, and of an assumption that only one tries, the answers will do.
        let alone = !before.has(&key.scenario) || !after.has(&key.scenario);
        let either = [was, is].contains(&&Reading::Absent);
        if alone && rank::is_detail(key) || either && rank::is_trial(key) {
            continue;
        }
        let FigureKey { scenario, schedule, part, figure } = key.clone();
        let unit = if unit.is_empty() { old_unit } else { unit }.clone();
        let (before, after) = (was.clone(), is.clone());
        changes.push(FigureChange { scenario, schedule, part, figure, unit, before, after });
    }
    let headlines: Vec<[Reading; 2]> = changes
        .iter()
        .filter(|change| rank::is_headline(change))
        .map(|change| [change.before.clone(), change.after.clone()])
        .collect();
    // An assumption that the answer does not depend on says the answer once more.
    changes.retain(|change| {
        let repeats =
            |[was, is]: &[Reading; 2]| is_same(was, &change.before) && is_same(is, &change.after);
        !(rank::is_answer(change) && headlines.iter().any(repeats))
    });
    changes.sort_by_key(rank::rank_change);
    (changes, compared)
}

/// An unknown figure, or one that is zero, says no more than one that is absent.
fn says_nothing(was: &Reading, is: &Reading) -> bool {
    let none = |reading: &Reading| match reading {
        Reading::Number(value) => *value == 0.0,
        Reading::Word(_) => false,
        Reading::Unknown | Reading::Absent => true,
    };
    *was == Reading::Absent && none(is) || *is == Reading::Absent && none(was)
}

/// Whether two numbers are one but for the arithmetic.
pub(super) fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs())
}

fn is_same(a: &Reading, b: &Reading) -> bool {
    match (a, b) {
        (Reading::Number(a), Reading::Number(b)) => is_near(*a, *b),
        _ => a == b,
    }
}

fn read_value(value: Option<&Value>) -> Reading {
    match value {
        Some(Value::Number(number)) => number.as_f64().map_or(Reading::Unknown, Reading::Number),
        Some(Value::String(word)) => Reading::Word(word.clone()),
        Some(Value::Bool(yes)) => Reading::Word(if *yes { "yes" } else { "no" }.to_owned()),
        Some(_) => Reading::Unknown,
        None => Reading::Absent,
    }
}

/// Every figure of a report that is compared.
fn gather_figures(report: &Value) -> Figures {
    let mut figures = Figures::default();
    let inputs = FigureKey::of("inputs");
    let platform = read_value(report.pointer("/estimate/platform"));
    figures.put(&inputs, "platform", platform, "");
    figures.put(&inputs, "batch", read_value(report.pointer("/estimate/batch")), "");
    let claimed = read_value(report.pointer("/estimate/claimed_latency"));
    figures.put(&inputs, "claimed latency", claimed, "s");
    for (field, name) in INPUTS {
        put_quantity(&mut figures, &inputs, name, report.pointer(&format!("/inputs/{field}")));
    }
    for peak in array_items(report, "/estimate/peaks") {
        let name = format!(
            "{} peak, {} ({})",
            text_of(peak, "basis"),
            text_of(peak, "precision"),
            text_of(peak, "variant")
        );
        put_quantity(&mut figures, &inputs, &name, peak.get("rate"));
    }
    gather_measured(report, &mut figures);
    for scenario in array_items(report, "/estimate/scenarios") {
        gather_scenario(scenario, &mut figures);
    }
    for assumption in array_items(report, "/estimate/sensitivity") {
        let key = FigureKey::of("sensitivity").part(&text_of(assumption, "name"));
        let tried = format!("{} -> {}", text_of(assumption, "from"), text_of(assumption, "to"));
        figures.put(&key, "tried instead", Reading::Word(tried), "");
        figures.put(&key, "answer then", read_value(assumption.get("after")), "s");
    }
    figures
}

/// A value in its unit.
fn put_quantity(figures: &mut Figures, of: &FigureKey, name: &str, quantity: Option<&Value>) {
    let unit = quantity.and_then(|quantity| quantity.get("unit")).and_then(Value::as_str);
    let value = read_value(quantity.and_then(|quantity| quantity.get("value")));
    figures.put(of, name, value, unit.unwrap_or_default());
}

/// What was measured, and what it says of the claims.
fn gather_measured(report: &Value, figures: &mut Figures) {
    let measured = FigureKey::of("measured");
    if let Some(claim) = report.pointer("/validation/claim") {
        put_quantity(figures, &measured, "claim", Some(claim));
    }
    for file in array_items(report, "/validation/files") {
        let of_file = measured.part(&text_of(file, "file"));
        figures.put(&of_file, "verdict", read_value(file.get("verdict")), "");
        for figure in array_items(file, "/figures") {
            let name = text_of(figure, "name");
            put_quantity(figures, &of_file, &name, figure.get("bandwidth"));
            let verdict = read_value(figure.get("verdict"));
            figures.put(&of_file, &format!("{name}: verdict"), verdict, "");
        }
    }
    for point in array_items(report, "/points") {
        let key = FigureKey::of("points").part(&text_of(point, "name"));
        figures.put(&key, "OI", read_value(point.get("oi")), "OP/B");
        figures.put(&key, "rate", read_value(point.get("rate")), "OP/s");
        figures.put(&key, "source", read_value(point.get("source")), "");
    }
}

fn gather_scenario(scenario: &Value, figures: &mut Figures) {
    let mut key = FigureKey::of(&text_of(scenario, "name"));
    let schedule = text_of(scenario, "schedule");
    // A schedule changes none of these.
    if schedule == "unfused" {
        figures.put(&key, "precision", read_value(scenario.get("precision")), "");
        for (field, name) in
            [("tokens", "tokens"), ("bandwidth", "bandwidth"), ("on_chip", "on-chip memory")]
        {
            put_quantity(figures, &key, name, scenario.get(field));
        }
        for (field, name) in ARRAY {
            let pointer = format!("/latency/array/{field}");
            let given = scenario.pointer(&pointer).filter(|given| !given.is_null());
            match given {
                Some(Value::Object(_)) => put_quantity(figures, &key, name, given),
                _ => figures.put(&key, name, read_value(given), ""),
            }
        }
        for ceiling in array_items(scenario, "/ceilings") {
            let name = format!("peak, {}", text_of(ceiling, "precision"));
            put_quantity(figures, &key, &name, ceiling.get("rate"));
            let name = format!("ridge point, {}", text_of(ceiling, "precision"));
            figures.put(&key, &name, read_value(ceiling.get("ridge")), "OP/B");
        }
    } else {
        key.schedule = schedule;
    }
    if let Some(totals) = scenario.get("totals") {
        gather_totals(totals, &key, figures);
    }
    if let Some(terms) = scenario.pointer("/latency/terms").and_then(Value::as_object) {
        for (term, seconds) in terms {
            let name = format!("latency: {}", term.replace('_', " "));
            figures.put(&key, &name, read_value(Some(seconds)), "s");
        }
    }
    for part in array_items(scenario, "/parts") {
        gather_totals(part, &key.part(&text_of(part, "name")), figures);
    }
}

fn gather_totals(totals: &Value, of: &FigureKey, figures: &mut Figures) {
    for (field, name, unit) in TOTALS {
        figures.put(of, name, read_value(totals.get(field)), unit);
    }
}
