//! How much of a layer's work one circuit does at a time.

use super::Graph;

/// The folding of a layer that a generator of dataflow accelerators laid out.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Folding {
    /// Processing elements: results at a time.
    pub pe: Option<u64>,
    /// Elements that each of them takes in a cycle.
    pub simd: Option<u64>,
    /// How often each multiplier is used for one vector or pixel.
    pub reuse: Option<u64>,
    /// Multipliers, at most: a weight that is zero may need none.
    pub multipliers: Option<u64>,
    /// Cycles of an inference by the generator's closed form: no stalls, an interval of one. Modelled.
    pub cycles: Option<u64>,
    /// The cycles that the file states.
    pub stated_cycles: Option<u64>,
}

impl Folding {
    /// The cycles by the closed form, else those that the file states.
    pub fn find_cycles(&self) -> Option<u64> {
        self.cycles.or(self.stated_cycles)
    }
}

impl Graph {
    /// The folded operation with the most cycles, by its place, and these: a pipeline of them takes no inference sooner. Of
    /// equals, the first.
    pub fn find_slowest(&self) -> Option<(usize, u64)> {
        let folded =
            self.operations.iter().enumerate().filter_map(|(at, operation)| {
                Some((at, operation.folding.as_ref()?.find_cycles()?))
            });
        folded.reduce(|slowest, other| if other.1 > slowest.1 { other } else { slowest })
    }
}
