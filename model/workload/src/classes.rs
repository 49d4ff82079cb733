//! Layers that are computed once: same kernels, same dimensions, same number formats.

use std::sync::Arc;

use crate::layer_formats::LayerFormats;
use crate::workload::{Block, Part, Repeated};
use derate_project::TensorFormats;
use derate_source::Reason;

/// Layers of a block whose tensors have the same formats.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerClass {
    /// Index of the part.
    pub part: usize,
    /// The kernels.
    pub block: Arc<Block>,
    /// Runs of each layer per inference.
    pub runs: u64,
    /// Which of the block's layers, by index.
    pub layers: Vec<usize>,
    /// The number formats of these layers.
    pub formats: LayerFormats,
    /// Whether the weights stay on the chip from run to run.
    pub held: bool,
}

impl LayerClass {
    /// Runs of the block's kernels per inference.
    pub fn calls(&self) -> u64 {
        self.runs.saturating_mul(self.layers.len() as u64)
    }

    /// The share of the runs that read the weights.
    pub fn weight_reads(&self) -> f64 {
        if self.held && self.runs > 1 { 1.0 / self.runs as f64 } else { 1.0 }
    }
}

/// The classes of all parts in their order; the error says why a tensor's format is not known.
pub fn classify_layers(
    parts: &[Part],
    formats: &TensorFormats,
    held: &dyn Fn(&Part) -> bool,
) -> Result<Vec<LayerClass>, Reason> {
    let mut classes: Vec<LayerClass> = Vec::with_capacity(16);
    for (index, part) in parts.iter().enumerate() {
        for repeated in &part.blocks {
            classify_block(index, repeated, formats, held(part), &mut classes)?;
        }
    }
    Ok(classes)
}

/// The classes of one block of a part, appended to `classes`.
pub fn classify_block(
    part: usize,
    repeated: &Repeated,
    formats: &TensorFormats,
    held: bool,
    classes: &mut Vec<LayerClass>,
) -> Result<(), Reason> {
    let begin = classes.len();
    for (at, layer) in repeated.block.layers.iter().enumerate() {
        let alike = classes[begin..].iter_mut().find(|class| {
            let own = class.formats.slots.iter().map(Some);
            own.eq(layer.tensors.iter().map(|&tensor| formats.known(tensor)))
        });
        if let Some(class) = alike {
            class.layers.push(at);
            continue;
        }
        let slots = layer.tensors.iter().map(|&tensor| formats.of(tensor));
        classes.push(LayerClass {
            part,
            block: Arc::clone(&repeated.block),
            runs: repeated.runs,
            layers: vec![at],
            formats: LayerFormats {
                slots: slots.collect::<Result<_, _>>()?,
                scores: formats.scores,
                uniform: formats.uniform,
            },
            held,
        });
    }
    Ok(())
}
