use crate::cited::{Cited, Refusal};
use derate_units::{BytesPerSecond, Figure, Hertz};
use serde::Deserialize;

use super::memory_banks::MOST_BANKS;

/// The ports that logic reaches a memory through which belongs to a processor, such as the HP ports of a Zynq.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// What they are called.
    pub title: String,
    /// How many.
    pub count: Figure<u32>,
    /// Bits that one moves in one cycle each way, at most.
    pub bits: Figure<f64>,
    /// The clock at which documents give their rate; a design runs them at its own.
    pub clock: Option<Figure<Hertz>>,
}

impl Attachment {
    /// What all of them carry one way at a clock: `count x bits / 8 x clock`.
    pub fn rate_at(&self, clock: Hertz) -> BytesPerSecond {
        BytesPerSecond(f64::from(self.count.value) * self.bits.value / 8.0 * clock.0)
    }
}

/// `[memory.attachment]` of a platform file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AttachmentTable {
    title: String,
    count: Cited<u32>,
    bits: Cited<f64>,
    clock: Option<Cited<String>>,
}

impl AttachmentTable {
    pub(super) fn into_attachment(self) -> Result<Attachment, Refusal> {
        Ok(Attachment {
            title: self.title,
            count: self.count.read_whole("count", MOST_BANKS)?,
            bits: self.bits.read_positive("bits")?,
            clock: self.clock.map(Cited::read_quantity).transpose()?,
        })
    }
}
