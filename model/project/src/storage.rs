//! In which number format each tensor is taken to be stored.

use derate_hls::Reason;
use std::collections::BTreeMap;

use crate::{ClaimedPrecision, Code};
use derate_dump::{ModelShape, Tensor, is_block_format};
use derate_units::{Bytes, Precision};

/// Number formats, looked up once.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorFormats {
    /// By the tensor's place in the dump.
    pub tensors: Vec<Result<Precision, Reason>>,
    /// Of attention scores: FP32 where every tensor keeps its own format, as `PyTorch` runs them.
    pub scores: Precision,
    /// Of all floats, where all tensors are alike.
    pub uniform: Option<Precision>,
}

impl TensorFormats {
    /// The format of a tensor, where it is known.
    pub fn known(&self, tensor: usize) -> Option<&Precision> {
        self.tensors.get(tensor)?.as_ref().ok()
    }

    /// The format of a tensor, or why it is not known.
    pub fn of(&self, tensor: usize) -> Result<Precision, Reason> {
        let missing = || Err("the dump does not have it".into());
        self.tensors.get(tensor).cloned().unwrap_or_else(missing)
    }
}

/// The format of every tensor, under one reading of the project.
#[derive(Clone, Debug, PartialEq)]
pub enum Storage {
    /// All tensors alike.
    Uniform(Precision),
    /// Each tensor as the table says; what is not in it is unknown, with the reason.
    Each {
        /// How the reading is called: `as-stored`, `as-built`.
        name: &'static str,
        /// By tensor name.
        tensors: BTreeMap<String, Result<Precision, Reason>>,
        /// Of attention scores.
        scores: Precision,
    },
}

impl Storage {
    /// As the claim says.
    pub fn claimed(claim: ClaimedPrecision, shape: &ModelShape) -> Self {
        match claim {
            ClaimedPrecision::Uniform(precision) => Self::Uniform(precision),
            ClaimedPrecision::AsStored => Self::as_stored(shape),
        }
    }

    /// As the dump's dtypes say.
    pub fn as_stored(shape: &ModelShape) -> Self {
        let tensors = shape.tensors.iter().map(|tensor| {
            let unknown = || match &tensor.dtype_text {
                Some(text) if is_block_format(text) => {
                    format!("the dump's `{text}` is a block format, which no precision describes")
                }
                Some(text) => format!("the dump's dtype `{text}` is not known"),
                None => "the dump names no dtype".to_owned(),
            };
            (tensor.name.clone(), tensor.dtype.ok_or_else(|| unknown().into()))
        });
        Self::Each { name: "as-stored", tensors: tensors.collect(), scores: Precision::FP32 }
    }

    /// As the arrays of the code are declared, down to the type behind each alias.
    pub fn as_built(code: &Code) -> Self {
        let tensors = code.declarations.iter().filter_map(|declaration| {
            Some((declaration.tensor.clone()?, declaration.precision.clone()))
        });
        Self::Each { name: "as-built", tensors: tensors.collect(), scores: Precision::FP32 }
    }

    /// `bf16`, `as-stored`, `as-built`.
    pub fn name(&self) -> String {
        match self {
            Self::Uniform(precision) => precision.key(),
            Self::Each { name, .. } => (*name).to_owned(),
        }
    }

    /// The name as an argument on a command line, in quotes where a shell would read more into it.
    pub fn argument(&self) -> String {
        let name = self.name();
        if name.contains('<') { format!("\"{name}\"") } else { name }
    }

    /// The arithmetic of an array for all tensors: a mixed model runs on one that can do its widest.
    pub fn array_precision(&self) -> Precision {
        match self {
            Self::Uniform(precision) => *precision,
            Self::Each { .. } => Precision::FP32,
        }
    }

    /// The formats of tensors, as far as they are known.
    pub fn precisions(&self) -> Vec<Precision> {
        match self {
            Self::Uniform(precision) => vec![*precision],
            Self::Each { tensors, .. } => {
                tensors.values().filter_map(|known| known.as_ref().ok().copied()).collect()
            }
        }
    }

    /// The format of one tensor.
    pub fn precision_of(&self, tensor: &str) -> Result<Precision, Reason> {
        match self {
            Self::Uniform(precision) => Ok(*precision),
            Self::Each { tensors, .. } => tensors.get(tensor).cloned().unwrap_or_else(|| {
                Err(format!("the code declares no array for `{tensor}`").into())
            }),
        }
    }

    /// The format of each tensor of a dump, in its order, and of attention scores.
    pub fn formats(&self, shape: &ModelShape) -> TensorFormats {
        TensorFormats {
            tensors: shape.tensors.iter().map(|t| self.precision_of(&t.name)).collect(),
            scores: match self {
                Self::Uniform(precision) => *precision,
                Self::Each { scores, .. } => *scores,
            },
            uniform: match self {
                Self::Uniform(precision) => Some(*precision),
                Self::Each { .. } => None,
            },
        }
    }

    /// Bytes of one tensor, or why they are not known.
    pub fn bytes_of(&self, tensor: &Tensor) -> Result<Bytes, Reason> {
        let elements = tensor
            .elements()
            .ok_or_else(|| Reason::from(format!("`{}` has too many elements", tensor.name)))?;
        Ok(self.precision_of(&tensor.name)?.bytes(elements))
    }
}
