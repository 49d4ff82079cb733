use super::Limits;
use crate::figures::quantity;
use crate::units::{Bytes, BytesPerSecond, Hertz};
use crate::{Figure, Provenance};

/// External memory: channels of equal ports. What a platform file does not say is `None`, and limits nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// What it is, for people.
    pub title: String,
    /// The name of its banks in `sp=` of a v++ configuration: `HBM`, `DDR`.
    pub bank: Option<String>,
    /// Pseudo channels or banks.
    pub channels: Figure<f64>,
    /// What one of them holds.
    pub channel_bytes: Option<Figure<Bytes>>,
    /// The super logic region of each channel; a single entry is that of all.
    pub slr: Option<Figure<Vec<u64>>>,
    /// Width of one channel's port.
    pub port_bits: Figure<f64>,
    /// Clock of that port.
    pub axi_clock: Figure<Hertz>,
    /// Share of the physical peak that sequential reads reach.
    pub efficiency: Figure<f64>,
    /// What else slows a port: see [`Limits`].
    pub limits: Limits,
    /// All channels together, where the card bears less than its channels do.
    pub peak: Option<Figure<BytesPerSecond>>,
    /// What the card bears for long.
    pub nominal: Option<Figure<BytesPerSecond>>,
}

/// The lower of a rate and a limit.
fn limited(
    rate: Figure<BytesPerSecond>,
    limit: Option<&Figure<BytesPerSecond>>,
) -> Figure<BytesPerSecond> {
    match limit {
        Some(limit) if limit.value < rate.value => limit.clone(),
        _ => rate,
    }
}

impl Memory {
    /// `channels x port bits / 8 x clock`.
    pub fn rate_at(&self, clock: Hertz) -> BytesPerSecond {
        BytesPerSecond(self.channels.value * self.port_bits.value / 8.0 * clock.0)
    }

    /// What the pins could carry: the rate at the AXI clock, or what the card's data sheet allows where that is less.
    pub fn physical_peak(&self) -> Figure<BytesPerSecond> {
        let clock = &self.axi_clock;
        let pins = Figure::new(
            self.rate_at(clock.value),
            Provenance::Derived,
            format!(
                "{} channels x {} bit x {} ({})",
                self.channels.value,
                self.port_bits.value,
                quantity(clock.value),
                clock.source
            ),
        );
        limited(pins, self.peak.as_ref())
    }

    /// The pins' rate times the efficiency that sequential streams were seen to reach, or what the card bears for long
    /// where that is less.
    pub fn achievable(&self) -> Figure<BytesPerSecond> {
        let streams = Figure::new(
            self.rate_at(self.axi_clock.value) * self.efficiency.value,
            Provenance::Derived,
            format!("{} of the physical peak: {}", self.efficiency.value, self.efficiency.source),
        );
        limited(limited(streams, self.peak.as_ref()), self.nominal.as_ref())
    }

    /// All that it holds.
    pub fn capacity(&self) -> Option<Bytes> {
        Some(self.channel_bytes.as_ref()?.value * self.channels.value)
    }
}
