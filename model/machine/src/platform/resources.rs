use derate_units::figures::grouped;
use derate_units::{Bytes, Figure, Provenance};

/// Logic and memory blocks of a chip, or what a shell leaves of them. `None` where a platform file does not say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resources {
    /// Look-up tables.
    pub lut: Option<Figure<f64>>,
    /// Flip-flops.
    pub ff: Option<Figure<f64>>,
    /// Block RAMs of 36 Kb; two of 18 Kb each.
    pub bram36: Option<Figure<f64>>,
    /// URAM blocks of 288 Kb.
    pub uram: Option<Figure<f64>>,
}

/// A block RAM has 32 Kb of data and 4 Kb of parity (UG573). HLS arrays of 8, 16, 32 or 64 bits leave the parity unused,
/// so that 4,096 B of its 4,608 B hold data.
const BRAM36_DATA: f64 = 4096.0;

/// A URAM block has 4,096 words of 72 bits, of which 64 are data and 8 parity (UG573): 32,768 B of its 36,864 B.
const URAM_DATA: f64 = 32768.0;

impl Resources {
    /// What the memory blocks hold: `block RAM x 4,096 B + URAM x 32,768 B`; unknown where either count is.
    ///
    /// An upper bound: an array takes whole blocks, and at least one for each of its partitions.
    pub fn on_chip_bytes(&self, whose: &str) -> Option<Figure<Bytes>> {
        let (bram, uram) = (self.bram36.as_ref()?, self.uram.as_ref()?);
        Some(Figure::new(
            Bytes(bram.value * BRAM36_DATA + uram.value * URAM_DATA),
            Provenance::Derived,
            format!(
                "{} block RAM x 4,096 B + {} URAM x 32,768 B, {whose}; parity left out, as arrays of 8 to 64 bits \
                 leave it (UG573): {}",
                grouped(bram.value),
                grouped(uram.value),
                bram.source
            ),
        ))
    }
}
