//! What the kernels take of the card and of its regions.

use derate_design::{KernelDesign, LargestKernel, RegionTotal, ResourceTotal};
use derate_render::{Cell, Column, NumberFormat, Table};

pub(super) fn tabulate_resources(design: &KernelDesign) -> Table {
    let row = |total: &ResourceTotal| {
        let available = |text: fn(f64, f64) -> f64, format| {
            total.available.map_or_else(
                || Cell::Unknown(String::new()),
                |available| Cell::number(text(total.used.value, available), format),
            )
        };
        vec![
            Cell::text(total.resource.name()),
            Cell::number(total.used.value.round(), NumberFormat::Integer),
            available(|_, available| available, NumberFormat::Integer),
            available(|used, available| 100.0 * used / available, NumberFormat::Significant(3)),
            Cell::text(total.used.provenance.to_string()),
            Cell::text(total.unknown.join(", ")),
        ]
    };
    let same = design.kernels.iter().filter_map(|kernel| {
        Some(format!("{} is {}", kernel.name, kernel.same_hardware_as.as_ref()?))
    });
    let same: Vec<String> = same.collect();
    let caption = "All kernels together against what the shell leaves";
    let caption = if same.is_empty() {
        caption.to_owned()
    } else {
        format!("{caption}; one hardware with several sizes counts once: {}", same.join(", "))
    };
    Table {
        name: "design-resources".to_owned(),
        caption,
        columns: vec![
            Column::text("resource", "Resource"),
            Column::number("used", "Used", ""),
            Column::number("available", "Available", ""),
            Column::number("share", "Share", "%"),
            Column::text("provenance", "Known as"),
            Column::text("without", "Kernels that do not say"),
        ],
        rows: design.totals.resources.iter().map(row).collect(),
    }
}

/// The kernels by region, and the largest of those without one; `None` where the platform does not say what regions have.
pub(super) fn tabulate_regions(design: &KernelDesign) -> Option<Table> {
    let regions = &design.totals.regions;
    let row = |place: &str, kernels: String, resource: &str, used: f64, available: f64| {
        vec![
            Cell::text(place),
            Cell::text(resource),
            Cell::number(used.round(), NumberFormat::Integer),
            Cell::number(available, NumberFormat::Integer),
            Cell::number(100.0 * used / available, NumberFormat::Significant(3)),
            Cell::text(kernels),
        ]
    };
    let placed = |one: &RegionTotal| {
        let kernels = one.kernels.join(", ");
        row(&one.region, kernels, one.resource.name(), one.used.value, one.available)
    };
    let largest = |one: &LargestKernel| {
        row("any", one.kernel.clone(), one.resource.name(), one.used, one.available)
    };
    let takes = |used: f64| used.round() > 0.0;
    let totals = regions.totals.iter().filter(|one| takes(one.used.value)).map(placed);
    let largest_rows = regions.largest.iter().filter(|one| takes(one.used)).map(largest);
    let rows: Vec<_> = totals.chain(largest_rows).collect();
    let caption = if regions.largest.is_empty() {
        "The kernels in each region of the chip"
    } else {
        "By region of the chip; of the kernels that are placed nowhere, the largest against the largest region"
    };
    (!rows.is_empty()).then(|| Table {
        name: "design-regions".to_owned(),
        caption: caption.to_owned(),
        columns: vec![
            Column::text("region", "Region"),
            Column::text("resource", "Resource"),
            Column::number("used", "Used", ""),
            Column::number("available", "Available", ""),
            Column::number("share", "Share", "%"),
            Column::text("kernels", "Kernels"),
        ],
        rows,
    })
}
