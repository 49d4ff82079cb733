//! Device catalogue: what a card has, and the peaks that follow from it. Peaks are derived, never typed in.

mod catalogue;

use serde::Serialize;

pub use catalogue::PlatformError;

use crate::units::{BytesPerSecond, Hertz, OpsPerSecond};
use crate::{Figure, Precision, Provenance};

/// External memory: channels of equal ports.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// What it is, for people.
    pub title: String,
    /// Pseudo channels or banks.
    pub channels: Figure<f64>,
    /// Width of one channel's port.
    pub port_bits: Figure<f64>,
    /// Clock of that port.
    pub axi_clock: Figure<Hertz>,
    /// Share of the physical peak that sequential reads reach.
    pub efficiency: Figure<f64>,
}

impl Memory {
    /// `channels x port bits / 8 x AXI clock`: what the pins could carry.
    pub fn physical_peak(&self) -> Figure<BytesPerSecond> {
        let (channels, bits, clock) =
            (self.channels.value, self.port_bits.value, self.axi_clock.value);
        Figure::new(
            BytesPerSecond(channels * bits / 8.0 * clock.0),
            Provenance::Derived,
            format!(
                "{channels} channels x {bits} bit x {:.0} MHz ({})",
                clock.0 / 1e6,
                self.axi_clock.source
            ),
        )
    }

    /// The physical peak times the efficiency that sequential streams were seen to reach.
    pub fn achievable(&self) -> Figure<BytesPerSecond> {
        Figure::new(
            self.physical_peak().value * self.efficiency.value,
            Provenance::Derived,
            format!("{} of the physical peak: {}", self.efficiency.value, self.efficiency.source),
        )
    }
}

/// What the shell leaves to the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    /// The platform's name.
    pub name: String,
    /// DSP slices left.
    pub dsp: Figure<f64>,
}

/// One way to build a multiply-add.
#[derive(Clone, Debug, PartialEq)]
pub struct MacCost {
    /// The arithmetic that it does.
    pub precision: Precision,
    /// What people call it, such as `1.75 MAC per DSP`.
    pub name: String,
    /// Multiply-adds that one DSP slice starts per cycle; 0.2 where one takes five.
    pub macs_per_dsp: Figure<f64>,
}

/// A peak that a vendor prints for a card, kept so that it is recognised when quoted for another.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotedPeak {
    /// For which arithmetic.
    pub precision: Precision,
    /// The printed rate.
    pub rate: OpsPerSecond,
    /// Where it is printed and what it stands on.
    pub source: String,
}

/// A card: memory, logic and what operators cost on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// Short name, as in `derate.toml`.
    pub name: String,
    /// Full name.
    pub title: String,
    /// External memory.
    pub memory: Memory,
    /// DSP slices on the chip.
    pub dsp: Figure<f64>,
    /// Default kernel clock.
    pub clock: Figure<Hertz>,
    /// Budgets by shell, the default first; never empty.
    pub shells: Vec<Shell>,
    /// Multiply-add costs, a precision's default first.
    pub macs: Vec<MacCost>,
    /// Peaks that are printed for this card.
    pub quoted_peaks: Vec<QuotedPeak>,
}

/// A peak rate and the multiply-add that it stands on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Peak {
    /// The arithmetic.
    pub precision: Precision,
    /// Which way to build the multiply-add.
    pub variant: String,
    /// The rate.
    pub rate: Figure<OpsPerSecond>,
}

impl Platform {
    /// DSP slices that the default shell leaves.
    pub fn dsp_budget(&self) -> &Figure<f64> {
        self.shells.first().map_or(&self.dsp, |shell| &shell.dsp)
    }

    /// `2 x floor(DSP budget x MAC per DSP) x clock` for every way to build that precision's multiply-add,
    /// the default first; empty where none is known.
    pub fn peaks(&self, precision: Precision, clock: Hertz) -> Vec<Peak> {
        let budget = self.dsp_budget();
        self.macs
            .iter()
            // The arithmetic decides, not how memory pads the element.
            .filter(|mac| mac.precision.format() == precision.format())
            .map(|mac| {
                let macs = (budget.value * mac.macs_per_dsp.value).floor();
                let weakest = budget.provenance.min(mac.macs_per_dsp.provenance);
                Peak {
                    precision: mac.precision,
                    variant: mac.name.clone(),
                    rate: Figure::new(
                        OpsPerSecond(2.0 * macs * clock.0),
                        if weakest == Provenance::Assumed {
                            Provenance::Assumed
                        } else {
                            Provenance::Derived
                        },
                        format!(
                            "2 x {macs:.0} MAC x {:.0} MHz; {} DSP, {} ({})",
                            clock.0 / 1e6,
                            budget.value,
                            mac.name,
                            mac.macs_per_dsp.source
                        ),
                    ),
                }
            })
            .collect()
    }

    /// The default peak of a precision, if the platform knows how to build it.
    pub fn peak(&self, precision: Precision, clock: Hertz) -> Option<Peak> {
        self.peaks(precision, clock).into_iter().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn u280() -> Platform {
        Platform::named("u280").unwrap()
    }

    #[test]
    fn fp32_peaks_at_1_08_tflops() {
        let peak = u280().peak(Precision::FP32, Hertz(300e6)).unwrap();
        assert_eq!(peak.rate.value, OpsPerSecond(1.0824e12));
        let ridge = peak.rate.value / BytesPerSecond(300e9);
        assert_eq!(format!("{:.1}", ridge.0), "3.6");
    }

    #[test]
    fn int8_is_shown_at_1_75_and_1_and_2_macs_per_dsp() {
        let rates: Vec<f64> = u280()
            .peaks(Precision::INT8, Hertz(300e6))
            .iter()
            .map(|p| p.rate.value.0 / 1e12)
            .collect();
        assert_eq!(rates, [9.471, 5.412, 10.824]);
    }

    #[test]
    fn bf16_costs_what_fp32_costs() {
        let peak = |p| u280().peak(p, Hertz(300e6)).unwrap().rate.value;
        assert_eq!(peak(Precision::BF16), peak(Precision::FP32));
    }

    #[test]
    fn the_pins_carry_460_8_and_streams_reach_about_420() {
        let memory = u280().memory;
        assert_eq!(memory.physical_peak().value, BytesPerSecond(460.8e9));
        assert!((memory.achievable().value.0 / 1e9 - 419.8).abs() < 0.1);
    }

    #[test]
    fn an_unknown_precision_has_no_peak() {
        assert!(u280().peak(Precision::FP64, Hertz(300e6)).is_none());
    }
}
