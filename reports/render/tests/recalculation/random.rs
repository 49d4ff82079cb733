//! Formulas that nobody would write, of every kind within every other.

use derate_render::formula::Formula;
use derate_render::{
    Block, Cell, Column, Document, Function, NumberFormat, Operator, Section, Table, Values,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

const FORMAT: NumberFormat = NumberFormat::Significant(4);

/// How many formulas are tried; the same ones every time.
const COUNT: usize = 400;

/// Cells to refer to, and formulas over them.
pub(crate) fn document() -> Document {
    let numbers = [3.0, -2.5, 0.0, 8.0, 0.125, -7.0];
    let texts = ["alpha", "beta", "alpha", "unknown", "x < y & \"z\"", "beta"];
    let cells = (0..6).map(|row| {
        let other = if row % 3 == 0 { Cell::Empty } else { Cell::number(numbers[5 - row], FORMAT) };
        let mixed = if row % 2 == 0 { Cell::text(texts[row]) } else { other.clone() };
        vec![Cell::number(numbers[row], FORMAT), Cell::text(texts[row]), other, mixed]
    });
    let columns = ["numbers", "texts", "some", "mixed"].map(|key| Column::text(key, key));
    let cells = Table {
        name: "cells".to_owned(),
        caption: String::new(),
        columns: columns.into(),
        rows: cells.collect(),
    };
    let mut runner = TestRunner::deterministic();
    let strategy = formula();
    let rows = (0..COUNT).map(|_| {
        let formula = strategy.new_tree(&mut runner).unwrap().current();
        vec![Cell::number(2.0, FORMAT), Cell::formula(1.0, formula, FORMAT)]
    });
    let formulas = Table {
        name: "formulas".to_owned(),
        caption: String::new(),
        columns: vec![Column::text("own", "Own"), Column::text("formula", "Formula")],
        rows: rows.collect(),
    };
    let section = |name: &str, table| Section {
        name: name.to_owned(),
        title: String::new(),
        blocks: vec![Block::Table(table)],
        appendix: false,
    };
    let document = Document {
        title: "Random".to_owned(),
        subtitle: String::new(),
        controls: Vec::new(),
        sections: vec![section("It's formulas", formulas), section("Cells", cells)],
    };
    let values = Values::of(&document, &[]).unwrap();
    let known = values.formulas().filter(|(.., value)| value.is_some()).count();
    assert!(known > COUNT / 4, "{known} formulas have a value");
    document
}

fn range(key: &'static str) -> impl Strategy<Value = Formula> {
    (0_usize..6, 0_usize..4).prop_map(move |(first, count)| Formula::Range {
        table: Some("cells".to_owned()),
        column: key.to_owned(),
        rows: first..(first + count).min(6),
    })
}

fn whole(key: &str) -> Formula {
    Formula::Range { table: Some("cells".to_owned()), column: key.to_owned(), rows: 0..6 }
}

/// Numbers are such that every engine has the same rounding: none.
fn formula() -> impl Strategy<Value = Formula> {
    let columns = prop::sample::select(vec!["numbers", "texts", "some", "mixed"]);
    let cell = (columns, 0_usize..6).prop_map(|(column, row)| Formula::Cell {
        table: "cells".to_owned(),
        column: column.to_owned(),
        row,
    });
    let leaf = prop_oneof![
        4 => prop::sample::select(vec![0.0, 1.0, 2.0, -4.0, 0.5, 1e6]).prop_map(Formula::Number),
        1 => prop::sample::select(vec!["alpha", "beta", "say \"no\""])
            .prop_map(|text| Formula::Text(text.to_owned())),
        1 => Just(Formula::Column("own".to_owned())),
        4 => cell,
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let operators = prop::sample::select(vec![
            Operator::Add,
            Operator::Subtract,
            Operator::Multiply,
            Operator::Divide,
            Operator::Equal,
            Operator::AtLeast,
            Operator::Above,
        ]);
        let folds = prop::sample::select(vec![Function::Min, Function::Max, Function::Sum]);
        let term = prop_oneof![inner.clone(), range("numbers"), range("some"), range("mixed")];
        let call = |function, operands| Formula::Call(function, operands);
        prop_oneof![
            6 => (operators, inner.clone(), inner.clone())
                .prop_map(|(operator, a, b)| Formula::Binary(operator, Box::new(a), Box::new(b))),
            2 => (folds, prop::collection::vec(term, 1..4))
                .prop_map(move |(function, terms)| call(function, terms)),
            1 => Just(()).prop_map(move |()| {
                call(Function::SumProduct, vec![whole("numbers"), whole("mixed")])
            }),
            1 => inner.clone().prop_map(move |key| {
                call(Function::SumWhere, vec![whole("texts"), key, whole("numbers")])
            }),
            2 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(move |(a, b, c)| call(Function::If, vec![a, b, c])),
            1 => inner.clone().prop_map(move |value| call(Function::Up, vec![value])),
            1 => inner.clone().prop_map(move |key| {
                call(Function::Lookup, vec![key, whole("texts"), whole("mixed")])
            }),
            2 => (inner.clone(), inner)
                .prop_map(move |(a, b)| call(Function::Known, vec![a, b])),
        ]
    })
}
