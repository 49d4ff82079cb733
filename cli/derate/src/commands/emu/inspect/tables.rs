use derate_reports::{Cell, Column, NumberFormat, Table};

use derate_host::xclbin::{
    DesignArgument, DesignKernel, InspectReport, MemoryReport, SectionReport, UnitReport,
};

fn integer(number: u64) -> Cell {
    Cell::number(number as f64, NumberFormat::Integer)
}

pub(super) fn section_table(report: &InspectReport) -> Table {
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

pub(super) fn kernel_table(kernel: &DesignKernel) -> Table {
    let ports = kernel.ports.iter().map(|port| match port.bits {
        Some(bits) => format!("{} {bits} bit", port.name),
        None => format!("{}, width unknown", port.name),
    });
    let ports: Vec<String> = ports.collect();
    let control = kernel.control.as_deref().unwrap_or("control unknown");
    let row = |one: &DesignArgument| {
        vec![
            Cell::text(&one.name),
            Cell::text(&one.type_name),
            Cell::Text(one.kind.to_string()),
            Cell::text(one.port.as_deref().unwrap_or_default()),
            Cell::Text(format!("{:#x}", one.offset)),
            integer(one.size),
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

pub(super) fn unit_table(report: &InspectReport) -> Table {
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

pub(super) fn memory_table(report: &InspectReport) -> Table {
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
