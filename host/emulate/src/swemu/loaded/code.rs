//! The code that a design carries.

use std::sync::Arc;

use super::files::read_file;
use crate::emulator::{Kernel, KernelParameter, Signature, load_kernels};
use crate::swemu::SwemuError;
use crate::xclbin::{self, ArgumentKind, CodeError, DesignArgument};

/// The kernels that a design carries. Only its own code is used: a name does not say what a kernel does.
pub(super) fn load_code(
    bitstream: &str,
    design: &[xclbin::DesignKernel],
) -> Result<Vec<Arc<Kernel>>, SwemuError> {
    // A design without a bitstream has no file, or an empty one.
    let data = read_file(bitstream).unwrap_or_default();
    let images = xclbin::read_code(&data).map_err(|error| match error {
        CodeError::None => SwemuError::NoCode,
        other => SwemuError::Damaged(other.to_string()),
    })?;
    let signature = |one: &xclbin::DesignKernel| Signature {
        name: one.name.clone(),
        parameters: one.arguments.iter().map(parameter_of).collect(),
    };
    let signatures: Vec<Signature> = design.iter().map(signature).collect();
    load_kernels(&images, &signatures).map_err(|error| SwemuError::Design {
        path: bitstream.to_owned(),
        reason: error.to_string(),
    })
}

fn parameter_of(argument: &DesignArgument) -> KernelParameter {
    let port = argument.port.as_deref().filter(|_| argument.kind == ArgumentKind::Global);
    let bundle = port.map(|port| port.trim_start_matches("M_AXI_").to_lowercase());
    KernelParameter { name: argument.name.clone(), bundle }
}

/// The kernel once more, with static variables of its own; `None` where the design has only this one's code.
pub(super) fn find_own(
    bitstream: &str,
    about: &xclbin::Metadata,
    kernel: &Arc<Kernel>,
) -> Result<Option<Arc<Kernel>>, SwemuError> {
    let again = load_code(bitstream, &about.kernels)?;
    Ok(again.into_iter().find(|one| one.name == kernel.name))
}

/// Whether the design and the compiled kernel lay the registers out alike.
pub(super) fn check_registers(
    kernel: &Kernel,
    design: &[DesignArgument],
) -> Result<(), SwemuError> {
    let refuse = |reason: String| SwemuError::Kernel { kernel: kernel.name.clone(), reason };
    let registers = design.iter().filter(|one| one.id.is_some());
    let places: Vec<u64> = registers.map(|one| one.offset).collect();
    let own = kernel.arguments.iter();
    let own: Vec<u64> = own.map(|one| u64::from(one.offset)).collect();
    if places != own {
        return Err(refuse(format!(
            "its registers are at {} in the design and at {} in the code that it carries: they are not the same kernel",
            list_places(&places),
            list_places(&own)
        )));
    }
    Ok(())
}

/// `0x10, 0x1c`, and no more than a line of them.
fn list_places(places: &[u64]) -> String {
    const MOST: usize = 8;
    let mut shown: Vec<String> = places.iter().take(MOST).map(|at| format!("{at:#x}")).collect();
    if places.len() > MOST {
        shown.push("...".to_owned());
    }
    if shown.is_empty() { "no place".to_owned() } else { shown.join(", ") }
}
