//! `[transfers]`: what host and card exchange.

use super::checker::{Checker, optional};
use super::{Claim, ProjectError, raw};
use derate_units::quantity::ParseQuantity;
use derate_units::{Bytes, BytesPerSecond};

/// What host and card exchange in one inference, as it is stated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransferSection {
    /// Bytes to the card.
    pub to_card: Option<Claim<Bytes>>,
    /// Bytes from the card.
    pub from_card: Option<Claim<Bytes>>,
    /// Rate to the card.
    pub to_card_rate: Option<Claim<BytesPerSecond>>,
    /// Rate from the card.
    pub from_card_rate: Option<Claim<BytesPerSecond>>,
}

impl Checker<'_> {
    pub(super) fn transfers(&self, raw: raw::Transfers) -> Result<TransferSection, ProjectError> {
        Ok(TransferSection {
            to_card: optional(raw.to_card, |text| self.amount_of_bytes(text))?,
            from_card: optional(raw.from_card, |text| self.amount_of_bytes(text))?,
            to_card_rate: optional(raw.to_card_rate, |rate| self.quantity(rate))?,
            from_card_rate: optional(raw.from_card_rate, |rate| self.quantity(rate))?,
        })
    }

    /// Bytes, or `0 B`.
    pub(super) fn amount_of_bytes(
        &self,
        raw: toml::Spanned<String>,
    ) -> Result<Claim<Bytes>, ProjectError> {
        self.claim(raw, |text| match text.trim() {
            "0" | "0 B" => Ok(Bytes(0.0)),
            text => Bytes::parse_quantity(text),
        })
    }
}
