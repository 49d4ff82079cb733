//! The dumps of a model in a folder.

use derate_dump::ModelShape;
use derate_estimate::starter::FoundDump;
use derate_hls::Sources;
use derate_workload::SmolVla;

use super::{LARGEST, Search, has_extension};
use crate::read_dump;

/// A dump lists a tensor.
const FEWEST_TENSORS: usize = 1;

impl Search {
    /// Texts that read as a dump, the largest first.
    pub(super) fn find_dumps(&self) -> Vec<FoundDump> {
        let mut dumps: Vec<FoundDump> = self
            .having(&["txt", "md", "log", "out", "json", "safetensors"])
            .filter(|path| {
                // Of a safetensors file the header alone is read.
                has_extension(path, &["safetensors"])
                    || path.metadata().is_ok_and(|meta| meta.len() <= LARGEST)
            })
            .filter_map(|path| {
                let mut sources = Sources::default();
                let file = sources.add(self.name(path), read_dump(path).ok()?);
                let shape = ModelShape::parse(&sources, file, None).ok()?;
                let is_smolvla = SmolVla::is_smolvla(&shape);
                let tensors = shape.tensors.len();
                let dump = FoundDump { path: self.name(path), tensors, is_smolvla };
                (tensors >= FEWEST_TENSORS).then_some(dump)
            })
            .collect();
        dumps.sort_by(|a, b| (b.tensors, &a.path).cmp(&(a.tensors, &b.path)));
        dumps
    }
}
