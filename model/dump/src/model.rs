//! The whole of a dump.

use std::collections::BTreeMap;

use derate_source::{FileId, Sources};

use super::builder::DumpBuilder;
use super::error::DumpRefusal;
use super::{
    DumpFormat, DumpNote, DumpProblem, ShapeError, Tensor, detect, flat, gguf, json, line, modules,
    onnx, summary, table, tree,
};

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
    /// Reads a dump: in the form named, or in the one that its content shows.
    pub fn parse(
        sources: &Sources,
        file: FileId,
        format: Option<DumpFormat>,
    ) -> Result<Self, ShapeError> {
        let text = sources.text(file);
        let name = || sources.name(file).to_owned();
        if text.trim().is_empty() {
            return Err(ShapeError::Empty { file: name() });
        }
        if let Some(at) = text.find('\0') {
            return Err(ShapeError::Binary { file: name(), line: line::line_number(text, at) });
        }
        let Some(read_as) = format.or_else(|| detect::detect_format(text)) else {
            return Err(ShapeError::NoTensor { file: name() });
        };
        let mut builder = DumpBuilder::new(file);
        if let Err(refusal) = read_format(text, read_as, &mut builder) {
            let line = line::line_number(text, refusal.offset);
            return Err(ShapeError::Excess { file: name(), line, excess: refusal.what });
        }
        match (builder.len(), format) {
            (0, Some(format)) => Err(ShapeError::NotThatFormat { file: name(), format }),
            (0, None) => Err(ShapeError::NoTensor { file: name() }),
            _ => Ok(builder.finish(read_as)),
        }
    }

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

fn read_format(
    text: &str,
    format: DumpFormat,
    builder: &mut DumpBuilder,
) -> Result<(), DumpRefusal> {
    match format {
        DumpFormat::Tree => return tree::read_tree(text, builder),
        DumpFormat::Json => return json::read_json(text, builder),
        DumpFormat::Modules => return modules::read_modules(text, builder),
        DumpFormat::Flat
        | DumpFormat::Spaces
        | DumpFormat::Tabs
        | DumpFormat::Tuple
        | DumpFormat::List => {
            flat::read_flat(text, builder);
        }
        DumpFormat::Pipe | DumpFormat::Markdown => table::read_table(text, builder),
        DumpFormat::Gguf => gguf::read_gguf(text, builder),
        DumpFormat::Onnx => onnx::read_onnx(text, builder),
        DumpFormat::Summary => summary::read_summary(text, builder),
    }
    Ok(())
}
