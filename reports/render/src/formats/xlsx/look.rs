//! The formats of cells.

use xlsxwriter::{Color, Format, FormatAlign, FormatBorder};

use super::live_code::live_code;
use crate::{Align, Level, NumberFormat, Value, format_number};

/// The colour of text.
pub(super) const INK: Color = Color::RGB(0x1F_2933);
const SOFT: Color = Color::RGB(0x52_606D);
const FAINT: Color = Color::RGB(0x7B_8794);
const STALE: Color = Color::RGB(0x9A_A5B1);
const HAIRLINE: Color = Color::RGB(0xE4_E7EB);
const HEADER: Color = Color::RGB(0xDD_E6F0);
const HEADER_RULE: Color = Color::RGB(0x5B_7A99);

/// The tab colour of a supporting sheet.
pub(super) const BEHIND: Color = Color::RGB(0xB0_B8C1);

pub(super) fn title() -> Format {
    Format::new()
        .set_bold()
        .set_font_size(18)
        .set_font_color(INK)
        .set_align(FormatAlign::VerticalCenter)
}

/// The line below it.
pub(super) fn subtitle() -> Format {
    Format::new().set_font_color(SOFT).set_align(FormatAlign::Top).set_text_wrap()
}

pub(super) fn heading() -> Format {
    Format::new()
        .set_bold()
        .set_font_size(14)
        .set_font_color(INK)
        .set_align(FormatAlign::VerticalCenter)
}

/// The answer, which the first sheet begins with.
pub(super) fn answer() -> Format {
    heading().set_text_wrap()
}

pub(super) fn prose() -> Format {
    Format::new()
        .set_font_color(INK)
        .set_align(FormatAlign::Top)
        .set_align(FormatAlign::Left)
        .set_text_wrap()
}

pub(super) fn caption() -> Format {
    prose().set_font_color(SOFT).set_italic()
}

pub(super) fn header(align: Align) -> Format {
    let format = Format::new()
        .set_bold()
        .set_font_color(INK)
        .set_background_color(HEADER)
        .set_border_bottom(FormatBorder::Medium)
        .set_border_bottom_color(HEADER_RULE)
        .set_align(FormatAlign::Bottom)
        .set_text_wrap();
    padded(format, align)
}

pub(super) fn body(align: Align) -> Format {
    let format = Format::new()
        .set_font_color(INK)
        .set_border_bottom(FormatBorder::Thin)
        .set_border_bottom_color(HAIRLINE)
        .set_align(FormatAlign::Top);
    padded(format, align)
}

/// The look of a cell in a row that sums up others, where `total` says so.
pub(super) fn total(format: Format, total: bool) -> Format {
    if !total {
        return format;
    }
    format.set_bold().set_border_top(FormatBorder::Thin).set_border_top_color(HEADER_RULE)
}

/// A cell that a formula fills with a number or a text.
pub(super) fn live(value: &Value, format: NumberFormat, align: Align) -> Format {
    match value {
        Value::Number(value) if value.is_finite() => {
            body(align).set_num_format(live_code(*value, format))
        }
        // It may become a number.
        Value::Number(_) | Value::Text(_) => {
            body(align).set_num_format(live_code(1.0, format)).set_text_wrap()
        }
    }
}

/// The digits of an input that are shown; the cell has them all.
const DIGITS: u8 = 4;

/// An input. A short number shows every digit, a long fraction its first ones.
pub(super) fn input(value: &Value, format: NumberFormat, align: Align) -> Format {
    let look = match (value, format) {
        (Value::Number(_), NumberFormat::Percent(_) | NumberFormat::Scientific(_)) => {
            live(value, format, align)
        }
        (Value::Number(value), _) if long(*value) => {
            live(&Value::Number(*value), NumberFormat::Significant(DIGITS), align)
        }
        (Value::Number(value), _) => live(&Value::Number(*value), NumberFormat::Plain, align),
        (Value::Text(_), _) => body(align).set_text_wrap(),
    };
    inviting(look).set_unlocked()
}

/// Whether a number has a fraction beyond the digits that are shown.
fn long(value: f64) -> bool {
    let shown = format_number(value, NumberFormat::Significant(DIGITS)).replace(',', "");
    value.is_finite() && value.fract() != 0.0 && shown.parse() != Ok(value)
}

/// The paragraph that explains the inputs.
pub(super) fn legend() -> Format {
    inviting(prose().set_indent(1))
}

fn inviting(format: Format) -> Format {
    format
        .set_background_color(Color::RGB(0xFF_FCE0))
        .set_font_color(Color::RGB(0x0B_3FBF))
        .set_border(FormatBorder::Thin)
        .set_border_color(Color::RGB(0xA9_BDE8))
}

/// A changed input, over its own look.
pub(super) fn changed() -> Format {
    Format::new()
        .set_background_color(Color::RGB(0xFF_D199))
        .set_font_color(Color::RGB(0x7A_2E00))
        .set_bold()
}

/// Text that does not follow the changed inputs.
pub(super) fn stale() -> Format {
    Format::new().set_italic().set_font_color(STALE)
}

/// The sentence above a chart that does not show every point.
pub(super) fn chart_note() -> Format {
    Format::new().set_italic().set_font_color(SOFT)
}

pub(super) fn unknown(align: Align) -> Format {
    body(align).set_italic().set_font_color(FAINT).set_text_wrap()
}

/// An unknown result of a formula, over the look of the cell.
pub(super) fn not_known() -> Format {
    Format::new().set_italic().set_font_color(FAINT)
}

pub(super) fn status(level: Level, align: Align) -> Format {
    lit(body(align), level).set_text_wrap()
}

/// A traffic light over a cell's own look.
pub(super) fn light(level: Level) -> Format {
    lit(Format::new(), level)
}

fn lit(format: Format, level: Level) -> Format {
    let (fill, ink) = match level {
        Level::Error => (0xF8_D7DA, 0x84_2029),
        Level::Warning => (0xFF_F0C2, 0x66_4D03),
        Level::Note | Level::Help => (0xDC_E9F7, 0x1B_4B82),
        Level::Ok => (0xD5_EDDF, 0x0F_5132),
    };
    format.set_background_color(Color::RGB(fill)).set_font_color(Color::RGB(ink))
}

/// A kernel that is bound by compute: neither good nor bad.
pub(super) fn compute() -> Format {
    Format::new().set_background_color(Color::RGB(0xEC_E2F3)).set_font_color(Color::RGB(0x4F_2D73))
}

/// The format with an indent between a text and the number to its left.
fn padded(format: Format, align: Align) -> Format {
    let format = format.set_align(horizontal(align));
    if align == Align::Left { format.set_indent(1) } else { format }
}

fn horizontal(align: Align) -> FormatAlign {
    match align {
        Align::Left => FormatAlign::Left,
        Align::Right => FormatAlign::Right,
        Align::Center => FormatAlign::Center,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_shows_four_digits_of_a_long_fraction_and_all_of_what_is_short() {
        for value in [38.907_904, 0.911_458_3, 1.0 / 3.0] {
            assert!(long(value), "{value}");
        }
        for value in [0.0, 460.0, 5.41, 18.6, 9020.0, 47_360_000.0, 0.2, 1.75, f64::NAN] {
            assert!(!long(value), "{value}");
        }
    }
}
