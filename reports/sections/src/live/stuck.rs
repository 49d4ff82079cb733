//! The first kernel that no formula follows.

use derate_render::{Cell, NumberFormat};

use super::samples::Size;
use derate_estimate::KernelEstimate;

/// The first kernel of which a size is no polynomial of the parameters.
#[derive(Default)]
pub(super) struct Stuck(pub(super) Option<String>);

impl Stuck {
    /// It is at `kernel`, unless it is at another already.
    pub(super) fn at(&mut self, kernel: &KernelEstimate) {
        self.0.get_or_insert_with(|| kernel.name.to_string());
    }

    /// The cell of a size; one that is no polynomial stays what it is.
    pub(super) fn cell(
        &mut self,
        kernel: &KernelEstimate,
        value: f64,
        size: Option<&Size>,
    ) -> Cell {
        if size.is_none() {
            self.at(kernel);
        }
        match size.filter(|size| size.constant().is_none()) {
            Some(size) => Cell::formula(value, size.formula(), NumberFormat::Integer),
            None => Cell::number(value, NumberFormat::Integer),
        }
    }
}
