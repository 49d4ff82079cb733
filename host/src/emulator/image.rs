//! A file of compiled kernels.

pub(super) mod sys;

use std::path::Path;
use std::sync::Arc;

use super::{Kernel, Signature};

/// Loads the kernels of a file. Their parameters' names come from their sources; the error is a sentence.
pub(super) fn load(file: &Path, signatures: &[Signature]) -> Result<Vec<Arc<Kernel>>, String> {
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
