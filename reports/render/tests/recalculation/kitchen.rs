//! A document with everything that formulas, inputs and charts can do.

use derate_render::formula::{
    above, at, choose, column, known, lookup, max, min, name, number, range, sum, sum_product,
    sum_where, text, up,
};
use derate_render::{
    Allowed, Axis, BarSeries, Bars, Block, Cell, Chart, Column, Control, Document, Edit, Formula,
    Input, KeyFigure, Length, Line, LineStyle, Marker, NumberFormat, Point, PointSeries, Position,
    Section, Table, Value, Values,
};

const FORMAT: NumberFormat = NumberFormat::Significant(4);

/// The document, with the values that its formulas give.
pub(crate) fn document() -> Document {
    let mut document = unvalued();
    let copy = document.clone();
    let values = Values::of(&copy, &[]).unwrap();
    for block in document.sections.iter_mut().flat_map(|section| &mut section.blocks) {
        match block {
            Block::Table(table) => fill(table, &values),
            Block::KeyFigures(figures) => {
                for (row, figure) in figures.iter_mut().enumerate() {
                    for (key, cell) in &mut figure.values {
                        fill_cell(cell, values.get("key-figures", row, key));
                    }
                }
            }
            Block::Chart(chart) => {
                let corners = chart.lines.iter_mut().flat_map(|line| &mut line.corners);
                let points = chart.points.iter_mut().flat_map(|series| &mut series.points);
                for at in corners.chain(points.map(|point| &mut point.at)) {
                    if let Some(formulas) = &at.live {
                        (at.x, at.y) = (result(&copy, &formulas[0]), result(&copy, &formulas[1]));
                    }
                }
            }
            Block::Bars(bars) => {
                let lengths = bars.series.iter_mut().flat_map(|series| &mut series.lengths);
                for length in lengths.flatten() {
                    if let Some(formula) = &length.live {
                        length.value = result(&copy, formula);
                    }
                }
            }
            _ => {}
        }
    }
    document
}

/// What a formula of a chart gives.
fn result(document: &Document, formula: &Formula) -> f64 {
    let mut document = document.clone();
    let columns = vec![Column::text("value", "")];
    let rows = vec![vec![live(formula.clone())]];
    document.sections.push(section("Extra", vec![table("extra", columns, rows)]));
    let values = Values::of(&document, &[]).unwrap();
    values.get("extra", 0, "value").and_then(Value::number).unwrap()
}

fn fill(table: &mut Table, values: &Values<'_>) {
    for (row, cells) in table.rows.iter_mut().enumerate() {
        for (column, cell) in table.columns.iter().zip(cells) {
            fill_cell(cell, values.get(&table.name, row, &column.key));
        }
    }
}

fn fill_cell(cell: &mut Cell, found: Option<&Value>) {
    if let (Cell::Formula { value, .. }, Some(found)) = (cell, found) {
        value.clone_from(found);
    }
}

/// What a reader might change.
pub(crate) fn edits() -> Vec<Vec<Edit>> {
    let edit = |input: &str, value: Value| Edit { input: input.to_owned(), value };
    vec![
        vec![edit("bandwidth", 300.0.into())],
        vec![edit("precision", "fp32".into())],
        vec![edit("precision", "int4".into()), edit("tokens", 113.0.into())],
        vec![edit("kernel_clock", 150.0.into()), edit("bandwidth", 0.5.into())],
        // Nothing is known of a rate of nothing.
        vec![edit("bandwidth", 0.0.into())],
    ]
}

fn unvalued() -> Document {
    Document {
        title: "Everything that a workbook can do".to_owned(),
        subtitle: "For a check by another engine".to_owned(),
        controls: vec![Control {
            label: "Bandwidth (GB/s)".to_owned(),
            input: "bandwidth".to_owned(),
        }],
        sections: vec![
            section("Summary", vec![summary(), gap(false), gap(true)]),
            section("What we assume", vec![inputs(), precisions()]),
            section("Kernels", vec![kernels()]),
            section("Roofline", vec![roofline()]),
        ],
    }
}

fn section(name: &str, blocks: Vec<Block>) -> Section {
    Section {
        name: name.to_owned(),
        title: format!("{name} of the check"),
        blocks,
        appendix: false,
    }
}

fn live(formula: Formula) -> Cell {
    Cell::formula(f64::NAN, formula, FORMAT)
}

