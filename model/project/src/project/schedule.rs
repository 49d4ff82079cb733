//! How far kernels are fused, so that their intermediate results stay on the chip.

use serde::Serialize;

/// How far kernels are fused; each includes the one before.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// Every kernel reads its operands from external memory and writes its result there.
    Unfused,
    /// A bias, an activation or a residual works on the tile that the GEMM before it has made.
    Epilogue,
    /// Attention scores never leave the chip.
    Attention,
    /// A whole layer is one kernel: only its input, its weights and its result cross memory.
    Block,
}

impl Schedule {
    /// From nothing fused to all that a layer allows.
    pub const ALL: [Self; 4] = [Self::Unfused, Self::Epilogue, Self::Attention, Self::Block];

    /// Its name on the command line and in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unfused => "unfused",
            Self::Epilogue => "epilogue",
            Self::Attention => "attention",
            Self::Block => "block",
        }
    }

    /// The schedule of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|schedule| schedule.name() == name)
    }

    /// The next that fuses less.
    pub fn finer(self) -> Option<Self> {
        match self {
            Self::Unfused => None,
            Self::Epilogue => Some(Self::Unfused),
            Self::Attention => Some(Self::Epilogue),
            Self::Block => Some(Self::Attention),
        }
    }
}
