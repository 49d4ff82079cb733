//! The fields of a request, each read or refused with its reason; all of them are read before the first is answered.

use std::cell::RefCell;

use derate_model::json;
use derate_model::operator::extent;
use serde_json::{Map, Value};

use crate::answer::{Refusal, Refused};

/// The fields of one JSON object.
pub(crate) struct Fields {
    all: Map<String, Value>,
    asked: RefCell<Vec<&'static str>>,
    refused: RefCell<Vec<Refused>>,
}

/// A value as somebody would type it.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl Fields {
    /// Of a body.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Refusal> {
        let wrong = |error: String| Refusal::new(axum::http::StatusCode::BAD_REQUEST, error);
        match json::value(body) {
            Ok(Value::Object(all)) => {
                Ok(Self { all, asked: RefCell::default(), refused: RefCell::default() })
            }
            Ok(_) => {
                Err(wrong("the body is no JSON object: send one with named fields".to_owned()))
            }
            Err(error) if error.is_data() => Err(wrong(format!("the body: {error}"))),
            Err(error) => Err(wrong(format!("the body is no JSON: {error}"))),
        }
    }

    /// Refuses a field's value.
    pub(crate) fn refuse(&self, field: &str, error: impl Into<String>) {
        self.refused.borrow_mut().push(Refused { field: field.to_owned(), error: error.into() });
    }

    /// What stands there; `null` is nothing.
    fn at(&self, field: &'static str) -> Option<&Value> {
        self.asked.borrow_mut().push(field);
        self.all.get(field).filter(|value| !value.is_null())
    }

    fn needed(&self, field: &'static str) -> Option<&Value> {
        let value = self.at(field);
        if value.is_none() {
            self.refuse(field, "nothing stands here, and it is needed");
        }
        value
    }

    fn read_by<T>(
        &self,
        field: &'static str,
        value: Option<&Value>,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let read = value.map(|value| match value {
            Value::String(_) | Value::Number(_) => read(&text_of(value)),
            _ => Err(format!("`{value}` is neither a text nor a number")),
        });
        match read? {
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse(field, error);
                None
            }
        }
    }

    /// An extent, as a number or as its digits.
    pub(crate) fn extent(&self, field: &'static str) -> Option<u64> {
        self.read_by(field, self.needed(field), extent)
    }

    /// An extent that need not stand there; an empty text is none.
    pub(crate) fn extent_or(&self, field: &'static str, usual: u64) -> Option<u64> {
        match self.at(field).filter(|value| value.as_str() != Some("")) {
            None => Some(usual),
            some => self.read_by(field, some, extent),
        }
    }

    /// Whatever a reader makes of a text.
    pub(crate) fn needed_by<T>(
        &self,
        field: &'static str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.read_by(field, self.needed(field), read)
    }

    /// The same where the field need not stand there.
    pub(crate) fn given_by<T>(
        &self,
        field: &'static str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.read_by(field, self.at(field).filter(|value| value.as_str() != Some("")), read)
    }

    /// Yes or no; no where it does not stand there.
    pub(crate) fn flag(&self, field: &'static str) -> bool {
        match self.at(field) {
            None => false,
            Some(Value::Bool(set)) => *set,
            Some(other) => {
                self.refuse(field, format!("`{other}` is neither true nor false"));
                false
            }
        }
    }

    /// Texts, one at least; `such` is one of them.
    pub(crate) fn list(&self, field: &'static str, such: &str) -> Vec<String> {
        let texts = match self.needed(field) {
            Some(Value::Array(all)) if all.iter().all(Value::is_string) => all,
            None => return Vec::new(),
            Some(_) => {
                self.refuse(field, format!("this is no list of texts, such as [\"{such}\"]"));
                return Vec::new();
            }
        };
        if texts.is_empty() {
            self.refuse(field, "the list is empty: name one at least");
        }
        texts.iter().map(text_of).collect()
    }

    /// The end of reading: what was refused, or what nobody asked for.
    pub(crate) fn finish(&self) -> Result<(), Refusal> {
        let asked = self.asked.borrow();
        if let Some(odd) = self.all.keys().find(|key| !asked.contains(&key.as_str())) {
            self.refuse(odd, format!("there is no such field: there are {}", asked.join(", ")));
        }
        let refused = self.refused.take();
        if refused.is_empty() { Ok(()) } else { Err(Refusal::fields(refused)) }
    }

    /// What was refused so far, where it cannot be said which other fields there are.
    pub(crate) fn blame(&self) -> Refusal {
        Refusal::fields(self.refused.take())
    }

    /// Of a value that was read, after [`Fields::finish`] let it pass.
    pub(crate) fn had<T>(value: Option<T>) -> Result<T, Refusal> {
        value.ok_or_else(|| {
            Refusal::own("a field was neither read nor refused: this is a fault of derate")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_field_is_told_with_its_reason() {
        let body = br#"{"m": 0, "n": -4, "k": 1000000000000, "a": "some", "b": 4.5, "c": true, "d": "64", "x": 1}"#;
        let fields = Fields::read(body).unwrap();
        for name in ["m", "n", "k", "a", "b", "c", "e"] {
            assert_eq!(fields.extent(name), None, "{name}");
        }
        assert_eq!(fields.extent("d"), Some(64));
        assert_eq!(fields.extent_or("f", 7), Some(7));
        let refused = fields.finish().unwrap_err().fields;
        let told: Vec<(&str, &str)> =
            refused.iter().map(|r| (r.field.as_str(), r.error.as_str())).collect();
        for (field, error) in [
            ("m", "`0` is less than one"),
            ("n", "`-4` is less than one"),
            ("k", "is too large"),
            ("a", "`some` is no whole number"),
            ("b", "`4.5` is no whole number"),
            ("c", "neither a text nor a number"),
            ("e", "it is needed"),
            ("x", "no such field: there are m, n"),
        ] {
            assert!(
                told.iter().any(|(f, e)| *f == field && e.contains(error)),
                "{field}: {told:?}"
            );
        }
        assert_eq!(told.len(), 8);
    }

    #[test]
    fn a_field_that_is_given_twice_is_refused() {
        let refused = Fields::read(br#"{"m": 1, "n": 2, "m": 3}"#).err().unwrap();
        assert!(refused.error.starts_with("the body: the key `m` is given twice"));
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for body in ["", "[]", "7", "{", "{\"m\": 1}}"] {
            assert!(Fields::read(body.as_bytes()).is_err(), "{body}");
        }
    }
}
