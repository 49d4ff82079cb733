//! What the code and the kernels of the design store.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{FileId, Reason};

use super::Analysis;
use derate_project::{ClaimedPrecision, Storage};
use derate_units::Precision;

/// The number formats that the kernels of `[[kernel]]` decide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuiltFormats {
    /// Of the weights that they read, by the tensor's name.
    pub tensors: BTreeMap<String, Result<Precision, Reason>>,
    /// Of the operands of attention, where a kernel computes it.
    pub scores: Option<Precision>,
}

impl BuiltFormats {
    /// Whether no kernel decides anything.
    pub fn is_empty(&self) -> bool {
        self.tensors.is_empty() && self.scores.is_none()
    }
}

impl Analysis {
    /// Notes the headers that nothing of the design includes; arrays in them hold no tensors.
    pub fn set_unbuilt(&mut self, files: BTreeSet<FileId>) {
        self.code.set_aside(&files);
        self.unbuilt = files;
    }

    /// The storage that the analysis claims; the dump's where it claims none.
    pub fn claimed_storage(&self) -> Storage {
        let claim = self.project.claims.precision.as_ref();
        let claim = claim.map_or(ClaimedPrecision::AsStored, |claim| claim.value);
        Storage::claimed(claim, &self.shape)
    }

    /// Whether the code or a kernel says what any tensor is stored in.
    pub fn is_storage_known(&self) -> bool {
        self.code.declares_tensors() || !self.built.is_empty()
    }

    /// Each tensor as kernels read it, else as an array is declared; what neither says is unknown.
    pub fn built_tensors(&self) -> Storage {
        let mut storage = Storage::as_built(&self.code);
        if let Storage::Each { tensors, scores, .. } = &mut storage {
            let read = self.built.tensors.iter();
            tensors.extend(read.map(|(name, format)| (name.clone(), format.clone())));
            *scores = self.built.scores.unwrap_or(*scores);
        }
        storage
    }

    /// The same; where kernels are described, what neither they nor an array says is as it is claimed.
    pub fn built_storage(&self) -> Storage {
        let mut storage = self.built_tensors();
        if self.built.is_empty() {
            return storage;
        }
        let claimed = self.claimed_storage();
        if let Storage::Each { tensors, scores, .. } = &mut storage {
            for tensor in &self.shape.tensors {
                let known = tensors.entry(tensor.name.clone());
                known.or_insert_with(|| claimed.precision_of(&tensor.name));
            }
            if let (None, Storage::Uniform(precision)) = (self.built.scores, claimed) {
                *scores = precision;
            }
        }
        storage
    }
}
