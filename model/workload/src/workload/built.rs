//! Parts that were built before: a sweep changes few parameters at a time.

use super::{InferenceParameters, Part};

/// The last build of each part, with the parameters that it depends on.
#[derive(Debug, Default)]
pub struct PartCache(Vec<Option<(InferenceParameters, Part)>>);

impl PartCache {
    /// The part at place `at` for `parameters`, built anew where these are not those of the last one.
    pub(super) fn reuse_part(
        &mut self,
        at: usize,
        parameters: InferenceParameters,
        build: impl FnOnce(&InferenceParameters) -> Part,
    ) -> Part {
        if self.0.len() <= at {
            self.0.resize_with(at + 1, || None);
        }
        match &mut self.0[at] {
            Some((of, part)) if *of == parameters => part.clone(),
            last => last.insert((parameters, build(&parameters))).1.clone(),
        }
    }
}
