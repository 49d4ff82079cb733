//! Operands that one kernel writes and another one reads.

use crate::formats::PortFormat;
use crate::kernel::DesignKernel;
use crate::served::serves_operation;
use derate_estimate::Analysis;
use derate_project::KernelSection;
use derate_units::Precision;
use derate_workload::{Block, Joins, Kernel, Part, Role};

/// Data that goes from one kernel to another.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Handover {
    /// The kernel that writes it, by its place in `derate.toml`.
    pub producer: usize,
    /// The one that reads it.
    pub consumer: usize,
    /// The operation whose result it is: `vision.attention_pv`.
    pub made_by: String,
    /// The operation that reads it.
    pub read_by: String,
    /// How many elements it has.
    pub elements: u64,
}

/// All data that goes from a kernel of `[[kernel]]` straight to another one, each pair once. What else is done between two
/// products must be of the kind that a kernel does as it writes: a bias, an activation, a residual.
#[must_use]
pub fn find_handovers(analysis: &Analysis) -> Vec<Handover> {
    let mut found: Vec<Handover> = Vec::new();
    for part in analysis.inference_parts() {
        for block in part.blocks.iter().map(|repeated| &repeated.block) {
            for kernel in &block.kernels {
                let Some(consumer) = find_only(analysis, &part, kernel) else { continue };
                for operand in block.operands_of(kernel) {
                    let value = operand.value.filter(|_| operand.role == Role::Input);
                    let Some(made) =
                        value.and_then(|value| find_product(block, usize::from(value)))
                    else {
                        continue;
                    };
                    let Some(producer) = find_only(analysis, &part, made) else { continue };
                    let is_known =
                        |one: &Handover| (one.producer, one.consumer) == (producer, consumer);
                    if producer != consumer && !found.iter().any(is_known) {
                        let name = |one: &Kernel| format!("{}.{}", part.key, one.name);
                        let (made_by, read_by) = (name(made), name(kernel));
                        let elements = operand.elements;
                        found.push(Handover { producer, consumer, made_by, read_by, elements });
                    }
                }
            }
        }
    }
    found
}

/// The only kernel that serves a product.
fn find_only(analysis: &Analysis, part: &Part, kernel: &Kernel) -> Option<usize> {
    let is_product = kernel.op.product().is_some();
    let serves =
        |one: &(usize, &KernelSection)| is_product && serves_operation(one.1, part, kernel);
    let mut all = analysis.project.kernels.iter().enumerate().filter(serves);
    let (only, None) = (all.next()?, all.next()) else { return None };
    Some(only.0)
}

/// The product that a value is the result of, with what is done to it as it is written.
fn find_product(block: &Block, value: usize) -> Option<&Kernel> {
    let mut value = value;
    // A value is made of earlier ones, so this ends.
    loop {
        let kernel = block.kernels.get(block.values.get(value)?.producer?)?;
        if kernel.op.product().is_some() {
            return Some(kernel);
        }
        if !matches!(kernel.joins, Joins::Epilogue | Joins::Attention) {
            return None;
        }
        let first = block.operands_of(kernel).iter().find(|one| one.role == Role::Input)?;
        value = usize::from(first.value?);
    }
}

impl Handover {
    /// What the one writes and the other reads, where no type is in both; `None` where one is, or a type is not known.
    #[must_use]
    pub fn find_difference(
        &self,
        producer: &DesignKernel,
        consumer: &DesignKernel,
    ) -> Option<(Vec<Precision>, Vec<Precision>)> {
        let written = list_formats(producer, self.elements, |port| port.is_written)?;
        let read = list_formats(consumer, self.elements, |port| port.is_read)?;
        let is_apart = !written.iter().any(|one| read.contains(one));
        (is_apart && !written.is_empty() && !read.is_empty()).then_some((written, read))
    }
}

/// The formats of the ports that are read, or written: of those with so many elements where there are such, else of all.
fn list_formats(
    kernel: &DesignKernel,
    elements: u64,
    is_wanted: impl Fn(&PortFormat) -> bool,
) -> Option<Vec<Precision>> {
    let ports = &kernel.formats.as_ref()?.ports;
    let wanted: Vec<&PortFormat> = ports.iter().filter(|port| is_wanted(port)).collect();
    let mut same: Vec<&PortFormat> = wanted.clone();
    same.retain(|port| port.elements == Some(elements));
    let ports = if same.is_empty() { wanted } else { same };
    ports.into_iter().map(|port| port.format).collect()
}
