//! A document that uses everything a page can do: inputs of every kind, formulas, charts that follow, long tables, and
//! texts that would like to be markup.

use derate_render::formula::{
    above, at, choose, column, known, lookup, max, min, name, number, range, sum_product,
    sum_where, text, up,
};
use derate_render::{
    Align, Allowed, Axis, BarSeries, Bars, Block, Cell, Chart, Column, Control, Diagnostic,
    Document, Edit, Formula, Input, KeyFigure, Label, Length, Level, Line, LineStyle, Marker,
    NumberFormat, Point, PointSeries, Position, Section, Table, Value, Values,
};

/// What a file name or an excerpt must not become.
pub(crate) const NASTY: [&str; 4] = [
    "</script><script>window.owned = 1</script>",
    "\"><img src=x onerror=\"window.owned = 1\">",
    "<!--<script>",
    "'-->`${window.owned = 1}`",
];

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

/// A roof that looks like another one.
fn reference(name: &str, rate: f64) -> Line {
    let corners = [0.25, 512.0].map(|x| Position::fixed(x, rate)).into();
    Line { name: name.to_owned(), corners, style: LineStyle::Reference }
}

fn axis(label: &str, unit: &str, min: f64, max: f64) -> Axis {
    Axis { label: label.to_owned(), unit: unit.to_owned(), min, max }
}

fn charts() -> Section {
    let roof = name("bandwidth") * 1e9;
    let point = |row: usize, label: &str| {
        let x = at("kernels", "oi", row);
        let y = min(peak(), x.clone() * roof.clone());
        let at = Position::live(f64::NAN, f64::NAN, [x, y]);
        Point { label: label.to_owned(), at, range: None, share: None }
    };
    let corner = |x: Formula, y: Formula| Position::live(f64::NAN, f64::NAN, [x, y]);
    let chart = Chart {
        name: "roofline".to_owned(),
        title: "Roofline".to_owned(),
        caption: "What the kernels reach at most.".to_owned(),
        x: axis("Operational intensity", "FLOP/B", 0.25, 512.0),
        y: axis("Attainable rate", "FLOP/s", 5e10, 1e13),
        lines: vec![
            Line {
                name: "460 GB/s, 5.41 TFLOP/s".to_owned(),
                corners: [(0.25, 115e9), (5410.0 / 460.0, 5.41e12), (512.0, 5.41e12)]
                    .map(|(x, y)| Position::fixed(x, y))
                    .into(),
                style: LineStyle::Claimed,
            },
            Line {
                name: "derated bandwidth, derived peak".to_owned(),
                corners: vec![
                    corner(number(0.25), roof.clone() * 0.25),
                    corner(name("ridge"), peak()),
                    corner(number(512.0), peak()),
                ],
                style: LineStyle::Corrected,
            },
            reference("8 TFLOP/s", 8e12),
            reference("2 TFLOP/s", 2e12),
        ],
        points: vec![
            PointSeries {
                name: "Claimed".to_owned(),
                points: vec![Point {
                    label: "Q".to_owned(),
                    at: Position::fixed(46.0, 5.41e12),
                    range: None,
                    share: None,
                }],
                marker: Marker::Hollow,
            },
            PointSeries {
                name: "As built".to_owned(),
                points: KERNELS
                    .iter()
                    .enumerate()
                    .map(|(row, kernel)| point(row, kernel.0))
                    .collect(),
                marker: Marker::Solid,
            },
            PointSeries {
                name: "Measured".to_owned(),
                points: vec![Point {
                    label: "measured Q".to_owned(),
                    at: Position::fixed(20.0, 3e11),
                    range: None,
                    share: None,
                }],
                marker: Marker::Diamond,
            },
        ],
    };
    let length = |formula: Formula| Some(Length { value: f64::NAN, live: Some(formula) });
    let bars = |stacked: bool| Bars {
        name: if stacked { "stacked" } else { "gap" }.to_owned(),
        title: if stacked { "Time by part" } else { "Time by kernel" }.to_owned(),
        caption: "The products of the MLP take most of it.".to_owned(),
        label: "Roofline time".to_owned(),
        unit: "ms".to_owned(),
        format: NumberFormat::Significant(3),
        bars: KERNELS.iter().map(|kernel| kernel.0.to_owned()).collect(),
        series: vec![
            BarSeries {
                name: "Roofline time".to_owned(),
                lengths: (0..KERNELS.len()).map(|row| length(at("kernels", "time", row))).collect(),
            },
            BarSeries {
                name: "Memory time".to_owned(),
                lengths: (0..KERNELS.len())
                    .map(|row| {
                        if row == 2 {
                            None
                        } else {
                            length(at("kernels", "bytes", row) / (name("bandwidth") * 1e6))
                        }
                    })
                    .collect(),
            },
        ],
        stacked,
    };
    section(
        "Figures",
        "Where the kernels are",
        vec![Block::Chart(chart), Block::Bars(bars(false)), Block::Bars(bars(true))],
    )
}

