use std::fmt;
use std::str::FromStr;

use crate::error::CudaError;

/// A GPU, as a user names it: `cuda:0`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CudaName(pub u16);

impl CudaName {
    /// Whether a GPU is meant, named rightly or not.
    pub fn is_meant(text: &str) -> bool {
        text.starts_with("cuda")
    }
}

impl FromStr for CudaName {
    type Err = CudaError;

    fn from_str(text: &str) -> Result<Self, CudaError> {
        let index = text.strip_prefix("cuda:").filter(|digits| !digits.starts_with('+'));
        let index = index.and_then(|digits| digits.parse().ok());
        index.map(Self).ok_or_else(|| CudaError::Name(text.to_owned()))
    }
}

impl fmt::Display for CudaName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cuda:{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_has_a_number() {
        assert_eq!("cuda:3".parse::<CudaName>().unwrap().to_string(), "cuda:3");
        for text in ["cuda", "cuda:", "cuda:-1", "cuda:+1", "cuda:65536", "gpu:0", "CUDA:0"] {
            assert!(text.parse::<CudaName>().is_err(), "{text}");
        }
    }
}
