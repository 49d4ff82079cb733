//! Charts on two logarithmic axes: lines such as ceilings, points such as kernels.

use std::borrow::Cow;

use serde::Serialize;

use crate::table::name_with_unit;
use crate::{Formula, RenderError};

/// A log-log chart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chart {
    /// The short name, for a file or an anchor, such as `roofline`.
    pub name: String,
    /// What is shown.
    pub title: String,
    /// What to conclude from it.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines, drawn below the points.
    pub lines: Vec<Line>,
    /// The points.
    pub points: Vec<PointSeries>,
}

/// A logarithmic axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Axis {
    /// The quantity.
    pub label: String,
    /// Its unit; SI prefixes are written before it.
    pub unit: String,
    /// The lower end, above zero.
    pub min: f64,
    /// The upper end, above `min`.
    pub max: f64,
}

impl Axis {
    /// The quantity with its unit: `Rate (FLOP/s)`.
    pub(crate) fn name_with_unit(&self) -> String {
        name_with_unit(&self.label, &self.unit)
    }
}

/// A polyline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// What it shows, such as `460 GB/s, 5.41 TFLOP/s`.
    pub name: String,
    /// Its corners, from left to right.
    pub corners: Vec<Position>,
    /// Its role.
    pub style: LineStyle,
}

/// The meaning of a line, which gives its look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineStyle {
    /// The claim of the project: muted and dashed.
    Claimed,
    /// The corrected value: solid.
    Corrected,
    /// The design: dashed and dotted.
    Design,
    /// Something to compare with: thin and dotted.
    Reference,
}

impl LineStyle {
    /// The drawing order, from the bottom to the top.
    pub(crate) const BACK_TO_FRONT: [Self; 4] =
        [Self::Reference, Self::Claimed, Self::Design, Self::Corrected];
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PointSeries {
    /// What they are, such as `As built, FP32`.
    pub name: String,
    /// The points.
    pub points: Vec<Point>,
    /// Their look.
    pub marker: Marker,
}

/// The meaning of a point, which gives its look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Marker {
    /// Claimed.
    Hollow,
    /// Corrected.
    Solid,
    /// A sum of others, such as one part of a model.
    Diamond,
    /// Measured: drawn on top, and labelled before all others.
    Measured,
    /// A point that moves with an input. Only a format with inputs shows it.
    WhatIf,
}

/// One point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// Its name, short enough for a label beside it.
    pub label: String,
    /// Where it lies.
    pub at: Position,
    /// The ends of its error bar on the vertical axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// Its share of the time of its series, from 0 to 1, which gives its size; `None` where it has no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// The size of a mark by the point's share of the time: areas are hard to compare, so there are three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MarkSize {
    /// Less than 5 %.
    Small,
    /// From 5 to 25 %, or no share.
    Plain,
    /// A quarter and more.
    Large,
}

impl MarkSize {
    /// What a legend says of the sizes.
    pub(crate) const LEGEND: &'static str =
        "Mark size: share of its series' time, below 5 %, up to 25 %, and above.";

    /// From small to large.
    pub(crate) const ALL: [Self; 3] = [Self::Small, Self::Plain, Self::Large];

    /// How much larger than a plain mark.
    pub(crate) fn scale(self) -> f64 {
        match self {
            Self::Small => 0.7,
            Self::Plain => 1.0,
            Self::Large => 1.45,
        }
    }
}

impl Point {
    /// The size of its mark.
    pub(crate) fn mark_size(&self) -> MarkSize {
        match self.share {
            Some(share) if share < 0.05 => MarkSize::Small,
            Some(share) if share >= 0.25 => MarkSize::Large,
            _ => MarkSize::Plain,
        }
    }
}

/// A place between the axes, and the formulas that give it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Position {
    /// On the horizontal axis.
    pub x: f64,
    /// On the vertical axis.
    pub y: f64,
    /// The formulas of `x` and `y` in a chart that follows its tables. They have no [`Formula::Column`], because a chart has no row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<Box<[Formula; 2]>>,
}

