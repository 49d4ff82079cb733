//! Data of a graph.

use derate_units::Precision;

/// Where data comes from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Origin {
    /// An operation makes it.
    Made,
    /// A parameter of the model, by its name.
    Parameter(String),
    /// The caller gives it.
    Input(String),
    /// The model holds it and names it nowhere.
    Constant,
    /// It shows the memory of another value, perhaps in another order.
    View(usize),
}

/// Data that operations read or write.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GraphValue {
    /// Dimensions, outermost first; empty for a scalar.
    pub shape: Vec<u64>,
    /// Number format.
    pub dtype: Precision,
    /// Where it comes from.
    pub origin: Origin,
}

impl GraphValue {
    /// Product of the dimensions; saturates.
    pub fn elements(&self) -> u64 {
        self.shape.iter().fold(1, |product: u64, &size| product.saturating_mul(size))
    }
}
