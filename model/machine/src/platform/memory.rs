use super::{Attachment, Limits};
use derate_units::figures::quantity;
use derate_units::{Bytes, BytesPerSecond, Figure, Hertz, Provenance};

/// External memory: channels of equal ports. What a platform file does not say is `None`, and limits nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// What it is, for people.
    pub title: String,
    /// The name of its banks in `sp=` of a v++ configuration: `HBM`, `DDR`.
    pub bank: Option<String>,
    /// Pseudo channels or banks.
    pub channels: Figure<u32>,
    /// What one of them holds.
    pub channel_bytes: Option<Figure<Bytes>>,
    /// The device address of the first channel's first byte.
    pub first_address: Option<Figure<Bytes>>,
    /// From one channel's address to the next one's; where it is left out, they follow each other.
    pub address_step: Option<Figure<Bytes>>,
    /// The super logic region of each channel; a single entry is that of all.
    pub slr: Option<Figure<Vec<u64>>>,
    /// Width of one channel's port.
    pub port_bits: Figure<f64>,
    /// Clock of that port.
    pub axi_clock: Figure<Hertz>,
    /// Share of the physical peak that sequential reads reach, where that was measured and published.
    pub efficiency: Option<Figure<f64>>,
    /// What else slows a port: see [`Limits`].
    pub limits: Limits,
    /// All channels together, where the card allows less than its channels do.
    pub peak: Option<Figure<BytesPerSecond>>,
    /// What the card sustains.
    pub nominal: Option<Figure<BytesPerSecond>>,
    /// The ports of the processor that it belongs to, if it belongs to one.
    pub attachment: Option<Attachment>,
}

/// Why a share that streams reach is not given.
const NO_MEASUREMENT: &str =
    "no measurement of streams on this memory is published: what the pins carry, an upper bound";

/// Claims are rounded: 420 GB/s is not more than 419.8.
pub const ROUNDED: f64 = 1.005;

impl Memory {
    /// `channels x port bits / 8 x clock`.
    pub fn rate_at(&self, clock: Hertz) -> BytesPerSecond {
        BytesPerSecond(f64::from(self.channels.value) * self.port_bits.value / 8.0 * clock.0)
    }

    /// What the pins carry: the rate at the AXI clock.
    fn pins(&self) -> Figure<BytesPerSecond> {
        let clock = &self.axi_clock;
        Figure::new(
            self.rate_at(clock.value),
            Provenance::Derived,
            format!(
                "{} channels x {} bit x {} ({})",
                self.channels.value,
                self.port_bits.value,
                quantity(clock.value),
                clock.source
            ),
        )
    }

    /// What the pins could carry, or what the card allows in all where that is less.
    pub fn physical_peak(&self) -> Figure<BytesPerSecond> {
        let pins = self.pins();
        self.peak.clone().filter(|peak| peak.value < pins.value).unwrap_or(pins)
    }

    /// The share of the pins' rate that streams get; where no measurement is published, all of it, an upper bound.
    pub fn share(&self) -> Figure<f64> {
        let bound = || Figure::new(1.0, Provenance::Derived, NO_MEASUREMENT);
        self.efficiency.clone().unwrap_or_else(bound)
    }

    /// The pins' rate times the efficiency that sequential streams were seen to reach; unknown where nobody published it.
    pub fn streams(&self) -> Option<Figure<BytesPerSecond>> {
        let efficiency = self.efficiency.as_ref()?;
        Some(Figure::new(
            self.pins().value * efficiency.value,
            Provenance::Derived,
            format!("{} of what the pins carry: {}", efficiency.value, efficiency.source),
        ))
    }

    /// What the card allows in all, whatever its channels give; sustained where that is known.
    pub fn card(&self) -> Option<&Figure<BytesPerSecond>> {
        let limits = [&self.nominal, &self.peak].into_iter().flatten();
        limits.min_by(|a, b| a.value.0.total_cmp(&b.value.0))
    }

