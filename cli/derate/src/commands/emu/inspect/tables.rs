use derate_reports::{Cell, NumberFormat, Table};

use derate_host::xclbin::{DesignKernel, InspectReport, UnitReport};

fn integer(number: u64) -> Cell {
    Cell::number(number as f64, NumberFormat::Integer)
}

pub(super) fn section_table(report: &InspectReport) -> Table {
    Table::from_items("sections", "", &report.sections)
        .text("kind", "Section", |one| &one.kind)
        .text("name", "Name", |one| &one.name)
        .number("offset", "Offset", "B", |one| integer(one.offset))
        .number("bytes", "Size", "B", |one| integer(one.bytes))
        .build()
}

pub(super) fn kernel_table(kernel: &DesignKernel) -> Table {
    let ports = kernel.ports.iter().map(|port| match port.bits {
        Some(bits) => format!("{} {bits} bit", port.name),
        None => format!("{}, width unknown", port.name),
    });
    let ports: Vec<String> = ports.collect();
    let control = kernel.control.as_deref().unwrap_or("control unknown");
    let caption = format!("{}: {control}; ports {}", kernel.name, ports.join(", "));
    Table::from_items(&kernel.name, caption, &kernel.arguments)
        .text("argument", "Argument", |one| &one.name)
        .text("type", "Type", |one| &one.type_name)
        .text("kind", "Kind", |one| one.kind.to_string())
        .text("port", "Port", |one| one.port.clone().unwrap_or_default())
        .text("offset", "Register", |one| format!("{:#x}", one.offset))
        .number("bytes", "Size", "B", |one| integer(one.size))
        .build()
}

/// The buffers of a unit, each with its bank.
fn list_connections(unit: &UnitReport) -> String {
    let connections = unit.connections.iter().map(|one| {
        let name = one.name.clone().unwrap_or_else(|| format!("argument {}", one.argument));
        format!("{name} {}", one.bank.as_deref().unwrap_or("(no such bank)"))
    });
    connections.collect::<Vec<_>>().join(", ")
}

pub(super) fn unit_table(report: &InspectReport) -> Table {
    Table::from_items("compute-units", "", &report.compute_units)
        .text("name", "Unit", |unit| &unit.name)
        .text("base", "Registers at", |unit| &unit.base)
        .text("control", "Control", |unit| if unit.kernel { &unit.control } else { "platform" })
        .text("connections", "Buffers", |unit| list_connections(unit))
        .build()
}

pub(super) fn memory_table(report: &InspectReport) -> Table {
    let mebibytes =
        |bytes: u64| Cell::number(bytes as f64 / f64::from(1 << 20), NumberFormat::Significant(6));
    Table::from_items("memory", "", &report.memories)
        .text("tag", "Bank", |bank| &bank.tag)
        .text("kind", "Kind", |bank| &bank.kind)
        .text("used", "Used", |bank| if bank.used { "yes" } else { "no" })
        .number("size", "Size", "MiB", |bank| bank.bytes.map(mebibytes))
        .text("base", "First address", |bank| &bank.base)
        .build()
}
