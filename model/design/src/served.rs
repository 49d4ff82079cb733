//! What a kernel computes of the model.

use derate_project::{Claim, KernelSection};
use derate_units::Ops;
use derate_workload::{Kernel, Part};
use serde::Serialize;

/// Operations of linear layers around an activation, which people call an MLP.
const MLP: [&str; 5] = ["fc1", "fc2", "gate_proj", "up_proj", "down_proj"];

/// An operation of the workload that a kernel computes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServedOperation {
    /// The part.
    pub part: String,
    /// The operation's name, the same in every layer.
    pub operation: String,
    /// The share of it that the kernel computes: 1 where no other kernel serves it.
    pub share: f64,
    /// Multiply-adds of that share per inference.
    pub multiply_adds: f64,
}

impl ServedOperation {
    /// Whether it is the same operation of the same part.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.part == other.part && self.operation == other.operation
    }
}

/// All that a kernel computes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ServedWork {
    /// The operations.
    pub operations: Vec<ServedOperation>,
    /// Runs of layers that have any of them, per inference.
    pub layer_runs: f64,
}

impl ServedWork {
    /// Multiply-adds per inference.
    #[must_use]
    pub fn multiply_adds(&self) -> f64 {
        self.operations.iter().map(|one| one.multiply_adds).sum()
    }
}

/// An operation with multiply-adds that no kernel computes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unserved {
    /// The part.
    pub part: String,
    /// Its operations.
    pub operations: Vec<String>,
    /// Those of them of which a share is computed.
    pub partly: Vec<String>,
    /// Their multiply-adds per inference.
    pub multiply_adds: f64,
}

/// A text of `serves`: a part, and what of it.
pub(crate) fn split_name(text: &str) -> (&str, Option<&str>) {
    text.split_once('.').map_or((text, None), |(part, operation)| (part, Some(operation)))
}

fn is_meant(operation: &str, kernel: &Kernel) -> bool {
    let name = kernel.name.as_ref();
    name == operation
        || name.strip_prefix(operation).is_some_and(|rest| rest.starts_with(['_', '.']))
        || (operation == "mlp" && MLP.contains(&name))
}

/// The share of an operation of a part that is served; `None` where it is not.
pub(crate) fn find_share(work: &ServedWork, part: &str, kernel: &Kernel) -> Option<f64> {
    let is_it = |one: &&ServedOperation| one.part == part && one.operation == kernel.name.as_ref();
    work.operations.iter().find(is_it).map(|one| one.share)
}

fn multiply_adds(kernel: &Kernel) -> Option<f64> {
    kernel.op.product().map(|product| product.macs())
}

/// What one kernel serves, each operation and each run of a layer once. The error is a text of `serves` that names nothing,
/// with what it could name.
pub(crate) fn find_served<'a>(
    parts: &[Part],
    kernel: &'a KernelSection,
) -> Result<ServedWork, (&'a Claim<String>, String)> {
    for text in &kernel.serves {
        check_name(parts, &text.value).map_err(|reason| (text, reason))?;
    }
    let mut work = ServedWork::default();
    let names: Vec<_> = kernel.serves.iter().map(|text| split_name(&text.value)).collect();
    for part in parts {
        for repeated in &part.blocks {
            let layers = repeated.block.layers.len().max(1) as f64 * repeated.runs as f64;
            let mut is_used = false;
            for one in &repeated.block.kernels {
                let is_wanted = names.iter().any(|name| is_named(*name, part, one));
                let Some(macs) = multiply_adds(one).filter(|_| is_wanted) else { continue };
                is_used = true;
                add_operation(&mut work.operations, part, one, macs * layers);
            }
            if is_used {
                work.layer_runs += layers;
            }
        }
    }
    Ok(work)
}

pub(crate) fn is_named(
    (part_name, operation): (&str, Option<&str>),
    part: &Part,
    kernel: &Kernel,
) -> bool {
    part.is_named(part_name) && operation.is_none_or(|operation| is_meant(operation, kernel))
}

/// Whether a kernel serves an operation.
pub(crate) fn serves_operation(section: &KernelSection, part: &Part, kernel: &Kernel) -> bool {
    section.serves.iter().any(|text| is_named(split_name(&text.value), part, kernel))
}

/// Refuses a name that no matrix product has.
fn check_name(parts: &[Part], text: &str) -> Result<(), String> {
    let name = split_name(text);
    let Some(part) = parts.iter().find(|part| part.is_named(name.0)) else {
        let names: Vec<&str> = parts.iter().map(|part| part.key.as_ref()).collect();
        return Err(format!(
            "the workload has no part `{}`: there are {}",
            name.0,
            names.join(", ")
        ));
    };
    let mut kernels = part.blocks.iter().flat_map(|repeated| &repeated.block.kernels);
    if kernels.any(|one| multiply_adds(one).is_some() && is_named(name, part, one)) {
        return Ok(());
    }
    Err(format!(
        "the part `{}` has no matrix product `{}`: there are {}",
        part.key,
        name.1.unwrap_or_default(),
        list_products(part).join(", ")
    ))
}

fn add_operation(operations: &mut Vec<ServedOperation>, part: &Part, kernel: &Kernel, macs: f64) {
    let is_same =
        |one: &&mut ServedOperation| one.part == part.key && one.operation == kernel.name.as_ref();
    match operations.iter_mut().find(is_same) {
        Some(one) => one.multiply_adds += macs,
        None => operations.push(ServedOperation {
            part: part.key.to_string(),
            operation: kernel.name.to_string(),
            share: 1.0,
            multiply_adds: macs,
        }),
    }
}

/// Names of the matrix products of a part, each once.
fn list_products(part: &Part) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for kernel in part.blocks.iter().flat_map(|repeated| &repeated.block.kernels) {
        let name = kernel.name.to_string();
        if multiply_adds(kernel).is_some() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Matrix products that no kernel serves, by part, and all multiply-adds of an inference.
pub(crate) fn find_unserved(parts: &[Part], served: &[&ServedWork]) -> (Vec<Unserved>, Ops) {
    let (mut left, mut all) = (Vec::new(), 0.0);
    for part in parts.iter().filter(|part| part.never_runs.is_none()) {
        let mut operations: Vec<ServedOperation> = Vec::new();
        for repeated in &part.blocks {
            let layers = repeated.block.layers.len().max(1) as f64 * repeated.runs as f64;
            for kernel in &repeated.block.kernels {
                let Some(macs) = multiply_adds(kernel) else { continue };
                all += macs * layers;
                add_operation(&mut operations, part, kernel, macs * layers);
            }
        }
        for one in &mut operations {
            let works = served.iter().flat_map(|work| &work.operations);
            let same = works.filter(|other| other.is_same(one));
            one.share = (1.0 - same.map(|other| other.share).sum::<f64>()).max(0.0);
            one.multiply_adds *= one.share;
        }
        // What is left of a sum of shares that is rounded is nothing.
        operations.retain(|one| one.share > 1e-9);
        if !operations.is_empty() {
            left.push(Unserved {
                part: part.key.to_string(),
                multiply_adds: operations.iter().map(|one| one.multiply_adds).sum(),
                partly: operations
                    .iter()
                    .filter(|one| one.share < 1.0)
                    .map(|one| one.operation.clone())
                    .collect(),
                operations: operations.into_iter().map(|one| one.operation).collect(),
            });
        }
    }
    (left, Ops(2.0 * all))
}
