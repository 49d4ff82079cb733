//! A part of a workload: its operations at the roofs, and what they come to.

use serde::Serialize;

use super::gemm_times::GemmTimes;
use super::{ExpectedSum, ExpectedTime, OperandRow, OperationRow};
use derate_units::{Bound, Bytes, Ops, OpsPerByte, Seconds};
use derate_workload::operator::{
    Operation, OperationRecord, OperationTotals, OperatorFormats, TargetRoofs,
};

/// A part of a workload, such as `prefill`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// Name.
    pub name: &'static str,
    /// Its operations, in the order in which they run.
    pub operations: Vec<OperationRow>,
    /// What they come to.
    pub totals: PhaseSums,
    /// The expected times of its products; `null` where none has one.
    pub expected: Option<ExpectedSum>,
}

/// What operations come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseSums {
    /// Operations of products.
    pub flops: Ops,
    /// Bytes that cross memory.
    pub bytes: Bytes,
    /// Operational intensity.
    pub oi: OpsPerByte,
    /// Each operation at its own roof, one after another; `null` where a peak is not known.
    pub seconds: Option<Seconds>,
    /// What they take at least, one after another: `seconds`, or operations whose peak is not known at their bytes alone.
    pub at_least_seconds: Seconds,
    /// All products at their peaks; `null` where one is not known.
    pub compute_seconds: Option<Seconds>,
    /// All bytes at the bandwidth.
    pub memory_seconds: Seconds,
    /// The part of `seconds` that is under the memory's roof; `null` as `seconds` is.
    pub memory_bound_seconds: Option<Seconds>,
    /// The time if every operation overlapped with every other and all bytes crossed memory: only a run that keeps operands
    /// or results on the chip is faster on these roofs. `null` where a peak is not known.
    pub overlapped_seconds: Option<Seconds>,
    /// `seconds` at the efficiencies that are known; `null` where none is, or a peak is not.
    pub reached_seconds: Option<Seconds>,
    /// The roof that holds most of the time; `null` where a peak is not known.
    pub bound: Option<Bound>,
    /// Why a peak is not known.
    pub unknown: Option<String>,
}

impl PhaseSums {
    /// `unknown` is why a peak is not known, where one is not.
    pub(super) fn of(
        totals: &OperationTotals,
        reached: Option<&OperationTotals>,
        unknown: Option<String>,
    ) -> Self {
        let known = totals.known_seconds();
        Self {
            flops: totals.flops,
            bytes: totals.bytes,
            oi: totals.intensity(),
            seconds: known,
            at_least_seconds: totals.seconds,
            compute_seconds: totals.compute,
            memory_seconds: totals.memory,
            memory_bound_seconds: known.map(|_| totals.memory_bound),
            overlapped_seconds: known.map(|_| totals.overlapped_time()),
            reached_seconds: reached.and_then(OperationTotals::known_seconds),
            bound: totals.bound(),
            unknown,
        }
    }
}

impl Phase {
    /// `operations`, each with how often it runs.
    pub(super) fn new(
        name: &'static str,
        operations: &[(Operation, u64)],
        formats: &OperatorFormats,
        ground: &TargetRoofs,
        times: &GemmTimes,
    ) -> Self {
        let records = |roofs| {
            let one = |(operation, runs): &(Operation, u64)| {
                OperationRecord::new(operation, *runs, formats, &roofs)
            };
            operations.iter().map(one).collect::<Vec<_>>()
        };
        let at_roof = records(ground.roofs);
        let reached = ground.reached_roofs().map(|roofs| OperationTotals::of(&records(roofs)));
        let mut expected = times.expected_times(operations).into_iter();
        let rows = operations.iter().zip(&at_roof).map(|((operation, _), record)| OperationRow {
            name: record.name,
            runs: record.runs,
            arithmetic: formats.arithmetic(operation.factors).map(|own| ground.computed_as(own)),
            flops: record.flops,
            elementwise_ops: operation.elementwise,
            bytes: record.bytes,
            oi: record.intensity(),
            seconds: record.known_seconds(),
            at_least_seconds: record.seconds(),
            bound: record.bound(),
            unknown: ground.why_unknown(formats.arithmetic(operation.factors).into_iter()),
            expected: expected.next().unwrap_or_else(ExpectedTime::no_product),
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
        let arithmetics = operations.iter().filter_map(|(own, _)| formats.arithmetic(own.factors));
        let unknown = ground.why_unknown(arithmetics);
        let totals = PhaseSums::of(&OperationTotals::of(&at_roof), reached.as_ref(), unknown);
        Self { name, operations: rows, totals, expected }
    }
}
