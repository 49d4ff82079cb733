//! A file of compiled kernels.

pub(super) mod sys;

use std::io::Write as _;
use std::sync::Arc;

use super::{Kernel, Signature};

/// Loads the kernels of a shared object. Their parameters' names come from their sources. The error is a sentence: the
/// temporary folder cannot be written, or does not allow programs, or the object is none of kernels.
pub fn load(image: &[u8], signatures: &[Signature]) -> Result<Vec<Arc<Kernel>>, String> {
    // The file is gone as soon as it is loaded.
    let written = tempfile::Builder::new()
        .prefix("derate-")
        .suffix(".so")
        .tempfile()
        .and_then(|mut file| file.write_all(image).map(|()| file.into_temp_path()));
    let file = written.map_err(|error| {
        format!("the kernels cannot be written to the temporary folder: {error}; set TMPDIR to one that can")
    })?;
    let listed = sys::load(&file)
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
