//! What formulas come to: the meaning that a workbook, the page and this evaluator share.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use derate_render::formula::{
    above, at, choose, column, known, lookup, max, min, name, number, range, sum, sum_product,
    sum_where, text, up,
};
use derate_render::{
    Allowed, Block, Cell, Column, Document, Edit, Formula, FormulaError, Input, NumberFormat,
    Section, Table, Value, Values,
};
use proptest::prelude::*;

const FORMAT: NumberFormat = NumberFormat::Significant(4);

fn input(name: &str, value: impl Into<Value>) -> Cell {
    let allowed = Allowed::Number { least: 0.0, most: 1e15, whole: false };
    Cell::Input(Input { name: name.to_owned(), value: value.into(), format: FORMAT, allowed })
}

fn table(name: &str, keys: &[&str], rows: Vec<Vec<Cell>>) -> Block {
    Block::Table(Table {
        name: name.to_owned(),
        caption: String::new(),
        columns: keys.iter().map(|key| Column::text(*key, *key)).collect(),
        rows,
    })
}

fn document(blocks: Vec<Block>) -> Document {
    let section = Section { name: "S".to_owned(), title: String::new(), blocks, appendix: false };
    Document {
        title: String::new(),
        subtitle: String::new(),
        controls: Vec::new(),
        sections: vec![section],
    }
}

/// A roof, formats, and two kernels with their sum.
fn roof() -> Document {
    let cell = |formula: Formula| Cell::formula(f64::NAN, formula, FORMAT);
    let kernel = |calls: f64, flops: f64, elements: f64| {
        let bits = lookup(
            name("precision"),
            range("formats", "key", 0..2),
            range("formats", "bits", 0..2),
        );
        vec![
            Cell::number(calls, FORMAT),
            Cell::number(flops, FORMAT),
            cell(number(elements) * bits / 8.0),
            cell(max(column("flops") / name("peak"), column("bytes") / name("bandwidth"))),
        ]
    };
    let total = vec![
        Cell::Empty,
        cell(sum_product(vec![above("calls", 0..2), above("flops", 0..2)])),
        cell(sum_product(vec![above("calls", 0..2), above("bytes", 0..2)])),
        cell(sum_product(vec![above("calls", 0..2), above("time", 0..2)])),
    ];
    let formats = [("bf16", 16.0), ("fp32", 32.0)];
    let formats = formats.map(|(key, bits)| vec![Cell::text(key), Cell::number(bits, FORMAT)]);
    let precision = Cell::Input(Input {
        name: "precision".to_owned(),
        value: "bf16".into(),
        format: FORMAT,
        allowed: Allowed::OneOf(vec!["bf16".to_owned(), "fp32".to_owned()]),
    });
    document(vec![
        table(
            "inputs",
            &["value"],
            vec![vec![input("bandwidth", 100.0)], vec![input("peak", 1000.0)], vec![precision]],
        ),
        table("formats", &["key", "bits"], formats.into()),
        table(
            "kernels",
            &["calls", "flops", "bytes", "time"],
            vec![kernel(1.0, 4000.0, 100.0), kernel(3.0, 1000.0, 500.0), total],
        ),
    ])
}

fn edit(input: &str, value: impl Into<Value>) -> Edit {
    Edit { input: input.to_owned(), value: value.into() }
}

fn get(document: &Document, edits: &[Edit], row: usize, column: &str) -> Option<Value> {
    Values::of(document, edits).unwrap().get("kernels", row, column).cloned()
}

#[test]
fn inputs_reach_every_formula_that_names_them() {
    let document = roof();
    // 4000 at 1000/s, and three times 1000 B at 100 B/s.
    assert_eq!(get(&document, &[], 2, "time"), Some(Value::Number(4.0 + 3.0 * 10.0)));
    let fp32 = edit("precision", "fp32");
    assert_eq!(
        get(&document, std::slice::from_ref(&fp32), 2, "bytes"),
        Some(Value::Number(400.0 + 3.0 * 2000.0))
    );
    let fast = edit("bandwidth", 4000.0);
    assert_eq!(get(&document, &[fp32, fast], 2, "time"), Some(Value::Number(4.0 + 3.0)));
}

#[test]
fn a_division_by_zero_is_no_value_unless_it_is_known() {
    let one = |formula: Formula| {
        let cell = Cell::formula(0.0, formula, FORMAT);
        let document = document(vec![table("kernels", &["a"], vec![vec![cell]])]);
        get(&document, &[], 0, "a")
    };
    assert_eq!(one(number(1.0) / 0.0), None);
    assert_eq!(one(text("x") + 1.0), None);
    assert_eq!(one(known(number(1.0) / 0.0, text("unknown"))), Some("unknown".into()));
    assert_eq!(one(known(number(7.0), text("unknown"))), Some(7.0.into()));
    assert_eq!(
        one(choose(number(2.0).at_least(2.0), text("compute"), number(1.0) / 0.0)),
        Some("compute".into())
    );
    assert_eq!(
        one(choose(text("a").equals(text("b")), number(1.0), number(0.0))),
        Some(0.0.into())
    );
    assert_eq!(one(number(3.0).exceeds(3.0)), Some(0.0.into()));
    assert_eq!(one(up(number(7.0) / 2.0)), Some(4.0.into()));
    let twos = || vec![number(2.0)];
    assert_eq!(one(sum_where(text("k"), text("k"), twos())), Some(2.0.into()));
    assert_eq!(one(sum_where(text("k"), text("l"), twos())), Some(0.0.into()));
    assert_eq!(one(sum_where(text("k"), number(1.0) / 0.0, twos())), None);
    assert_eq!(
        one(sum(vec![number(1.0), min(number(2.0), number(5.0))]) - 4.0),
        Some((-1.0).into())
    );
}

#[test]
fn what_leads_nowhere_or_in_a_circle_is_named() {
    let of = |formulas: Vec<Formula>| {
        let rows = formulas.into_iter().map(|f| vec![Cell::formula(0.0, f, FORMAT)]).collect();
        Values::of(&document(vec![table("kernels", &["a"], rows)]), &[])
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        of(vec![column("b")]),
        "table `kernels`, row 0: a formula refers to the column `b`, which the document does not have"
    );
    assert_eq!(
        of(vec![at("none", "a", 0)]),
        "table `kernels`, row 0: a formula refers to the table `none`, which the document does not have"
    );
    assert_eq!(
        of(vec![at("kernels", "a", 1), at("kernels", "a", 0)]),
        "table `kernels`, row 0: a formula depends on itself"
    );
    let missing = Values::of(&roof(), &[edit("clock", 1.0)]).map(|_| ()).unwrap_err();
    assert_eq!(missing, FormulaError::NoInput("clock".to_owned()));
    let twice =
        document(vec![table("a", &["v"], vec![vec![input("x", 1.0)], vec![input("x", 2.0)]])]);
    assert_eq!(
        Values::of(&twice, &[]).map(|_| ()).unwrap_err(),
        FormulaError::Twice("x".to_owned())
    );
}

proptest! {
    #[test]
    fn a_long_chain_is_refused_and_never_overflows(length in 1_usize..3000) {
        let rows = (0..length).map(|row| {
            let before = if row + 1 < length { at("kernels", "a", row + 1) } else { number(1.0) };
            vec![Cell::formula(0.0, before + 1.0, FORMAT)]
        });
        let document = document(vec![table("kernels", &["a"], rows.collect())]);
        let values = Values::of(&document, &[]);
        prop_assert!(values.is_ok() || length > 100);
    }
}
