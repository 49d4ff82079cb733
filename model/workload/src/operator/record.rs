//! Operations under the roofs of a machine.

use super::{Factors, Operation, OperatorFormats};
use derate_units::{Bound, Bytes, BytesPerSecond, Ops, OpsPerByte, OpsPerSecond, Seconds};

/// A bandwidth, and the peak of the arithmetic of each product; `None` where it is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperatorRoofs {
    /// Of activations with weights.
    pub weights: Option<OpsPerSecond>,
    /// Of activations with the head.
    pub table: Option<OpsPerSecond>,
    /// Of activations with each other.
    pub activations: Option<OpsPerSecond>,
    /// Of activations with keys and values.
    pub cache: Option<OpsPerSecond>,
    /// Of external memory.
    pub bandwidth: BytesPerSecond,
}

impl OperatorRoofs {
    /// The peak of products of that kind; what multiplies nothing has that of weights, and no time.
    pub(super) fn of(&mut self, factors: Factors) -> &mut Option<OpsPerSecond> {
        match factors {
            Factors::Weights | Factors::Nothing => &mut self.weights,
            Factors::Table => &mut self.table,
            Factors::Activations => &mut self.activations,
            Factors::Cache => &mut self.cache,
        }
    }

    /// The time of so many operations; `None` where the peak is not known.
    #[inline]
    fn compute_time(&self, flops: Ops, factors: Factors) -> Option<Seconds> {
        let peak = match factors {
            Factors::Weights => self.weights,
            Factors::Table => self.table,
            Factors::Activations => self.activations,
            Factors::Cache => self.cache,
            Factors::Nothing => return Some(Seconds(0.0)),
        };
        peak.map(|peak| flops / peak)
    }
}

/// One operation of one layer at the roofs, and how often it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperationRecord {
    /// Name, such as `gate`.
    pub name: &'static str,
    /// How often it runs: once a layer.
    pub runs: u64,
    /// Operations of its products, one run.
    pub flops: Ops,
    /// Bytes that cross memory, one run.
    pub bytes: Bytes,
    /// Time at the peak of its arithmetic; `None` where that is not known.
    pub compute: Option<Seconds>,
    /// Time at the bandwidth.
    pub memory: Seconds,
}

impl OperationRecord {
    /// What holds a place that no operation takes.
    pub const NONE: Self = Self {
        name: "",
        runs: 0,
        flops: Ops(0.0),
        bytes: Bytes(0.0),
        compute: Some(Seconds(0.0)),
        memory: Seconds(0.0),
    };

    /// `operation`, `runs` times.
    #[inline]
    pub fn new(
        operation: &Operation,
        runs: u64,
        formats: &OperatorFormats,
        roofs: &OperatorRoofs,
    ) -> Self {
        let bytes = operation.bytes(formats);
        Self {
            name: operation.name,
            runs,
            flops: operation.flops,
            bytes,
            compute: roofs.compute_time(operation.flops, operation.factors),
            memory: bytes / roofs.bandwidth,
        }
    }

    /// Operational intensity.
    pub fn intensity(&self) -> OpsPerByte {
        self.flops / self.bytes
    }

    /// Time of one run at the lower roof; where the peak is not known, that of its bytes, which it takes at least.
    #[inline]
    pub fn seconds(&self) -> Seconds {
        match self.compute {
            Some(compute) if compute > self.memory => compute,
            _ => self.memory,
        }
    }

    /// Time of one run at the lower roof; `None` where the peak is not known.
    pub fn known_seconds(&self) -> Option<Seconds> {
        self.compute.map(|_| self.seconds())
    }

    /// The lower roof; `None` where the peak is not known.
    pub fn bound(&self) -> Option<Bound> {
        let compute = self.compute?;
        Some(if compute >= self.memory { Bound::Compute } else { Bound::Memory })
    }
}

/// What several operations come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperationTotals {
    /// Operations of products.
    pub flops: Ops,
    /// Bytes that cross memory.
    pub bytes: Bytes,
    /// Time of all products at their peaks; `None` where one is not known.
    pub compute: Option<Seconds>,
    /// Time of all bytes at the bandwidth.
    pub memory: Seconds,
    /// Each operation at its own roof, one after another; one whose peak is not known counts as its bytes, so that this is
    /// then what they take at least.
    pub seconds: Seconds,
    /// The part of `seconds` whose roof is the memory's.
    pub memory_bound: Seconds,
}

impl Default for OperationTotals {
    fn default() -> Self {
        Self {
            flops: Ops(0.0),
            bytes: Bytes(0.0),
            compute: Some(Seconds(0.0)),
            memory: Seconds(0.0),
            seconds: Seconds(0.0),
            memory_bound: Seconds(0.0),
        }
    }
}

impl OperationTotals {
    /// All runs of `records`.
    #[inline]
    pub fn of(records: &[OperationRecord]) -> Self {
        let mut totals = Self::default();
        for record in records {
            let (runs, seconds) = (record.runs as f64, record.seconds());
            let one = Self {
                flops: record.flops,
                bytes: record.bytes,
                compute: record.compute,
                memory: record.memory,
                seconds,
                memory_bound: match record.bound() {
                    Some(Bound::Compute) => Seconds(0.0),
                    Some(Bound::Memory) | None => seconds,
                },
            };
            totals.add(&one.times(runs));
        }
        totals
    }

    /// The same, so many times.
    #[must_use]
    #[inline]
    pub fn times(&self, count: f64) -> Self {
        Self {
            flops: self.flops * count,
            bytes: self.bytes * count,
            compute: self.compute.map(|compute| compute * count),
            memory: self.memory * count,
            seconds: self.seconds * count,
            memory_bound: self.memory_bound * count,
        }
    }

    /// These, and others after them.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        self.flops = self.flops + other.flops;
        self.bytes = self.bytes + other.bytes;
        self.compute = self.compute.zip(other.compute).map(|(a, b)| a + b);
        self.memory = self.memory + other.memory;
        self.seconds = self.seconds + other.seconds;
        self.memory_bound = self.memory_bound + other.memory_bound;
    }

    /// Each operation at its own roof, one after another; `None` where a peak is not known.
    pub fn known_seconds(&self) -> Option<Seconds> {
        self.compute.map(|_| self.seconds)
    }

    /// Operational intensity.
    pub fn intensity(&self) -> OpsPerByte {
        self.flops / self.bytes
    }

    /// The roof that holds most of the time; `None` where a peak is not known.
    pub fn bound(&self) -> Option<Bound> {
        self.compute?;
        let half = self.seconds.0 / 2.0;
        Some(if self.memory_bound.0 > half { Bound::Memory } else { Bound::Compute })
    }

    /// The time if every operation overlapped with every other and all bytes crossed memory: only a run that keeps operands
    /// or results on the chip is faster on these roofs. Of operations whose peak is not known, their bytes count alone.
    pub fn overlapped_time(&self) -> Seconds {
        match self.compute {
            Some(compute) if compute > self.memory => compute,
            _ => self.memory,
        }
    }
}
