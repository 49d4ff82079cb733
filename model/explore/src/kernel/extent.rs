//! How much a search unrolls by itself.

/// A loop is not unrolled more often: larger designs take long to schedule and rarely fit.
pub(super) const MOST_LANES: u64 = 64;
/// A loop with at most so many iterations may be unrolled whole.
pub(super) const MOST_WHOLE: u64 = 256;
/// Statements that an iteration may have after loops are unrolled.
pub(super) const STATEMENTS: u64 = 2000;

/// Why a pipeline of something around loops is left, by the statements that it would have with all of them unrolled.
pub(super) fn explain_left(weight: Option<u64>, calls_loops: bool) -> &'static str {
    match weight {
        Some(_) => "loops inside are long",
        None if calls_loops => "what it calls has loops",
        None => "loops inside have no constant trips",
    }
}
