//! `[memory]` and `[second_memory]` of a platform file.

use serde::Deserialize;

use super::attachment::AttachmentTable;
use super::memory_banks::MOST_BANKS;
use super::{Limits, Memory};
use crate::cited::{Cited, Refusal};
use derate_units::quantity::ParseQuantity;
use derate_units::{Cycles, Figure};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryTable {
    title: String,
    bank: Option<String>,
    channels: Cited<u32>,
    channel_bytes: Option<Cited<String>>,
    first_address: Option<Cited<String>>,
    address_step: Option<Cited<String>>,
    slr: Option<Cited<Vec<u64>>>,
    port_bits: Cited<f64>,
    axi_clock: Cited<String>,
    efficiency: Option<Cited<f64>>,
    copy_efficiency: Option<Cited<f64>>,
    reordered_efficiency: Option<Cited<f64>>,
    read_latency: Option<Cited<String>>,
    write_latency: Option<Cited<String>>,
    write_gap: Option<Cited<f64>>,
    random_gap: Option<Cited<f64>>,
    random_interval: Option<Cited<String>>,
    switch_latency: Option<Cited<String>>,
    reads_outstanding: Option<Cited<f64>>,
    writes_outstanding: Option<Cited<f64>>,
    peak: Option<Cited<String>>,
    nominal: Option<Cited<String>>,
    attachment: Option<AttachmentTable>,
}

fn optional_quantity<Q: ParseQuantity>(
    cited: Option<Cited<String>>,
) -> Result<Option<Figure<Q>>, Refusal> {
    cited.map(Cited::read_quantity).transpose()
}

impl MemoryTable {
    pub(super) fn into_memory(self) -> Result<Memory, Refusal> {
        let share =
            |cited: Option<Cited<f64>>, key: &str| cited.map(|c| c.read_share(key)).transpose();
        let number =
            |cited: Option<Cited<f64>>, key: &str| cited.map(|c| c.read_positive(key)).transpose();
        let address = |cited: Option<Cited<String>>, key: &str| {
            cited.map(|c| c.read_address(key)).transpose()
        };
        let cycles = |cited: Option<Cited<f64>>, key: &str| {
            cited.map(|c| Ok(c.read_count(key)?.map(Cycles))).transpose()
        };
        let channels = self.channels.read_whole("channels", MOST_BANKS)?;
        let all = channels.value;
        // One region for all channels, or one each.
        let regions = |slr: Vec<u64>| {
            let given = slr.len();
            let fits = given == 1 || given == all as usize;
            fits.then_some(slr).ok_or_else(|| {
                format!(
                    "`slr` names {given} SLRs: give one for all channels, or one for each of the \
                     {all}"
                )
            })
        };
        Ok(Memory {
            title: self.title,
            bank: self.bank,
            channel_bytes: optional_quantity(self.channel_bytes)?,
            first_address: address(self.first_address, "first_address")?,
            address_step: address(self.address_step, "address_step")?,
            slr: self.slr.map(|slr| slr.read_value(regions)).transpose()?,
            channels,
            port_bits: self.port_bits.read_positive("port_bits")?,
            axi_clock: self.axi_clock.read_quantity()?,
            efficiency: share(self.efficiency, "efficiency")?,
            limits: Limits {
                copy_efficiency: share(self.copy_efficiency, "copy_efficiency")?,
                reordered_efficiency: share(self.reordered_efficiency, "reordered_efficiency")?,
                read_latency: optional_quantity(self.read_latency)?,
                write_latency: optional_quantity(self.write_latency)?,
                write_gap: cycles(self.write_gap, "write_gap")?,
                random_gap: cycles(self.random_gap, "random_gap")?,
                random_interval: optional_quantity(self.random_interval)?,
                switch_latency: optional_quantity(self.switch_latency)?,
                reads_outstanding: number(self.reads_outstanding, "reads_outstanding")?,
                writes_outstanding: number(self.writes_outstanding, "writes_outstanding")?,
            },
            peak: optional_quantity(self.peak)?,
            nominal: optional_quantity(self.nominal)?,
            attachment: self.attachment.map(AttachmentTable::into_attachment).transpose()?,
        })
    }
}
