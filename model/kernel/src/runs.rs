//! How often loops are run, and their share of the whole.

use crate::answer::LoopAnswer;

/// A loop with all its copies: an unrolled loop around it makes several.
#[derive(Clone, Copy, Debug)]
pub struct LoopRuns<'a> {
    /// The first copy.
    pub answer: &'a LoopAnswer,
    /// How many times the copies are run together in one run of the kernel: the product of the trips of the loops around.
    /// `None` where one of those trips is not known.
    pub runs: Option<f64>,
    /// Whether it has no loop in it.
    pub is_innermost: bool,
}

impl LoopRuns<'_> {
    /// Cycles of all runs, where they are known.
    #[must_use]
    pub fn total_cycles(&self) -> Option<f64> {
        self.runs
            .filter(|_| !self.answer.cycles.is_open)
            .map(|runs| runs * self.answer.cycles.expected)
    }
}

/// Counts the runs of loops, which are in order of the source as [`crate::KernelAnswer::loops`] are. Copies that differ in
/// nothing but the data they work on are one.
#[must_use]
pub fn count_runs(loops: &[LoopAnswer]) -> Vec<LoopRuns<'_>> {
    let mut around: Vec<(usize, Option<f64>)> = Vec::new();
    let mut counted: Vec<LoopRuns<'_>> = Vec::new();
    for (at, one) in loops.iter().enumerate() {
        while around.last().is_some_and(|(nest, _)| *nest >= one.nest) {
            around.pop();
        }
        let runs = around.last().map_or(Some(1.0), |(_, inside)| *inside);
        let inside = runs.zip(one.trip).map(|(runs, (_, _, mean))| runs * mean);
        around.push((one.nest, inside));
        let is_innermost = loops.get(at + 1).is_none_or(|next| next.nest <= one.nest);
        match counted.iter_mut().find(|known| is_copy(known.answer, one)) {
            Some(known) => known.runs = known.runs.zip(runs).map(|(all, more)| all + more),
            None => counted.push(LoopRuns { answer: one, runs, is_innermost }),
        }
    }
    counted
}

fn is_copy(one: &LoopAnswer, other: &LoopAnswer) -> bool {
    let key = |one: &LoopAnswer| (one.place, one.nest, one.ii, one.depth.to_bits());
    key(one) == key(other)
        && (&one.label, &one.function) == (&other.label, &other.function)
        && (one.trip, one.cycles) == (other.trip, other.cycles)
}
