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

/// One name for a resource through all versions of the HLS tools.
pub(crate) fn resource_name(printed: &str) -> &str {
    match printed {
        "DSP48E" | "DSP58" | "DSP48" => "DSP",
        "BRAM" => "BRAM_18K",
        other => other,
    }
}
