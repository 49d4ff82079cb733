//! An operation of a prediction, and its operands.

use serde::Serialize;

use super::{ConditionalTime, ExpectedTime};
use derate_units::{Bound, Bytes, Encoding, Ops, OpsPerByte, Precision, Seconds};
use derate_workload::Role;

/// One operation; figures are those of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperationRow {
    /// Name, such as `gate_proj`.
    pub name: &'static str,
    /// How often it runs.
    pub runs: u64,
    /// The arithmetic that its products run in; `null` where it has none.
    pub arithmetic: Option<Precision>,
    /// Operations of its products.
    pub flops: Ops,
    /// Operations that are not a product.
    pub elementwise_ops: Ops,
    /// Bytes that cross memory.
    pub bytes: Bytes,
    /// Operational intensity.
    pub oi: OpsPerByte,
    /// Time at the lower roof; `null` where the peak is not known.
    pub seconds: Option<Seconds>,
    /// What it takes at least: `seconds`, or the time of its bytes alone.
    pub at_least_seconds: Seconds,
    /// The lower roof; `null` where the peak is not known.
    pub bound: Option<Bound>,
    /// Why the peak is not known.
    pub unknown: Option<String>,
    /// What holds if that peak is in the range of the platform's others.
    pub conditional: Option<ConditionalTime>,
    /// The time that published timings lead to expect.
    pub expected: ExpectedTime,
    /// What it reads and writes.
    pub operands: Vec<OperandRow>,
}

/// An operand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperandRow {
    /// What it is, such as `weights`.
    pub name: &'static str,
    /// Whether it is read or written.
    pub role: Role,
    /// How it is stored.
    pub encoding: Encoding,
    /// Rows of all its copies.
    pub rows: u128,
    /// Elements of a row.
    pub columns: u64,
    /// What it takes, scales and all.
    pub bytes: Bytes,
}
