//! A picture's begin: who it is, its background, its title and its caption.

use super::draw::text;
use super::ink::{FONTS, SOFT, TEXT, escape, px, wrap};
use super::{MARGIN, WIDTH};

/// The caption's first line, and from one to the next.
const FIRST_LINE: f64 = 56.0;
const LINE: f64 = 19.0;

/// Title and caption.
pub(super) struct Heading<'a> {
    title: &'a str,
    caption: &'a str,
    /// What is written of them; nothing where the page around says it.
    lines: Option<Vec<String>>,
}

impl<'a> Heading<'a> {
    /// Written in the picture.
    pub(super) fn of(title: &'a str, caption: &'a str) -> Self {
        let lines = wrap(caption, 13.5, WIDTH - 2.0 * MARGIN);
        Self { title, caption, lines: Some(lines) }
    }

    /// Written by the page that the picture stands on.
    pub(super) fn elsewhere(title: &'a str, caption: &'a str) -> Self {
        Self { title, caption, lines: None }
    }

    /// Where the plot begins below it.
    pub(super) fn height(&self) -> f64 {
        self.lines.as_ref().map_or(12.0, |lines| lines.iter().fold(FIRST_LINE, |y, _| y + LINE))
    }

    /// The begin of a picture of this height.
    pub(super) fn draw(&self, height: f64) -> String {
        let (width, height) = (px(WIDTH), px(height));
        let (title, desc) = (escape(self.title), escape(self.caption));
        let mut out = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title desc" font-family="{FONTS}">
<title id="title">{title}</title>
<desc id="desc">{desc}</desc>
<rect width="{width}" height="{height}" fill="#ffffff"/>
"##
        );
        let Some(lines) = &self.lines else { return out };
        out.push_str(&text(MARGIN, 33.0, 19.0, TEXT, self.title, " font-weight=\"600\""));
        let mut y = FIRST_LINE;
        for line in lines {
            out.push_str(&text(MARGIN, y, 13.5, SOFT, line, ""));
            y += LINE;
        }
        out
    }
}
