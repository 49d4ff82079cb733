//! One renderer per format: a document in, bytes out.

mod csv;
mod diagnostics;
mod diagnostics_screen;
mod github;
mod grid;
mod html;
mod hull;
mod markdown;
mod palette;
mod plain;
mod sarif;
mod screen;
mod short_path;
mod style;
mod svg;
mod text;
mod text_screen;
mod typst;
mod wrap;
mod xlsx;

pub use csv::render_csv;
pub use diagnostics::render_diagnostics;
pub use diagnostics_screen::render_diagnostics_screen;
pub use github::render_github;
pub use html::{LivePage, render_html, render_html_fragment, render_live_page};
pub use markdown::render_markdown;
pub use plain::plain_text;
pub use sarif::render_sarif;
pub use screen::Screen;
pub use svg::{render_bars_svg, render_svg};
pub use text::render_text;
pub use text_screen::render_text_screen;
pub use typst::render_typst;
pub use wrap::wrap_text;
pub use xlsx::render_xlsx;
