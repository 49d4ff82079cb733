#![doc = include_str!("../README.md")]

mod bars;
mod cell;
mod chart;
mod diagnostic;
mod document;
mod error;
pub mod formula;
mod input;
mod log;
mod number;
pub mod render;
mod table;

pub use bars::{BarSeries, Bars, Length};
pub use cell::Cell;
pub use chart::{Axis, Chart, Line, LineStyle, Marker, Point, PointSeries, Position};
pub use diagnostic::{Diagnostic, Label, Level};
pub use document::{Block, Control, Document, KeyFigure, Section};
pub use error::RenderError;
pub use formula::{Edit, Formula, FormulaError, Function, Operator, Value, Values};
pub use input::{Allowed, INPUTS_CHANGED, Input};
pub use log::{Log, LogEntry, LogRule, Place};
pub use number::{NumberFormat, format_number, format_quantity};
pub use table::{Align, Column, Table};
