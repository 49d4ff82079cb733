//! What one call of the host starts.

use serde::Serialize;

/// What one call of the host starts.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Launches {
    /// Every fused group is a call.
    Kernel,
    /// Every run of a layer is a call.
    Block,
    /// Every run of a part is a call: an image, a denoising step.
    Part,
    /// One call for the whole inference.
    Inference,
}

impl Launches {
    const ALL: [Self; 4] = [Self::Kernel, Self::Block, Self::Part, Self::Inference];

    /// Its name in `derate.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Block => "block",
            Self::Part => "part",
            Self::Inference => "inference",
        }
    }

    /// The one of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|l| l.name() == name)
    }
}
