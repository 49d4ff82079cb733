use std::fmt;

use serde::{Deserialize, Serialize};

/// What a processor is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProcessorKind {
    /// A graphics processor.
    Gpu,
    /// A central processor.
    Cpu,
}

impl ProcessorKind {
    /// What its `units` are.
    pub fn units(self) -> &'static str {
        match self {
            Self::Gpu => "streaming multiprocessors",
            Self::Cpu => "cores",
        }
    }
}

impl fmt::Display for ProcessorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Gpu => "GPU",
            Self::Cpu => "CPU",
        })
    }
}
