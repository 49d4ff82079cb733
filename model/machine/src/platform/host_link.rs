use crate::cited::{Cited, Refusal};
use derate_units::{BytesPerSecond, Figure};
use serde::Deserialize;

/// The link between the host and the card. What a platform file does not say is unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostLink {
    /// The rate of one large transfer into the card's memory.
    pub to_card: Option<Figure<BytesPerSecond>>,
    /// The rate of one out of it.
    pub from_card: Option<Figure<BytesPerSecond>>,
}

/// `[host]` of a platform file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostTable {
    to_card: Option<Cited<String>>,
    from_card: Option<Cited<String>>,
}

impl HostTable {
    pub(super) fn into_link(self) -> Result<HostLink, Refusal> {
        Ok(HostLink {
            to_card: self.to_card.map(Cited::read_quantity).transpose()?,
            from_card: self.from_card.map(Cited::read_quantity).transpose()?,
        })
    }
}