    /// The limit of the card, where it lies below what streams reach.
    fn card_below_streams(&self) -> Option<&Figure<BytesPerSecond>> {
        let streams = self.streams()?.value;
        self.card().filter(|card| card.value < streams)
    }

    /// What streams reached in measurements, or what the card allows where that is less; unknown where nobody published a
    /// measurement.
    pub fn achievable(&self) -> Option<Figure<BytesPerSecond>> {
        self.card_below_streams().cloned().or_else(|| self.streams())
    }

    /// The most that is known to be possible: [`Self::achievable`], else the physical peak.
    pub fn most(&self) -> Figure<BytesPerSecond> {
        self.achievable().unwrap_or_else(|| {
            let peak = self.physical_peak();
            let source = format!("{NO_MEASUREMENT}: {}", peak.source);
            Figure::new(peak.value, Provenance::Derived, source)
        })
    }

    /// Whether a claim is more than [`Self::most`], beyond rounding.
    pub fn is_beyond(&self, claim: BytesPerSecond) -> bool {
        claim.0 > self.most().value.0 * ROUNDED
    }

    /// Which of the three [`Self::most`] is, for sentences: `sequential streams were seen to reach 419.8 GB/s`, `the card is
    /// specified for 201 GB/s`, which nobody need have seen, or `its pins carry 2.1 GB/s`.
    pub fn most_in_words(&self) -> String {
        match (self.card_below_streams(), self.streams()) {
            (Some(card), _) => format!("the card is specified for {}", quantity(card.value)),
            (None, Some(streams)) => {
                format!("sequential streams were seen to reach {}", quantity(streams.value))
            }
            (None, None) => format!(
                "its pins carry {}, and what streams reach is not published",
                quantity(self.physical_peak().value)
            ),
        }
    }

    /// All that it holds.
    pub fn capacity(&self) -> Option<Bytes> {
        Some(self.channel_bytes.as_ref()?.value * f64::from(self.channels.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Platform;

    fn memory(card: &str) -> Memory {
        Platform::named(card).unwrap().memory
    }

    #[test]
    fn the_pins_carry_460_8_and_streams_reach_about_420() {
        let hbm = memory("u280");
        assert_eq!(hbm.physical_peak().value, BytesPerSecond(460.8e9));
        assert_eq!(hbm.achievable(), hbm.streams());
        assert_eq!(hbm.most_in_words(), "sequential streams were seen to reach 419.8 GB/s");
    }

    #[test]
    fn what_a_card_bears_is_no_stream_that_was_seen() {
        let u50 = memory("u50");
        assert!(
            (u50.streams().unwrap().value.0 / 1e9 - 419.8).abs() < 0.1,
            "as on every card of its kind"
        );
        assert_eq!(u50.physical_peak().value, BytesPerSecond(316e9));
        let achievable = u50.achievable().unwrap();
        assert_eq!(achievable.value, BytesPerSecond(201e9));
        assert!(achievable.source.contains("nominal"), "{}", achievable.source);
        assert_eq!(u50.most_in_words(), "the card is specified for 201 GB/s");
    }

    #[test]
    fn what_nobody_measured_is_unknown_and_bounded_by_the_pins() {
        let ddr = memory("pynq-z2");
        assert!(ddr.achievable().is_none() && ddr.streams().is_none());
        assert_eq!(ddr.most().value, ddr.physical_peak().value);
        assert!(ddr.most().source.contains("upper bound"), "{}", ddr.most().source);
        assert!(!ddr.is_beyond(BytesPerSecond(2.1e9)) && ddr.is_beyond(BytesPerSecond(2.2e9)));
        assert!(ddr.most_in_words().contains("is not published"));
    }

    #[test]
    fn a_rounded_claim_is_not_beyond_and_two_percent_are() {
        let hbm = memory("u280");
        assert!(!hbm.is_beyond(BytesPerSecond(420e9)) && !hbm.is_beyond(BytesPerSecond(421e9)));
        assert!(hbm.is_beyond(BytesPerSecond(425e9)));
    }
}
