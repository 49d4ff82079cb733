//! What a scenario is.

use std::fmt::{self, Display};

use serde::{Serialize, Serializer};

/// A step of the ladder from the claim to the design, or a combination of assumptions that somebody asks for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ScenarioKind {
    /// Everything as `derate.toml` claims it.
    Claimed,
    /// With the bytes that the code stores.
    AsBuilt,
    /// With the tokens that an inference runs on.
    TrueTokens,
    /// With the bandwidth that the memory gives.
    Derated,
    /// With the peak that can be built: the claim with all its corrections.
    DerivedPeak,
    /// The design of `[design]`.
    Design,
    /// A combination outside the ladder.
    Custom,
}

impl ScenarioKind {
    /// The steps of the ladder, in their order.
    pub const LADDER: [Self; 6] = [
        Self::Claimed,
        Self::AsBuilt,
        Self::TrueTokens,
        Self::Derated,
        Self::DerivedPeak,
        Self::Design,
    ];

    /// The step of the ladder of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::LADDER.into_iter().find(|step| step.name() == name)
    }

    /// Its name on the command line and in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::AsBuilt => "as-built",
            Self::TrueTokens => "true-tokens",
            Self::Derated => "derated",
            Self::DerivedPeak => "derived-peak",
            Self::Design => "design",
            Self::Custom => "custom",
        }
    }
}

impl Display for ScenarioKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for ScenarioKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
