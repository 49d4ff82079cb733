//! In which formats an operator's matrices are stored.

use super::{Factors, Matrix, Stored};
use crate::units::Bytes;
use crate::{Encoding, Mixture, Precision};
