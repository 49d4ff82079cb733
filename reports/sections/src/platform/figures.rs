//! The figures of a card or of a processor by name.

use derate_render::{Cell, Column, NumberFormat, Table, format_quantity};
use serde::Serialize;

use derate_machine::{Limits, Memory, Platform, Processor, Resources};
use derate_units::{Figure, Provenance, Quantity};

/// A figure with its place in the platform file.
#[derive(Debug, Serialize)]
pub(super) struct Named {
    name: String,
    value: f64,
    unit: &'static str,
    provenance: Provenance,
    source: String,
}

/// The figures that are known, in their order.
#[derive(Default)]
struct List {
    table: String,
    all: Vec<Named>,
}

impl List {
    fn add<Q: Quantity>(&mut self, key: &str, figure: Option<&Figure<Q>>, unit: &'static str) {
        let Some(figure) = figure else { return };
        let table = &self.table;
        let name = if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") };
        self.all.push(Named {
            name,
            value: figure.value.value(),
            unit: if Q::UNIT.is_empty() { unit } else { Q::UNIT },
            provenance: figure.provenance,
            source: figure.source.clone(),
        });
    }

    fn memory(&mut self, memory: &Memory) {
        self.add("channels", Some(&memory.channels.clone().map(f64::from)), "");
        self.add("channel_bytes", memory.channel_bytes.as_ref(), "");
        self.add("first_address", memory.first_address.as_ref(), "");
        self.add("address_step", memory.address_step.as_ref(), "");
        if let Some(slr) = &memory.slr {
            for (channel, &value) in slr.value.iter().enumerate() {
                let all = slr.value.len() == 1;
                let key = if all { "slr".to_owned() } else { format!("slr[{channel}]") };
                self.add(&key, Some(&slr.clone().map(|_| value as f64)), "");
            }
        }
        self.add("port_bits", Some(&memory.port_bits), "bit");
        self.add("axi_clock", Some(&memory.axi_clock), "");
        self.add("efficiency", Some(&memory.efficiency), "");
        self.limits(&memory.limits);
        self.add("peak", memory.peak.as_ref(), "");
        self.add("nominal", memory.nominal.as_ref(), "");
        self.add("physical_peak", Some(&memory.physical_peak()), "");
        if memory.streams() != memory.achievable() {
            self.add("streams", Some(&memory.streams()), "");
        }
        self.add("achievable", Some(&memory.achievable()), "");
    }

    fn limits(&mut self, limits: &Limits) {
        self.add("copy_efficiency", limits.copy_efficiency.as_ref(), "");
        self.add("reordered_efficiency", limits.reordered_efficiency.as_ref(), "");
        self.add("read_latency", limits.read_latency.as_ref(), "");
        self.add("write_latency", limits.write_latency.as_ref(), "");
        self.add("write_gap", limits.write_gap.as_ref(), "");
        self.add("random_gap", limits.random_gap.as_ref(), "");
        self.add("random_interval", limits.random_interval.as_ref(), "");
        self.add("switch_latency", limits.switch_latency.as_ref(), "");
        self.add("reads_outstanding", limits.reads_outstanding.as_ref(), "");
        self.add("writes_outstanding", limits.writes_outstanding.as_ref(), "");
    }

    fn resources(&mut self, resources: &Resources) {
        self.add("lut", resources.lut.as_ref(), "");
        self.add("ff", resources.ff.as_ref(), "");
        self.add("bram36", resources.bram36.as_ref(), "");
        self.add("uram", resources.uram.as_ref(), "");
    }

    fn of(&mut self, table: impl Into<String>) {
        self.table = table.into();
    }
}

pub(super) fn all(platform: &Platform) -> Vec<Named> {
    let mut list = List::default();
    list.of("memory");
    list.memory(&platform.memory);
    if let Some(memory) = &platform.second_memory {
        list.of("second_memory");
        list.memory(memory);
    }
    list.of("logic");
    list.add("slr", platform.slr.as_ref(), "");
    list.add("dsp", Some(&platform.dsp), "");
    list.resources(&platform.resources);
    list.add("clock", Some(&platform.clock), "");
    list.add("fastest_clock", Some(&platform.fastest_clock), "");
    for shell in &platform.shells {
        list.of(format!("shell {}", shell.name));
        list.add("dsp", shell.dsp.as_ref(), "");
        list.resources(&shell.resources);
    }
    for mac in &platform.macs {
        list.of(format!("mac {}, {}", mac.precision, mac.name));
        list.add("macs_per_dsp", Some(&mac.macs_per_dsp), "");
    }
    list.of("kernel");
    list.add("launch", Some(&platform.kernel.launch), "");
    list.add("m_axi_latency", Some(&platform.kernel.m_axi_latency), "");
    list.add("m_axi_burst", Some(&platform.kernel.m_axi_burst), "beat");
    list.add("m_axi_outstanding", Some(&platform.kernel.m_axi_outstanding), "");
    list.of("derived");
    list.add("on_chip_bytes", platform.on_chip_bytes().as_ref(), "");
    list.all
}

pub(super) fn of_processor(processor: &Processor) -> Vec<Named> {
    let mut list = List::default();
    list.add("units", processor.units.as_ref(), "");
    list.add("last_level_cache", processor.last_level_cache.as_ref(), "");
    list.add("power", processor.power.as_ref(), "");
    list.of("memory");
    list.add("bandwidth", Some(&processor.memory.bandwidth), "");
    list.add("copy_bandwidth", processor.memory.copy_bandwidth.as_ref(), "");
    list.add("capacity", processor.memory.capacity.as_ref(), "");
    list.all
}

pub(super) fn table(figures: Vec<Named>) -> Table {
    let rows = figures.into_iter().map(|figure| {
        let counted = matches!(figure.unit, "" | "bit" | "beat" | "cycle");
        let format = match figure.value.fract() == 0.0 {
            true if counted => NumberFormat::Integer,
            _ if counted => NumberFormat::Significant(4),
            _ => NumberFormat::Si(4),
        };
        vec![
            Cell::text(figure.name),
            Cell::text(format_quantity(figure.value, format, figure.unit)),
            Cell::text(figure.provenance.to_string()),
            Cell::text(figure.source),
        ]
    });
    Table {
        name: "figures".to_owned(),
        caption: "What is not listed is unknown".to_owned(),
        columns: vec![
            Column::text("figure", "Figure"),
            Column::text("value", "Value"),
            Column::text("provenance", "Provenance"),
            Column::text("source", "Source"),
        ],
        rows: rows.collect(),
    }
}
