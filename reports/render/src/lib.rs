#![doc = include_str!("../README.md")]

mod bars;
mod cell;
mod chart;
mod diagnostic;
mod document;
mod error;
mod evaluate;
mod formats;
pub mod formula;
mod input;
mod key_figure;
mod log;
mod table;
mod table_builder;
mod tabulate;
mod timeline;

pub use bars::{BarSeries, Bars, Length};
pub use cell::Cell;
pub use chart::{Axis, Chart, Line, LineStyle, Marker, Point, PointSeries, Position};
pub use derate_units::number::{NumberFormat, format_number, format_quantity};
pub use diagnostic::{Diagnostic, Label, Level};
pub use document::{Block, Control, Document, Section};
pub use error::RenderError;
pub use evaluate::{Edit, Values};
pub use formats::{
    LivePage, Screen, plain_text, render_bars_svg, render_csv, render_diagnostics,
    render_diagnostics_screen, render_github, render_html, render_html_fragment, render_live_page,
    render_markdown, render_sarif, render_svg, render_text, render_text_screen, render_typst,
    render_xlsx, wrap_text,
};
pub use formula::{Formula, FormulaError, Function, Operator, Value};
pub use input::{Allowed, INPUTS_CHANGED, Input};
pub use key_figure::KeyFigure;
pub use log::{Log, LogEntry, LogRule, Place};
pub use table::{Align, Column, Table};
pub use table_builder::TableBuilder;
pub use timeline::{Timeline, TimelineLane, TimelineSpan};
