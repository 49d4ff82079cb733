//! A part of a workload: its operations at the roofs, and what they come to.

use serde::Serialize;

use super::gemm_times::GemmTimes;
use super::{Expected, ExpectedSum};
use crate::operator::{Formats, Ground, Operation, Record, Totals};
use crate::units::{Bytes, Ops, OpsPerByte, Seconds};
use crate::workload::Role;
use crate::{Bound, Encoding, Precision};

/// A part of a workload, such as `prefill`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// Name.
    pub name: &'static str,
    /// Its operations, in the order in which they run.
    pub operations: Vec<OperationRow>,
    /// What they come to.
    pub totals: Sums,
    /// The expected times of those that have one; `null` where none has.
    pub expected: Option<ExpectedSum>,
}

/// One operation; figures are those of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperationRow {
    /// Name, such as `gate_proj`.
    pub name: &'static str,
    /// How often it runs.
    pub runs: u64,
    /// The arithmetic of its products; `null` where it has none.
    pub arithmetic: Option<Precision>,
    /// Operations of its products.
    pub flops: Ops,
    /// Operations that are no product.
    pub elementwise_ops: Ops,
    /// Bytes that cross memory.
    pub bytes: Bytes,
    /// Operational intensity.
    pub oi: OpsPerByte,
    /// Time at the lower roof; where the peak is not known, that of its bytes.
    pub seconds: Seconds,
    /// The lower roof; `null` where the peak is not known.
    pub bound: Option<Bound>,
    /// The time that published timings lead to expect.
    pub expected: Expected,
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

/// What operations come to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sums {
    /// Operations of products.
    pub flops: Ops,
    /// Bytes that cross memory.
    pub bytes: Bytes,
    /// Operational intensity.
    pub oi: OpsPerByte,
    /// Each operation at its own roof, one after another.
    pub seconds: Seconds,
    /// All products at their peaks; `null` where one is not known.
    pub compute_seconds: Option<Seconds>,
    /// All bytes at the bandwidth.
    pub memory_seconds: Seconds,
    /// The part of `seconds` that stands under the memory's roof.
    pub memory_bound_seconds: Seconds,
    /// The time if every operation overlapped with every other and all bytes crossed memory: only a run that keeps operands
    /// or results on the chip is faster on these roofs.
    pub overlapped_seconds: Seconds,
    /// `seconds` at the efficiencies that are known; `null` where none is.
    pub reached_seconds: Option<Seconds>,
    /// The roof that holds most of the time; `null` where a peak is not known.
    pub bound: Option<Bound>,
}

impl Sums {
    pub(super) fn of(totals: &Totals, reached: Option<Seconds>) -> Self {
        Self {
            flops: totals.flops,
            bytes: totals.bytes,
            oi: totals.intensity(),
            seconds: totals.seconds,
            compute_seconds: totals.compute,
            memory_seconds: totals.memory,
            memory_bound_seconds: totals.memory_bound,
            overlapped_seconds: totals.overlapped(),
            reached_seconds: reached,
            bound: totals.bound(),
        }
    }
}

impl Phase {
    /// `operations`, each with how often it runs.
    pub(super) fn new(
        name: &'static str,
        operations: &[(Operation, u64)],
        formats: &Formats,
        ground: &Ground,
        times: &GemmTimes,
    ) -> Self {
        let records = |roofs| {
            let one = |(operation, runs): &(Operation, u64)| {
                Record::new(operation, *runs, formats, &roofs)
            };
            operations.iter().map(one).collect::<Vec<_>>()
        };
        let at_roof = records(ground.roofs);
        let reached = ground.reached().map(|roofs| Totals::of(&records(roofs)).seconds);
        let rows = operations.iter().zip(&at_roof).map(|((operation, _), record)| OperationRow {
            name: record.name,
            runs: record.runs,
            arithmetic: formats.arithmetic(operation.factors),
            flops: record.flops,
            elementwise_ops: operation.elementwise,
            bytes: record.bytes,
            oi: record.intensity(),
            seconds: record.seconds(),
            bound: record.bound(),
            expected: times.expected(operation),
            operands: operation
                .matrices()
                .iter()
                .map(|matrix| OperandRow {
                    name: matrix.name,
                    role: matrix.role,
                    encoding: formats.of(matrix.stored),
                    rows: matrix.rows,
                    columns: matrix.columns,
                    bytes: formats.bytes(matrix),
                })
                .collect(),
        });
        let rows: Vec<OperationRow> = rows.collect();
        let expected = ExpectedSum::of(&rows);
        let totals = Sums::of(&Totals::of(&at_roof), reached);
        Self { name, operations: rows, totals, expected }
    }
}
