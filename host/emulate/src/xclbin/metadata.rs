//! `EMBEDDED_METADATA`: kernels, arguments and compute units as XML.

use quick_xml::escape::escape;
use std::fmt::Write as _;

use super::kernel::{ArgumentKind, DesignArgument, DesignKernel, Instance, KernelPort, PortMode};
use super::source::{DesignSource, read_source, write_sources};
use super::tree::{self, XmlElement};
use super::{Connection, DesignBank};

/// What the XML says.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Metadata {
    /// The kernels.
    pub kernels: Vec<DesignKernel>,
    /// MHz of the kernels' clock, as written.
    pub clock: Option<String>,
    /// The card that it was made for, `u280`.
    pub board: Option<String>,
    /// The names and bytes of that card's banks, which only derate's own designs say here.
    pub banks: Vec<(String, u64)>,
    /// The banks that arguments are connected to, which only derate's own designs say here.
    pub connected: Vec<Connected>,
    /// The streams between compute units, which only derate's own designs say here.
    pub streams: Vec<Streamed>,
    /// What it was made of, which only derate's own designs say here.
    pub sources: Vec<DesignSource>,
    /// What is wrong with it, in one clause.
    pub problem: Option<String>,
}

/// One connection, by names: what `CONNECTIVITY` says by positions, for a device that is given the metadata alone.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Connected {
    /// The compute unit.
    pub unit: String,
    /// The kernel's argument, counted from 0.
    pub argument: usize,
    /// The bank, `HBM[3]`.
    pub bank: String,
}

/// A stream between two compute units: each end is a unit and an argument of its kernel, counted from 0.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Streamed {
    /// Who writes it.
    pub from: (String, u32),
    /// Who reads it.
    pub to: (String, u32),
    /// Elements that it holds.
    pub depth: u32,
}

/// Reads embedded metadata up to the first fault.
pub fn read_metadata(data: &[u8]) -> Metadata {
    // The tools put a zero byte behind the text.
    let end = data.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let text = String::from_utf8_lossy(data.get(..end).unwrap_or_default());
    let (root, problem) = tree::read_tree(&text);
    let Some(root) = root else {
        let problem = problem.or_else(|| Some("the XML has no element".to_owned()));
        return Metadata { problem, ..Metadata::default() };
    };
    let cores = root.elements_at(&["platform", "device", "core"]);
    let kernels =
        cores.iter().flat_map(|core| core.children_named("kernel")).map(read_kernel).collect();
    let clocks = root.elements_at(&["platform", "device", "core", "kernelClocks", "clock"]);
    let clock = clocks.first().and_then(|one| one.attribute("frequency")).map(str::to_owned);
    let platforms = root.elements_at(&["platform"]);
    let board = platforms.first().and_then(|one| one.attribute("boardid"));
    let board = board.filter(|board| !board.is_empty()).map(str::to_owned);
    let devices = root.elements_at(&["platform", "device"]);
    let banks = devices.iter().flat_map(|device| device.children_named("memory"));
    let banks =
        banks.filter_map(|one| Some((one.attribute("name")?.to_owned(), one.number("size")?)));
    let connected =
        devices.iter().flat_map(|device| device.children_named("connected")).filter_map(|one| {
            Some(Connected {
                unit: one.attribute("unit")?.to_owned(),
                argument: usize::try_from(one.number("argument")?).ok()?,
                bank: one.attribute("memory")?.to_owned(),
            })
        });
    let connected = connected.collect();
    let streams = devices.iter().flat_map(|device| device.children_named("streamed"));
    let streams = streams.filter_map(|one| {
        let end = |unit, argument| {
            let argument = u32::try_from(one.number(argument)?).ok()?;
            Some((one.attribute(unit)?.to_owned(), argument))
        };
        let depth = u32::try_from(one.number("depth")?).ok()?;
        Some(Streamed { from: end("from", "output")?, to: end("to", "input")?, depth })
    });
    let streams = streams.collect();
    let sources = devices.iter().flat_map(|device| device.children_named("source"));
    let sources = sources.filter_map(read_source).collect();
    let banks = banks.collect();
    Metadata { kernels, clock, board, banks, connected, streams, sources, problem }
}

fn read_kernel(element: &XmlElement) -> DesignKernel {
    let word = |element: &XmlElement, name| element.attribute(name).unwrap_or_default().to_owned();
    let filled = |element: &XmlElement, name| {
        element.attribute(name).filter(|value| !value.is_empty()).map(str::to_owned)
    };
    let port = |port: &XmlElement| KernelPort {
        name: word(port, "name"),
        mode: match port.attribute("mode") {
            Some("master") => PortMode::Master,
            Some("slave") => PortMode::Slave,
            other => PortMode::Other(other.unwrap_or_default().to_owned()),
        },
        bits: port.number("dataWidth"),
        range: port.number("range"),
    };
    let argument = |argument: &XmlElement| DesignArgument {
        name: word(argument, "name"),
        id: argument.number("id").and_then(|id| u32::try_from(id).ok()),
        kind: ArgumentKind::of(argument.number("addressQualifier").unwrap_or(0)),
        port: filled(argument, "port"),
        size: argument.number("size").unwrap_or(0),
        offset: argument.number("offset").unwrap_or(0),
        type_name: word(argument, "type"),
    };
    let instance = |instance: &XmlElement| {
        let remap = instance.children_named("addrRemap").next();
        Instance {
            name: word(instance, "name"),
            base: remap.and_then(|remap| remap.number("base")),
            range: remap.and_then(|remap| remap.number("range")),
        }
    };
    DesignKernel {
        name: word(element, "name"),
        control: filled(element, "hwControlProtocol"),
        ports: element.children_named("port").map(port).collect(),
        arguments: element.children_named("arg").map(argument).collect(),
        instances: element.children_named("instance").map(instance).collect(),
    }
}