fn table(name: &str, columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Block {
    let caption = format!("The table `{name}`.");
    Block::Table(Table { name: name.to_owned(), caption, columns, rows })
}

fn summary() -> Block {
    let figure = |label: &str, claimed, derived| KeyFigure {
        label: label.to_owned(),
        values: vec![("Claimed".to_owned(), claimed), ("Derived".to_owned(), derived)],
    };
    Block::KeyFigures(vec![
        figure(
            "Bandwidth (GB/s)",
            Cell::number(460.0, NumberFormat::Integer),
            live(name("bandwidth")),
        ),
        figure(
            "Time (ms)",
            Cell::Empty,
            live(known(at("kernels", "time", 4), text("unknown"))).called("whole_time"),
        ),
        figure("Slower", Cell::Unknown("no claim".to_owned()), live(name("whole_time") / 0.01)),
        figure(
            "Bound",
            Cell::text("compute"),
            live(choose(
                known(name("whole_time"), number(0.0)).exceeds(0.05),
                text("no: take a \"faster\" card"),
                text("yes"),
            )),
        ),
    ])
}

fn inputs() -> Block {
    let row = |label: &str, input: &str, value: Value, unit: &str, allowed: Allowed| {
        let format = NumberFormat::Significant(3);
        vec![
            Cell::text(label),
            Cell::Input(Input { name: input.to_owned(), value, format, allowed }),
            Cell::text(unit),
            Cell::text("from the data sheet"),
        ]
    };
    let number = |least, most, whole| Allowed::Number { least, most, whole };
    let keys = ["bf16", "fp32", "int8", "int4"].map(str::to_owned);
    let many = (0..40).map(|at| format!("choice {at}, of many")).collect();
    let rows = vec![
        row("Bandwidth", "bandwidth", 460.0.into(), "GB/s", number(0.0, 1e5, false)),
        row("Clock of kernels", "kernel_clock", 300.0.into(), "MHz", number(1.0, 2000.0, false)),
        row("Tokens", "tokens", 50.0.into(), "", number(1.0, 65536.0, true)),
        row("Precision", "precision", "bf16".into(), "", Allowed::OneOf(keys.into())),
        row("Schedule", "schedule", "choice 3, of many".into(), "", Allowed::OneOf(many)),
        // It looks like a cell of Excel's.
        row("Bytes of the accumulator", "acc32", 4.0.into(), "B", number(1.0, 8.0, true)),
    ];
    let columns = vec![
        Column::text("figure", "Figure"),
        Column::number("value", "Value", ""),
        Column::text("unit", "Unit"),
        Column::text("source", "Source"),
    ];
    table("inputs", columns, rows)
}

fn precisions() -> Block {
    let rows = [("bf16", 16.0, 1.0), ("fp32", 32.0, 0.2), ("int8", 8.0, 2.0), ("int4", 4.0, 4.0)];
    let rows = rows.map(|(key, bits, macs)| {
        let peak = number(2.0) * 9024.0 * column("macs") * name("kernel_clock") / 1e6;
        vec![
            Cell::text(key),
            Cell::number(bits, NumberFormat::Integer),
            Cell::number(macs, NumberFormat::Significant(2)),
            live(peak),
        ]
    });
    let columns = vec![
        Column::text("key", "Precision"),
        Column::number("bits", "Bits", ""),
        Column::number("macs", "MACs of a DSP", "1/cycle"),
        Column::number("peak", "Peak", "TOP/s"),
    ];
    table("precisions", columns, rows.into())
}

fn kernels() -> Block {
    let of = |key: &str| {
        lookup(name("precision"), range("precisions", "key", 0..4), range("precisions", key, 0..4))
    };
    let products =
        [("Q", "a", 960.0, 960.0), ("K", "a", 960.0, 320.0), ("Gate", "b", 960.0, 2560.0)];
    let mut rows: Vec<Vec<Cell>> = products
        .iter()
        .map(|(kernel, part, k, n)| {
            let tokens = name("tokens");
            let elements = number(k * n) + tokens.clone() * (k + n);
            vec![
                Cell::text(*kernel),
                Cell::text(*part),
                live(number(2.0 * k * n) * tokens),
                live(elements * of("bits") / 8.0),
                live(column("flops") / column("bytes")),
                live(known(
                    max(
                        column("flops") / (of("peak") * 1e9),
                        column("bytes") / (name("bandwidth") * 1e6),
                    ),
                    text("unknown"),
                )),
                live(known(
                    choose(
                        column("oi").at_least(of("peak") * 1e3 / name("bandwidth")),
                        text("compute"),
                        text("memory"),
                    ),
                    text("unknown"),
                )),
                live(up(name("tokens") / 16.0)),
            ]
        })
        .collect();
    // A row that nobody knows, between those that count and their sum.
    rows.push(vec![
        Cell::text("Norm"),
        Cell::text("b"),
        Cell::Unknown("not read".to_owned()),
        Cell::Empty,
        Cell::Empty,
        Cell::Empty,
        Cell::Empty,
        Cell::Empty,
    ]);
    let all = |key: &str| sum(vec![above(key, 0..4)]);
    rows.push(vec![
        Cell::text("All"),
        Cell::Empty,
        live(all("flops")),
        live(all("bytes")),
        live(column("flops") / column("bytes")),
        live(all("time")).called("all_time"),
        live(choose(column("oi").equals(number(0.0)), text("never"), number(0.0))),
        live(sum_product(vec![above("tiles", 0..4), above("flops", 0..4)])),
    ]);
    rows.push(vec![
        Cell::text("Of part a"),
        Cell::Empty,
        live(sum_where(above("part", 0..4), text("a"), vec![above("flops", 0..4)])),
        live(sum_where(above("part", 0..4), text("b"), vec![above("bytes", 0..4)])),
        live(min(at("kernels", "oi", 0), at("kernels", "oi", 2))),
        live(max(column("oi"), name("acc32")) - (number(1.0) - column("flops"))),
        live(Formula::Call(derate_render::Function::Min, vec![above("oi", 0..4), number(7.0)])),
        live(sum_where(above("part", 0..4), text("c"), vec![above("bytes", 0..4)])),
    ]);
    let columns = vec![
        Column::text("kernel", "Kernel"),
        Column::text("part", "Part"),
        Column::number("flops", "Work", "FLOP"),
        Column::number("bytes", "Traffic", "B"),
        Column::number("oi", "Intensity", "FLOP/B"),
        Column::number("time", "Time", "ms"),
        Column::text("bound", "Bound"),
        Column::number("tiles", "Tiles", ""),
    ];
    table("kernels", columns, rows)
}

fn gap(stacked: bool) -> Block {
    let length = |row: usize| {
        let live = known(at("kernels", "time", row), number(0.0));
        Some(Length { value: 0.03, live: Some(live) })
    };
    Block::Bars(Bars {
        name: if stacked { "gap-in-parts" } else { "gap" }.to_owned(),
        title: "Time of each kernel".to_owned(),
        caption: "Gate takes longest.".to_owned(),
        label: "Time".to_owned(),
        unit: "ms".to_owned(),
        format: NumberFormat::Significant(3),
        bars: ["Q", "K", "Gate", "Norm"].map(str::to_owned).into(),
        series: vec![
            BarSeries {
                name: "As built".to_owned(),
                lengths: vec![length(0), length(1), length(2), None],
            },
            BarSeries {
                name: "Launches".to_owned(),
                lengths: [0.01, 0.001, 0.02, 0.005]
                    .map(|value| Some(Length { value, live: None }))
                    .into(),
            },
        ],
        stacked,
    })
}

fn roofline() -> Block {
    let rate = || name("bandwidth") * 1e9;
    let corner = |x: f64| Position::live(x, x * 460e9, [number(x), number(x) * rate()]);
    let axis = |label: &str, unit: &str, min, max| Axis {
        label: label.to_owned(),
        unit: unit.to_owned(),
        min,
        max,
    };
    let point = |row: usize, kernel: &str| {
        let x = at("kernels", "oi", row);
        Point {
            label: kernel.to_owned(),
            at: Position::live(45.0, 20.7e12, [x.clone(), x * rate()]),
            range: None,
            share: None,
        }
    };
    Block::Chart(Chart {
        name: "roofline".to_owned(),
        title: "Roofline".to_owned(),
        caption: "Every kernel lies on the roof.".to_owned(),
        x: axis("Operational intensity", "FLOP/B", 0.25, 256.0),
        y: axis("Attainable rate", "FLOP/s", 1e11, 1e14),
        lines: vec![Line {
            name: "Memory".to_owned(),
            corners: vec![corner(0.25), corner(256.0)],
            style: LineStyle::Corrected,
        }],
        points: vec![PointSeries {
            name: "As built".to_owned(),
            points: vec![point(0, "Q"), point(1, "K"), point(2, "Gate")],
            marker: Marker::Solid,
        }],
    })
}
