//! Operations that are not a matrix product, part by part.

use derate_render::Formula;

use super::polynomial::Polynomial;
use super::symbols::Symbols;
use derate_workload::{Count, Part};

/// What the parts that run do besides their products; after the last, the whole inference.
#[derive(Default)]
pub(crate) struct Elementwise(Vec<Polynomial>);

/// Operations of all calls of a part.
fn count_operations(part: &Part<Polynomial>) -> Polynomial {
    let blocks = part.blocks.iter().map(|repeated| {
        let block = &repeated.block;
        let one: Polynomial = block.kernels.iter().map(|k| block.count_elementwise(k)).sum();
        one.times(&repeated.runs).scaled(block.layers.len() as u64)
    });
    blocks.sum()
}

impl Elementwise {
    pub(super) fn of(symbols: &Symbols) -> Self {
        let mut all: Vec<Polynomial> = symbols.list_parts(false).map(count_operations).collect();
        all.push(all.iter().cloned().sum());
        Self(all)
    }

    /// Operations of the part at that place.
    pub(crate) fn part_operations(&self, part: usize) -> Option<Formula> {
        self.0.get(part).map(Polynomial::formula)
    }
}
