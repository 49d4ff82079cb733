//! How sure the part is that kernels are scheduled for.

use crate::KernelModels;

impl KernelModels {
    /// Why latencies of operators may be others on the part that the kernels are for.
    #[must_use]
    pub fn doubt_part(&self) -> Option<String> {
        let part = &self.settings.part;
        match &self.part_from {
            Some(readme) => Some(format!(
                "only `{readme}` names a part: on another one the operation may take other cycles"
            )),
            None => part.lacks_counts.then(|| {
                format!(
                    "`{}` is in no table of parts: the latencies are those of its family",
                    part.name
                )
            }),
        }
    }
}
