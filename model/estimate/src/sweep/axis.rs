//! What a sweep varies: `key=v1,v2..`.

use serde::{Serialize, Serializer, ser::SerializeStruct};

use derate_project::{ClaimedPrecision, Launches, Schedule};
use derate_units::quantity::ParseQuantity;
use derate_units::{Bytes, BytesPerSecond, Hertz, OpsPerSecond, Precision, Seconds};
use derate_workload::Workload;

/// What a value of an axis is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A count, or a quantity in its base unit.
    Number(f64),
    Precision(ClaimedPrecision),
    AsBuilt,
    Schedule(Schedule),
    Launches(Launches),
    Switch(bool),
}

/// What can be varied.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Key {
    Cameras,
    LanguageTokens,
    DenoiseSteps,
    Chunk,
    Batch,
    Tokens,
    Precision,
    Bandwidth,
    Clock,
    Peak,
    Buffer,
    Schedule,
    Rows,
    Columns,
    Unroll,
    AccumulationIi,
    Fill,
    Lanes,
    MemoryLatency,
    Launch,
    Launches,
    HoistCrossKv,
    DropDeadWork,
}

const KEYS: [(&str, Key); 23] = [
    ("cameras", Key::Cameras),
    ("language_tokens", Key::LanguageTokens),
    ("denoise_steps", Key::DenoiseSteps),
    ("chunk", Key::Chunk),
    ("batch", Key::Batch),
    ("tokens", Key::Tokens),
    ("precision", Key::Precision),
    ("bandwidth", Key::Bandwidth),
    ("clock", Key::Clock),
    ("peak", Key::Peak),
    ("buffer", Key::Buffer),
    ("schedule", Key::Schedule),
    ("rows", Key::Rows),
    ("columns", Key::Columns),
    ("unroll", Key::Unroll),
    ("accumulation_ii", Key::AccumulationIi),
    ("fill", Key::Fill),
    ("lanes", Key::Lanes),
    ("memory_latency", Key::MemoryLatency),
    ("launch", Key::Launch),
    ("launches", Key::Launches),
    ("hoist_cross_kv", Key::HoistCrossKv),
    ("drop_dead_work", Key::DropDeadWork),
];

impl Key {
    /// Whether only a design has it.
    pub(super) fn of_design(self) -> bool {
        matches!(
            self,
            Self::Rows
                | Self::Columns
                | Self::Unroll
                | Self::AccumulationIi
                | Self::Fill
                | Self::Lanes
                | Self::MemoryLatency
                | Self::Launch
                | Self::Launches
        )
    }

    /// Whether an inference of that workload depends on it.
    pub(super) fn concerns(self, workload: &Workload) -> bool {
        match self {
            Self::Tokens => matches!(workload, Workload::Linear(_)),
            Self::Cameras
            | Self::LanguageTokens
            | Self::DenoiseSteps
            | Self::Chunk
            | Self::HoistCrossKv
            | Self::DropDeadWork => matches!(workload, Workload::SmolVla(_)),
            _ => true,
        }
    }

    fn value(self, text: &str) -> Result<Value, String> {
        let count = |least: u64| {
            let most = 1_000_000;
            text.parse::<u64>()
                .ok()
                .filter(|n| (least..=most).contains(n))
                .map(|n| Value::Number(n as f64))
                .ok_or_else(|| format!("`{text}` is no whole number from {least} to {most}"))
        };
        match self {
            Self::Cameras
            | Self::LanguageTokens
            | Self::DenoiseSteps
            | Self::Chunk
            | Self::Batch
            | Self::Tokens
            | Self::Rows
            | Self::Columns
            | Self::Unroll
            | Self::AccumulationIi
            | Self::Lanes => count(1),
            Self::Fill | Self::MemoryLatency => count(0),
            Self::Precision => match text {
                "as-built" => Ok(Value::AsBuilt),
                "as-stored" => Ok(Value::Precision(ClaimedPrecision::AsStored)),
                name => Precision::parse(name)
                    .map(|p| Value::Precision(ClaimedPrecision::Uniform(p)))
                    .ok_or_else(|| {
                        format!("`{name}` is no known precision: write fp32, bf16, fp16, int8, int4, as-stored or as-built")
                    }),
            },
            Self::Bandwidth => BytesPerSecond::parse_quantity(text).map(|q| Value::Number(q.0)),
            Self::Clock => Hertz::parse_quantity(text).map(|q| Value::Number(q.0)),
            Self::Peak => OpsPerSecond::parse_quantity(text).map(|q| Value::Number(q.0)),
            Self::Buffer => Bytes::parse_quantity(text).map(|q| Value::Number(q.0)),
            Self::Launch => {
                if text.starts_with('0') && !text.contains(|c: char| ('1'..='9').contains(&c)) {
                    return Ok(Value::Number(0.0));
                }
                Seconds::parse_quantity(text).map(|q| Value::Number(q.0))
            }
            Self::Schedule => Schedule::parse(text).map(Value::Schedule).ok_or_else(|| {
                format!("`{text}` is no schedule: write unfused, epilogue, attention or block")
            }),
            Self::Launches => Launches::parse(text).map(Value::Launches).ok_or_else(|| {
                format!("`{text}` is not known: write kernel, block, part or inference")
            }),
            Self::HoistCrossKv | Self::DropDeadWork => text
                .parse()
                .map(Value::Switch)
                .map_err(|_| format!("`{text}` is neither true nor false")),
        }
    }
}

