//! A whole run: the prompts, then one token after another while the context grows.

use super::{Deployment, Logits, PassRecords};
use derate_units::{Bytes, Ops, Seconds};
use derate_workload::operator::{OperationRecord, OperationTotals};

/// So many tokens after so many.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Generation {
    /// Sequences.
    pub batch: u64,
    /// Tokens of each prompt.
    pub prompt: u64,
    /// Tokens that each sequence gets. The first comes out of the prompt's own pass.
    pub generate: u64,
}

impl Generation {
    /// Passes of one token each.
    pub fn steps(&self) -> u64 {
        self.generate.saturating_sub(1)
    }

    /// Tokens of the last step's context, its own included.
    pub fn context(&self) -> u64 {
        self.prompt.saturating_add(self.steps())
    }
}

/// `constant + slope x`.
#[derive(Clone, Copy)]
pub(super) struct StraightLine {
    pub(super) constant: f64,
    pub(super) slope: f64,
}

impl StraightLine {
    /// Through the values at two places, the second not before the first.
    fn through((first, last): (u64, u64), low: f64, high: f64) -> Self {
        let slope = if last > first { (high - low) / (last - first) as f64 } else { 0.0 };
        Self { constant: low - slope * first as f64, slope }
    }

    pub(super) fn at(self, x: f64) -> f64 {
        self.constant + self.slope * x
    }

    /// The sum over all whole `x` from `first` to `last`; 0 where there is none.
    fn sum_range(self, first: u64, last: u64) -> f64 {
        if last < first {
            return 0.0;
        }
        let (first, last) = (first as f64, last as f64);
        let count = last - first + 1.0;
        count * self.constant + self.slope * (first + last) * count / 2.0
    }
}

/// The sums of the higher of two lines over the whole `x` from `first` to `last`: where `a` is the higher, and where `b` is.
pub(super) fn sums_of_higher(
    a: StraightLine,
    b: StraightLine,
    first: u64,
    last: u64,
) -> (f64, f64) {
    let ahead = |x: u64| a.at(x as f64) >= b.at(x as f64);
    match (ahead(first), ahead(last)) {
        (true, true) => (a.sum_range(first, last), 0.0),
        (false, false) => (0.0, b.sum_range(first, last)),
        (starts_ahead, _) => {
            // The lines cross once; the last whole x before that is found by halving.
            let (mut low, mut high) = (first, last);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if ahead(middle) == starts_ahead { low = middle } else { high = middle }
            }
            if starts_ahead {
                (a.sum_range(first, low), b.sum_range(high, last))
            } else {
                (a.sum_range(high, last), b.sum_range(first, low))
            }
        }
    }
}

/// A record at the first and at the last of the contexts `span`, over all of them.
fn sum_growing(low: &OperationRecord, high: &OperationRecord, span: (u64, u64)) -> OperationTotals {
    let (runs, (first, last)) = (low.runs as f64, span);
    let line = |of: fn(&OperationRecord) -> f64| StraightLine::through(span, of(low), of(high));
    let sum = |of: fn(&OperationRecord) -> f64| line(of).sum_range(first, last) * runs;
    let memory = line(|record| record.memory.0);
    let compute =
        low.compute.zip(high.compute).map(|(low, high)| StraightLine::through(span, low.0, high.0));
    let (computing, moving) = match compute {
        Some(compute) => sums_of_higher(compute, memory, first, last),
        None => (0.0, memory.sum_range(first, last)),
    };
    OperationTotals {
        flops: Ops(sum(|record| record.flops.0)),
        bytes: Bytes(sum(|record| record.bytes.0)),
        compute: compute.map(|compute| Seconds(compute.sum_range(first, last) * runs)),
        memory: Seconds(memory.sum_range(first, last) * runs),
        seconds: Seconds((computing + moving) * runs),
        memory_bound: Seconds(moving * runs),
    }
}

impl Deployment<'_> {
    /// All steps of one token each after the prompts, their contexts growing: no slower for a million of them.
    ///
    /// What attention computes and moves grows by the same amount with every token that it reads, so the sum over the
    /// steps is that of an arithmetic series: in two pieces where memory gives way to compute or the reverse, and
    /// one more where a sliding window is full. It is exact for caches whose scales are within a token's own rows, and
    /// true to a block where they run on.
    pub fn sum_decoding(&self, generation: &Generation) -> OperationTotals {
        let last = self.decode(generation.batch, generation.context());
        self.sum_decoding_to(generation, &last)
    }

    /// The same where the records of the last step are known.
    pub(super) fn sum_decoding_to(
        &self,
        generation: &Generation,
        last_step: &PassRecords,
    ) -> OperationTotals {
        let Generation { batch, prompt, .. } = *generation;
        let (first, last) = (prompt.saturating_add(1), generation.context());
        let mut totals = OperationTotals::default();
        if generation.steps() == 0 {
            return totals;
        }
        // Up to the window the context grows, then it stays.
        let window = self.model.window.unwrap_or(u64::MAX);
        let grown = last.min(window);
        if first <= grown {
            // A full window sees as much as the last step does.
            let low = self.decode_like(last_step, batch, first);
            for (low, high) in low.all().iter().zip(last_step.all()) {
                totals.add(&sum_growing(low, high, (first, grown)));
            }
        }
        let full = last - grown.max(prompt).min(last);
        if full > 0 {
            totals.add(&last_step.totals().times(full as f64));
        }
        totals
    }

    /// The prompts, of which these positions pass through the head, and all steps after them.
    pub fn sum_run(&self, generation: &Generation, logits: Logits) -> OperationTotals {
        let mut totals = self.prefill(generation.batch, generation.prompt, logits).totals();
        totals.add(&self.sum_decoding(generation));
        totals
    }
}

#[cfg(test)]
mod tests;
