use std::fmt;

use serde::{Deserialize, Serialize};

use super::GemmParts;

/// What most of a time is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DominantPart {
    /// Launch, quantisation and the like are half of it or more.
    Overhead,
    /// Reads or writes.
    Memory,
    /// The units' work.
    Compute,
}

impl DominantPart {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Overhead, Self::Memory, Self::Compute];
}

impl GemmParts {
    /// What most of it is.
    pub fn region(&self) -> DominantPart {
        let overhead = self.launch + self.quantise + self.split;
        if overhead.0 >= 0.5 * self.total.0 {
            DominantPart::Overhead
        } else if self.compute.0 < self.read.0.max(self.write.0) {
            DominantPart::Memory
        } else {
            DominantPart::Compute
        }
    }
}

impl fmt::Display for DominantPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Overhead => "overhead",
            Self::Memory => "memory",
            Self::Compute => "compute",
        })
    }
}
