//! What the kernels of `[[kernel]]` compute in, and what that decides.

use derate_design::{DesignKernel, KernelDesign};
use derate_estimate::Analysis;
use derate_units::Precision;
use derate_units::figures::count;

/// Sentences about the number formats of the kernels; `None` where none is known.
pub(crate) fn describe_formats(analysis: &Analysis, design: &KernelDesign) -> Option<String> {
    let known = design.kernels.iter().filter_map(|kernel| Some((kernel, kernel.precision?)));
    let kernels: Vec<String> = known.map(|one| describe_kernel(one.0, one.1)).collect();
    if kernels.is_empty() {
        return None;
    }
    let decided = format!("What they compute in decides bytes and peak: {}.", kernels.join(", "));
    let (read, all) = (analysis.built.tensors.len(), analysis.shape.tensors.len());
    let rest = (read < all && !analysis.built.is_empty()).then(|| {
        let left = count(all - read, "tensor");
        format!(
            "No kernel reads {left}: as built, they are as an array of the code declares them, else as claimed."
        )
    });
    let names: Vec<String> =
        analysis.unbuilt.iter().map(|file| format!("`{}`", analysis.sources.name(*file))).collect();
    let unbuilt = (!names.is_empty()).then(|| {
        format!("Nothing of the design includes {}, which decides nothing.", names.join(", "))
    });
    let sentences: Vec<String> = [Some(decided), rest, unbuilt].into_iter().flatten().collect();
    Some(sentences.join(" "))
}

fn describe_kernel(kernel: &DesignKernel, precision: Precision) -> String {
    let operands = kernel.formats.as_ref().and_then(|formats| formats.operands);
    let of = operands.filter(|operands| *operands != precision);
    let of = of.map_or_else(String::new, |operands| format!(" on operands of {}", operands.key()));
    let is_read = kernel.formats.as_ref().is_some_and(|formats| formats.arithmetic.is_some());
    let how = if is_read { "" } else { " (stated)" };
    format!("`{}` in {}{of}{how}", kernel.name, precision.key())
}
