//! The number formats of one layer.

use crate::workload::FormatOf;
use derate_units::Precision;

/// The number formats of one layer.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct LayerFormats {
    /// By slot.
    pub slots: Vec<Precision>,
    /// Of attention scores.
    pub scores: Precision,
    /// Of all floats, where all tensors are alike.
    pub uniform: Option<Precision>,
}

impl LayerFormats {
    /// The format of an operand or a value.
    pub fn of(&self, format: FormatOf) -> Precision {
        match format {
            FormatOf::Slot(slot) => {
                self.slots.get(usize::from(slot)).copied().unwrap_or(self.scores)
            }
            FormatOf::Scores => self.scores,
            FormatOf::Own(own) => self.uniform.filter(|_| own.is_float()).unwrap_or(own),
        }
    }

    /// Bytes of so many elements of an operand or a value.
    pub fn bytes(&self, elements: u64, format: FormatOf) -> f64 {
        self.of(format).bytes(elements).0
    }
}
