//! One tensor of a dump.

use derate_source::Span;

use super::blocks;
use derate_units::Precision;

/// One parameter of the model, as the dump states it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Tensor {
    /// Full parameter path, such as `model.layers.0.mlp.up_proj.weight`.
    pub name: String,
    /// Dimensions, outermost first; empty for a scalar.
    pub dims: Vec<u64>,
    /// Element format, where the dump gives one and derate knows it.
    pub dtype: Option<Precision>,
    /// The dtype as the dump spells it, known to derate or not.
    pub dtype_text: Option<String>,
    /// False where the dump gives only a number of elements: `dims` is then that one number.
    pub shape_known: bool,
    /// Where the dump says so.
    pub span: Span,
}

impl Tensor {
    /// Product of the dimensions; `None` where it does not fit 64 bits.
    pub fn elements(&self) -> Option<u64> {
        if self.dims.contains(&0) {
            return Some(0);
        }
        self.dims.iter().try_fold(1_u64, |product, &dim| product.checked_mul(dim))
    }

    /// Bytes in the dump's own dtype, rounded up to whole ones; `None` without a known dtype or block format.
    pub fn bytes_as_stored(&self) -> Option<u64> {
        if let (None, Some(text)) = (self.dtype, &self.dtype_text) {
            return blocks::block_bytes(text, self.elements()?);
        }
        let bits = u128::from(self.elements()?) * u128::from(self.dtype?.bits());
        u64::try_from(bits.div_ceil(8)).ok()
    }
}
