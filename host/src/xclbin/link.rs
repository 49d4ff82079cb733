//! Kernel sources and a v++ configuration to a design for software emulation.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Connectivity, Function, Header, MemoryPin, Resolver, Sources, Span};
use derate_model::Platform;

use super::kernel::{ArgumentKind, DesignArgument, DesignKernel, Instance};
use super::layout::{WINDOW, layout};
use super::metadata::{self, Target};
use super::{
    Connection, Control, DesignBank, Header as FileHeader, Ip, LinkError, MemoryKind, Mode,
    SectionKind, Uuid, Xclbin,
};
use super::{connection, ip, memory};
use crate::emulator::{self, Bases};
use crate::interfaces::Interfaces;
use crate::sha256::sha256;

/// Where the first compute unit's registers are; the others follow a window apart.
const FIRST_UNIT: u64 = 0x140_0000;
/// More compute units need more addresses than XRT's register calls have.
const MOST_UNITS: usize = 1024;
/// Something that the link had to decide by itself.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LinkNote(pub String);

/// A design that was linked.
#[derive(Debug)]
pub struct Linked {
    /// The container.
    pub xclbin: Xclbin<'static>,
    /// What the user should know.
    pub notes: Vec<LinkNote>,
}

/// Links the kernels of these headers as `nk=` and `sp=` say, for software emulation on a platform. `payload` becomes
/// the bitstream, which software emulation hands to its device untouched.
///
/// A kernel is a function that `nk=` names, or one with an `m_axi` or `s_axilite` pragma. Without `nk=` it has one compute unit,
/// `NAME_1`. A buffer without `sp=` is connected to the platform's first bank.
pub fn link(
    sources: &Sources,
    headers: &[Header],
    configurations: &[Connectivity],
    platform: &Platform,
    payload: Option<Vec<u8>>,
) -> Result<Linked, LinkError> {
    let resolver = Resolver::new(headers, sources);
    let mut linker = Linker { sources, configurations, notes: Vec::new() };
    linker.unread();
    let functions = linker.kernels(headers)?;
    let mut banks = linker.banks(platform)?;
    let mut kernels = Vec::new();
    let mut ips = Vec::new();
    for function in functions {
        let mut kernel = layout(&resolver, function).map_err(|reason| LinkError::Kernel {
            place: linker.place(function.name_span),
            kernel: function.name.clone(),
            reason,
        })?;
        for name in linker.units(&kernel.name) {
            let base = FIRST_UNIT + WINDOW * ips.len() as u64;
            let control = kernel.control.as_deref().and_then(Control::named);
            let full = format!("{}:{name}", kernel.name);
            let interrupt = u8::try_from(ips.len()).unwrap_or(u8::MAX);
            ips.push(Ip::unit(full, base, interrupt, control.unwrap_or(Control::HS)));
            kernel.instances.push(Instance { name, base: Some(base), range: Some(WINDOW) });
        }
        kernels.push(kernel);
    }
    if ips.len() > MOST_UNITS {
        let much = format!(
            "{} compute units are asked for, and at most {MOST_UNITS} have addresses",
            ips.len()
        );
        return Err(LinkError::TooMuch(much));
    }
    linker.names_are_known(&kernels)?;
    let connections = linker.connect(&kernels, &banks)?;
    for connection in &connections {
        let bank = usize::try_from(connection.bank).ok().and_then(|at| banks.get_mut(at));
        if let Some(bank) = bank {
            bank.used = true;
        }
    }
    let megahertz = linker.clock().unwrap_or(platform.clock.value.0 / 1e6);
    let shell = platform.shells.first().map_or("", |shell| &shell.name);
    let target = Target {
        platform: shell,
        board: &platform.name,
        part: platform.part.as_ref().map_or("", |part| &part.value),
        banks: &banks,
        connections: &connections,
        megahertz,
    };
    let long = |what: &str| LinkError::TooMuch(format!("{what} is too long for an xclbin"));
    let mut sections = vec![
        (SectionKind::MEM_TOPOLOGY, memory::write(&banks).ok_or_else(|| long("a bank's name"))?),
        (SectionKind::IP_LAYOUT, ip::write(&ips).ok_or_else(|| long("the name `kernel:unit`"))?),
        (
            SectionKind::CONNECTIVITY,
            connection::write(&connections).ok_or_else(|| long("the list of connections"))?,
        ),
        (SectionKind::EMBEDDED_METADATA, metadata::write(&kernels, &target).into_bytes()),
    ];
    sections.extend(payload.map(|payload| (SectionKind::BITSTREAM, payload)));
    let vbnv = format!("xilinx_{}_{shell}", platform.name);
    let header = FileHeader::new(Mode::SW_EMU, &vbnv).ok_or_else(|| long("the platform's name"))?;
    let mut xclbin = Xclbin::new(header, sections).ok_or_else(|| long("the list of sections"))?;
    xclbin.set_uuid(identity(&xclbin.write()));
    Ok(Linked { xclbin, notes: linker.notes })
}

