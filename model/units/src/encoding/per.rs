/// How many elements share one extra.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum Per {
    /// So many that follow each other in a row.
    Block(u32),
    /// So many of the tensor, its rows joined into one.
    FlatBlock(u32),
    /// A row.
    Row,
    /// The tensor.
    Tensor,
}

/// What is stored beside elements: a scale, a zero point, or a scale of scales.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Extra {
    /// How many elements share it.
    pub per: Per,
    /// Its bits.
    pub bits: u32,
}

impl Extra {
    /// Bits of all of them beside a tensor; a partial block has a whole one, an empty tensor none.
    pub(super) fn bits(self, rows: u128, columns: u64) -> u128 {
        let elements = rows.saturating_mul(u128::from(columns));
        let count = match self.per {
            Per::Block(length) => {
                rows.saturating_mul(u128::from(columns.div_ceil(u64::from(length.max(1)))))
            }
            Per::FlatBlock(length) => elements.div_ceil(u128::from(length.max(1))),
            Per::Row => {
                if columns == 0 {
                    0
                } else {
                    rows
                }
            }
            Per::Tensor => elements.min(1),
        };
        count.saturating_mul(u128::from(self.bits))
    }

    /// Bits for each element of a large tensor of whole blocks.
    pub(super) fn shared_bits(self) -> f64 {
        match self.per {
            Per::Block(length) | Per::FlatBlock(length) => {
                f64::from(self.bits) / f64::from(length.max(1))
            }
            Per::Row | Per::Tensor => 0.0,
        }
    }
}
