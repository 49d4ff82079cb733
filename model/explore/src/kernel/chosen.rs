//! What a design does with the loops of a kernel.

use super::Variation;
use super::port_group::PortGroup;
use super::variation::unroll_loop;
use derate_hls::TclDirective;
use std::collections::{BTreeMap, BTreeSet};

/// Function and label.
type LoopName = (String, String);
/// Function, and label of a loop; the whole function without one.
type Pipelined = (String, Option<String>);

/// The loops that a design unrolls and pipelines.
#[derive(Debug, Default)]
pub(super) struct ChosenLoops {
    unrolled: BTreeMap<LoopName, u64>,
    pipelined: BTreeSet<Pipelined>,
}

impl ChosenLoops {
    /// The loops of the values that change something. A loop that two of them unroll gets the larger factor.
    pub(super) fn of_point(chosen: &[(&Variation, usize)], groups: &[PortGroup]) -> Self {
        let mut loops = Self::default();
        for (variation, at) in chosen {
            if let Some((function, label, factor)) = variation.unroll_factor(*at) {
                loops.unroll((function.to_owned(), label.to_owned()), factor);
            }
            if let Some((function, label)) = variation.pipelined(*at) {
                loops.pipelined.insert((function.to_owned(), label.map(str::to_owned)));
            }
            if let Some((group, lanes)) = variation.widened(*at, groups) {
                group.loops.iter().for_each(|one| loops.unroll(one.clone(), lanes));
            }
        }
        loops
    }

    fn unroll(&mut self, name: LoopName, factor: u64) {
        let own = self.unrolled.entry(name).or_insert(1);
        *own = factor.max(*own);
    }

    /// How often a loop is unrolled; 1 where it is not.
    pub(super) fn factor(&self, function: &str, label: &str) -> u64 {
        let name = (function.to_owned(), label.to_owned());
        self.unrolled.get(&name).copied().unwrap_or(1)
    }

    /// Whether a loop is pipelined, or a whole function.
    pub(super) fn is_pipelined(&self, function: &str, label: Option<&str>) -> bool {
        self.pipelined.contains(&(function.to_owned(), label.map(str::to_owned)))
    }

    /// The directives that unroll.
    pub(super) fn unroll_directives(&self) -> impl Iterator<Item = TclDirective> + '_ {
        self.unrolled
            .iter()
            .map(|((function, label), factor)| unroll_loop(function, label, *factor))
    }
}
