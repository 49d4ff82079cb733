//! Device catalogue: what a card has, and the peaks that follow from it. Peaks are derived, never typed in.

mod catalogue;
mod cited;
mod file;
mod kernel_defaults;
mod limits;
mod memory;
mod memory_table;
mod resources;

use serde::{Serialize, Serializer};

pub use catalogue::PlatformError;
pub use kernel_defaults::KernelDefaults;
pub use limits::Limits;
pub use memory::Memory;
pub use resources::Resources;

use crate::figures::{grouped, quantity, rate_unit};
use crate::units::{Bytes, Hertz, OpsPerSecond};
use crate::{Figure, Format, Precision, Provenance};

/// What the shell leaves to the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    /// The platform's name.
    pub name: String,
    /// DSP slices left, where that is published.
    pub dsp: Option<Figure<f64>>,
    /// Logic and memory blocks left.
    pub resources: Resources,
}

/// The banks of one memory that a v++ configuration may name.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryBanks {
    /// `HBM`, `DDR`, `PLRAM`.
    pub memory: String,
    /// How many, numbered from 0.
    pub count: Figure<u64>,
    /// The SLR that each bank hangs on, one for all or one a bank, where that is known.
    pub slr: Option<Figure<Vec<u64>>>,
}

impl MemoryBanks {
    /// The SLR that a bank hangs on.
    pub fn slr_of(&self, bank: u64) -> Option<u64> {
        let slr = &self.slr.as_ref()?.value;
        match slr[..] {
            [all] => Some(all),
            _ => slr.get(usize::try_from(bank).ok()?).copied(),
        }
    }
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
    /// The vendor's name of the chip.
    pub part: Option<Figure<String>>,
    /// External memory, the one that a design uses first.
    pub memory: Memory,
    /// What else there is, such as the DDR of a card with HBM.
    pub second_memory: Option<Memory>,
    /// Super logic regions of the chip.
    pub slr: Option<Figure<f64>>,
    /// DSP slices on the chip.
    pub dsp: Figure<f64>,
    /// Its logic and memory blocks.
    pub resources: Resources,
    /// Default kernel clock.
    pub clock: Figure<Hertz>,
    /// The clock that a DSP slice bears at most.
    pub fastest_clock: Figure<Hertz>,
    /// Budgets by shell, the default first; never empty.
    pub shells: Vec<Shell>,
    /// The memories that a v++ configuration may name; empty where the file does not say.
    pub banks: Vec<MemoryBanks>,
    /// Multiply-add costs, a precision's default first.
    pub macs: Vec<MacCost>,
    /// Peaks that are printed for this card.
    pub quoted_peaks: Vec<QuotedPeak>,
    /// What a kernel call and an `m_axi` port cost.
    pub kernel: KernelDefaults,
}

/// A peak rate and the multiply-add that it stands on.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// The arithmetic.
    pub precision: Precision,
    /// Which way to build the multiply-add.
    pub variant: String,
    /// The rate.
    pub rate: Figure<OpsPerSecond>,
}

/// Integer operations are no FLOP: the unit follows the arithmetic.
impl Serialize for Peak {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Rate<'a> {
            value: OpsPerSecond,
            unit: &'static str,
            provenance: Provenance,
            source: &'a str,
        }
        #[derive(Serialize)]
        struct Fields<'a> {
            precision: Precision,
            variant: &'a str,
            rate: Rate<'a>,
        }
        let Figure { value, provenance, source } = &self.rate;
        let unit = rate_unit(self.precision);
        Fields {
            precision: self.precision,
            variant: &self.variant,
            rate: Rate { value: *value, unit, provenance: *provenance, source },
        }
        .serialize(serializer)
    }
}

impl Platform {
    /// DSP slices that the default shell leaves; all of the chip where its share is not published.
    pub fn dsp_budget(&self) -> &Figure<f64> {
        self.shells.first().and_then(|shell| shell.dsp.as_ref()).unwrap_or(&self.dsp)
    }

    /// What on-chip memory holds once the default shell has taken its share; where that is not published, all of the
    /// chip's, and the source says so.
    pub fn on_chip_bytes(&self) -> Option<Figure<Bytes>> {
        let left = self.shells.first().and_then(|shell| {
            shell.resources.on_chip_bytes(&format!("left by shell {}", shell.name))
        });
        left.or_else(|| {
            self.resources.on_chip_bytes("all of the chip, as the shell's share is not published")
        })
    }

    /// The main memory, then the other.
    pub fn memories(&self) -> impl Iterator<Item = &Memory> {
        std::iter::once(&self.memory).chain(&self.second_memory)
    }

    /// `2 x floor(DSP budget x MAC per DSP) x clock`.
    pub fn peak_of(
        &self,
        precision: Precision,
        variant: &str,
        macs_per_dsp: &Figure<f64>,
        clock: &Figure<Hertz>,
    ) -> Peak {
        let budget = self.dsp_budget();
        let macs = (budget.value * macs_per_dsp.value).floor();
        let whole = self.shells.first().is_none_or(|shell| shell.dsp.is_none());
        let whose = if whole { " of the chip, as the shell's share is not published" } else { "" };
        Peak {
            precision,
            variant: variant.to_owned(),
            rate: Figure::new(
                OpsPerSecond(2.0 * macs * clock.value.0),
                // A formula over an operator cost that nobody has seen is no derivation.
                if macs_per_dsp.provenance == Provenance::Assumed {
                    Provenance::Assumed
                } else {
                    Provenance::Derived
                },
                format!(
                    "2 x {} MAC x {} ({}); {} DSP{whose}, {variant} ({})",
                    grouped(macs),
                    quantity(clock.value),
                    clock.source,
                    grouped(budget.value),
                    macs_per_dsp.source
                ),
            ),
        }
    }

