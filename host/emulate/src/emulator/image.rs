//! A file of compiled kernels.

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;

use rustix::fs::{MemfdFlags, memfd_create};

use super::{ImageError, Kernel, Signature, sys};

/// Loads the kernels of shared objects. Their parameters' names come from their sources.
pub fn load_kernels(
    images: &[&[u8]],
    signatures: &[Signature],
) -> Result<Vec<Arc<Kernel>>, ImageError> {
    let mut kernels: Vec<Arc<Kernel>> = Vec::new();
    for image in images {
        // In no folder, so that none can be left behind.
        let written = memfd_create("derate-kernels", MemfdFlags::CLOEXEC)
            .map_err(std::io::Error::from)
            .map(File::from)
            .and_then(|mut file| file.write_all(image).map(|()| file));
        let file = written.map_err(|error| ImageError::Memory { bytes: image.len(), error })?;
        for one in sys::load_kernels(file)? {
            // A source may have more kernels than a design takes from it.
            let Some(signature) = signatures.iter().find(|s| s.name == one.name) else { continue };
            if signature.parameters.len() != one.arguments.len() {
                return Err(ImageError::Signature(one.name.clone(), one.arguments.len()));
            }
            if !kernels.iter().any(|known| known.name == one.name) {
                kernels.push(Arc::new(Kernel::new(signature, &one)?));
            }
        }
    }
    kernels.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(kernels)
}
