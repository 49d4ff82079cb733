//! A design as a document and as data: `derate.xclbin/1`.

use derate_reports::{Block, Cell, Column, Document, NumberFormat, Section, Table};
use serde::Serialize;

use super::{Argument, Design, Kernel, Xclbin};

/// `derate.xclbin/1`.
#[derive(Debug, Serialize)]
pub struct InspectReport {
    schema: &'static str,
    file: String,
    bytes: u64,
    platform: String,
    mode: String,
    uuid: String,
    interface_uuid: String,
    /// Seconds since 1970.
    timestamp: u64,
    /// Of the tool that made it.
    version: String,
    signed: bool,
    sections: Vec<SectionReport>,
    memories: Vec<MemoryReport>,
    clocks: Vec<ClockReport>,
    /// The kernels' clock as the metadata write it.
    kernel_clock: Option<String>,
    compute_units: Vec<UnitReport>,
    kernels: Vec<KernelReport>,
    /// What is wrong with the file.
    problems: Vec<String>,
}

#[derive(Debug, Serialize)]
struct SectionReport {
    kind: String,
    name: String,
    offset: u64,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct MemoryReport {
    tag: String,
    kind: String,
    used: bool,
    /// Null of a stream.
    bytes: Option<u64>,
    base: String,
}

#[derive(Debug, Serialize)]
struct ClockReport {
    name: String,
    kind: String,
    megahertz: u16,
}

#[derive(Debug, Serialize)]
struct UnitReport {
    name: String,
    /// Whether it is a kernel's; else it is a block of the platform.
    kernel: bool,
    base: String,
    control: String,
    connections: Vec<ConnectionReport>,
}

#[derive(Debug, Serialize)]
struct ConnectionReport {
    argument: u32,
    /// Null where the metadata do not say.
    name: Option<String>,
    /// Null where the bank is not there.
    bank: Option<String>,
}

#[derive(Debug, Serialize)]
struct KernelReport {
    name: String,
    control: Option<String>,
    ports: Vec<PortReport>,
    arguments: Vec<ArgumentReport>,
    compute_units: Vec<String>,
}

#[derive(Debug, Serialize)]
struct PortReport {
    name: String,
    mode: String,
    bits: Option<u64>,
}

#[derive(Debug, Serialize)]
struct ArgumentReport {
    id: Option<u32>,
    name: String,
    kind: String,
    #[serde(rename = "type")]
    type_name: String,
    port: Option<String>,
    offset: String,
    bytes: u64,
}

impl InspectReport {
    /// Whether nothing is wrong with the file.
    pub fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }
}

/// What `derate emu inspect` prints: data for machines, a document for people.
pub fn inspect(file: &str, bytes: u64, xclbin: &Xclbin<'_>) -> (InspectReport, Document) {
    let design = Design::of(xclbin);
    let report = report(file, bytes, xclbin, &design);
    let document = document(&report);
    (report, document)
}

fn report(file: &str, bytes: u64, xclbin: &Xclbin<'_>, design: &Design) -> InspectReport {
    let header = &xclbin.header;
    let (major, minor, patch) = header.version;
    InspectReport {
        schema: "derate.xclbin/1",
        file: file.to_owned(),
        bytes,
        platform: header.platform(),
        mode: header.mode.to_string(),
        uuid: header.uuid.to_string(),
        interface_uuid: header.interface.to_string(),
        timestamp: header.timestamp,
        version: format!("{major}.{minor}.{patch}"),
        signed: header.signature_length > 0,
        sections: xclbin
            .sections
            .iter()
            .map(|one| SectionReport {
                kind: one.kind.to_string(),
                name: one.name(),
                offset: one.offset,
                bytes: one.size,
            })
            .collect(),
        memories: design
            .banks
            .iter()
            .map(|bank| MemoryReport {
                tag: bank.tag.clone(),
                kind: bank.kind.to_string(),
                used: bank.used,
                bytes: bank.bytes(),
                base: format!("{:#x}", bank.base),
            })
            .collect(),
        clocks: design
            .clocks
            .iter()
            .map(|clock| ClockReport {
                name: clock.name.clone(),
                kind: clock.kind.clone(),
                megahertz: clock.megahertz,
            })
            .collect(),
        kernel_clock: design.kernel_clock.clone(),
        compute_units: units(design),
        kernels: design.kernels.iter().map(kernel_report).collect(),
        problems: xclbin.problems.iter().chain(&design.problems).cloned().collect(),
    }
}

fn units(design: &Design) -> Vec<UnitReport> {
    let mut units: Vec<UnitReport> = design
        .ips
        .iter()
        .map(|ip| UnitReport {
            name: ip.name.clone(),
            kernel: ip.is_kernel(),
            base: format!("{:#x}", ip.base),
            control: ip.control().to_string(),
            connections: Vec::new(),
        })
        .collect();
    for connection in &design.connections {
        let Some(unit) = usize::try_from(connection.ip).ok().and_then(|at| units.get_mut(at))
        else {
            continue;
        };
        let kernel = unit.name.split(':').next().unwrap_or_default();
        let kernel = design.kernels.iter().find(|one| one.name == kernel);
        let argument = kernel.and_then(|kernel| {
            kernel.arguments.iter().find(|one| one.id == Some(connection.argument))
        });
        unit.connections.push(ConnectionReport {
            argument: connection.argument,
            name: argument.map(|one| one.name.clone()),
            bank: design.bank(connection.bank).map(|bank| bank.tag.clone()),
        });
    }
    units
}

