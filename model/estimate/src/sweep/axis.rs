//! What a sweep varies: `key=v1,v2..`.

use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::SweepError;
use derate_project::{ClaimedPrecision, Launches, Schedule};
use derate_units::figures::grouped;
use derate_units::quantity::ParseQuantity;
use derate_units::{Bytes, BytesPerSecond, Hertz, OpsPerSecond, Precision, Seconds};
use derate_workload::Workload;

/// A value of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AxisValue {
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
pub(crate) enum AxisKey {
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

const KEYS: [(&str, AxisKey); 23] = [
    ("cameras", AxisKey::Cameras),
    ("language_tokens", AxisKey::LanguageTokens),
    ("denoise_steps", AxisKey::DenoiseSteps),
    ("chunk", AxisKey::Chunk),
    ("batch", AxisKey::Batch),
    ("tokens", AxisKey::Tokens),
    ("precision", AxisKey::Precision),
    ("bandwidth", AxisKey::Bandwidth),
    ("clock", AxisKey::Clock),
    ("peak", AxisKey::Peak),
    ("buffer", AxisKey::Buffer),
    ("schedule", AxisKey::Schedule),
    ("rows", AxisKey::Rows),
    ("columns", AxisKey::Columns),
    ("unroll", AxisKey::Unroll),
    ("accumulation_ii", AxisKey::AccumulationIi),
    ("fill", AxisKey::Fill),
    ("lanes", AxisKey::Lanes),
    ("memory_latency", AxisKey::MemoryLatency),
    ("launch", AxisKey::Launch),
    ("launches", AxisKey::Launches),
    ("hoist_cross_kv", AxisKey::HoistCrossKv),
    ("drop_dead_work", AxisKey::DropDeadWork),
];

impl AxisKey {
    /// As it is written on the command line.
    pub(super) fn name(self) -> &'static str {
        KEYS.iter().find(|(_, key)| *key == self).map_or("", |(name, _)| *name)
    }

    /// Whether only a design has it.
    pub(super) fn is_of_design(self) -> bool {
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
            Self::Cameras => workload.varies_cameras(),
            Self::DenoiseSteps => workload.varies_steps(),
            // What was recorded has its batch in its shapes.
            Self::Batch => !matches!(workload, Workload::Traced(_)),
            Self::LanguageTokens | Self::Chunk | Self::HoistCrossKv | Self::DropDeadWork => {
                matches!(workload, Workload::SmolVla(_))
            }
            _ => true,
        }
    }

    fn parse_value(self, text: &str) -> Result<AxisValue, String> {
        let count = |least: u64| {
            let most = 1_000_000;
            text.parse::<u64>()
                .ok()
                .filter(|n| (least..=most).contains(n))
                .map(|n| AxisValue::Number(n as f64))
                .ok_or_else(|| {
                    let is_number =
                        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                    let is_zero = text.bytes().all(|byte| byte == b'0');
                    if is_number && !is_zero {
                        format!(
                            "`{text}` is too large: write a whole number from {least} to {}",
                            grouped(most as f64)
                        )
                    } else {
                        format!("`{text}` is not a whole number from {least} to {most}")
                    }
                })
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
                "as-built" => Ok(AxisValue::AsBuilt),
                "as-stored" => Ok(AxisValue::Precision(ClaimedPrecision::AsStored)),
                name => Precision::parse(name)
                    .map(|p| AxisValue::Precision(ClaimedPrecision::Uniform(p)))
                    .ok_or_else(|| {
                        format!("`{name}` is not a known precision: write fp32, bf16, fp16, int8, int4, as-stored or as-built")
                    }),
            },
            Self::Bandwidth => parse_number(text, |q: BytesPerSecond| q.0),
            Self::Clock => parse_number(text, |q: Hertz| q.0),
            Self::Peak => parse_number(text, |q: OpsPerSecond| q.0),
            Self::Buffer => parse_number(text, |q: Bytes| q.0),
            Self::Launch => {
                if text.starts_with('0') && !text.contains(|c: char| ('1'..='9').contains(&c)) {
                    return Ok(AxisValue::Number(0.0));
                }
                parse_number(text, |q: Seconds| q.0)
            }
            Self::Schedule => Schedule::parse(text).map(AxisValue::Schedule).ok_or_else(|| {
                format!("`{text}` is not a schedule: write unfused, epilogue, attention or block")
            }),
            Self::Launches => Launches::parse(text).map(AxisValue::Launches).ok_or_else(|| {
                format!("`{text}` is not known: write kernel, block, part or inference")
            }),
            Self::HoistCrossKv | Self::DropDeadWork => text
                .parse()
                .map(AxisValue::Switch)
                .map_err(|_| format!("`{text}` is neither true nor false")),
        }
    }
}

