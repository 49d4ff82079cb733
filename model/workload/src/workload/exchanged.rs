//! Data between the host and an inference.

use std::borrow::Cow;

/// Data that an inference takes from the host or gives it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Exchanged {
    /// What it is, such as `images`.
    pub name: Cow<'static, str>,
    /// Elements per inference.
    pub elements: u64,
    /// Bits of an element, where they are not those of the activations.
    pub bits: Option<u32>,
    /// Whether the card reads it.
    pub is_to_card: bool,
}

impl Exchanged {
    /// Activations that the card reads.
    pub(super) fn to_card(name: impl Into<Cow<'static, str>>, elements: u64) -> Self {
        Self { name: name.into(), elements, bits: None, is_to_card: true }
    }
}
