//! Device catalogue: what a card has, and the peaks that follow from it. Peaks are derived, never typed in.

mod attachment;
mod catalogue;
mod file;
mod host_link;
mod kernel_defaults;
#[cfg(test)]
mod laws;
mod limits;
mod mac_cost;
mod memory;
mod memory_banks;
mod memory_table;
mod peak;
mod region;
mod resources;
mod shell;

pub use attachment::Attachment;
pub use host_link::HostLink;
pub use kernel_defaults::KernelDefaults;
pub use limits::Limits;
pub use mac_cost::{DspCost, MacCost};
pub use memory::{Memory, ROUNDED};
pub use memory_banks::MemoryBanks;
pub use peak::{Peak, QuotedPeak};
pub use region::Region;
pub use resources::Resources;
pub use shell::Shell;

use crate::{DspType, FlowTarget, PartName, Series};
use derate_units::{Bytes, Figure, Hertz, Provenance};

/// A card: memory, logic and what operators cost on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// Short name, as in `derate.toml`.
    pub name: String,
    /// Full name.
    pub title: String,
    /// The vendor's name of the chip.
    pub part: Option<Figure<String>>,
    /// What the tool makes kernels for here, unless a project says otherwise.
    pub flow: Figure<FlowTarget>,
    /// External memory, the one that a design uses first.
    pub memory: Memory,
    /// What else there is, such as the DDR of a card with HBM.
    pub second_memory: Option<Memory>,
    /// Super logic regions of the chip.
    pub slr: Option<Figure<f64>>,
    /// What each of them has; empty where that is not published.
    pub regions: Vec<Region>,
    /// The link to the host.
    pub host: HostLink,
    /// DSP slices on the chip.
    pub dsp: Figure<f64>,
    /// Their kind.
    pub dsp_type: Option<Figure<DspType>>,
    /// Its logic and memory blocks.
    pub resources: Resources,
    /// Default kernel clock.
    pub clock: Figure<Hertz>,
    /// The maximum clock of a DSP slice, where it is known.
    pub fastest_clock: Option<Figure<Hertz>>,
    /// Budgets by shell, the default first; empty for a board without one.
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

impl Platform {
    /// How many times as fast a port of so many bits could be before one channel of the memory is full, at a clock in ns.
    pub fn channel_gain(&self, bits: u64, clock_ns: f64) -> f64 {
        let memory = &self.memory;
        let channel = memory.port_bits.value * memory.axi_clock.value.0 * memory.share().value;
        channel / (bits as f64 * 1e9 / clock_ns)
    }

    /// The chip's part number, where it is one.
    pub fn part_name(&self) -> Option<PartName> {
        PartName::parse(&self.part.as_ref()?.value)
    }

    /// The series of its chip, where the part is known.
    pub fn series(&self) -> Option<Series> {
        self.part_name().map(|part| part.series())
    }

    /// The maximum clock of a DSP slice, where that clock is above it.
    pub fn exceeded_clock(&self, clock: Hertz) -> Option<&Figure<Hertz>> {
        self.fastest_clock.as_ref().filter(|fastest| clock > fastest.value)
    }

    /// A clock that no design here exceeds: the maximum of the DSP slices, and where that is not known 2 GHz, which no
    /// programmable logic reaches.
    pub fn clock_bound(&self) -> Figure<Hertz> {
        let bound = || {
            let source = "the maximum of the DSP slices is not known here; no programmable logic runs at 2 GHz";
            Figure::new(Hertz(2e9), Provenance::Assumed, source)
        };
        self.fastest_clock.clone().unwrap_or_else(bound)
    }

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
        left.or_else(|| self.resources.on_chip_bytes(self.whole_chip()))
    }

    /// Why all of the chip counts, where it does.
    pub(crate) fn whole_chip(&self) -> &'static str {
        if self.shells.is_empty() {
            "all of the chip, as the board has no shell"
        } else {
            "all of the chip, as the shell's share is not published"
        }
    }

    /// The banks of a memory of which this one has fewer; `None` where the bank is there, or the file does not say.
    pub fn find_banks_below(&self, memory: &str, bank: u64) -> Option<&MemoryBanks> {
        self.banks.iter().find(|known| known.memory == memory && bank >= known.count.value)
    }

    /// How many SLRs there are, where this one is not among them; `None` where it is, or the file does not say.
    pub fn find_slrs_below(&self, slr: Option<u64>) -> Option<&Figure<f64>> {
        self.slr.as_ref().filter(|slrs| slr.is_none_or(|slr| slr as f64 >= slrs.value))
    }

    /// The main memory, then the other.
    pub fn memories(&self) -> impl Iterator<Item = &Memory> {
        std::iter::once(&self.memory).chain(&self.second_memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn u280() -> Platform {
        Platform::named("u280").unwrap()
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
}
