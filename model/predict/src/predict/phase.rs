//! A part of a workload: its operations at the roofs, and what they come to.

use serde::Serialize;

use super::gemm_times::GemmTimes;
use super::{ConditionalTime, ExpectedSum, ExpectedTime, OperandRow, OperationRow};
use derate_units::{Bound, Bytes, Ops, OpsPerByte, OpsPerSecond, Precision, Seconds};
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
    /// What holds if that peak is in the range of the platform's others; `null` where all are known, or it has no range.
    pub conditional: Option<ConditionalTime>,
}

impl PhaseSums {
    /// `unknown` is why a peak is not known, where one is not.
    pub(super) fn of(
        totals: &OperationTotals,
        reached: Option<&OperationTotals>,
        unknown: Option<String>,
        conditional: Option<ConditionalTime>,
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
            conditional,
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
        let (slow, fast) = (records(ground.slowest), records(ground.fastest));
        let under = |place: usize, arithmetic: Option<Precision>| {
            let one = |all: &[OperationRecord]| OperationTotals::of(&all[place..=place]);
            let record = &at_roof[place];
            ConditionalTime::of(
                ground.find_condition(arithmetic.into_iter()),
                &one(&slow),
                &one(&fast),
                Some(OpsPerSecond(record.flops.0 / record.memory.0)),
            )
        };
        let rows =
            operations.iter().zip(&at_roof).enumerate().map(|(place, ((operation, _), record))| {
                OperationRow {
                    name: record.name,
                    runs: record.runs,
                    arithmetic: formats
                        .arithmetic(operation.factors)
                        .map(|own| ground.computed_as(own)),
                    flops: record.flops,
                    elementwise_ops: operation.elementwise,
                    bytes: record.bytes,
                    oi: record.intensity(),
                    seconds: record.known_seconds(),
                    at_least_seconds: record.seconds(),
                    bound: record.bound(),
                    unknown: ground.why_unknown(formats.arithmetic(operation.factors).into_iter()),
                    conditional: under(place, formats.arithmetic(operation.factors)),
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
                }
            });
        let rows: Vec<OperationRow> = rows.collect();
        let expected = ExpectedSum::of(&rows);
        let arithmetics = operations.iter().filter_map(|(own, _)| formats.arithmetic(own.factors));
        let arithmetics: Vec<Precision> = arithmetics.collect();
        let unknown = ground.why_unknown(arithmetics.iter().copied());
        let alike = arithmetics.windows(2).all(|pair| pair[0] == pair[1]);
        let above = rows.iter().filter_map(|row| row.conditional.as_ref()?.memory_bound_above);
        let above = above.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|_| alike);
        let conditional = ConditionalTime::of(
            ground.find_condition(arithmetics.into_iter()),
            &OperationTotals::of(&slow),
            &OperationTotals::of(&fast),
            above,
        );
        let totals =
            PhaseSums::of(&OperationTotals::of(&at_roof), reached.as_ref(), unknown, conditional);
        Self { name, operations: rows, totals, expected }
    }
}
