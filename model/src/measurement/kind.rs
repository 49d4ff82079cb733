use std::fmt;

use serde::{Deserialize, Serialize};

/// What a kernel does.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Reads as many bytes as it writes.
    Memcpy,
    /// Reads, and writes next to nothing.
    Read,
    /// Writes, and reads next to nothing.
    Write,
    /// A matrix product.
    Gemm,
}

impl Kind {
    /// As the file spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memcpy => "memcpy",
            Self::Read => "read",
            Self::Write => "write",
            Self::Gemm => "gemm",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