/// Where the kernels are to run.
pub(super) struct Target<'a> {
    /// `xilinx_u280_gen3x16_xdma_1_202211_1`
    pub(super) platform: &'a str,
    /// The catalogue's name of the card.
    pub(super) board: &'a str,
    /// The chip.
    pub(super) part: &'a str,
    /// The card's memory.
    pub(super) banks: &'a [DesignBank],
    /// Which argument reaches which of its banks, in the order of all units.
    pub(super) connections: &'a [Connection],
    /// The streams between its units.
    pub(super) streams: &'a [Streamed],
    /// What they are made of.
    pub(super) sources: &'a [DesignSource],
    /// The kernels' clock.
    pub(super) megahertz: f64,
}

/// The XML of these kernels.
pub(super) fn write_metadata(kernels: &[DesignKernel], target: &Target<'_>) -> String {
    let units: usize = kernels.iter().map(|kernel| kernel.instances.len()).sum();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let Target { platform, board, part, banks, connections, streams, sources, megahertz } = target;
    let _ = write!(
        xml,
        "<project name=\"derate\">\n\
         <platform vendor=\"xilinx\" boardid=\"{}\" name=\"{}\" featureRomTime=\"0\">\n\
         <device name=\"fpga0\" fpgaDevice=\"{}\" addrWidth=\"0\">\n",
        escape(*board),
        escape(*platform),
        escape(*part),
    );
    for bank in *banks {
        let bytes = bank.bytes().unwrap_or_default();
        let _ = writeln!(xml, "<memory name=\"{}\" size=\"{bytes:#x}\"/>", escape(&bank.tag));
    }
    let instances: Vec<&Instance> = kernels.iter().flat_map(|kernel| &kernel.instances).collect();
    for one in *connections {
        let unit = usize::try_from(one.ip).ok().and_then(|at| instances.get(at));
        let bank = usize::try_from(one.bank).ok().and_then(|at| banks.get(at));
        if let (Some(unit), Some(bank)) = (unit, bank) {
            let _ = writeln!(
                xml,
                "<connected unit=\"{}\" argument=\"{}\" memory=\"{}\"/>",
                escape(&unit.name),
                one.argument,
                escape(&bank.tag)
            );
        }
    }
    for one in *streams {
        let _ = writeln!(
            xml,
            "<streamed from=\"{}\" output=\"{}\" to=\"{}\" input=\"{}\" depth=\"{}\"/>",
            escape(&one.from.0),
            one.from.1,
            escape(&one.to.0),
            one.to.1,
            one.depth
        );
    }
    write_sources(&mut xml, sources);
    let _ = write!(
        xml,
        "<core name=\"OCL_REGION_0\" target=\"csim\" type=\"clc_region\" clockFreq=\"0MHz\" numComputeUnits=\"{units}\">\n\
         <kernelClocks><clock port=\"KERNEL_CLK\" frequency=\"{megahertz:.6}MHz\"/></kernelClocks>\n",
    );
    for kernel in kernels {
        write_kernel(&mut xml, kernel);
    }
    xml.push_str("</core></device></platform></project>\n");
    xml
}

fn write_kernel(xml: &mut String, kernel: &DesignKernel) {
    let name = escape(&kernel.name);
    let _ = writeln!(
        xml,
        "<kernel name=\"{name}\" language=\"c\" vlnv=\"xilinx.com:hls:{name}:1.0\" workGroupSize=\"1\" \
         interrupt=\"true\" hwControlProtocol=\"{}\">",
        escape(kernel.control.as_deref().unwrap_or("ap_ctrl_hs")),
    );
    for port in &kernel.ports {
        let _ = writeln!(
            xml,
            "<port name=\"{}\" mode=\"{}\" range=\"{:#X}\" dataWidth=\"{}\" portType=\"addressable\" base=\"0x0\"/>",
            escape(&port.name),
            port.mode,
            port.range.unwrap_or(0),
            port.bits.unwrap_or(0),
        );
    }
    for argument in &kernel.arguments {
        let _ = writeln!(
            xml,
            "<arg name=\"{}\" addressQualifier=\"{}\" id=\"{}\" port=\"{}\" size=\"{:#x}\" offset=\"{:#x}\" \
             hostOffset=\"0x0\" hostSize=\"{:#x}\" type=\"{}\"/>",
            escape(&argument.name),
            argument.kind.number(),
            argument.id.map_or_else(String::new, |id| id.to_string()),
            escape(argument.port.as_deref().unwrap_or_default()),
            argument.size,
            argument.offset,
            argument.size,
            escape(&argument.type_name),
        );
    }
    for instance in &kernel.instances {
        let _ = write!(xml, "<instance name=\"{}\">", escape(&instance.name));
        if let Some(base) = instance.base {
            let range = instance.range.unwrap_or(0);
            let _ = write!(
                xml,
                "<addrRemap base=\"{base:#x}\" range=\"{range:#x}\" port=\"S_AXI_CONTROL\"/>"
            );
        }
        xml.push_str("</instance>\n");
    }
    xml.push_str("</kernel>\n");
}