    /// A peak for every way to build that precision's multiply-add, the default first; empty where none is known.
    pub fn peaks(&self, precision: Precision, clock: &Figure<Hertz>) -> Vec<Peak> {
        self.costs(precision)
            .into_iter()
            .map(|mac| self.peak_of(precision, &mac.name, &mac.macs_per_dsp, clock))
            .collect()
    }

    /// The operator costs of that arithmetic; how memory pads the element does not matter. An integer or fixed-point
    /// width that the file does not name fits the multiplier that INT16 fits, up to 18 bits.
    pub(crate) fn costs(&self, precision: Precision) -> Vec<&MacCost> {
        let of = |wanted: Format| {
            self.macs.iter().filter(|mac| mac.precision.format() == wanted).collect::<Vec<_>>()
        };
        let own = of(precision.format());
        let narrow = matches!(precision.format(), Format::Integer { bits, .. } | Format::Fixed { bits, .. } if bits <= 18);
        if own.is_empty() && narrow { of(Precision::INT16.format()) } else { own }
    }

    /// The default peak of a precision, if the platform knows how to build it.
    pub fn peak(&self, precision: Precision, clock: &Figure<Hertz>) -> Option<Peak> {
        self.peaks(precision, clock).into_iter().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::BytesPerSecond;

    fn at_300_mhz() -> Figure<Hertz> {
        Figure::new(Hertz(300e6), Provenance::Assumed, "test")
    }

    fn u280() -> Platform {
        Platform::named("u280").unwrap()
    }

    #[test]
    fn fp32_peaks_at_1_08_tflops() {
        let peak = u280().peak(Precision::FP32, &at_300_mhz()).unwrap();
        assert_eq!(peak.rate.value, OpsPerSecond(1.0824e12));
        let ridge = peak.rate.value / BytesPerSecond(300e9);
        assert_eq!(format!("{:.1}", ridge.0), "3.6");
    }

    #[test]
    fn int8_is_shown_at_1_75_and_1_and_2_macs_per_dsp() {
        let rates: Vec<f64> = u280()
            .peaks(Precision::INT8, &at_300_mhz())
            .iter()
            .map(|p| p.rate.value.0 / 1e12)
            .collect();
        assert_eq!(rates, [9.471, 5.412, 10.824]);
    }

    #[test]
    fn bf16_costs_what_fp32_costs() {
        let peak = |p| u280().peak(p, &at_300_mhz()).unwrap().rate.value;
        assert_eq!(peak(Precision::BF16), peak(Precision::FP32));
    }

    #[test]
    fn the_pins_carry_460_8_and_streams_reach_about_420() {
        let memory = u280().memory;
        assert_eq!(memory.physical_peak().value, BytesPerSecond(460.8e9));
        assert!((memory.achievable().value.0 / 1e9 - 419.8).abs() < 0.1);
    }

    #[test]
    fn on_chip_memory_is_what_the_shell_leaves_without_parity() {
        let bytes = u280().on_chip_bytes().unwrap();
        // 1,819 x 4,096 + 960 x 32,768: 38.9 MB, not the 44.7 MB of all blocks with their parity.
        assert_eq!(bytes.value, Bytes(38_907_904.0));
        assert_eq!(bytes.provenance, Provenance::Derived);
        let u55c = Platform::named("u55c").unwrap().on_chip_bytes().unwrap();
        assert_eq!(u55c.value, Bytes(39_714_816.0));
        assert!(u55c.source.contains("all of the chip"), "{}", u55c.source);
    }

    #[test]
    fn a_card_may_bear_less_than_its_channels() {
        let memory = Platform::named("u50").unwrap().memory;
        assert_eq!(memory.physical_peak().value, BytesPerSecond(316e9));
        assert_eq!(memory.achievable().value, BytesPerSecond(201e9));
    }

    #[test]
    fn every_card_has_peaks_that_follow_from_its_dsp() {
        for platform in Platform::catalogue() {
            let peak = platform.peak(Precision::INT8, &at_300_mhz()).unwrap();
            let budget = platform.dsp_budget().value;
            assert_eq!(peak.rate.value, OpsPerSecond(2.0 * (budget * 1.75).floor() * 300e6));
            let whole = peak.rate.source.contains("of the chip");
            assert_eq!(whole, platform.shells[0].dsp.is_none(), "{}", platform.name);
        }
    }

    #[test]
    fn a_fixed_point_multiplier_fits_one_dsp_up_to_18_bits() {
        let rate = |name: &str| {
            let precision = Precision::parse(name).unwrap();
            u280().peak(precision, &at_300_mhz()).map(|peak| peak.rate.value)
        };
        assert_eq!(rate("ap_fixed<16,6>"), Some(OpsPerSecond(5.412e12)));
        assert_eq!(rate("ap_fixed<18,8>"), Some(OpsPerSecond(5.412e12)));
        assert_eq!(rate("ap_fixed<19,8>"), None);
    }

    #[test]
    fn an_unknown_precision_has_no_peak() {
        assert!(u280().peak(Precision::FP64, &at_300_mhz()).is_none());
    }
}
