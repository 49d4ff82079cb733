//! A document that uses everything a page can do: inputs of every kind, formulas and long tables; charts that follow and texts
//! that would like to be markup are beside it.

mod charts;
mod filled;
mod nasty;

use charts::charts;
use derate_render::formula::{
    above, at, choose, column, known, lookup, max, min, name, number, range, sum_product,
    sum_where, text, up,
};
use derate_render::{
    Align, Allowed, Block, Cell, Column, Control, Document, Edit, Formula, Input, KeyFigure,
    NumberFormat, Section, Table, Value,
};
use filled::filled;
pub(crate) use nasty::NASTY;
use nasty::nasty;

/// Name, rows' factor, depth, columns, and how often it is called.
const KERNELS: [(&str, f64, f64, f64); 6] = [
    ("Q", 960.0, 960.0, 16.0),
    ("K", 960.0, 320.0, 16.0),
    ("V", 960.0, 320.0, 16.0),
    ("Gate", 960.0, 2560.0, 16.0),
    ("Up", 960.0, 2560.0, 16.0),
    ("Down", 2560.0, 960.0, 16.0),
];

const FORMATS: [(&str, f64, f64); 3] =
    [("bf16", 16.0, 0.2), ("fp32", 32.0, 0.2), ("int8", 8.0, 1.75)];

const FIGURES: NumberFormat = NumberFormat::Significant(4);

fn numeric(name: &str, value: f64, least: f64, most: f64, whole: bool) -> Cell {
    let format = if whole { NumberFormat::Integer } else { FIGURES };
    let allowed = Allowed::Number { least, most, whole };
    Cell::Input(Input { name: name.to_owned(), value: value.into(), format, allowed })
}

/// A cell whose value is what its formula gives; filled in by [`filled`].
fn live(formula: Formula) -> Cell {
    Cell::formula(f64::NAN, formula, FIGURES)
}

fn live_as(formula: Formula, format: NumberFormat) -> Cell {
    Cell::formula(f64::NAN, formula, format)
}

fn section(name: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { name: name.to_owned(), title: title.to_owned(), blocks, appendix: false }
}

fn of_precision(column: &str) -> Formula {
    let rows = 0..FORMATS.len();
    lookup(
        name("precision"),
        range("precisions", "key", rows.clone()),
        range("precisions", column, rows),
    )
}

fn peak() -> Formula {
    name("clock") * 1e6 * name("dsp") * of_precision("macs") * 2.0
}

fn assumptions() -> Section {
    let row = |what: &str, input: Cell, unit: &str, source: &str| {
        vec![Cell::text(what), input, Cell::text(unit), Cell::text("assumed"), Cell::text(source)]
    };
    let precision = Cell::Input(Input {
        name: "precision".to_owned(),
        value: "bf16".into(),
        format: FIGURES,
        allowed: Allowed::OneOf(FORMATS.iter().map(|(key, ..)| (*key).to_owned()).collect()),
    });
    let inputs = Table {
        name: "inputs".to_owned(),
        caption: "What may be changed; every figure of this page follows.".to_owned(),
        columns: vec![
            Column::text("what", "Assumption"),
            Column { align: Align::Right, ..Column::text("value", "Value") },
            Column::text("unit", "Unit"),
            Column::text("provenance", "Provenance"),
            Column::text("source", "Source"),
        ],
        rows: vec![
            row(
                "Bandwidth",
                numeric("bandwidth", 300.0, 1.0, 2000.0, false),
                "GB/s",
                "`derate.toml`: what the authors think a kernel may reach",
            ),
            row("Kernel clock", numeric("clock", 300.0, 0.0, 900.0, false), "MHz", "`derate.toml`"),
            row("DSP slices", numeric("dsp", 9020.0, 1.0, 12_288.0, true), "", "DS963"),
            row("Tokens", numeric("tokens", 50.0, 1.0, 4096.0, true), "", "`derate.toml`"),
            row("Precision", precision, "", "`derate.toml`"),
        ],
    };
    let formats = Table {
        name: "precisions".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("key", "Precision"),
            Column::number("bits", "Bits", "bit"),
            Column::number("macs", "Multiply-adds per DSP", ""),
        ],
        rows: FORMATS
            .iter()
            .map(|&(key, bits, macs)| {
                vec![
                    Cell::text(key),
                    Cell::number(bits, NumberFormat::Integer),
                    Cell::number(macs, FIGURES),
                ]
            })
            .collect(),
    };
    section("Assumptions", "What is assumed", vec![Block::Table(inputs), Block::Table(formats)])
}

/// One of every function, errors too.
fn odd() -> Table {
    Table {
        name: "odd".to_owned(),
        caption: String::new(),
        columns: vec![Column::text("what", "What"), Column::number("value", "Value", "")],
        rows: [
            ("an error where the clock is 0", number(1.0) / name("clock")),
            ("recovered", known(number(1.0) / name("clock"), text("no clock"))),
            ("rounded up", up(name("tokens") / 7.0)),
            ("the least", min(name("tokens"), name("dsp") / 100.0)),
            (
                "where they match",
                sum_where(
                    above("what", 0..3),
                    text("recovered"),
                    vec![range("kernels", "calls", 0..3), range("kernels", "bytes", 0..3)],
                ),
            ),
            ("empty counts as nothing", at("kernels", "calls", 6) + 1.0),
            (
                "formulas follow",
                choose(
                    name("clock").exceeds(100.0),
                    text("yes"),
                    text("no: run derate at this clock"),
                ),
            ),
        ]
        .into_iter()
        .map(|(what, formula)| vec![Cell::text(what), live(formula)])
        .collect(),
    }
}