/// The same design has the same identity.
fn identity(bytes: &[u8]) -> Uuid {
    let mut uuid = [0; 16];
    uuid.iter_mut().zip(sha256(bytes)).for_each(|(target, byte)| *target = byte);
    // RFC 9562: version 8, made by a rule of our own.
    uuid[6] = uuid[6] & 0x0f | 0x80;
    uuid[8] = uuid[8] & 0x3f | 0x80;
    Uuid(uuid)
}

struct Linker<'a> {
    sources: &'a Sources,
    configurations: &'a [Connectivity],
    notes: Vec<LinkNote>,
}

impl Linker<'_> {
    fn place(&self, span: Span) -> String {
        format!("{}:{}", self.sources.name(span.file), self.sources.line(span))
    }

    fn note(&mut self, text: String) {
        self.notes.push(LinkNote(text));
    }

    fn unread(&mut self) {
        let configurations = self.configurations;
        for one in configurations.iter().flat_map(|one| &one.unread) {
            self.note(format!("{}: not read: {}", self.place(one.span), one.reason));
        }
        for stream in configurations.iter().flat_map(|one| &one.streams) {
            self.note(format!(
                "{}: streams between compute units are not emulated",
                self.place(stream.span)
            ));
        }
    }

    /// All banks of a platform, those of its first memory in front.
    fn banks(&mut self, platform: &Platform) -> Result<Vec<DesignBank>, LinkError> {
        let banks = emulator::banks(platform, Bases::Card).map_err(LinkError::Platform)?;
        for memory in
            [Some(&platform.memory), platform.second_memory.as_ref()].into_iter().flatten()
        {
            if memory.first_address.is_none() {
                self.note(format!(
                    "{} gives no first_address for {}: the addresses of its banks are counted, and not the card's",
                    platform.name, memory.title
                ));
            }
        }
        let bank = |bank: emulator::Bank| DesignBank {
            kind: if bank.name.starts_with("HBM") { MemoryKind::HBM } else { MemoryKind::DDR4 },
            used: false,
            kib: bank.bytes >> 10,
            base: bank.start(),
            tag: bank.name,
        };
        Ok(banks.into_iter().map(bank).collect())
    }

    /// The functions to link, in the order of the sources.
    fn kernels<'h>(&self, headers: &'h [Header]) -> Result<Vec<&'h Function>, LinkError> {
        let named: BTreeMap<&str, Span> = self
            .configurations
            .iter()
            .flat_map(|one| &one.kernels)
            .map(|one| (one.kernel.value.as_str(), one.kernel.span))
            .collect();
        let mut kernels: BTreeMap<&str, &Function> = BTreeMap::new();
        let mut order = Vec::new();
        let bodies = headers.iter().flat_map(|header| &header.functions);
        for function in bodies.filter(|one| one.body.is_some() && !one.is_template()) {
            let name = function.name.as_str();
            let wanted = named.contains_key(name) || Interfaces::of(function).make_a_kernel();
            if wanted && kernels.insert(name, function).is_none() {
                order.push(name);
            }
        }
        for (name, span) in named {
            if !kernels.contains_key(name) {
                let known = if order.is_empty() { "none".to_owned() } else { order.join(", ") };
                let (place, kernel) = (self.place(span), name.to_owned());
                return Err(LinkError::UnknownKernel { place, kernel, known });
            }
        }
        if order.is_empty() {
            return Err(LinkError::NoKernel);
        }
        Ok(order.iter().filter_map(|name| kernels.get(name).copied()).collect())
    }

    /// The names of a kernel's compute units.
    fn units(&self, kernel: &str) -> Vec<String> {
        let entries = self.configurations.iter().flat_map(|one| &one.kernels);
        let names: Vec<String> = entries
            .filter(|one| one.kernel.value == kernel)
            .flat_map(derate_hls::Kernels::unit_names)
            .collect();
        if names.is_empty() { vec![format!("{kernel}_1")] } else { names }
    }

    fn pins(&self) -> impl Iterator<Item = &MemoryPin> {
        self.configurations.iter().flat_map(|one| &one.memory)
    }

    /// Every `sp=` names a buffer of a unit, and every unit has a name of its own.
    fn names_are_known(&self, kernels: &[DesignKernel]) -> Result<(), LinkError> {
        let mut units: BTreeMap<&str, &DesignKernel> = BTreeMap::new();
        for (kernel, unit) in each_unit(kernels) {
            if units.insert(&unit.name, kernel).is_some() {
                let much =
                    format!("two compute units are named `{}`: give them names in nk=", unit.name);
                return Err(LinkError::TooMuch(much));
            }
        }
        for pin in self.pins() {
            let fail = |reason| LinkError::Configuration { place: self.place(pin.span), reason };
            let Some(kernel) = units.get(pin.unit.value.as_str()) else {
                let known: BTreeSet<&str> = units.keys().copied().collect();
                let known: Vec<&str> = known.into_iter().take(8).collect();
                return Err(fail(format!(
                    "there is no compute unit `{}`; there are: {}",
                    pin.unit.value,
                    known.join(", ")
                )));
            };
            if !kernel.arguments.iter().any(|one| pins(pin, one)) {
                return Err(fail(format!(
                    "`{}` is neither a buffer nor an m_axi port of kernel `{}`",
                    pin.argument.value, kernel.name
                )));
            }
        }
        Ok(())
    }

    fn connect(
        &mut self,
        kernels: &[DesignKernel],
        banks: &[DesignBank],
    ) -> Result<Vec<Connection>, LinkError> {
        let mut connections = Vec::new();
        let mut unpinned = Vec::new();
        for (ip, (kernel, unit)) in (0_u32..).zip(each_unit(kernels)) {
            for argument in kernel.arguments.iter().filter(|one| one.kind == ArgumentKind::Global) {
                let mut reached = BTreeSet::new();
                let of_unit = self.pins().filter(|pin| pin.unit.value == unit.name);
                for pin in of_unit.filter(|pin| pins(pin, argument)) {
                    reached.extend(self.banks_of(pin, banks)?);
                }
                if reached.is_empty() {
                    unpinned.push(format!("{}.{}", unit.name, argument.name));
                    reached.insert(0);
                }
                let position = argument.id.unwrap_or_default();
                connections.extend(reached.into_iter().map(|bank| Connection {
                    ip,
                    argument: position,
                    bank,
                }));
            }
        }
        if let (Some(first), Some(bank)) = (unpinned.first(), banks.first()) {
            let others = unpinned.len() - 1;
            let more = if others == 0 { String::new() } else { format!(" and {others} more") };
            self.note(format!("{first}{more} without an sp= entry: connected to {}", bank.tag));
        }
        Ok(connections)
    }

    /// The positions of the banks that a pin names.
    fn banks_of(&self, pin: &MemoryPin, banks: &[DesignBank]) -> Result<Vec<u32>, LinkError> {
        let range = &pin.banks.value;
        let of_memory = banks.iter().filter(|bank| tag_of(bank) == range.memory);
        let last = (of_memory.count() as u64).checked_sub(1);
        let fail = || LinkError::Configuration {
            place: self.place(pin.span),
            reason: format!("the platform has no bank {range}"),
        };
        let last = last.ok_or_else(fail)?;
        let (first, end) = (range.first.unwrap_or(0), range.last.unwrap_or(last));
        if end > last {
            return Err(fail());
        }
        let tags: BTreeSet<String> =
            (first..=end).map(|index| format!("{}[{index}]", range.memory)).collect();
        let positions = (0_u32..).zip(banks).filter(|(_, bank)| tags.contains(&bank.tag));
        Ok(positions.map(|(position, _)| position).collect())
    }

    /// MHz that a configuration asks for, for all kernels.
    fn clock(&self) -> Option<f64> {
        let entries = self.configurations.iter().flat_map(|one| &one.frequencies);
        entries
            .filter(|one| one.targets.iter().all(|target| target.value == "0"))
            .find_map(|one| one.megahertz.value.known())
    }
}

fn each_unit(kernels: &[DesignKernel]) -> impl Iterator<Item = (&DesignKernel, &Instance)> {
    kernels.iter().flat_map(|kernel| kernel.instances.iter().map(move |unit| (kernel, unit)))
}

/// Whether an `sp=` is about an argument: by its name, or by its port's.
fn pins(pin: &MemoryPin, argument: &DesignArgument) -> bool {
    let port = argument.port.as_deref().unwrap_or_default();
    argument.kind == ArgumentKind::Global
        && (pin.argument.value == argument.name || pin.argument.value.eq_ignore_ascii_case(port))
}

/// `HBM` of `HBM[3]`.
fn tag_of(bank: &DesignBank) -> &str {
    bank.tag.split('[').next().unwrap_or_default()
}
