//! What of a kernel stays as it is written.

use super::Variation;
use serde::Serialize;

/// Something of a kernel that a search leaves as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NotOpened {
    /// What it is, such as `unroll:f/rows`, or a change that no directive makes.
    pub what: String,
    /// Its share of the cycles of the kernel as it is written, of a change that is advised what it saves of them; 1 is all.
    /// `None` where that is not known.
    pub share: Option<f64>,
    /// Why it is left.
    pub reason: String,
    /// What `--vary` takes to open it; `None` where no directive does.
    pub vary: Option<String>,
}

impl NotOpened {
    /// An axis that could be open.
    pub(super) fn of_variation(one: &Variation, share: Option<f64>, reason: &str) -> Self {
        let axis = one.axis();
        let vary = Some(format!("{}={}", axis.name, axis.values.join(",")));
        Self { what: axis.name, share, reason: reason.to_owned(), vary }
    }
}
