//! How much a search unrolls by itself.

/// A loop is not unrolled more often: larger designs take long to schedule and rarely fit.
pub(super) const MOST_LANES: u64 = 64;
/// Statements that an iteration may have after loops are unrolled.
pub(super) const STATEMENTS: u64 = 2000;
/// Why a pipeline that would unroll more is left.
pub(super) const LONG: &str = "loops inside are long";
