//! Cells that a reader may change: what may stand there, and whether somebody has changed them.

use xlsxwriter::utility::row_col_to_cell_absolute;
use xlsxwriter::{
    ConditionalFormatFormula, DataValidation, DataValidationRule, Format, Formula, Worksheet,
};

use super::super::wrap::truncate;
use super::choices::Choices;
use super::formula_text::number_text;
use super::look;
use super::table::clip;
use crate::{Allowed, Input, RenderError, Value, format_number};

/// The longest list that Excel takes within a rule, and the longest message.
const LONGEST: usize = 255;

/// What the reader of a sheet with inputs must know.
pub(super) const LEGEND: &str = "Cells in this look may be changed: every figure that is a formula follows, and so do the charts. An input that \
     differs from derate's own value turns orange; select it to see that value. Sentences, and tables without formulas, \
     stay what derate computed from its own values, and turn grey.";

/// Says what may stand in the input at `row` and `column`, and marks one that was changed.
pub(super) fn guard(
    sheet: &mut Worksheet,
    input: &Input,
    (row, column): (u32, u16),
    choices: &mut Choices,
) -> Result<(), RenderError> {
    let own = match &input.value {
        Value::Number(value) => format_number(*value, input.format),
        Value::Text(text) => text.clone(),
    };
    let (rule, range) = allowed(input, choices);
    let message = |text: String| truncate(&clip(&text), LONGEST - 5);
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
            format!("{cell}<>\"{}\"", truncate(&clip(text), LONGEST).replace('"', "\"\""))
        }
    };
    let changed =
        ConditionalFormatFormula::new().set_rule(Formula::new(differs)).set_format(look::changed());
    sheet.add_conditional_format(row, column, row, column, &changed)?;
    Ok(())
}

/// The rule, and the same as a sentence.
fn allowed(input: &Input, choices: &mut Choices) -> (DataValidation, String) {
    let rule = DataValidation::new();
    match &input.allowed {
        Allowed::Number { least, most, whole } => {
            let bounds = DataValidationRule::Between(bound(*least), bound(*most));
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
            let listed = short(texts).then(|| rule.clone().allow_list_strings(texts).ok());
            let rule = match listed.flatten() {
                Some(rule) => rule,
                None => rule.allow_list_formula(Formula::new(choices.add(&input.name, texts))),
            };
            (rule, sentence)
        }
    }
}

/// A bound as Excel reads it; the widest that it knows where there is none.
fn bound(value: f64) -> Formula {
    let widest = 9.99e307;
    let value = if value.is_nan() { widest } else { value.clamp(-widest, widest) };
    Formula::new(number_text(value))
}

/// Whether a list can stand within a rule, where a comma parts its entries.
fn short(texts: &[String]) -> bool {
    let plain =
        |text: &String| !text.is_empty() && text.trim() == text && !text.contains([',', '"', '=']);
    let length: usize = texts.iter().map(|text| text.encode_utf16().count() + 1).sum();
    !texts.is_empty() && length <= LONGEST && texts.iter().all(plain)
}

/// The look of an input.
pub(super) fn look(input: &Input, align: crate::Align) -> Format {
    look::input(&input.value, input.format, align)
}