impl Position {
    /// A place without formulas.
    pub fn fixed(x: f64, y: f64) -> Self {
        Self { x, y, live: None }
    }

    /// A place that formulas give.
    pub fn live(x: f64, y: f64, formulas: [Formula; 2]) -> Self {
        Self { x, y, live: Some(Box::new(formulas)) }
    }
}

impl Chart {
    /// The chart for a format without inputs: without what-if points.
    pub(crate) fn without_trials(&self) -> Cow<'_, Self> {
        let tried = |series: &PointSeries| series.marker == Marker::WhatIf;
        if !self.points.iter().any(tried) {
            return Cow::Borrowed(self);
        }
        let mut still = self.clone();
        still.points.retain(|series| !tried(series));
        Cow::Owned(still)
    }

    /// Whether marks differ in size.
    pub(crate) fn has_sizes(&self) -> bool {
        self.points.iter().flat_map(|series| &series.points).any(|point| point.share.is_some())
    }

    /// Checks that both axes can be logarithmic.
    pub fn check_axes(&self) -> Result<(), RenderError> {
        for axis in [&self.x, &self.y] {
            let spans = axis.min > 0.0 && axis.max > axis.min && axis.max.is_finite();
            if !spans {
                let chart = self.title.clone();
                return Err(RenderError::Axis {
                    chart,
                    axis: axis.label.clone(),
                    min: axis.min,
                    max: axis.max,
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_to_be_tried_is_in_no_format_that_stands_still() {
        let axis = || Axis { label: "a".to_owned(), unit: String::new(), min: 1.0, max: 10.0 };
        let series = |name: &str, marker| PointSeries {
            name: name.to_owned(),
            points: vec![Point {
                label: "p".to_owned(),
                at: Position::fixed(2.0, 2.0),
                range: None,
                share: None,
            }],
            marker,
        };
        let chart = Chart {
            name: String::new(),
            title: String::new(),
            caption: String::new(),
            x: axis(),
            y: axis(),
            lines: Vec::new(),
            points: vec![series("parts", Marker::Diamond), series("what if", Marker::WhatIf)],
        };
        let svg = String::from_utf8(crate::render_svg(&chart).unwrap()).unwrap();
        assert!(svg.contains("parts") && !svg.contains("what if"), "{svg}");
        assert_eq!(chart.without_trials().points.len(), 1);
    }

    /// The page draws its marks anew for shares that change, by the same three sizes.
    #[test]
    fn the_page_has_the_same_mark_sizes() {
        let script = include_str!("../page/roofline.js");
        assert!(script.contains(MarkSize::LEGEND));
        let [small, plain, large] = MarkSize::ALL.map(MarkSize::scale);
        let choice = format!("return share < 0.05 ? {small} : share < 0.25 ? {plain} : {large};");
        assert!(script.contains(&choice), "{choice}");
    }

    #[test]
    fn an_axis_without_a_logarithm_is_refused_in_a_sentence() {
        let axis =
            |min, max| Axis { label: "Rate".to_owned(), unit: "FLOP/s".to_owned(), min, max };
        let chart = |x, y| Chart {
            name: String::new(),
            title: "Roofline".to_owned(),
            caption: String::new(),
            x,
            y,
            lines: Vec::new(),
            points: Vec::new(),
        };
        assert!(chart(axis(0.1, 10.0), axis(1.0, 2.0)).check_axes().is_ok());
        for bad in [axis(0.0, 1.0), axis(2.0, 2.0), axis(f64::NAN, 1.0), axis(1.0, f64::INFINITY)] {
            let error = chart(axis(0.1, 10.0), bad).check_axes().unwrap_err().to_string();
            assert!(
                error.starts_with("chart `Roofline`: the axis `Rate` cannot be logarithmic"),
                "{error}"
            );
        }
    }
}
