//! One renderer per format: a document in, bytes out.

mod csv;
mod diagnostics;
mod grid;
mod hull;
mod markdown;
mod plain;
mod style;
mod svg;
mod text;
mod wrap;
mod xlsx;

pub use csv::csv;
pub use diagnostics::diagnostics_text;
pub use markdown::markdown;
pub use svg::svg;
pub use text::text;
pub use xlsx::xlsx;
