use std::collections::BTreeMap;

use derate_hls::{Connectivity, Function, Header, Sources, Span};
use derate_model::Platform;

use super::LinkNote;
use crate::emulator::{self, Bases};
use crate::interfaces::Interfaces;
use crate::xclbin::{DesignBank, LinkError, MemoryKind};

/// The configurations and their sources, and what had to be decided.
pub(super) struct Linker<'a> {
    pub(super) sources: &'a Sources,
    pub(super) configurations: &'a [Connectivity],
    pub(super) notes: Vec<LinkNote>,
}

impl Linker<'_> {
    pub(super) fn place_of(&self, span: Span) -> String {
        format!("{}:{}", self.sources.name(span.file), self.sources.line(span))
    }

    pub(super) fn add_note(&mut self, text: String) {
        self.notes.push(LinkNote(text));
    }

    pub(super) fn note_unread(&mut self) {
        let configurations = self.configurations;
        for one in configurations.iter().flat_map(|one| &one.unread) {
            self.add_note(format!("{}: not read: {}", self.place_of(one.span), one.reason));
        }
    }

    /// All banks of a platform, those of its first memory in front, at the addresses that XRT's software emulation gives them:
    /// by its address it finds the bank of a buffer.
    pub(super) fn platform_banks(platform: &Platform) -> Result<Vec<DesignBank>, LinkError> {
        let banks = emulator::list_banks(platform, Bases::RunningSum)?;
        let bank = |bank: emulator::Bank| DesignBank {
            kind: match bank.name.split('[').next() {
                Some("HBM") => MemoryKind::HBM,
                Some("PLRAM") => MemoryKind::DRAM,
                Some("HOST") => MemoryKind::HOST,
                _ => MemoryKind::DDR4,
            },
            used: false,
            kib: bank.bytes >> 10,
            base: bank.start(),
            tag: bank.name,
        };
        Ok(banks.into_iter().map(bank).collect())
    }

    /// The functions to link, in the order of the sources.
    pub(super) fn select_kernels<'h>(
        &self,
        headers: &'h [Header],
        chosen: &[String],
    ) -> Result<Vec<&'h Function>, LinkError> {
        let named: BTreeMap<&str, Span> = self
            .configurations
            .iter()
            .flat_map(|one| &one.kernels)
            .map(|one| (one.kernel.value.as_str(), one.kernel.span))
            .collect();
        let asked = self.configurations.iter().flat_map(|one| &one.kernels);
        if let Some(none) = asked.into_iter().find(|one| one.unit_names().is_empty()) {
            return Err(LinkError::Configuration {
                place: self.place_of(none.kernel.span),
                reason: format!(
                    "nk= asks for 0 compute units of `{}`: give 1 or more, or leave the entry out",
                    none.kernel.value
                ),
            });
        }
        let mut kernels: BTreeMap<&str, &Function> = BTreeMap::new();
        let mut order = Vec::new();
        let bodies = headers.iter().flat_map(|header| &header.functions);
        for function in bodies.filter(|one| one.body.is_some() && !one.is_template()) {
            let name = function.name.as_str();
            let wanted = if chosen.is_empty() {
                named.contains_key(name) || Interfaces::of(function).make_a_kernel()
            } else {
                chosen.iter().any(|one| one == name)
            };
            if wanted && kernels.insert(name, function).is_none() {
                order.push(name);
            }
        }
        for (name, span) in named {
            if !kernels.contains_key(name) {
                let known = if order.is_empty() { "none".to_owned() } else { order.join(", ") };
                let (place, kernel) = (self.place_of(span), name.to_owned());
                return Err(LinkError::UnknownKernel { place, kernel, known });
            }
        }
        if order.is_empty() {
            return Err(LinkError::NoKernel);
        }
        Ok(order.iter().filter_map(|name| kernels.get(name).copied()).collect())
    }

    /// The names of a kernel's compute units.
    pub(super) fn unit_names(&self, kernel: &str) -> Vec<String> {
        let entries = self.configurations.iter().flat_map(|one| &one.kernels);
        let names: Vec<String> = entries
            .filter(|one| one.kernel.value == kernel)
            .flat_map(derate_hls::Kernels::unit_names)
            .collect();
        if names.is_empty() { vec![format!("{kernel}_1")] } else { names }
    }

    /// Notes a clock that no design on the card reaches.
    pub(super) fn note_fast_clock(&mut self, platform: &Platform) {
        let configurations = self.configurations;
        let Some(known) = &platform.fastest_clock else { return };
        let fastest = known.value.0 / 1e6;
        for entry in configurations.iter().flat_map(|one| &one.frequencies) {
            let Some(asked) = entry.megahertz.value.known().filter(|&asked| asked > fastest) else {
                continue;
            };
            let place = self.place_of(entry.span);
            self.add_note(format!(
                "{place}: {} asks for {asked} MHz, and the DSP slices of {} run at most at {fastest} MHz ({}): no design for the card \
                 runs at that clock",
                entry.key, platform.title, known.source
            ));
        }
    }

    /// MHz that a configuration asks for, for all kernels.
    pub(super) fn asked_clock(&self) -> Option<f64> {
        let entries = self.configurations.iter().flat_map(|one| &one.frequencies);
        entries
            .filter(|one| one.targets.iter().all(|target| target.value == "0"))
            .find_map(|one| one.megahertz.value.known())
    }
}