fn nasty() -> Section {
    let excerpt = format!("int a; // {}", NASTY[0]);
    let label = Label {
        file: NASTY[1].to_owned(),
        first_line: 7,
        text: excerpt.clone(),
        start: 10,
        end: excerpt.len(),
        message: NASTY[2].to_owned(),
        primary: true,
    };
    let diagnostic = Diagnostic {
        code: NASTY[3].to_owned(),
        level: Level::Warning,
        message: NASTY[0].to_owned(),
        labels: vec![label],
        notes: NASTY.map(str::to_owned).to_vec(),
        help: Some(NASTY[1].to_owned()),
        design: None,
        cases: 1,
    };
    let rows = NASTY.iter().map(|text| {
        vec![
            Cell::text(*text),
            Cell::Status(Level::Error, (*text).to_owned()),
            Cell::Unknown((*text).to_owned()),
        ]
    });
    let table = Table {
        name: NASTY[1].to_owned(),
        caption: NASTY[0].to_owned(),
        columns: vec![
            Column::text(NASTY[0], NASTY[0]),
            Column::number("b", NASTY[1], NASTY[2]),
            Column::text("c", NASTY[3]),
        ],
        rows: rows.collect(),
    };
    section(
        NASTY[0],
        NASTY[1],
        vec![
            Block::Prose(NASTY.join("\n")),
            Block::Table(table),
            Block::Diagnostics(vec![diagnostic]),
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

/// Puts what the formulas come to where values are cached, live places too.
fn filled(document: &Document) -> Document {
    let (mut places, mut lengths) = (Vec::new(), Vec::new());
    for block in document.sections.iter().flat_map(|section| &section.blocks) {
        match block {
            Block::Chart(chart) => {
                let own = chart.lines.iter().flat_map(|line| &line.corners);
                let own =
                    own.chain(chart.points.iter().flat_map(|s| s.points.iter().map(|p| &p.at)));
                places.extend(own.filter_map(|at| at.live.clone()).flat_map(|pair| *pair));
            }
            Block::Bars(bars) => {
                let own = bars.series.iter().flat_map(|series| series.lengths.iter().flatten());
                lengths.extend(own.filter_map(|length| length.live.clone()));
            }
            _ => {}
        }
    }
    let count = places.len();
    let computed = computed(document, places.into_iter().chain(lengths).collect());
    let mut out = document.clone();
    let values = Values::of(document, &[]).unwrap();
    let (mut next_place, mut next_length) = (0, count);
    for block in out.sections.iter_mut().flat_map(|section| &mut section.blocks) {
        match block {
            Block::Table(table) => {
                let keys: Vec<String> =
                    table.columns.iter().map(|column| column.key.clone()).collect();
                for (row, cells) in table.rows.iter_mut().enumerate() {
                    for (cell, key) in cells.iter_mut().zip(&keys) {
                        if let Cell::Formula { value, .. } = cell {
                            *value = values.get(&table.name, row, key).unwrap().clone();
                        }
                    }
                }
            }
            Block::KeyFigures(figures) => {
                for (row, figure) in figures.iter_mut().enumerate() {
                    for (heading, cell) in &mut figure.values {
                        if let Cell::Formula { value, .. } = cell {
                            *value = values.get("key-figures", row, heading).unwrap().clone();
                        }
                    }
                }
            }
            Block::Chart(chart) => {
                let own = chart.lines.iter_mut().flat_map(|line| &mut line.corners);
                let points =
                    chart.points.iter_mut().flat_map(|s| s.points.iter_mut().map(|p| &mut p.at));
                for at in own.chain(points).filter(|at| at.live.is_some()) {
                    (at.x, at.y) = (computed[next_place], computed[next_place + 1]);
                    next_place += 2;
                }
            }
            Block::Bars(bars) => {
                for length in
                    bars.series.iter_mut().flat_map(|series| series.lengths.iter_mut().flatten())
                {
                    length.value = computed[next_length];
                    next_length += 1;
                }
            }
            _ => {}
        }
    }
    out
}

/// What formulas that are in no table come to.
fn computed(document: &Document, formulas: Vec<Formula>) -> Vec<f64> {
    let count = formulas.len();
    let table = Table {
        name: "computed".to_owned(),
        caption: String::new(),
        columns: vec![Column::text("value", "")],
        rows: formulas.into_iter().map(|formula| vec![live(formula)]).collect(),
    };
    let mut with = document.clone();
    with.sections.push(section("computed", "", vec![Block::Table(table)]));
    let values = Values::of(&with, &[]).unwrap();
    (0..count).map(|row| values.get("computed", row, "value").unwrap().number().unwrap()).collect()
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
