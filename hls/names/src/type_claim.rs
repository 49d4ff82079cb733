//! A claim about a type.

use derate_frontend::Span;
use std::fmt;

/// The kind of number that a name claims.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum ClaimedFormat {
    /// IEEE floating point: `fp16`, `float32_t`.
    Float,
    /// `bfloat16`.
    BrainFloat,
    /// Fixed point, with its integer bits if the name gives them.
    Fixed {
        /// Bits before the binary point.
        integer: Option<i32>,
    },
    /// An integer.
    Int {
        /// Whether the name says that it has a sign; `bit` does not say.
        signed: Option<bool>,
    },
    /// A width only: `16-bit`.
    Unspecified,
}

/// Where a claim is.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum ClaimSource {
    /// In the alias's name.
    Name,
    /// In the comment beside it.
    Comment(Span),
}

/// A claim about a type.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct TypeClaim {
    /// The words of the claim: `bfloat16`.
    pub text: String,
    /// The claimed width of one number.
    pub bits: Option<u32>,
    /// The claimed kind of number.
    pub format: ClaimedFormat,
    /// The claimed number of elements: 4 in `float4`.
    pub lanes: Option<u64>,
    /// Where it is.
    pub source: ClaimSource,
}

impl fmt::Display for TypeClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
