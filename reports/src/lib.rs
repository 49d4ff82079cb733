#![doc = include_str!("../README.md")]

mod cell;
mod chart;
mod diagnostic;
mod document;
mod error;
mod log;
mod number;
pub mod render;
mod table;

pub use cell::Cell;
pub use chart::{Axis, Chart, Line, LineStyle, Marker, Point, PointSeries};
pub use diagnostic::{Diagnostic, Label, Level};
pub use document::{Block, Document, KeyFigure, Section};
pub use error::RenderError;
pub use log::{Log, LogEntry, LogRule, Place};
pub use number::{NumberFormat, format_number, format_quantity};
pub use table::{Align, Column, Table};
