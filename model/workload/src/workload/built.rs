//! Parts that were built before: a sweep changes few parameters at a time.

use super::{Count, InferenceParameters, Part};

/// Builds of a part that are kept. A sweep comes back to a few of them.
const KEPT: usize = 64;

/// The last builds of each part, with the parameters that they depend on.
#[derive(Debug)]
pub struct PartCache<C = u64>(Vec<Builds<C>>);

/// Builds of one part, and which of them is replaced next.
#[derive(Debug)]
struct Builds<C> {
    kept: Vec<(InferenceParameters<C>, Part<C>)>,
    oldest: usize,
}

impl<C> Default for PartCache<C> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<C: Count> PartCache<C> {
    /// The part at place `at` for `parameters`, built anew where these are not those of a build that is kept.
    pub(super) fn reuse_part(
        &mut self,
        at: usize,
        parameters: InferenceParameters<C>,
        build: impl FnOnce(&InferenceParameters<C>) -> Part<C>,
    ) -> Part<C> {
        while self.0.len() <= at {
            self.0.push(Builds { kept: Vec::new(), oldest: 0 });
        }
        let Builds { kept, oldest } = &mut self.0[at];
        if let Some((_, part)) = kept.iter().find(|(of, _)| *of == parameters) {
            return part.clone();
        }
        let part = build(&parameters);
        let one = (parameters, part.clone());
        if kept.len() < KEPT {
            kept.push(one);
        } else {
            kept[*oldest] = one;
            *oldest = (*oldest + 1) % KEPT;
        }
        part
    }
}
