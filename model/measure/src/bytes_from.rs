use serde::{Deserialize, Serialize};

/// How the bytes of a run are known.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BytesFrom {
    /// Counted at the kernel's own accesses.
    Counted,
    /// Those that the kernel was told to move: a device that counts nothing is taken at its word.
    Arguments,
    /// By the operator's formulas: each operand read once at its stored size, the result written once. Nobody counted.
    Formulas,
}
