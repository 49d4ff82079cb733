//! Kernel sources and a v++ configuration to a design for software emulation.

mod entries;
mod linker;
mod pins;
mod streams;

use derate_hls::{Connectivity, Header, Resolver, Sources};
use derate_model::Platform;

use super::kernel::Instance;
use super::layout::{WINDOW, lay_out_kernel};
use super::metadata::{self, Target};
use super::{
    Control, DesignMode, DesignSource, Header as FileHeader, Ip, LinkError, SectionKind, Uuid,
    Xclbin, connection, ip, memory,
};
use crate::sha256::sha256;
use linker::Linker;

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
/// The kernels are those `chosen`; where none are, each function that `nk=` names, or that has an `m_axi` or `s_axilite` pragma. Without `nk=` it has one compute unit,
/// `NAME_1`. A buffer without `sp=` is connected to the platform's first bank. `made_of` is kept for a profile; where it is does not change
/// the design's identity.
pub fn link_design(
    sources: &Sources,
    headers: &[Header],
    configurations: &[Connectivity],
    platform: &Platform,
    payload: Option<Vec<u8>>,
    chosen: &[String],
    made_of: &[DesignSource],
) -> Result<Linked, LinkError> {
    let resolver = Resolver::new(headers, sources);
    let mut linker = Linker { sources, configurations, notes: Vec::new() };
    linker.note_unread();
    linker.unknown_entries();
    let functions = linker.select_kernels(headers, chosen)?;
    let mut banks = Linker::platform_banks(platform)?;
    let mut kernels = Vec::new();
    let mut ips = Vec::new();
    for function in functions {
        let mut kernel =
            lay_out_kernel(&resolver, function).map_err(|reason| LinkError::Kernel {
                place: linker.place_of(function.name_span),
                kernel: function.name.clone(),
                reason,
            })?;
        for name in linker.unit_names(&kernel.name) {
            let base = FIRST_UNIT + WINDOW * ips.len() as u64;
            let control = kernel.control.as_deref().and_then(Control::named);
            let full = format!("{}:{name}", kernel.name);
            let interrupt = u8::try_from(ips.len()).unwrap_or(u8::MAX);
            ips.push(Ip::unit(full, base, interrupt, control.unwrap_or(Control::CHAIN)));
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
    linker.dies_are_known(&kernels, platform)?;
    let connections = linker.connect_buffers(&kernels, &banks)?;
    let streams = linker.connect_streams(&kernels)?;
    for connection in &connections {
        let bank = usize::try_from(connection.bank).ok().and_then(|at| banks.get_mut(at));
        if let Some(bank) = bank {
            bank.used = true;
        }
    }
    linker.note_fast_clock(platform);
    let megahertz = linker.asked_clock().unwrap_or(platform.clock.value.0 / 1e6);
    let shell = platform.shells.first().map_or("", |shell| &shell.name);
    let target = Target {
        platform: shell,
        board: &platform.name,
        part: platform.part.as_ref().map_or("", |part| &part.value),
        banks: &banks,
        connections: &connections,
        streams: &streams,
        sources: &[],
        megahertz,
    };
    let long = |what: &str| LinkError::TooMuch(format!("{what} is too long for an xclbin"));
    let vbnv = format!("xilinx_{}_{shell}", platform.name);
    let banks = memory::write_banks(&banks).ok_or_else(|| long("a bank's name"))?;
    let ips = ip::write_ips(&ips).ok_or_else(|| long("the name `kernel:unit`"))?;
    let connections = connection::write_connections(&connections)
        .ok_or_else(|| long("the list of connections"))?;
    let contain = |target: &Target<'_>, payload: Option<Vec<u8>>| {
        let metadata = metadata::write_metadata(&kernels, target).into_bytes();
        let mut sections = vec![
            (SectionKind::MEM_TOPOLOGY, banks.clone()),
            (SectionKind::IP_LAYOUT, ips.clone()),
            (SectionKind::CONNECTIVITY, connections.clone()),
            (SectionKind::EMBEDDED_METADATA, metadata),
        ];
        sections.extend(payload.map(|payload| (SectionKind::BITSTREAM, payload)));
        let header = FileHeader::new(DesignMode::SW_EMU, &vbnv)
            .ok_or_else(|| long("the platform's name"))?;
        Xclbin::new(header, sections).ok_or_else(|| long("the list of sections"))
    };
    let identity = derive_uuid(&contain(&target, payload.clone())?.write());
    let mut xclbin = contain(&Target { sources: made_of, ..target }, payload)?;
    xclbin.set_uuid(identity);
    Ok(Linked { xclbin, notes: linker.notes })
}

/// The same design has the same identity.
fn derive_uuid(bytes: &[u8]) -> Uuid {
    let mut uuid = [0; 16];
    uuid.iter_mut().zip(sha256(bytes)).for_each(|(target, byte)| *target = byte);
    // RFC 9562: version 8, made by a rule of our own.
    uuid[6] = uuid[6] & 0x0f | 0x80;
    uuid[8] = uuid[8] & 0x3f | 0x80;
    Uuid(uuid)
}
