//! Places in JSON: bytes become lines, which people and editors count in.

use derate_hls::{FileId, Sources, Span};
use serde_json::{Map, Value};

/// `value` with every span (`file`, `start`, `end`) replaced by `line` and `column`.
pub(super) fn with_lines(sources: &Sources, file: FileId, value: Value) -> Value {
    match value {
        Value::Array(items) => {
            items.into_iter().map(|item| with_lines(sources, file, item)).collect()
        }
        Value::Object(fields) => Value::Object(object(sources, file, fields)),
        other => other,
    }
}

fn object(sources: &Sources, file: FileId, fields: Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, value) in fields {
        match place(sources, file, &value) {
            Some((line, column)) if key == "span" => {
                out.insert("line".to_owned(), line.into());
                out.insert("column".to_owned(), column.into());
            }
            _ => {
                out.insert(key, with_lines(sources, file, value));
            }
        }
    }
    out
}

/// Line and column of a span; all spans of a content lie in its own file.
fn place(sources: &Sources, file: FileId, value: &Value) -> Option<(usize, usize)> {
    let number = |key: &str| usize::try_from(value.get(key)?.as_u64()?).ok();
    let position = sources.position(Span { file, start: number("start")?, end: number("end")? });
    Some((position.line, position.column))
}
