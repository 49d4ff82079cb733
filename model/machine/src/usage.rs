//! How much a design takes of a card.

use serde::{Deserialize, Serialize};

/// A resource of a card that designs take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResourceKind {
    /// DSP slices.
    Dsp,
    /// Halves of block memories, 18 Kb each.
    Bram18,
    /// `UltraRAM` blocks.
    Uram,
    /// Look-up tables.
    Lut,
    /// Flip-flops.
    Ff,
}

impl ResourceKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Dsp, Self::Bram18, Self::Uram, Self::Lut, Self::Ff];

    /// As people write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dsp => "DSP",
            Self::Bram18 => "BRAM18",
            Self::Uram => "URAM",
            Self::Lut => "LUT",
            Self::Ff => "FF",
        }
    }
}

/// How much of each resource a design takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Usage {
    /// DSP slices.
    pub dsp: f64,
    /// Halves of block memories, 18 Kb each.
    pub bram18: f64,
    /// `UltraRAM` blocks.
    pub uram: f64,
    /// Look-up tables.
    pub lut: f64,
    /// Flip-flops.
    pub ff: f64,
}

impl Usage {
    /// The amount of one resource.
    #[must_use]
    pub const fn amount(&self, resource: ResourceKind) -> f64 {
        match resource {
            ResourceKind::Dsp => self.dsp,
            ResourceKind::Bram18 => self.bram18,
            ResourceKind::Uram => self.uram,
            ResourceKind::Lut => self.lut,
            ResourceKind::Ff => self.ff,
        }
    }

    /// Combines two amounts of each resource.
    #[must_use]
    pub fn combine(&self, other: &Self, combine: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            dsp: combine(self.dsp, other.dsp),
            bram18: combine(self.bram18, other.bram18),
            uram: combine(self.uram, other.uram),
            lut: combine(self.lut, other.lut),
            ff: combine(self.ff, other.ff),
        }
    }
}

impl std::ops::Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.combine(&other, |a, b| a + b)
    }
}
