//! Why a line is not an entry.

use super::dims::DimsError;

/// Why a line is not an entry.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum NoEntry {
    /// It does not look like one.
    Other,
    /// It was meant as one, and is damaged.
    Damaged(DimsError),
}
