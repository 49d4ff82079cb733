//! What a search makes small.

use derate_machine::ResourceKind;
use serde::{Deserialize, Serialize};

/// What a search makes small.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "of")]
pub enum Objective {
    /// Cycles of one call of a kernel.
    Cycles,
    /// Seconds of an inference; of one part of the model where it is named.
    Latency(Option<String>),
    /// Seconds from one result to the next.
    Interval,
    /// An amount of a resource, within a time.
    Resource(ResourceKind),
}

impl Objective {
    /// Reads `latency`, `latency:PART`, `throughput`, or a resource.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once(':') {
            Some(("latency", part)) if !part.trim().is_empty() => {
                Some(Self::Latency(Some(part.trim().to_owned())))
            }
            None if text == "latency" => Some(Self::Latency(None)),
            None if text == "throughput" => Some(Self::Interval),
            _ => read_resource(text).map(Self::Resource),
        }
    }

    /// As it is said of a design: it *takes* so long.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Cycles => "cycles".to_owned(),
            Self::Latency(None) => "latency of an inference".to_owned(),
            Self::Latency(Some(part)) => format!("latency of {part}"),
            Self::Interval => "time between two results".to_owned(),
            Self::Resource(resource) => resource.name().to_owned(),
        }
    }
}

/// `dsp`, `bram18`, `uram`, `lut` or `ff`.
fn read_resource(text: &str) -> Option<ResourceKind> {
    ResourceKind::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objective_is_read_as_people_write_it() {
        assert_eq!(Objective::parse("latency"), Some(Objective::Latency(None)));
        let part = Some(Objective::Latency(Some("vision".to_owned())));
        assert_eq!(Objective::parse("latency:vision"), part);
        assert_eq!(Objective::parse("throughput"), Some(Objective::Interval));
        assert_eq!(Objective::parse("dsp"), Some(Objective::Resource(ResourceKind::Dsp)));
        assert_eq!(Objective::parse("dsp:vision"), None);
        assert_eq!(Objective::parse("latency:"), None);
        assert_eq!(Objective::parse("speed"), None);
    }
}
