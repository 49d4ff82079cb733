use serde::{Deserialize, Serialize};

/// The arithmetic that really ran, whatever operands are stored in.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Computed {
    /// What was multiplied: `fp32` where 16-bit floats are widened first.
    pub arithmetic: String,
    /// What products were summed in.
    pub accumulate: String,
    /// What computed it, in a sentence without its full stop.
    pub engine: String,
}
