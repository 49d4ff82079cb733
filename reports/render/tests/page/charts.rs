//! Charts and bars that follow inputs.

use super::{KERNELS, peak, section};
use derate_render::formula::{at, min, name, number};
use derate_render::{
    Axis, BarSeries, Bars, Block, Chart, Formula, Length, Line, LineStyle, Marker, NumberFormat,
    Point, PointSeries, Position, Section,
};

fn reference(name: &str, rate: f64) -> Line {
    let corners = [0.25, 512.0].map(|x| Position::fixed(x, rate)).into();
    Line { name: name.to_owned(), corners, style: LineStyle::Reference }
}

fn axis(label: &str, unit: &str, min: f64, max: f64) -> Axis {
    Axis { label: label.to_owned(), unit: unit.to_owned(), min, max }
}

pub(super) fn charts() -> Section {
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
