//! How much of a resource is used.

use super::figure::{Figure, Located};
use serde::Serialize;

/// How much of one kind of resource.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Resource {
    /// How much is used.
    pub used: Located<Figure>,
    /// How much the part has, where it is printed.
    pub available: Option<Located<Figure>>,
    /// The share as printed: `~0%`, `246%`, `13.31%`.
    pub share: Option<Located<String>>,
}