fn kernels() -> Section {
    let rows = KERNELS.iter().map(|&(label, depth, width, calls)| {
        let elements = name("tokens") * (depth + width) + depth * width;
        vec![
            Cell::text(label),
            Cell::number(calls, NumberFormat::Integer),
            live_as(name("tokens") * (2.0 * depth * width), NumberFormat::Si(4)),
            live_as(elements * of_precision("bits") / 8.0, NumberFormat::Integer),
            live(column("flops") / column("bytes")),
            live_as(
                max(column("flops") / peak(), column("bytes") / (name("bandwidth") * 1e9)) * 1e3,
                NumberFormat::Fixed(3),
            ),
            live(choose(
                column("flops").at_least(column("bytes") * name("ridge")),
                text("compute"),
                text("memory"),
            )),
            Cell::Unknown("no synthesis report".to_owned()),
        ]
    });
    let last = KERNELS.len();
    let total = |key: &str| sum_product(vec![above("calls", 0..last), above(key, 0..last)]);
    let mut rows: Vec<Vec<Cell>> = rows.collect();
    rows.push(vec![
        Cell::text("all calls"),
        Cell::Empty,
        live_as(total("flops"), NumberFormat::Si(4)),
        live_as(total("bytes"), NumberFormat::Integer),
        live(column("flops") / column("bytes")),
        live_as(total("time"), NumberFormat::Fixed(3)).called("time_of_all"),
        Cell::Empty,
        Cell::Unknown("no synthesis report".to_owned()),
    ]);
    let table = Table {
        name: "kernels".to_owned(),
        caption: "Each product on its own: operands from memory, the result to memory.".to_owned(),
        columns: vec![
            Column::text("kernel", "Kernel"),
            Column::number("calls", "Calls", ""),
            Column::number("flops", "Operations", "FLOP"),
            Column::number("bytes", "Traffic", "B"),
            Column::number("oi", "Intensity", "FLOP/B"),
            Column::number("time", "Roofline time", "ms"),
            Column::text("bound", "Bound"),
            Column::number("latency", "Latency", "ms"),
        ],
        rows,
    };
    let long = Table {
        name: "sweep".to_owned(),
        caption: "The time over tokens.".to_owned(),
        columns: vec![
            Column::number("tokens", "Tokens", ""),
            Column::number("time", "Memory time", "ms"),
            Column::text("bound", "Bound"),
        ],
        rows: (1..=60_u32)
            .map(|step| {
                let tokens = f64::from(step * 8);
                vec![
                    Cell::number(tokens, NumberFormat::Integer),
                    live(
                        (number(tokens) * 3520.0 + 2_457_600.0) * of_precision("bits")
                            / 8.0
                            / (name("bandwidth") * 1e6),
                    ),
                    live(choose(column("time").exceeds(0.02), text("slow"), text("fast"))),
                ]
            })
            .collect(),
    };
    section(
        "Kernels",
        "What each kernel costs",
        vec![Block::Table(table), Block::Table(long), Block::Table(odd())],
    )
}

fn summary() -> Section {
    let figure = |label: &str, claimed: Cell, derived: Cell, measured: f64| KeyFigure {
        label: label.to_owned(),
        values: vec![
            ("Claimed".to_owned(), claimed),
            ("Derived".to_owned(), derived),
            ("Measured".to_owned(), Cell::number(measured, FIGURES)),
        ],
    };
    section(
        "Summary",
        "The verdict",
        vec![
            Block::Prose("The claim does not hold: see `derate.toml`.\n\n- one\n- two".to_owned()),
            Block::KeyFigures(vec![
                figure("Peak (TOP/s)", Cell::number(5.41, FIGURES), live(peak() / 1e12), 1.61),
                figure(
                    "Ridge (OP/B)",
                    Cell::number(11.76, FIGURES),
                    live(peak() / (name("bandwidth") * 1e9)).called("ridge"),
                    5.37,
                ),
                figure(
                    "Time (ms)",
                    Cell::Unknown("the claim has none".to_owned()),
                    live(name("time_of_all")),
                    2.04,
                ),
            ]),
        ],
    )
}

/// The whole document, its cached values those of its formulas.
pub(crate) fn document() -> Document {
    let controls = [
        ("Precision", "precision"),
        ("Bandwidth (GB/s)", "bandwidth"),
        ("Kernel clock (MHz)", "clock"),
        ("Tokens", "tokens"),
    ];
    let controls =
        controls.map(|(label, input)| Control { label: label.to_owned(), input: input.to_owned() });
    let document = Document {
        title: "A page that lives".to_owned(),
        subtitle: format!("and {}", NASTY[0]),
        controls: controls.to_vec(),
        sections: vec![summary(), charts(), assumptions(), kernels(), nasty()],
    };
    filled(&document)
}

/// Readers' changes to try, one after another from derate's own values.
pub(crate) fn edits() -> Vec<Vec<Edit>> {
    let edit = |input: &str, value: Value| Edit { input: input.to_owned(), value };
    vec![
        vec![edit("precision", "fp32".into())],
        vec![edit("precision", "int8".into()), edit("bandwidth", 460.0.into())],
        vec![edit("bandwidth", 33.3.into())],
        vec![edit("clock", 0.0.into())],
        vec![edit("dsp", 1804.0.into()), edit("tokens", 241.0.into()), edit("clock", 150.5.into())],
    ]
}
