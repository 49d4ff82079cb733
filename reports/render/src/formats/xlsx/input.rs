//! Cells that a reader may change: the values they accept, and a mark on changed ones.

use xlsxwriter::utility::row_col_to_cell_absolute;
use xlsxwriter::{
    ConditionalFormatFormula, DataValidation, DataValidationRule, Format, Formula, Worksheet,
};

use super::super::wrap::truncate_text;
use super::choices::Choices;
use super::clip::clip_text;
use super::formula_text::number_text;
use super::look;
use crate::{Allowed, Input, RenderError, Value, format_number};

/// The longest list that Excel takes within a rule, and the longest message.
const LONGEST: usize = 255;

/// The note on a sheet with inputs.
pub(super) const LEGEND: &str = "Cells in this look may be changed: every figure that is a formula follows, and so do the charts. An input that \
     differs from derate's own value turns orange; select it to see that value. Sentences, and tables without formulas, \
     stay what derate computed from its own values, and turn grey.";

/// Restricts the input at `row` and `column` to its allowed values, and marks it once it is changed.
pub(super) fn guard_input(
    sheet: &mut Worksheet,
    input: &Input,
    (row, column): (u32, u16),
    choices: &mut Choices,
) -> Result<(), RenderError> {
    let own = match &input.value {
        Value::Number(value) => format_number(*value, input.format),
        Value::Text(text) => text.clone(),
    };
    let (rule, range) = allowed_rule(input, choices);
    let message = |text: String| truncate_text(&clip_text(&text), LONGEST - 5);
    let rule = rule
        .set_input_message(message(format!("derate has {own}. {range}")))?
        .set_error_title("Not a value for this cell")?
        .set_error_message(message(format!("{range} derate has {own}.")))?;
    sheet.add_data_validation(row, column, row, column, &rule)?;

    let cell = row_col_to_cell_absolute(row, column);
    let differs = match &input.value {
        // Excel keeps 15 digits of a constant.
        Value::Number(value) if *value != 0.0 => {
            let near = number_text(value.abs() * 1e-12);
            format!("IFERROR(ABS({cell}-({}))>{near},TRUE)", number_text(*value))
        }
        Value::Number(_) => format!("{cell}<>0"),
        Value::Text(text) => {
            format!("{cell}<>\"{}\"", truncate_text(&clip_text(text), LONGEST).replace('"', "\"\""))
        }
    };
    let changed =
        ConditionalFormatFormula::new().set_rule(Formula::new(differs)).set_format(look::changed());
    sheet.add_conditional_format(row, column, row, column, &changed)?;
    Ok(())
}

/// The rule, and a sentence that says it.
fn allowed_rule(input: &Input, choices: &mut Choices) -> (DataValidation, String) {
    let rule = DataValidation::new();
    match &input.allowed {
        Allowed::Number { least, most, whole } => {
            let bounds = DataValidationRule::Between(bound_formula(*least), bound_formula(*most));
            let written = |value: f64| format_number(value, input.format);
            let kind = if *whole { "A whole number" } else { "A number" };
            let sentence = format!("{kind} from {} to {}.", written(*least), written(*most));
            let rule = if *whole {
                rule.allow_whole_number_formula(bounds)
            } else {
                rule.allow_decimal_number_formula(bounds)
            };
            (rule, sentence)
        }
        Allowed::OneOf(texts) => {
            let sentence = format!("One of: {}.", texts.join(", "));
            let listed = fits_rule(texts).then(|| rule.clone().allow_list_strings(texts).ok());
            let rule = match listed.flatten() {
                Some(rule) => rule,
                None => {
                    rule.allow_list_formula(Formula::new(choices.add_choices(&input.name, texts)))
                }
            };
            (rule, sentence)
        }
    }
}

/// A bound in Excel's notation, clamped to the largest number that Excel takes.
fn bound_formula(value: f64) -> Formula {
    let widest = 9.99e307;
    let value = if value.is_nan() { widest } else { value.clamp(-widest, widest) };
    Formula::new(number_text(value))
}

/// Whether a list fits into a rule, where commas separate the entries.
fn fits_rule(texts: &[String]) -> bool {
    let plain =
        |text: &String| !text.is_empty() && text.trim() == text && !text.contains([',', '"', '=']);
    let length: usize = texts.iter().map(|text| text.encode_utf16().count() + 1).sum();
    !texts.is_empty() && length <= LONGEST && texts.iter().all(plain)
}

/// The look of an input.
pub(super) fn look(input: &Input, align: crate::Align) -> Format {
    look::input(&input.value, input.format, align)
}
