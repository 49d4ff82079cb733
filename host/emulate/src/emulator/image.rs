//! A file of compiled kernels.

pub(super) mod sys;

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;

use rustix::fs::{MemfdFlags, memfd_create};

use super::{Kernel, Signature};

/// Loads the kernels of a shared object. Their parameters' names come from their sources. The error is a sentence:
/// this machine has no memory for it, or the object is none of kernels.
pub fn load(image: &[u8], signatures: &[Signature]) -> Result<Vec<Arc<Kernel>>, String> {
    // In no folder, so that none can be left behind.
    let written = memfd_create("derate-kernels", MemfdFlags::CLOEXEC)
        .map_err(std::io::Error::from)
        .map(File::from)
        .and_then(|mut file| file.write_all(image).map(|()| file));
    let file = written.map_err(|error| {
        format!("this machine gives no {} bytes for the compiled kernels: {error}", image.len())
    })?;
    let listed = sys::load(file)
        .map_err(|error| format!("the compiled kernels cannot be loaded: {error}"))?;
    let mut kernels = Vec::new();
    for one in listed {
        let signature = signatures.iter().find(|s| s.name == one.name);
        let signature = signature.filter(|s| s.parameters.len() == one.arguments.len());
        let signature = signature.ok_or_else(|| {
            format!("{} is not in its source with {} parameters", one.name, one.arguments.len())
        })?;
        kernels.push(Arc::new(Kernel::new(signature, &one)?));
    }
    kernels.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(kernels)
}