/// One key with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The key, as it is written.
    pub key: String,
    /// The values, as they are written.
    pub texts: Vec<String>,
    pub(super) of: Key,
    pub(super) values: Vec<Value>,
}

impl Serialize for Axis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Axis", 2)?;
        fields.serialize_field("key", &self.key)?;
        fields.serialize_field("values", &self.texts)?;
        fields.end()
    }
}

impl Axis {
    /// Whether one of its numbers is above `most`.
    pub(super) fn exceeds(&self, most: f64) -> bool {
        self.values.iter().any(|value| matches!(value, Value::Number(n) if *n > most))
    }

    /// One value of `of`, as `text` writes it.
    pub(crate) fn of_one(of: Key, text: &str, value: Value) -> Self {
        let key = KEYS.iter().find(|(_, key)| *key == of).map_or("", |(name, _)| *name);
        Self { key: key.to_owned(), texts: vec![text.to_owned()], of, values: vec![value] }
    }

    /// As it is given: `key=v1,v2`.
    pub(super) fn text(&self) -> String {
        format!("{}={}", self.key, self.texts.join(","))
    }

    /// Reads `key=v1,v2..`; the error is one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (key, values) = text.split_once('=').ok_or_else(|| {
            format!("`{text}` varies nothing: write a key and its values, such as cameras=1,2,3")
        })?;
        let key = key.trim();
        let of =
            KEYS.iter().find(|(name, _)| *name == key).map(|(_, of)| *of).ok_or_else(|| {
                let known: Vec<&str> = KEYS.iter().map(|(name, _)| *name).collect();
                format!("`{key}` cannot be varied: there are {}", known.join(", "))
            })?;
        // A value such as ap_fixed<16,6> holds a comma of its own.
        let texts = split(values);
        let values = texts
            .iter()
            .map(|text| of.value(text).map_err(|error| format!("{key}: {error}")))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self { key: key.to_owned(), texts, of, values })
    }
}

/// Splits at the commas that stand outside of `<...>`.
fn split(values: &str) -> Vec<String> {
    let (mut texts, mut depth) = (vec![String::new()], 0_usize);
    for c in values.chars() {
        match c {
            ',' if depth == 0 => {
                texts.push(String::new());
                continue;
            }
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(last) = texts.last_mut() {
            last.push(c);
        }
    }
    texts.iter().map(|text| text.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_is_a_key_and_its_values() {
        let axis = Axis::parse("bandwidth=300 GB/s, 460 GB/s").unwrap();
        assert_eq!(axis.values, [Value::Number(300e9), Value::Number(460e9)]);
        let axis = Axis::parse("precision=ap_fixed<16,6>,bf16").unwrap();
        assert_eq!(axis.texts, ["ap_fixed<16,6>", "bf16"]);
    }

    #[test]
    fn what_cannot_be_varied_is_refused_in_a_sentence() {
        for (text, says) in [
            ("cameras", "write a key"),
            ("camera=1", "cannot be varied"),
            ("cameras=0", "no whole number"),
            ("cameras=", "no whole number"),
            ("schedule=all", "no schedule"),
            ("bandwidth=460", "such as"),
        ] {
            let error = Axis::parse(text).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
