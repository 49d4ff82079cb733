//! The number formats of one layer.

use crate::Precision;
use crate::workload::FormatOf;

/// The number formats of one layer.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct LayerFormats {
    /// By slot.
    pub(crate) slots: Vec<Precision>,
    /// Of attention scores.
    pub(crate) scores: Precision,
}

impl LayerFormats {
    /// The format of an operand or a value.
    pub(crate) fn of(&self, format: FormatOf) -> Precision {
        match format {
            FormatOf::Slot(slot) => {
                self.slots.get(usize::from(slot)).copied().unwrap_or(self.scores)
            }
            FormatOf::Scores => self.scores,
        }
    }

    pub(crate) fn bytes(&self, elements: u64, format: FormatOf) -> f64 {
        self.of(format).bytes(elements).0
    }
}
