use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{DominantPart, ErrorBand, GemmConstants, GemmTimeError, ThreeConstants, TimedRange};

/// Constants that were fitted to published timings, as `make fit` writes them.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FittedFile {
    /// For each device and arithmetic with timings.
    pub fit: Vec<Fitted>,
    /// For devices without timings in an arithmetic that others have.
    pub borrowed: Vec<Borrowed>,
}

/// Constants of one device and arithmetic.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fitted {
    /// Name in the catalogue of processors.
    pub device: String,
    /// Key of the arithmetic, such as `bf16`.
    pub arithmetic: String,
    /// Timings.
    pub rows: usize,
    /// What ran the products.
    pub framework: String,
    /// Who published the timings.
    pub source: String,
    /// Copies of the weights that took turns.
    pub weight_copies: f64,
    /// Whether the calls quantised their left operand.
    pub quantised: bool,
    /// Whether the library lays matrices out by columns.
    pub column_major: bool,
    /// The products that were timed.
    pub timed: TimedRange,
    /// Fitted on all timings.
    pub constants: GemmConstants,
    /// Fitted on each half of the shapes.
    pub halves: [GemmConstants; 2],
    /// The three constants fitted on each half.
    pub three_halves: [ThreeConstants; 2],
    /// Errors of the halves' constants on the other half, all together.
    pub left_out: ErrorBand,
    /// The same of the three constants.
    pub three_left_out: ErrorBand,
    /// Errors of the halves' constants on the other half, by what most of the time is.
    pub region: Vec<RegionBand>,
}

/// Errors where most of the time is of one kind.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RegionBand {
    /// Which.
    pub of: DominantPart,
    /// Errors on shapes left out.
    pub band: ErrorBand,
}

/// Three constants fitted on several devices, for those without timings.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Borrowed {
    /// Arithmetic that it is for, by key.
    pub arithmetic: Vec<String>,
    /// The sets of timings, such as `l40s bf16`.
    pub sets: Vec<String>,
    /// The products that were timed.
    pub timed: TimedRange,
    /// Fitted on all of them.
    pub three: ThreeConstants,
    /// Errors on each device of constants that were fitted on the others.
    pub left_out: ErrorBand,
}

static EMBEDDED: LazyLock<Result<FittedFile, toml::de::Error>> =
    LazyLock::new(|| FittedFile::parse(include_str!("../../gemm_constants.toml")));

impl FittedFile {
    /// What the tool ships.
    pub fn embedded() -> Result<&'static Self, GemmTimeError> {
        Ok(EMBEDDED.as_ref().map_err(Clone::clone)?)
    }

    /// From the text of such a file.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// What was fitted on that device in that arithmetic.
    pub fn of(&self, device: &str, arithmetic: &str) -> Option<&Fitted> {
        self.fit.iter().find(|fit| fit.device == device && fit.arithmetic == arithmetic)
    }

    /// What a device without timings in that arithmetic borrows; `None` where no several devices have any.
    pub fn borrowed(&self, arithmetic: &str) -> Option<&Borrowed> {
        self.borrowed.iter().find(|b| b.arithmetic.iter().any(|key| key == arithmetic))
    }
}
