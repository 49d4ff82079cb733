//! The number formats that the kernels of the design decide.

use std::collections::BTreeMap;

use crate::formats::read_formats;
use crate::served::serves_operation;
use derate_estimate::{Analysis, BuiltFormats};
use derate_hls::Reason;
use derate_project::KernelSection;
use derate_units::Precision;
use derate_workload::{FormatOf, Role};

/// What the weights that kernels read take in memory, and what attention is computed in: from their sources, else as
/// `derate.toml` states it.
#[must_use]
pub fn find_built_formats(analysis: &Analysis) -> BuiltFormats {
    let mut built = BuiltFormats::default();
    let mut scores: Vec<Precision> = Vec::new();
    let parts = analysis.inference_parts();
    for (at, section) in analysis.project.kernels.iter().enumerate() {
        let Some(format) = find_operands(analysis, at, section) else { continue };
        for part in &parts {
            for block in part.blocks.iter().map(|repeated| &repeated.block) {
                for kernel in &block.kernels {
                    let is_product = kernel.op.product().is_some();
                    if !is_product || !serves_operation(section, part, kernel) {
                        continue;
                    }
                    let mut weights = block
                        .operands_of(kernel)
                        .iter()
                        .filter(|one| one.role == Role::Weight)
                        .peekable();
                    if weights.peek().is_none() {
                        scores.push(format);
                    }
                    for operand in weights {
                        let FormatOf::Slot(slot) = operand.format else { continue };
                        let ids = block
                            .layers
                            .iter()
                            .filter_map(|layer| layer.tensors.get(usize::from(slot)));
                        for tensor in ids.filter_map(|id| analysis.shape.tensors.get(*id)) {
                            note_format(&mut built.tensors, &tensor.name, format);
                        }
                    }
                }
            }
        }
    }
    let first = scores.first().copied();
    built.scores = first.filter(|first| scores.iter().all(|other| other == first));
    built
}

/// What one operand of a kernel takes in memory.
fn find_operands(analysis: &Analysis, at: usize, section: &KernelSection) -> Option<Precision> {
    let source = analysis.kernels.get(at).and_then(|reading| reading.source());
    let read = source.and_then(|source| {
        let formats = read_formats(&source.program);
        formats.operands.or(formats.arithmetic)
    });
    read.or_else(|| section.precision.as_ref().map(|claim| claim.value))
}

fn note_format(
    known: &mut BTreeMap<String, Result<Precision, Reason>>,
    tensor: &str,
    format: Precision,
) {
    match known.get(tensor) {
        Some(Ok(other)) if *other == format => {}
        Some(_) => {
            let reason = format!("two kernels read `{tensor}` in different number formats");
            known.insert(tensor.to_owned(), Err(reason.into()));
        }
        None => {
            known.insert(tensor.to_owned(), Ok(format));
        }
    }
}
