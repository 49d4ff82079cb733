//! A file of compiled kernels.

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;

use rustix::fs::{MemfdFlags, memfd_create};

use super::{ImageError, Kernel, Signature, sys};

/// Loads the kernels of a shared object. Their parameters' names come from their sources.
pub fn load_kernels(
    image: &[u8],
    signatures: &[Signature],
) -> Result<Vec<Arc<Kernel>>, ImageError> {
    // In no folder, so that none can be left behind.
    let written = memfd_create("derate-kernels", MemfdFlags::CLOEXEC)
        .map_err(std::io::Error::from)
        .map(File::from)
        .and_then(|mut file| file.write_all(image).map(|()| file));
    let file = written.map_err(|error| ImageError::Memory { bytes: image.len(), error })?;
    let listed = sys::load_kernels(file)?;
    let mut kernels = Vec::new();
    for one in listed {
        let signature = signatures.iter().find(|s| s.name == one.name);
        let signature = signature.filter(|s| s.parameters.len() == one.arguments.len());
        let signature = signature
            .ok_or_else(|| ImageError::Signature(one.name.clone(), one.arguments.len()))?;
        kernels.push(Arc::new(Kernel::new(signature, &one)?));
    }
    kernels.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(kernels)
}
