//! A report such as an analysis would put together: one layer of a decoder, claimed and as built.

use derate_render::{
    Axis, Block, Cell, Chart, Column, Diagnostic, Document, KeyFigure, Label, Level, Line,
    LineStyle, Marker, NumberFormat, Point, PointSeries, Position, Section, Table, formula::column,
};

/// Matrix products: name, rows, depth, columns.
const KERNELS: [(&str, f64, f64, f64); 8] = [
    ("Q", 50.0, 960.0, 960.0),
    ("K", 50.0, 960.0, 320.0),
    ("V", 50.0, 960.0, 320.0),
    ("Out", 50.0, 960.0, 960.0),
    ("Gate", 50.0, 960.0, 2560.0),
    ("Up", 50.0, 960.0, 2560.0),
    ("Down", 50.0, 2560.0, 960.0),
    ("LM head", 50.0, 960.0, 49280.0),
];

/// Bytes of a number as claimed and as built.
const CLAIMED: f64 = 2.0;
const BUILT: f64 = 4.0;

/// Memory rates in B/s and peaks in FLOP/s, as claimed and as derived.
const RATES: [f64; 2] = [460e9, 300e9];
const PEAKS: [f64; 2] = [5.41e12, 1.08e12];

/// The whole report.
pub(crate) fn document() -> Document {
    Document {
        title: "Roofline audit: decoder on Alveo U280".to_owned(),
        subtitle: "One text layer at S = 50, batch 1, claimed bf16 and 460 GB/s".to_owned(),
        controls: Vec::new(),
        sections: vec![summary(), findings(), kernels(), roofline()],
    }
}

fn section(name: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { name: name.to_owned(), title: title.to_owned(), blocks, appendix: false }
}

fn summary() -> Section {
    let figure = |label: &str, format, claimed, derived| KeyFigure {
        label: label.to_owned(),
        values: vec![
            ("Claimed".to_owned(), Cell::number(claimed, format)),
            ("Derived".to_owned(), Cell::number(derived, format)),
        ],
    };
    let check = |name: &str, level, verdict: &str| {
        vec![Cell::text(name), Cell::Status(level, verdict.to_owned())]
    };
    let prose = "The claim does not hold: the weights are stored as 32-bit floats, so that every kernel moves twice \
                 the bytes claimed, and the memory delivers 300 of the 460 GB/s. Against the peak that the DSP slices \
                 allow, the kernels are bound by arithmetic; against the peak claimed they seem close to the ridge.";
    section(
        "Summary",
        "The verdict",
        vec![
            Block::Prose(prose.to_owned()),
            Block::KeyFigures(vec![
                figure("Bandwidth (GB/s)", NumberFormat::Integer, 460.0, 300.0),
                figure("Peak, FP32 (TFLOP/s)", NumberFormat::Fixed(2), 5.41, 1.08),
                figure("Ridge (FLOP/B)", NumberFormat::Significant(4), 11.7609, 3.6),
                figure("Bytes of a weight", NumberFormat::Integer, CLAIMED, BUILT),
            ]),
            Block::Table(Table {
                name: "checks".to_owned(),
                caption: "What was examined.".to_owned(),
                columns: vec![Column::text("check", "Check"), Column::text("verdict", "Verdict")],
                rows: vec![
                    check(
                        "precision/alias-width",
                        Level::Error,
                        "the alias says 16 bit and has 32",
                    ),
                    check(
                        "bandwidth/theoretical-as-achieved",
                        Level::Warning,
                        "460 GB/s is the datasheet's maximum",
                    ),
                    check("latency/batch-1", Level::Note, "a throughput says nothing of latency"),
                    check("shape/mismatch", Level::Ok, "500 tensors agree"),
                ],
            }),
        ],
    )
}

fn findings() -> Section {
    let label = |file: &str, line, text: &str, mark: &str, message: &str, primary| {
        let start = text.find(mark).unwrap_or(0);
        Label {
            file: file.to_owned(),
            first_line: line,
            text: text.to_owned(),
            start,
            end: start + mark.len(),
            message: message.to_owned(),
            primary,
        }
    };
    let alias = Diagnostic {
        code: "precision/alias-width".to_owned(),
        level: Level::Error,
        message: "`bfloat16_t` says 16 bit and has 32".to_owned(),
        labels: vec![
            label(
                "model_weights.h",
                12,
                "using bfloat16_t = float;  // 16-bit",
                "float",
                "IEEE 754 binary32",
                true,
            ),
            label("derate.toml", 31, "precision = \"bf16\"", "\"bf16\"", "claimed here", false),
        ],
        notes: vec![
            "499 tensors hold 1,800,184,704 B as built and 906,639,456 B as declared".to_owned(),
        ],
        help: Some("define it as `ap_float<16, 8>`, or claim fp32".to_owned()),
        design: None,
        cases: 1,
    };
    let bandwidth = Diagnostic {
        code: "bandwidth/theoretical-as-achieved".to_owned(),
        level: Level::Warning,
        message: "460 GB/s is what the datasheet allows, not what a kernel gets".to_owned(),
        labels: vec![label(
            "derate.toml",
            34,
            "bandwidth = \"460 GB/s\"",
            "\"460 GB/s\"",
            "claimed here",
            true,
        )],
        notes: vec![],
        help: Some("claim a measured rate".to_owned()),
        design: None,
        cases: 1,
    };
    section("Findings", "What contradicts what", vec![Block::Diagnostics(vec![alias, bandwidth])])
}

