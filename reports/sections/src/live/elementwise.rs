//! Operations that are no matrix product, part by part.

use derate_render::Formula;

use super::samples::{Samples, Size};
use super::whole;
use derate_workload::Part;

/// What the parts that run do besides their products; after the last, the whole inference. Empty where that is no
/// polynomial of the parameters.
#[derive(Default)]
pub(crate) struct Elementwise(Vec<Size>);

/// Operations of all calls of a part.
fn operations(part: &Part) -> u64 {
    let blocks = part.blocks.iter().map(|repeated| {
        let block = &repeated.block;
        let one: f64 = block.kernels.iter().map(|kernel| block.elementwise_ops(kernel).0).sum();
        whole(one).saturating_mul(repeated.runs).saturating_mul(block.layers.len() as u64)
    });
    blocks.fold(0, u64::saturating_add)
}

impl Elementwise {
    pub(super) fn of(samples: &Samples) -> Option<Self> {
        let runs = |part: &&Part| part.never_runs.is_none();
        let count = samples.base()?.parts.iter().filter(runs).count();
        let part =
            |at: usize| samples.size(|parts| parts.iter().filter(runs).nth(at).map(operations));
        let all = samples.size(|parts| {
            Some(parts.iter().filter(runs).map(operations).fold(0, u64::saturating_add))
        });
        (0..count).map(part).chain([all]).collect::<Option<_>>().map(Self)
    }

    /// Of the part at that place.
    pub(crate) fn at(&self, part: usize) -> Option<Formula> {
        self.0.get(part).map(Size::formula)
    }
}
