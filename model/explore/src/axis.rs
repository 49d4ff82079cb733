//! What a design leaves open.

use serde::{Deserialize, Serialize};

/// One thing that a design leaves open, with the values that it may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// As it is written: the name of a macro, a loop with its directive, a key.
    pub name: String,
    /// As they are written. Values whose costs are near each other should be neighbours: a search halves the list.
    pub values: Vec<String>,
}

impl Axis {
    /// An axis of a name and its values.
    pub fn new(name: impl Into<String>, values: impl IntoIterator<Item = impl ToString>) -> Self {
        let values = values.into_iter().map(|value| value.to_string()).collect();
        Self { name: name.into(), values }
    }
}
