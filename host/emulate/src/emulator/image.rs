//! A file of compiled kernels.

pub(super) mod sys;

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;

use rustix::fs::{MemfdFlags, memfd_create};

use super::{Kernel, Signature};

/// Why compiled kernels cannot be loaded. Each is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// This machine has no memory for the object.
    #[error("this machine gives no {bytes} bytes for the compiled kernels: {error}")]
    Memory {
        /// Size of the object.
        bytes: usize,
        /// The system's error.
        error: std::io::Error,
    },
    /// The loader refuses the object.
    #[error("the compiled kernels cannot be loaded: {0}")]
    Load(#[from] libloading::Error),
    /// An entry of the object's list of kernels lacks a part: its position, the part.
    #[error("the compiled kernels cannot be loaded: kernel {0} of its list has no {1}")]
    Entry(u32, &'static str),
    /// A kernel that its source does not have: its name, its number of parameters.
    #[error("{0} is not in its source with {1} parameters")]
    Signature(String, usize),
    /// An argument of another kind: the kernel, the kind.
    #[error("{0} has an argument of unknown kind {1}")]
    Kind(String, u32),
    /// None of the built-in kernels suits this processor.
    #[error("no compiled kernels run on this processor")]
    Processor,
}

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
