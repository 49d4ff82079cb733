//! Cells that formulas read, and the few forms that formulas share.

use derate_render::{Allowed, Cell, Formula, Input, NumberFormat, format_number, formula};

/// The text where a figure is not known.
pub(crate) const UNKNOWN: &str = "unknown";

/// Four figures: whole numbers may become others, and must not look as if they had not.
const FIGURES: NumberFormat = NumberFormat::Significant(4);

/// Whole numbers without a point, for figures that stay whole.
pub(crate) fn choose_digits(value: f64) -> NumberFormat {
    if value.fract() == 0.0 { NumberFormat::Integer } else { FIGURES }
}

/// A figure that may be changed between two bounds; its own value is always allowed.
pub(super) fn input_cell(name: impl Into<String>, value: f64, least: f64, most: f64) -> Cell {
    number_input(name.into(), value, least, most, false)
}

/// A count that may be changed.
pub(super) fn count_cell(name: impl Into<String>, value: f64, least: f64, most: f64) -> Cell {
    number_input(name.into(), value, least, most, true)
}

fn number_input(name: String, value: f64, least: f64, most: f64, whole: bool) -> Cell {
    let allowed = Allowed::Number { least: least.min(value), most: most.max(value), whole };
    // Four digits hold what somebody typed, as a rule.
    let shown = format_number(value, FIGURES).replace(',', "");
    let typed = shown.parse() == Ok(value);
    let format = match (whole, typed) {
        (true, _) => NumberFormat::Integer,
        (false, true) => NumberFormat::Plain,
        (false, false) => FIGURES,
    };
    Cell::Input(Input { name, value: value.into(), format, allowed })
}

/// One of some words.
pub(super) fn choice_cell(name: &str, value: String, of: Vec<String>) -> Cell {
    Cell::Input(Input {
        name: name.to_owned(),
        value: value.into(),
        format: NumberFormat::Integer,
        allowed: Allowed::OneOf(of),
    })
}

/// The next whole number that is not greater, of a number that is not negative.
pub(super) fn round_down(value: Formula) -> Formula {
    let above = formula::up(value.clone());
    above.clone() - above.exceeds(value)
}

/// `value`, or the word that it is not known.
pub(super) fn or_unknown(value: Formula) -> Formula {
    formula::known(value, formula::text(UNKNOWN))
}

/// A sentence with figures that derate found: it holds while no input is changed.
pub(crate) fn unless_changed(told: &str) -> Cell {
    Cell::formula(told, told_unless_changed(told), NumberFormat::Integer)
}

/// The same while none of its inputs is changed.
pub(super) fn told_unless(changed: Formula, told: &str) -> Cell {
    Cell::formula(told, while_none(changed, told), NumberFormat::Integer)
}

/// What gives it.
pub(crate) fn told_unless_changed(told: &str) -> Formula {
    while_none(formula::name(super::name::INPUTS_CHANGED), told)
}

fn while_none(changed: Formula, told: &str) -> Formula {
    let instead = formula::text("as the changed inputs have it");
    formula::choose(changed.exceeds(0.0), instead, formula::text(told))
}

/// A number that follows from a formula, or the word that it is not known.
pub(crate) fn follow_cell(value: Option<f64>, formula: Formula, format: NumberFormat) -> Cell {
    match value {
        Some(value) => Cell::formula(value, formula, format),
        None => Cell::formula(UNKNOWN, formula, format),
    }
}
