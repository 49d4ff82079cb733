//! The whole of a dump.

use std::collections::BTreeMap;

use super::{DumpFormat, DumpNote, DumpProblem, Tensor};

/// What tables of positions are called.
const POSITIONS: [&str; 6] = [
    "pos_embed",
    "pos_embedding",
    "position_embedding",
    "position_embeddings",
    "positional_embedding",
    "wpe",
];

/// A model's parameters, as a dump lists them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ModelShape {
    /// The form that the dump was read as.
    pub format: DumpFormat,
    /// The tensors in the dump's order; of a name given twice, the first.
    pub tensors: Vec<Tensor>,
    /// What could not be read or does not fit, in the file's order.
    pub problems: Vec<DumpProblem>,
    /// Problems beyond the first 1,000, which are counted and not kept.
    pub further_problems: u64,
    /// What to know before trusting the figures.
    pub notes: Vec<DumpNote>,
    pub(super) index: BTreeMap<String, usize>,
}

impl ModelShape {
    /// The first table of positions, with its rows: `[197, 384]`, or `[1, 197, 384]` for one of a batch. `None` where there
    /// is none.
    pub fn positions(&self) -> Option<(&str, u64)> {
        let shown = self.tensors.iter().filter(|tensor| tensor.shape_known);
        shown.into_iter().find_map(|tensor| {
            let name = tensor.name.strip_suffix(".weight").unwrap_or(&tensor.name);
            let module = name.rsplit('.').next().unwrap_or_default();
            let rows = match *tensor.dims.as_slice() {
                [1, rows, _] | [rows, _] if rows > 1 => rows,
                _ => return None,
            };
            POSITIONS.contains(&module).then_some((tensor.name.as_str(), rows))
        })
    }

    /// All elements of all tensors.
    pub fn parameters(&self) -> u64 {
        self.tensors.iter().filter_map(Tensor::elements).fold(0, u64::saturating_add)
    }

    /// Bytes in the dump's own dtypes; `None` where a tensor has none that derate knows.
    pub fn bytes_as_stored(&self) -> Option<u64> {
        self.tensors
            .iter()
            .try_fold(0_u64, |sum, tensor| sum.checked_add(tensor.bytes_as_stored()?))
    }

    /// The tensor of that name.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        self.tensors.get(self.position(name)?)
    }

    /// The index in `tensors` of the tensor of that name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Every dimension that occurs, with how often it does.
    pub fn dims(&self) -> BTreeMap<u64, usize> {
        let mut counts = BTreeMap::new();
        for &dim in
            self.tensors.iter().filter(|tensor| tensor.shape_known).flat_map(|tensor| &tensor.dims)
        {
            *counts.entry(dim).or_insert(0) += 1;
        }
        counts
    }
}
