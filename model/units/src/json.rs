//! JSON in which no key occurs twice.

use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Reads JSON. A key that occurs twice in one object is refused; other readers take one of its values silently.
pub fn parse_json(text: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(text).map(|Unique(value)| value)
}

struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Any).map(Self)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Unique(value)) = from.next_element()? {
            all.push(value);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(key) = from.next_key::<String>()? {
            if all.contains_key(&key) {
                let key = key.escape_debug();
                return Err(A::Error::custom(format_args!("the key `{key}` is given twice")));
            }
            let Unique(value) = from.next_value()?;
            all.insert(key, value);
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn some() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-1e300..1e300_f64).prop_map(Value::from),
            "\\PC{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 30, 5, |inner| {
            let map = prop::collection::btree_map("[a-e\"\\n]{0,2}", inner.clone(), 0..5);
            prop_oneof![
                prop::collection::vec(inner, 0..5).prop_map(Value::from),
                map.prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_has_no_key_twice_is_read_as_by_any_reader(value in some()) {
            let text = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(parse_json(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(&text).unwrap());
        }
    }

    #[test]
    fn a_key_twice_is_refused_with_its_line() {
        let twice = "{\"a\": 1,\n \"b\": [{\"x\": 1, \"x\": 1}]}";
        let error = parse_json(twice.as_bytes()).unwrap_err();
        assert_eq!((error.line(), error.is_data()), (2, true));
        assert!(error.to_string().starts_with("the key `x` is given twice"), "{error}");
        // Written otherwise, it is the same one; in two objects, it is another.
        assert!(parse_json(br#"{"a": 1, "\u0061": 1}"#).is_err());
        assert!(parse_json(br#"[{"a": 1}, {"a": {"a": 1}}]"#).is_ok());
        // Neither a text without an end nor one that never stops nesting ends the program.
        assert!(
            parse_json(b"{\"a\": 1").is_err()
                && parse_json("[".repeat(100_000).as_bytes()).is_err()
        );
    }
}
