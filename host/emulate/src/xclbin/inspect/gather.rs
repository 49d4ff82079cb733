use super::report::{ConnectionReport, InspectReport, MemoryReport, SectionReport, UnitReport};
use crate::xclbin::{Design, Xclbin};

/// The data.
pub(super) fn gather_report(
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
        clocks: design.clocks.clone(),
        kernel_clock: design.kernel_clock.clone(),
        compute_units: gather_units(design),
        kernels: design.kernels.clone(),
        code: design.code.ok().map(|bytes| bytes as u64),
        problems: xclbin.problems.iter().chain(&design.problems).cloned().collect(),
    }
}

fn gather_units(design: &Design) -> Vec<UnitReport> {
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
