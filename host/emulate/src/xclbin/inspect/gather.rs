use super::report::{
    ArgumentReport, ClockReport, ConnectionReport, InspectReport, KernelReport, MemoryReport,
    PortReport, SectionReport, UnitReport,
};
use crate::xclbin::{Design, DesignArgument, DesignKernel, Xclbin};

/// The data.
pub(super) fn report(
    file: &str,
    bytes: u64,
    xclbin: &Xclbin<'_>,
    design: &Design,
) -> InspectReport {
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
        code: design.code.ok().map(|bytes| bytes as u64),
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

fn kernel_report(kernel: &DesignKernel) -> KernelReport {
    let argument = |argument: &DesignArgument| ArgumentReport {
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