fn parse_number<Q: ParseQuantity>(
    text: &str,
    number: impl FnOnce(Q) -> f64,
) -> Result<AxisValue, String> {
    let quantity = Q::parse_quantity(text).map_err(|error| error.to_string())?;
    Ok(AxisValue::Number(number(quantity)))
}

/// One key with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it varies.
    pub(crate) key: AxisKey,
    /// The values, as they are written.
    pub texts: Vec<String>,
    pub(super) values: Vec<AxisValue>,
}

impl Serialize for Axis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Axis", 2)?;
        fields.serialize_field("key", self.name())?;
        fields.serialize_field("values", &self.texts)?;
        fields.end()
    }
}

impl Axis {
    /// Whether one of its numbers is above `most`.
    pub(super) fn exceeds(&self, most: f64) -> bool {
        self.values.iter().any(|value| matches!(value, AxisValue::Number(n) if *n > most))
    }

    /// One value, as `text` writes it.
    pub(crate) fn single(key: AxisKey, text: &str, value: AxisValue) -> Self {
        Self { key, texts: vec![text.to_owned()], values: vec![value] }
    }

    /// The key, as it is written.
    pub fn name(&self) -> &'static str {
        self.key.name()
    }

    /// As it is given: `key=v1,v2`.
    pub(super) fn argument(&self) -> String {
        format!("{}={}", self.name(), self.texts.join(","))
    }

    /// Reads `key=v1,v2..`.
    pub fn parse(text: &str) -> Result<Self, SweepError> {
        let (name, values) = text.split_once('=').ok_or_else(|| {
            SweepError::Axis(format!(
                "`{text}` varies nothing: write a key and its values, such as cameras=1,2,3"
            ))
        })?;
        let name = name.trim();
        let key = KEYS.iter().find(|(known, _)| *known == name).map(|(_, key)| *key);
        let key = key.ok_or_else(|| {
            let known: Vec<&str> = KEYS.iter().map(|(name, _)| *name).collect();
            SweepError::Axis(format!("`{name}` cannot be varied: there are {}", known.join(", ")))
        })?;
        // A value such as ap_fixed<16,6> holds a comma of its own.
        let texts = split_values(values);
        let values = texts
            .iter()
            .map(|text| key.parse_value(text))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| SweepError::Axis(format!("{name}: {error}")))?;
        Ok(Self { key, texts, values })
    }
}

/// Splits at the commas outside of `<...>`.
fn split_values(values: &str) -> Vec<String> {
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
        assert_eq!(axis.values, [AxisValue::Number(300e9), AxisValue::Number(460e9)]);
        let axis = Axis::parse("precision=ap_fixed<16,6>,bf16").unwrap();
        assert_eq!(axis.texts, ["ap_fixed<16,6>", "bf16"]);
    }

    #[test]
    fn what_cannot_be_varied_is_refused_in_a_sentence() {
        for (text, says) in [
            ("cameras", "write a key"),
            ("camera=1", "cannot be varied"),
            ("cameras=0", "not a whole number"),
            ("cameras=99999999999999999999", "too large"),
            ("cameras=1000001", "too large"),
            ("cameras=", "not a whole number"),
            ("schedule=all", "not a schedule"),
            ("bandwidth=460", "such as"),
        ] {
            let error = Axis::parse(text).unwrap_err();
            assert!(error.to_string().contains(says), "{error}");
        }
    }
}
