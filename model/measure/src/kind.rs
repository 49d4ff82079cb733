use std::fmt;

use serde::{Deserialize, Serialize};

use derate_workload::operator::OperatorKind;

/// What a kernel does.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KernelKind {
    /// Reads as many bytes as it writes.
    Memcpy,
    /// Reads, and writes next to nothing.
    Read,
    /// Writes, and reads next to nothing.
    Write,
    /// A matrix product.
    Gemm,
    /// A matrix times a vector.
    Gemv,
    /// `softmax(Q K^T) V`.
    Attention,
    /// Layers of one width.
    Mlp,
}

impl KernelKind {
    /// Its word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memcpy => "memcpy",
            Self::Read => "read",
            Self::Write => "write",
            Self::Gemm => "gemm",
            Self::Gemv => "gemv",
            Self::Attention => "attention",
            Self::Mlp => "mlp",
        }
    }

    /// The operator that it is; none of a stream.
    pub fn operator(self) -> Option<OperatorKind> {
        match self {
            Self::Memcpy | Self::Read | Self::Write => None,
            Self::Gemm => Some(OperatorKind::Gemm),
            Self::Gemv => Some(OperatorKind::Gemv),
            Self::Attention => Some(OperatorKind::Attention),
            Self::Mlp => Some(OperatorKind::Mlp),
        }
    }
}

impl From<OperatorKind> for KernelKind {
    fn from(kind: OperatorKind) -> Self {
        match kind {
            OperatorKind::Gemv => Self::Gemv,
            OperatorKind::Gemm => Self::Gemm,
            OperatorKind::Attention => Self::Attention,
            OperatorKind::Mlp => Self::Mlp,
        }
    }
}

impl fmt::Display for KernelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
