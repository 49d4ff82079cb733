//! The kernels of `[[kernel]]`, as the rules about the design need them.

use derate_estimate::Analysis;
use derate_hls::Span;
use derate_project::KernelSection;

use crate::design::KernelDesign;
use crate::join::join_kernels;
use crate::kernel::DesignKernel;

/// The design; `None` where the project describes no kernel.
pub fn find_design(analysis: &Analysis) -> Option<KernelDesign> {
    // A name in `serves` that the model does not have stops the loading of the project.
    join_kernels(analysis).ok().flatten()
}

/// Each kernel with its table.
pub fn pair_sections<'a>(
    analysis: &'a Analysis,
    design: &'a KernelDesign,
) -> impl Iterator<Item = (&'a KernelSection, &'a DesignKernel)> {
    analysis.project.kernels.iter().zip(&design.kernels)
}

/// The line that a finding about a kernel is shown at: what it serves, else its name.
pub fn serving_span(section: &KernelSection) -> Span {
    section.serves.first().map_or(section.name.span, |text| text.span)
}
