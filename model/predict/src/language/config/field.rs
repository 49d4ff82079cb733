//! One key of a `config.json`.

use serde_json::{Map, Value};

use derate_source::Reason;
use derate_units::figures::grouped;

// Bounds of what is read, far beyond any model: with them, no product of a decoder's extents leaves 64 bits.

/// Width of the residual stream.
pub(super) const MOST_HIDDEN: u64 = 1 << 20;
/// Width of the feed-forward layer.
pub(super) const MOST_FFN: u64 = 1 << 24;
/// Heads, and the width of one.
pub(super) const MOST_HEADS: u64 = 1 << 12;
/// Layers.
pub(super) const MOST_LAYERS: u64 = 1 << 12;
/// Rows of the embedding table.
pub(super) const MOST_VOCABULARY: u64 = 1 << 28;
/// Positions.
pub(super) const MOST_POSITIONS: u64 = 1 << 40;

/// The value, for sentences.
fn show_value(value: &Value) -> String {
    const LONGEST: usize = 40;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// The value of a key; `null` counts as none.
fn find_value<'a>(fields: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    fields.get(key).filter(|value| !value.is_null())
}

/// A whole number from 1 to `most`.
pub(super) fn read_whole(
    fields: &Map<String, Value>,
    key: &str,
    most: u64,
) -> Result<Option<u64>, Reason> {
    read_within(fields, key, 1, most)
}

/// A number of layers, which may be none.
pub(super) fn read_layers(fields: &Map<String, Value>, key: &str) -> Result<Option<u64>, Reason> {
    read_within(fields, key, 0, MOST_LAYERS)
}

fn read_within(
    fields: &Map<String, Value>,
    key: &str,
    least: u64,
    most: u64,
) -> Result<Option<u64>, Reason> {
    let Some(value) = find_value(fields, key) else { return Ok(None) };
    let number = value.as_u64().filter(|number| (least..=most).contains(number));
    number.map(Some).ok_or_else(|| {
        let most = grouped(most as f64);
        format!(
            "`{key}` is {}: a whole number from {least} to {most} is expected",
            show_value(value)
        )
        .into()
    })
}

/// `true` or `false`.
pub(super) fn read_flag(fields: &Map<String, Value>, key: &str) -> Result<Option<bool>, Reason> {
    let Some(value) = find_value(fields, key) else { return Ok(None) };
    let flag = value.as_bool();
    flag.map(Some).ok_or_else(|| {
        format!("`{key}` is {}: true or false is expected", show_value(value)).into()
    })
}

/// A text.
pub(super) fn read_text<'a>(
    fields: &'a Map<String, Value>,
    key: &str,
) -> Result<Option<&'a str>, Reason> {
    let Some(value) = find_value(fields, key) else { return Ok(None) };
    let text = value.as_str();
    text.map(Some)
        .ok_or_else(|| format!("`{key}` is {}: a text is expected", show_value(value)).into())
}

/// Which kinds of attention the layers have, where the file lists them.
pub(super) fn read_layer_types(fields: &Map<String, Value>) -> Result<Option<Vec<&str>>, Reason> {
    let Some(value) = find_value(fields, "layer_types") else { return Ok(None) };
    let words = value.as_array().map(|all| all.iter().map(Value::as_str).collect());
    match words {
        Some(Some(words)) => Ok(Some(words)),
        _ => {
            Err(format!("`layer_types` is {}: a list of texts is expected", show_value(value))
                .into())
        }
    }
}
