//! A source with other values for what it leaves open.

use derate_model::explore::kernel::{
    fill_definitions, fill_placeholders, find_definition, find_placeholders,
};
use derate_model::kernel::{Program, read_program};
use derate_model::load::KernelTexts;

/// The kernel with values of placeholders, of names that its sources define, and of macros that they do not.
pub(super) fn read_variant(
    texts: &KernelTexts,
    top: &str,
    values: &[(String, String)],
) -> Option<Program> {
    let (own, macros): (Vec<_>, Vec<_>) =
        values.iter().cloned().partition(|(name, _)| is_in_sources(texts, name));
    let unit = texts.parse(|text| change_text(text, &own), &macros);
    read_program(&unit, top).ok()
}

/// A text with other values.
pub(super) fn change_text(text: &str, values: &[(String, String)]) -> String {
    fill_definitions(&fill_placeholders(text, values), values)
}

/// Whether the sources define the name; else it is a macro that the compiler gets.
pub(super) fn is_in_sources(texts: &KernelTexts, name: &str) -> bool {
    texts.files().iter().any(|file| {
        find_placeholders(&file.text).iter().any(|one| one == name)
            || find_definition(&file.text, name).is_some()
    })
}
