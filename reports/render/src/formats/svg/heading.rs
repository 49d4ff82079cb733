//! The start of a picture: its description, background, title and caption.

use super::ink::{FONTS, SOFT, TEXT, draw_text, escape_xml, px, wrap_pixels};
use super::{MARGIN, NARROW, WIDTH};

/// The caption's first line, and from one to the next.
const FIRST_LINE: f64 = 56.0;
const LINE: f64 = 19.0;

pub(super) struct Heading<'a> {
    title: &'a str,
    caption: &'a str,
    /// The width of the picture, in pixels.
    pub(super) width: f64,
    /// The caption's lines; `None` where the page around has title and caption.
    lines: Option<Vec<String>>,
}

impl<'a> Heading<'a> {
    /// The picture has the title and the caption.
    pub(super) fn with_text(title: &'a str, caption: &'a str) -> Self {
        let lines = wrap_pixels(caption, 13.5, WIDTH - 2.0 * MARGIN);
        Self { title, caption, width: WIDTH, lines: Some(lines) }
    }

    /// The page around the picture has the title and the caption.
    pub(super) fn without_text(title: &'a str, caption: &'a str, width: f64) -> Self {
        Self { title, caption, width, lines: None }
    }

    /// The room left and right of the picture.
    pub(super) fn margin(&self) -> f64 {
        if self.is_narrow() { 8.0 } else { MARGIN }
    }

    /// Whether the picture is beside another one.
    pub(super) fn is_narrow(&self) -> bool {
        self.width < NARROW
    }

    /// The top of the plot.
    pub(super) fn height(&self) -> f64 {
        self.lines.as_ref().map_or(12.0, |lines| lines.iter().fold(FIRST_LINE, |y, _| y + LINE))
    }

    /// The start of a picture of this height.
    pub(super) fn begin_picture(&self, height: f64) -> String {
        let (width, height) = (px(self.width), px(height));
        let (title, desc) = (escape_xml(self.title), escape_xml(self.caption));
        let mut out = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title desc" font-family="{FONTS}">
<title id="title">{title}</title>
<desc id="desc">{desc}</desc>
<rect width="{width}" height="{height}" fill="#ffffff"/>
"##
        );
        let Some(lines) = &self.lines else { return out };
        out.push_str(&draw_text(MARGIN, 33.0, 19.0, TEXT, self.title, " font-weight=\"600\""));
        let mut y = FIRST_LINE;
        for line in lines {
            out.push_str(&draw_text(MARGIN, y, 13.5, SOFT, line, ""));
            y += LINE;
        }
        out
    }
}
