//! The form of a platform file, and what becomes of it.

use serde::Deserialize;
use toml::Spanned;

use super::host_link::HostTable;
use super::memory_banks::MOST_BANKS;
use super::memory_table::MemoryTable;
use super::{
    KernelDefaults, MacCost, Memory, MemoryBanks, Platform, QuotedPeak, Region, Resources, Shell,
};
use crate::cited::{Cited, Refusal, read_precision};
use crate::{DspType, FlowTarget};
use derate_units::quantity::ParseQuantity;
use derate_units::{Cycles, Figure, OpsPerSecond, Provenance};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    name: String,
    title: String,
    part: Option<Cited<String>>,
    flow: Option<Cited<FlowTarget>>,
    memory: MemoryTable,
    second_memory: Option<MemoryTable>,
    logic: Logic,
    #[serde(default)]
    host: HostTable,
    /// The regions; the form of a shell.
    #[serde(default)]
    slr: Vec<ShellTable>,
    #[serde(default)]
    shell: Vec<ShellTable>,
    #[serde(default)]
    bank: Vec<BankTable>,
    #[serde(default)]
    mac: Vec<MacTable>,
    #[serde(default)]
    quoted_peak: Vec<QuotedTable>,
    #[serde(default)]
    kernel: KernelTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Logic {
    slr: Option<Cited<f64>>,
    dsp: Cited<f64>,
    dsp_type: Option<Cited<DspType>>,
    lut: Option<Cited<f64>>,
    ff: Option<Cited<f64>>,
    bram36: Option<Cited<f64>>,
    uram: Option<Cited<f64>>,
    clock: Cited<String>,
    fastest_clock: Option<Cited<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShellTable {
    name: String,
    dsp: Option<Cited<f64>>,
    lut: Option<Cited<f64>>,
    ff: Option<Cited<f64>>,
    bram36: Option<Cited<f64>>,
    uram: Option<Cited<f64>>,
}

/// Banks beyond the external memories, such as `PLRAM`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BankTable {
    memory: String,
    count: Cited<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MacTable {
    precision: Spanned<String>,
    name: String,
    macs_per_dsp: Cited<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuotedTable {
    precision: Spanned<String>,
    rate: Spanned<String>,
    source: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct KernelTable {
    launch: Option<Cited<String>>,
    m_axi_latency: Option<Cited<f64>>,
    m_axi_burst: Option<Cited<f64>>,
    m_axi_outstanding: Option<Cited<f64>>,
}

/// The blocks in a table of the chip or of a shell.
fn read_resources(
    lut: Option<Cited<f64>>,
    ff: Option<Cited<f64>>,
    bram36: Option<Cited<f64>>,
    uram: Option<Cited<f64>>,
) -> Result<Resources, Refusal> {
    let count = |cited: Option<Cited<f64>>, key: &str| cited.map(|c| c.read_count(key)).transpose();
    Ok(Resources {
        lut: count(lut, "lut")?,
        ff: count(ff, "ff")?,
        bram36: count(bram36, "bram36")?,
        uram: count(uram, "uram")?,
    })
}

impl ShellTable {
    fn into_shell(self) -> Result<Shell, Refusal> {
        Ok(Shell {
            name: self.name,
            dsp: self.dsp.map(|dsp| dsp.read_positive("dsp")).transpose()?,
            resources: read_resources(self.lut, self.ff, self.bram36, self.uram)?,
        })
    }

    fn into_region(self) -> Result<Region, Refusal> {
        let Shell { name, dsp, resources } = self.into_shell()?;
        Ok(Region { name, dsp, resources })
    }
}

impl BankTable {
    fn into_banks(self) -> Result<MemoryBanks, Refusal> {
        let count = self.count.read_whole("count", MOST_BANKS)?.map(u64::from);
        Ok(MemoryBanks { memory: self.memory, count, slr: None })
    }
}

/// The banks that a v++ configuration may name: those of the memories, and the others.
fn list_banks(
    memories: [Option<&Memory>; 2],
    others: Vec<BankTable>,
) -> Result<Vec<MemoryBanks>, Refusal> {
    let named = memories.into_iter().flatten().filter_map(|memory| {
        let count = memory.channels.clone().map(u64::from);
        Some(MemoryBanks { memory: memory.bank.clone()?, count, slr: memory.slr.clone() })
    });
    named.map(Ok).chain(others.into_iter().map(BankTable::into_banks)).collect()
}

impl MacTable {
    fn into_cost(self) -> Result<MacCost, Refusal> {
        Ok(MacCost {
            precision: read_precision(self.precision)?,
            name: self.name,
            macs_per_dsp: self.macs_per_dsp.read_positive("macs_per_dsp")?,
        })
    }
}

/// The file's own costs; where it has none, those of its kind of DSP slice.
fn read_costs(own: Vec<MacTable>, kind: Option<DspType>) -> Result<Vec<MacCost>, Refusal> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Costs {
        mac: Vec<MacTable>,
    }
    let tables = match kind.filter(|_| own.is_empty()) {
        None => own,
        // A test reads these files.
        Some(kind) => toml::from_str::<Costs>(kind.mac_file()).map_or_else(|_| own, |all| all.mac),
    };
    tables.into_iter().map(MacTable::into_cost).collect()
}

/// The flow that the file gives. One without is of a card that v++ builds for, as those of the older form are.
fn read_flow(given: Option<Cited<FlowTarget>>) -> Result<Figure<FlowTarget>, Refusal> {
    match given {
        Some(flow) => flow.read_value(Ok::<_, String>),
        None => Ok(Figure::new(
            FlowTarget::Vitis,
            Provenance::Assumed,
            "the platform file gives no flow: taken as a card that v++ builds kernels for",
        )),
    }
}

impl QuotedTable {
    fn into_peak(self) -> Result<QuotedPeak, Refusal> {
        let (place, rate) = (self.rate.span(), self.rate.into_inner());
        Ok(QuotedPeak {
            precision: read_precision(self.precision)?,
            rate: OpsPerSecond::parse_quantity(&rate)
                .map_err(|reason| Refusal::at(place, reason.to_string()))?,
            source: self.source,
        })
    }
}

impl KernelTable {
    /// What the file says, the tools' defaults where it is silent.
    fn into_defaults(self, flow: FlowTarget) -> Result<KernelDefaults, Refusal> {
        let mut defaults = KernelDefaults::of_flow(flow);
        if let Some(launch) = self.launch {
            defaults.launch = launch.read_quantity()?;
        }
        if let Some(latency) = self.m_axi_latency {
            let cycles = latency.read_count("m_axi_latency")?;
            defaults.m_axi_latency = cycles.map(Cycles);
        }
        if let Some(burst) = self.m_axi_burst {
            defaults.m_axi_burst = burst.read_positive("m_axi_burst")?;
        }
        if let Some(outstanding) = self.m_axi_outstanding {
            defaults.m_axi_outstanding = outstanding.read_positive("m_axi_outstanding")?;
        }
        Ok(defaults)
    }
}

impl File {
    pub(super) fn into_platform(self) -> Result<Platform, Refusal> {
        let logic = self.logic;
        let flow = read_flow(self.flow)?;
        let dsp_type = logic.dsp_type.map(|kind| kind.read_value(Ok::<_, String>)).transpose()?;
        let memory = self.memory.into_memory()?;
        let second_memory = self.second_memory.map(MemoryTable::into_memory).transpose()?;
        Ok(Platform {
            name: self.name,
            title: self.title,
            part: self.part.map(|part| part.read_value(Ok::<_, String>)).transpose()?,
            banks: list_banks([Some(&memory), second_memory.as_ref()], self.bank)?,
            memory,
            second_memory,
            regions: self.slr.into_iter().map(ShellTable::into_region).collect::<Result<_, _>>()?,
            host: self.host.into_link()?,
            dsp_type: dsp_type.clone(),
            slr: logic.slr.map(|slr| slr.read_positive("slr")).transpose()?,
            dsp: logic.dsp.read_positive("dsp")?,
            resources: read_resources(logic.lut, logic.ff, logic.bram36, logic.uram)?,
            clock: logic.clock.read_quantity()?,
            fastest_clock: logic.fastest_clock.map(Cited::read_quantity).transpose()?,
            shells: self.shell.into_iter().map(ShellTable::into_shell).collect::<Result<_, _>>()?,
            macs: read_costs(self.mac, dsp_type.map(|kind| kind.value))?,
            quoted_peaks: self
                .quoted_peak
                .into_iter()
                .map(QuotedTable::into_peak)
                .collect::<Result<_, _>>()?,
            kernel: self.kernel.into_defaults(flow.value)?,
            flow,
        })
    }
}
