//! Where two reports differ otherwise: a sign that something is not compared.

use serde_json::Value;

use super::figures::is_near;

/// Lines move, and a command is not a result.
const NO_RESULT: [&str; 3] = ["line", "column", "command"];

/// The parts of a report, such as `estimate/grid`, where figures or texts that both have are not the same.
pub(super) fn list_differing(old: &Value, new: &Value) -> Vec<String> {
    let mut parts = Vec::new();
    let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return parts };
    for (name, was) in old {
        match (was.as_object(), new.get(name).and_then(Value::as_object)) {
            (Some(was), Some(is)) => {
                let inner = was.iter().filter(|(key, _)| !NO_RESULT.contains(&key.as_str()));
                let inner =
                    inner.filter(|(key, was)| is.get(*key).is_some_and(|is| !is_same(was, is)));
                parts.extend(inner.map(|(key, _)| format!("{name}/{key}")));
            }
            _ if new.get(name).is_some_and(|is| !is_same(was, is)) => parts.push(name.clone()),
            _ => {}
        }
    }
    parts
}

/// Fields that only one has are those of another derate. JSON that was read nests no deeper than its reader goes.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => a
            .iter()
            .filter(|(key, _)| !NO_RESULT.contains(&key.as_str()))
            .all(|(key, a)| b.get(key).is_none_or(|b| is_same(a, b))),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Number(a), Value::Number(b)) => {
            a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| is_near(a, b))
        }
        _ => a == b,
    }
}
