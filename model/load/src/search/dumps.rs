//! The dumps of a model in a folder.

use std::collections::BTreeMap;

use derate_dump::ModelShape;
use derate_estimate::starter::FoundDump;
use derate_hls::Sources;
use derate_workload::SmolVla;

use super::{LARGEST, Search, has_extension};
use crate::hls4ml::CONFIG;
use crate::{LoadError, LoadedWorkload, read_dump, read_workload};

/// A dump lists a tensor.
const FEWEST_TENSORS: usize = 1;

impl Search {
    /// Workloads, then texts that read as a dump, the largest first; and the workloads that cannot be read, with the reasons.
    pub(super) fn find_dumps(&self) -> (Vec<FoundDump>, Vec<LoadError>) {
        let mut refused = Vec::new();
        let mut dumps: Vec<FoundDump> = self
            .having(&["txt", "md", "log", "out", "json", "safetensors", "onnx", "yml"])
            .filter(|path| !has_extension(path, &["yml"]) || path.ends_with(CONFIG))
            .filter(|path| {
                // Of a safetensors file the header alone is read.
                has_extension(path, &["safetensors", "onnx"])
                    || path.metadata().is_ok_and(|meta| meta.len() <= LARGEST)
            })
            .filter_map(|path| {
                let mut sources = Sources::default();
                let name = self.name(path);
                let workload = read_workload(path, &name, &BTreeMap::new(), &mut sources);
                let workload = workload.map_err(|error| refused.push(error)).ok()?;
                if let Some(LoadedWorkload { graph, shape }) = workload {
                    let (tensors, operations) = (shape.tensors.len(), Some(graph.operations.len()));
                    return Some(FoundDump { path: name, tensors, is_smolvla: false, operations });
                }
                let file = sources.add(self.name(path), read_dump(path).ok()?);
                let shape = ModelShape::parse(&sources, file, None).ok()?;
                let is_smolvla = SmolVla::is_smolvla(&shape);
                let tensors = shape.tensors.len();
                let dump = FoundDump { path: name, tensors, is_smolvla, operations: None };
                (tensors >= FEWEST_TENSORS).then_some(dump)
            })
            .collect();
        // What a model computes says more than what it stores.
        let rank = |one: &FoundDump| (one.operations.is_none(), std::cmp::Reverse(one.tensors));
        dumps.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.path.cmp(&b.path)));
        (dumps, refused)
    }
}
