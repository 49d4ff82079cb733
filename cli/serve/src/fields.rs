//! The fields of a request, each read or refused with its reason; all of them are read before the first is answered.

use std::cell::RefCell;
use std::fmt::Display;

use derate_model::json;
use derate_model::operator::parse_extent;
use serde_json::{Map, Value};

use crate::answer::{Refusal, Refused};

/// The fields of one JSON object.
pub(crate) struct Fields {
    all: Map<String, Value>,
    asked: RefCell<Vec<&'static str>>,
    refused: RefCell<Vec<Refused>>,
}

/// A value as it is typed.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // A number that no integer holds was read as a float: its digits are what was meant.
        Value::Number(number) if !number.is_u64() && !number.is_i64() => {
            let float = number.as_f64().filter(|float| *float >= u64::MAX as f64);
            float.map_or_else(|| number.to_string(), |float| format!("{float:.0}"))
        }
        other => other.to_string(),
    }
}

impl Fields {
    /// Of a body.
    pub(crate) fn parse_body(body: &[u8]) -> Result<Self, Refusal> {
        let wrong = |error: String| Refusal::new(axum::http::StatusCode::BAD_REQUEST, error);
        match json::parse_json(body) {
            Ok(Value::Object(all)) => {
                Ok(Self { all, asked: RefCell::default(), refused: RefCell::default() })
            }
            Ok(_) => {
                Err(wrong("the body is not a JSON object: send one with named fields".to_owned()))
            }
            Err(error) if error.is_data() => Err(wrong(format!("the body: {error}"))),
            Err(error) => Err(wrong(format!("the body is not JSON: {error}"))),
        }
    }

    /// Refuses a field's value.
    pub(crate) fn refuse_field(&self, field: &str, error: impl Into<String>) {
        self.refused.borrow_mut().push(Refused { field: field.to_owned(), error: error.into() });
    }

    /// The value of a field; `null` counts as absent.
    fn value_at(&self, field: &'static str) -> Option<&Value> {
        self.asked.borrow_mut().push(field);
        self.all.get(field).filter(|value| !value.is_null())
    }

    fn needed_value(&self, field: &'static str) -> Option<&Value> {
        let value = self.value_at(field);
        if value.is_none() {
            self.refuse_field(field, "there is no value, and it is needed");
        }
        value
    }

    fn read_by<T, E: Display>(
        &self,
        field: &'static str,
        value: Option<&Value>,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let read = value.map(|value| match value {
            Value::String(_) | Value::Number(_) => {
                read(&text_of(value)).map_err(|error| error.to_string())
            }
            _ => Err(format!("`{value}` is neither a text nor a number")),
        });
        match read? {
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse_field(field, error);
                None
            }
        }
    }

    /// An extent, as a number or as its digits.
    pub(crate) fn needed_extent(&self, field: &'static str) -> Option<u64> {
        self.read_by(field, self.needed_value(field), parse_extent)
    }

    /// An optional extent; an empty text counts as absent.
    pub(crate) fn extent_or(&self, field: &'static str, usual: u64) -> Option<u64> {
        match self.value_at(field).filter(|value| value.as_str() != Some("")) {
            None => Some(usual),
            some => self.read_by(field, some, parse_extent),
        }
    }

    /// A needed text, parsed by `read`.
    pub(crate) fn needed_by<T, E: Display>(
        &self,
        field: &'static str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        self.read_by(field, self.needed_value(field), read)
    }

    /// The same for an optional field.
    pub(crate) fn given_by<T, E: Display>(
        &self,
        field: &'static str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        self.read_by(field, self.value_at(field).filter(|value| value.as_str() != Some("")), read)
    }

    /// True or false; false if it is absent.
    pub(crate) fn optional_flag(&self, field: &'static str) -> bool {
        match self.value_at(field) {
            None => false,
            Some(Value::Bool(set)) => *set,
            Some(other) => {
                self.refuse_field(field, format!("`{other}` is neither true nor false"));
                false
            }
        }
    }

    /// Texts, one at least; `such` is one of them.
    pub(crate) fn needed_list(&self, field: &'static str, such: &str) -> Vec<String> {
        let texts = match self.needed_value(field) {
            Some(Value::Array(all)) if all.iter().all(Value::is_string) => all,
            None => return Vec::new(),
            Some(_) => {
                self.refuse_field(
                    field,
                    format!("this is not a list of texts, such as [\"{such}\"]"),
                );
                return Vec::new();
            }
        };
        if texts.is_empty() {
            self.refuse_field(field, "the list is empty: name one at least");
        }
        texts.iter().map(text_of).collect()
    }

    /// The end of reading: refuses the request if a field was refused or is unknown.
    pub(crate) fn finish_reading(&self) -> Result<(), Refusal> {
        let asked = self.asked.borrow();
        if let Some(odd) = self.all.keys().find(|key| !asked.contains(&key.as_str())) {
            self.refuse_field(
                odd,
                format!("there is no such field: there are {}", asked.join(", ")),
            );
        }
        let refused = self.refused.take();
        if refused.is_empty() { Ok(()) } else { Err(Refusal::of_fields(refused)) }
    }

    /// The refused fields so far, if the other fields depend on them.
    pub(crate) fn blame_fields(&self) -> Refusal {
        Refusal::of_fields(self.refused.take())
    }

    /// A value that was read, after [`Fields::finish_reading`] let it pass.
    pub(crate) fn expect_read<T>(value: Option<T>) -> Result<T, Refusal> {
        value.ok_or_else(|| {
            Refusal::internal_error(
                "a field was neither read nor refused: this is a fault of derate",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_field_is_refused_with_its_reason() {
        let body = br#"{"m": 0, "n": -4, "k": 1000000000000, "a": "some", "b": 4.5, "c": true, "d": "64", "g": 99999999999999999999, "x": 1}"#;
        let fields = Fields::parse_body(body).unwrap();
        for name in ["m", "n", "k", "a", "b", "c", "e", "g"] {
            assert_eq!(fields.needed_extent(name), None, "{name}");
        }
        assert_eq!(fields.needed_extent("d"), Some(64));
        assert_eq!(fields.extent_or("f", 7), Some(7));
        let refused = fields.finish_reading().unwrap_err().fields;
        let refused: Vec<(&str, &str)> =
            refused.iter().map(|r| (r.field.as_str(), r.error.as_str())).collect();
        for (field, error) in [
            ("m", "`0` is less than one"),
            ("n", "`-4` is less than one"),
            ("k", "is too large"),
            ("g", "is too large"),
            ("a", "`some` is not a whole number"),
            ("b", "`4.5` is not a whole number"),
            ("c", "neither a text nor a number"),
            ("e", "it is needed"),
            ("x", "no such field: there are m, n"),
        ] {
            assert!(
                refused.iter().any(|(f, e)| *f == field && e.contains(error)),
                "{field}: {refused:?}"
            );
        }
        assert_eq!(refused.len(), 9);
    }

    #[test]
    fn a_field_that_is_given_twice_is_refused() {
        let refused = Fields::parse_body(br#"{"m": 1, "n": 2, "m": 3}"#).err().unwrap();
        assert!(refused.error.starts_with("the body: the key `m` is given twice"));
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for body in ["", "[]", "7", "{", "{\"m\": 1}}"] {
            assert!(Fields::parse_body(body.as_bytes()).is_err(), "{body}");
        }
    }
}
