//! The formulas of a report: they give what derate gives, and follow their inputs as derate does.

#[path = "fixture/mod.rs"]
mod fixture;

use derate_model::Analysis;
use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_model::present;
use derate_reports::{Document, Value, Values};
use fixture::Fixture;

fn report(analysis: &Analysis) -> Document {
    present::report(analysis, &audit(analysis), &estimate(analysis))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => close(*a, *b),
        (a, b) => a == b,
    }
}

/// A project whose workload is `linear`.
fn linear() -> Fixture {
    Fixture::new("smolvla").with("derate.toml", "workload = \"smolvla\"", "workload = \"linear\"")
}

#[test]
fn every_formula_gives_what_derate_gives() {
    for fixture in [Fixture::new("smolvla"), Fixture::new("smolvla-bf16"), linear()] {
        let document = report(&fixture.analysis());
        let values = Values::of(&document, &[]).unwrap();
        let wrong: Vec<String> = values
            .formulas()
            .filter(|(.., cached, value)| !value.is_some_and(|value| same(cached, value)))
            .map(|(table, row, column, cached, value)| {
                let key = &table.columns[column].key;
                format!("{} {row} {key}: {cached:?} is {value:?}", table.name)
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(values.formulas().count() > 100);
    }
}
