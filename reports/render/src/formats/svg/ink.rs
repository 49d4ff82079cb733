//! Drawing tools: escaped text, rounded coordinates, strokes and the width of a text.

use super::super::palette;
use super::super::plain::plain_text;
use crate::LineStyle;

/// Fonts of most machines, the closest in metrics first.
pub(super) const FONTS: &str =
    "Inter, 'Segoe UI', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Dark text and softer text.
pub(super) const TEXT: &str = "#1f2933";
pub(super) const SOFT: &str = "#52606d";

pub(super) struct Stroke {
    pub(super) color: &'static str,
    /// The colour of its name, which must be darker.
    pub(super) ink: &'static str,
    pub(super) width: f64,
    pub(super) dashes: &'static str,
    /// Its name in the legend.
    pub(super) meaning: &'static str,
}

/// The stroke of a line. Dashes distinguish lines in print.
pub(super) fn line_stroke(style: LineStyle) -> Stroke {
    let (color, ink) = palette::line_tint(style);
    let (width, dashes, meaning) = match style {
        LineStyle::Claimed => (1.6, "7 4", "Claimed"),
        LineStyle::Corrected => (2.6, "", "Corrected"),
        LineStyle::Design => (2.0, "9 3 2 3", "Design"),
        LineStyle::Reference => (1.3, "1.5 3", "For comparison"),
    };
    Stroke { color, ink, width, dashes, meaning }
}

/// A coordinate with as many decimals as a screen can show.
pub(super) fn px(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text for XML and HTML, between tags or quotation marks.
pub(crate) fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain_text(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// One line of text; `more` are further attributes.
pub(super) fn draw_text(x: f64, y: f64, size: f64, color: &str, text: &str, more: &str) -> String {
    let (x, y, text) = (px(x), px(y), escape_xml(text));
    format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{color}\"{more}>{text}</text>\n")
}

/// The width of `text` at `size`, an upper estimate: the last font of the list is the widest.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let ems = text.chars().map(|c| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' => 0.41,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.98,
        'A'..='Z' => 0.71,
        c if c.is_ascii() => 0.63,
        _ => 1.0,
    });
    ems.sum::<f64>() * size
}

/// Breaks `text` into lines of at most `width` pixels.
pub(super) fn wrap_pixels(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line)
                if text_width(line, size) + text_width(word, size) + 0.34 * size <= width =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn coordinates_are_short() {
        assert_eq!([px(1.0), px(1.25), px(0.001), px(-0.001)], ["1", "1.25", "0", "0"]);
    }

    proptest! {
        #[test]
        fn any_text_survives_the_xml(text in any::<String>()) {
            let escaped = escape_xml(&text);
            let forbidden = ['<', '>', '"', '\'', '\0', '\x1b'];
            prop_assert!(!escaped.contains(forbidden));
            let back = escaped
                .replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&");
            prop_assert_eq!(back, plain_text(&text).into_owned());
        }
    }
}
