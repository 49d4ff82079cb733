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
    fn add_figure<Q: Quantity>(
        &mut self,
        key: &str,
        figure: Option<&Figure<Q>>,
        unit: &'static str,
    ) {
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

    fn add_memory(&mut self, memory: &Memory) {
        self.add_figure("channels", Some(&memory.channels.clone().map(f64::from)), "");
        self.add_figure("channel_bytes", memory.channel_bytes.as_ref(), "");
        self.add_figure("first_address", memory.first_address.as_ref(), "");
        self.add_figure("address_step", memory.address_step.as_ref(), "");
        if let Some(slr) = &memory.slr {
            for (channel, &value) in slr.value.iter().enumerate() {
                let all = slr.value.len() == 1;
                let key = if all { "slr".to_owned() } else { format!("slr[{channel}]") };
                self.add_figure(&key, Some(&slr.clone().map(|_| value as f64)), "");
            }
        }
        self.add_figure("port_bits", Some(&memory.port_bits), "bit");
        self.add_figure("axi_clock", Some(&memory.axi_clock), "");
        self.add_figure("efficiency", memory.efficiency.as_ref(), "");
        self.add_limits(&memory.limits);
        self.add_figure("peak", memory.peak.as_ref(), "");
        self.add_figure("nominal", memory.nominal.as_ref(), "");
        self.add_figure("physical_peak", Some(&memory.physical_peak()), "");
        let (streams, achievable) = (memory.streams(), memory.achievable());
        if streams != achievable {
            self.add_figure("streams", streams.as_ref(), "");
        }
        self.add_figure("achievable", achievable.as_ref(), "");
        if let Some(attachment) = &memory.attachment {
            self.add_figure("attachment.count", Some(&attachment.count.clone().map(f64::from)), "");
            self.add_figure("attachment.bits", Some(&attachment.bits), "bit");
            self.add_figure("attachment.clock", attachment.clock.as_ref(), "");
        }
    }

    fn add_limits(&mut self, limits: &Limits) {
        self.add_figure("copy_efficiency", limits.copy_efficiency.as_ref(), "");
        self.add_figure("reordered_efficiency", limits.reordered_efficiency.as_ref(), "");
        self.add_figure("read_latency", limits.read_latency.as_ref(), "");
        self.add_figure("write_latency", limits.write_latency.as_ref(), "");
        self.add_figure("write_gap", limits.write_gap.as_ref(), "");
        self.add_figure("random_gap", limits.random_gap.as_ref(), "");
        self.add_figure("random_interval", limits.random_interval.as_ref(), "");
        self.add_figure("switch_latency", limits.switch_latency.as_ref(), "");
        self.add_figure("reads_outstanding", limits.reads_outstanding.as_ref(), "");
        self.add_figure("writes_outstanding", limits.writes_outstanding.as_ref(), "");
    }

    fn add_resources(&mut self, resources: &Resources) {
        self.add_figure("lut", resources.lut.as_ref(), "");
        self.add_figure("ff", resources.ff.as_ref(), "");
        self.add_figure("bram36", resources.bram36.as_ref(), "");
        self.add_figure("uram", resources.uram.as_ref(), "");
    }

    fn of(&mut self, table: impl Into<String>) {
        self.table = table.into();
    }
}

pub(super) fn list_figures(platform: &Platform) -> Vec<Named> {
    let mut list = List::default();
    list.of("memory");
    list.add_memory(&platform.memory);
    if let Some(memory) = &platform.second_memory {
        list.of("second_memory");
        list.add_memory(memory);
    }
    list.of("logic");
    list.add_figure("slr", platform.slr.as_ref(), "");
    list.add_figure("dsp", Some(&platform.dsp), "");
    list.add_resources(&platform.resources);
    list.add_figure("clock", Some(&platform.clock), "");
    list.add_figure("fastest_clock", platform.fastest_clock.as_ref(), "");
    for region in &platform.regions {
        list.of(format!("slr {}", region.name));
        list.add_figure("dsp", region.dsp.as_ref(), "");
        list.add_resources(&region.resources);
    }
    list.of("host");
    list.add_figure("to_card", platform.host.to_card.as_ref(), "");
    list.add_figure("from_card", platform.host.from_card.as_ref(), "");
    for shell in &platform.shells {
        list.of(format!("shell {}", shell.name));
        list.add_figure("dsp", shell.dsp.as_ref(), "");
        list.add_resources(&shell.resources);
    }
    for mac in &platform.macs {
        list.of(format!("mac {}, {}", mac.precision, mac.name));
        list.add_figure("macs_per_dsp", Some(&mac.macs_per_dsp), "");
    }
    list.of("kernel");
    list.add_figure("launch", Some(&platform.kernel.launch), "");
    list.add_figure("m_axi_latency", Some(&platform.kernel.m_axi_latency), "");
    list.add_figure("m_axi_burst", Some(&platform.kernel.m_axi_burst), "beat");
    list.add_figure("m_axi_outstanding", Some(&platform.kernel.m_axi_outstanding), "");
    list.of("derived");
    list.add_figure("on_chip_bytes", platform.on_chip_bytes().as_ref(), "");
    list.all
}

pub(super) fn of_processor(processor: &Processor) -> Vec<Named> {
    let mut list = List::default();
    list.add_figure("units", processor.units.as_ref(), "");
    list.add_figure("last_level_cache", processor.last_level_cache.as_ref(), "");
    list.add_figure("power", processor.power.as_ref(), "");
    list.of("memory");
    list.add_figure("bandwidth", Some(&processor.memory.bandwidth), "");
    list.add_figure("copy_bandwidth", processor.memory.copy_bandwidth.as_ref(), "");
    list.add_figure("capacity", processor.memory.capacity.as_ref(), "");
    list.add_figure("driver_keeps", processor.memory.driver_keeps.as_ref(), "");
    list.all
}

pub(super) fn tabulate_figures(figures: Vec<Named>) -> Table {
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