fn kernels() -> Section {
    let rows = KERNELS.iter().map(|&(name, m, k, n)| {
        let (flops, elements) = cost(m, k, n);
        let bytes = elements * BUILT;
        vec![
            Cell::text(name),
            Cell::text(format!("{m}×{k}×{n}")),
            Cell::number(flops, NumberFormat::Integer),
            Cell::number(bytes, NumberFormat::Integer),
            Cell::number(flops / (elements * CLAIMED), NumberFormat::Significant(4)),
            Cell::formula(
                flops / bytes,
                column("flops") / column("bytes"),
                NumberFormat::Significant(4),
            ),
            Cell::formula(
                bytes / RATES[1] * 1e3,
                column("bytes") / 300e9 * 1000.0,
                NumberFormat::Significant(3),
            ),
            Cell::Status(Level::Warning, "compute".to_owned()),
            Cell::Unknown("no synthesis report".to_owned()),
        ]
    });
    let table = Table {
        name: "kernels".to_owned(),
        caption: "As built, each product moves twice the bytes claimed, so its intensity halves."
            .to_owned(),
        columns: vec![
            Column::text("kernel", "Kernel"),
            Column::text("shape", "Shape"),
            Column::number("flops", "Operations", "FLOP"),
            Column::number("bytes", "Traffic as built", "B"),
            Column::number("claimed", "Intensity claimed", "FLOP/B"),
            Column::number("oi", "Intensity as built", "FLOP/B"),
            Column::number("time", "Memory time at 300 GB/s", "ms"),
            Column::text("bound", "Bound"),
            Column::number("latency", "Latency", "ms"),
        ],
        rows: rows.collect(),
    };
    section("Kernels", "What each kernel costs", vec![Block::Table(table)])
}

fn roofline() -> Section {
    let roof = |rate: f64, peak: f64, style| Line {
        name: format!("{} GB/s, {} TFLOP/s", rate / 1e9, peak / 1e12),
        corners: [(0.25, 0.25 * rate), (peak / rate, peak), (256.0, peak)]
            .map(|(x, y)| Position::fixed(x, y))
            .into(),
        style,
    };
    let place = |element: f64, rate: f64, peak: f64| {
        let norm = Point {
            label: "RMSNorm".to_owned(),
            at: Position::fixed(2.0 / element, (2.0 / element * rate).min(peak)),
            range: None,
            share: None,
        };
        let products = KERNELS.iter().map(move |&(name, m, k, n)| {
            let (flops, elements) = cost(m, k, n);
            let x = flops / (elements * element);
            Point {
                label: name.to_owned(),
                at: Position::fixed(x, (x * rate).min(peak)),
                range: None,
                share: None,
            }
        });
        products.chain(std::iter::once(norm)).collect()
    };
    let chart = Chart {
        name: "roofline".to_owned(),
        title: "Roofline of one text layer, S = 50".to_owned(),
        caption: "Against the derived peak every matrix product is bound by arithmetic; only RMSNorm waits for memory."
            .to_owned(),
        x: Axis { label: "Operational intensity".to_owned(), unit: "FLOP/B".to_owned(), min: 0.25, max: 256.0 },
        y: Axis { label: "Attainable rate".to_owned(), unit: "FLOP/s".to_owned(), min: 5e10, max: 1e13 },
        lines: vec![
            roof(RATES[0], PEAKS[0], LineStyle::Claimed),
            roof(RATES[1], PEAKS[0], LineStyle::Reference),
            roof(RATES[0], PEAKS[1], LineStyle::Reference),
            roof(RATES[1], PEAKS[1], LineStyle::Corrected),
        ],
        points: vec![
            PointSeries {
                name: "Claimed, bf16".to_owned(),
                points: place(CLAIMED, RATES[0], PEAKS[0]),
                marker: Marker::Hollow,
            },
            PointSeries {
                name: "As built, FP32".to_owned(),
                points: place(BUILT, RATES[1], PEAKS[1]),
                marker: Marker::Solid,
            },
        ],
    };
    section("Roofline", "Where the kernels are", vec![Block::Chart(chart)])
}

/// Operations and elements of a matrix product.
fn cost(m: f64, k: f64, n: f64) -> (f64, f64) {
    (2.0 * m * k * n, m * k + k * n + m * n)
}
