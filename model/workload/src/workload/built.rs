//! Parts that were built before: a sweep changes few parameters at a time.

use super::{Count, InferenceParameters, Part};

/// The last build of each part, with the parameters that it depends on.
#[derive(Debug)]
pub struct PartCache<C = u64>(Vec<Option<(InferenceParameters<C>, Part<C>)>>);

impl<C> Default for PartCache<C> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<C: Count> PartCache<C> {
    /// The part at place `at` for `parameters`, built anew where these are not those of the last one.
    pub(super) fn reuse_part(
        &mut self,
        at: usize,
        parameters: InferenceParameters<C>,
        build: impl FnOnce(&InferenceParameters<C>) -> Part<C>,
    ) -> Part<C> {
        if self.0.len() <= at {
            self.0.resize_with(at + 1, || None);
        }
        match &mut self.0[at] {
            Some((of, part)) if *of == parameters => part.clone(),
            last => {
                let part = build(&parameters);
                last.insert((parameters, part)).1.clone()
            }
        }
    }
}
