//! One renderer per format: a document in, bytes out.

mod csv;
mod diagnostics;
mod github;
mod grid;
mod html;
mod hull;
mod markdown;
mod palette;
mod plain;
mod sarif;
mod style;
mod svg;
mod text;
mod typst;
mod wrap;
mod xlsx;

pub use csv::csv;
pub use diagnostics::diagnostics_text;
pub use github::github;
pub use html::{LivePage, html, live_page};
pub use markdown::markdown;
pub use sarif::sarif;
pub use svg::{bars_svg, svg};
pub use text::text;
pub use typst::typst;
pub use xlsx::xlsx;
