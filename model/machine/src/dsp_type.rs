//! The kinds of DSP slices, and what multiply-adds cost on each.

use serde::Deserialize;

/// A kind of DSP slice.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
pub enum DspType {
    /// Series 7: 25 x 18 bit.
    #[serde(rename = "DSP48E1")]
    Dsp48e1,
    /// `UltraScale` and `UltraScale+`: 27 x 18 bit.
    #[serde(rename = "DSP48E2")]
    Dsp48e2,
    /// Versal: 27 x 24 bit, floating point, three INT8 products at once.
    #[serde(rename = "DSP58")]
    Dsp58,
}

impl DspType {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dsp48e1 => "DSP48E1",
            Self::Dsp48e2 => "DSP48E2",
            Self::Dsp58 => "DSP58",
        }
    }

    /// The `[[mac]]` tables of platforms whose files have none of their own.
    pub(crate) fn mac_file(self) -> &'static str {
        match self {
            Self::Dsp48e1 => include_str!("../dsp/dsp48e1.toml"),
            Self::Dsp48e2 => include_str!("../dsp/dsp48e2.toml"),
            Self::Dsp58 => include_str!("../dsp/dsp58.toml"),
        }
    }
}