fn kernel_report(kernel: &Kernel) -> KernelReport {
    let argument = |argument: &Argument| ArgumentReport {
        id: argument.id,
        name: argument.name.clone(),
        kind: argument.kind.to_string(),
        type_name: argument.type_name.clone(),
        port: argument.port.clone(),
        offset: format!("{:#x}", argument.offset),
        bytes: argument.size,
    };
    KernelReport {
        name: kernel.name.clone(),
        control: kernel.control.clone(),
        ports: kernel
            .ports
            .iter()
            .map(|port| PortReport {
                name: port.name.clone(),
                mode: port.mode.to_string(),
                bits: port.bits,
            })
            .collect(),
        arguments: kernel.arguments.iter().map(argument).collect(),
        compute_units: kernel.instances.iter().map(|one| one.name.clone()).collect(),
    }
}

fn document(report: &InspectReport) -> Document {
    let mut sections = Vec::new();
    let mut add = |name: &str, blocks: Vec<Block>| {
        let (name, title) = (name.to_owned(), name.to_owned());
        sections.push(Section { name, title, blocks, appendix: false });
    };
    if !report.problems.is_empty() {
        add("Problems", report.problems.iter().cloned().map(Block::Prose).collect());
    }
    let about = format!(
        "{}; made by version {}; uuid {}{}",
        report.mode,
        report.version,
        report.uuid,
        if report.signed { "; signed" } else { "" }
    );
    add("Container", vec![Block::Prose(about), Block::Table(section_table(report))]);
    if !report.kernels.is_empty() {
        add("Kernels", report.kernels.iter().map(|one| Block::Table(kernel_table(one))).collect());
    }
    if !report.compute_units.is_empty() {
        add("Compute units", vec![Block::Table(unit_table(report))]);
    }
    if !report.memories.is_empty() {
        add("Memory", vec![Block::Table(memory_table(report))]);
    }
    let clocks = report.clocks.iter().map(|one| format!("{} {} MHz", one.name, one.megahertz));
    let asked = report.kernel_clock.iter().map(|clock| format!("metadata: {clock}"));
    let clocks: Vec<String> = clocks.chain(asked).collect();
    if !clocks.is_empty() {
        add("Clocks", vec![Block::Prose(clocks.join("; "))]);
    }
    Document {
        title: format!("Design of {}", report.file),
        subtitle: if report.platform.is_empty() {
            "names no platform".to_owned()
        } else {
            report.platform.clone()
        },
        controls: Vec::new(),
        sections,
    }
}

fn integer(number: u64) -> Cell {
    Cell::number(number as f64, NumberFormat::Integer)
}

fn section_table(report: &InspectReport) -> Table {
    let row = |one: &SectionReport| {
        vec![Cell::text(&one.kind), Cell::text(&one.name), integer(one.offset), integer(one.bytes)]
    };
    Table {
        name: "sections".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("kind", "Section"),
            Column::text("name", "Name"),
            Column::number("offset", "Offset", "B"),
            Column::number("bytes", "Size", "B"),
        ],
        rows: report.sections.iter().map(row).collect(),
    }
}

fn kernel_table(kernel: &KernelReport) -> Table {
    let ports = kernel.ports.iter().map(|port| match port.bits {
        Some(bits) => format!("{} {bits} bit", port.name),
        None => format!("{}, width unknown", port.name),
    });
    let ports: Vec<String> = ports.collect();
    let control = kernel.control.as_deref().unwrap_or("control unknown");
    let row = |one: &ArgumentReport| {
        vec![
            Cell::text(&one.name),
            Cell::text(&one.type_name),
            Cell::text(&one.kind),
            Cell::text(one.port.as_deref().unwrap_or_default()),
            Cell::text(&one.offset),
            integer(one.bytes),
        ]
    };
    Table {
        name: kernel.name.clone(),
        caption: format!("{}: {control}; ports {}", kernel.name, ports.join(", ")),
        columns: vec![
            Column::text("argument", "Argument"),
            Column::text("type", "Type"),
            Column::text("kind", "Kind"),
            Column::text("port", "Port"),
            Column::text("offset", "Register"),
            Column::number("bytes", "Size", "B"),
        ],
        rows: kernel.arguments.iter().map(row).collect(),
    }
}

fn unit_table(report: &InspectReport) -> Table {
    let row = |unit: &UnitReport| {
        let connections: Vec<String> = unit
            .connections
            .iter()
            .map(|one| {
                let name = one.name.clone().unwrap_or_else(|| format!("argument {}", one.argument));
                format!("{name} {}", one.bank.as_deref().unwrap_or("(no such bank)"))
            })
            .collect();
        let control = if unit.kernel { unit.control.as_str() } else { "platform" };
        vec![
            Cell::text(&unit.name),
            Cell::text(&unit.base),
            Cell::text(control),
            Cell::Text(connections.join(", ")),
        ]
    };
    Table {
        name: "compute-units".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("name", "Unit"),
            Column::text("base", "Registers at"),
            Column::text("control", "Control"),
            Column::text("connections", "Buffers"),
        ],
        rows: report.compute_units.iter().map(row).collect(),
    }
}

fn memory_table(report: &InspectReport) -> Table {
    let row = |bank: &MemoryReport| {
        vec![
            Cell::text(&bank.tag),
            Cell::text(&bank.kind),
            Cell::text(if bank.used { "yes" } else { "no" }),
            bank.bytes.map_or(Cell::Empty, |bytes| {
                Cell::number(bytes as f64 / f64::from(1 << 20), NumberFormat::Significant(6))
            }),
            Cell::text(&bank.base),
        ]
    };
    Table {
        name: "memory".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("tag", "Bank"),
            Column::text("kind", "Kind"),
            Column::text("used", "Used"),
            Column::number("size", "Size", "MiB"),
            Column::text("base", "First address"),
        ],
        rows: report.memories.iter().map(row).collect(),
    }
}
