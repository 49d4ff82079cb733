//! How calls were timed.

use super::ElementBytes;

/// How the calls were timed, which is part of what they took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimingConditions {
    /// What a matrix's elements take in memory.
    pub elements: ElementBytes,
    /// Copies of the weights that take turns, so that a cache holds them only where it holds all.
    pub weight_copies: f64,
    /// Whether the call quantises its left operand.
    pub quantised: bool,
    /// Whether the library lays matrices out by columns: its left operand is then our right one.
    pub column_major: bool,
}
