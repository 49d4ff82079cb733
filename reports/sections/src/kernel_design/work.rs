//! Where the cycles go beside where the operations go, and how far each kernel is from its roof.

use derate_design::{DesignKernel, KernelDesign};
use derate_render::{BarSeries, Bars, Cell, Column, Length, NumberFormat, Table};
use derate_units::figures::significant;

use super::number_cell;

/// Shares of the kernels' time and of the work that they serve, in percent.
fn list_shares(design: &KernelDesign) -> Vec<(&DesignKernel, Option<f64>, f64)> {
    let time = |kernel: &DesignKernel| kernel.seconds().map(|time| time.value.0);
    let all_time: f64 = design.kernels.iter().filter_map(time).sum();
    let all_work: f64 = design.kernels.iter().map(|kernel| kernel.serves.multiply_adds()).sum();
    let kernels = design.kernels.iter().map(|kernel| {
        let work = kernel.serves.multiply_adds();
        let work = if all_work > 0.0 { 100.0 * work / all_work } else { 0.0 };
        (kernel, time(kernel).map(|time| 100.0 * time / all_time), work)
    });
    kernels.collect()
}

/// Time beside work, a pair of bars for each kernel; `None` where one kernel has all of both.
pub(super) fn chart_work(design: &KernelDesign) -> Option<Bars> {
    let shares = list_shares(design);
    if shares.len() < 2 || shares.iter().all(|(_, time, _)| time.is_none()) {
        return None;
    }
    let length = |value| Length { value, live: None };
    let times = shares.iter().map(|(_, time, _)| time.map(length)).collect();
    let works = shares.iter().map(|(_, _, work)| Some(length(*work))).collect();
    let excess = |one: &&(&DesignKernel, Option<f64>, f64)| one.1.map_or(0.0, |time| time - one.2);
    let worst = shares.iter().max_by(|a, b| excess(a).total_cmp(&excess(b)));
    let caption = worst.filter(|one| excess(one) >= 1.0).map_or_else(
        || "Each kernel takes the share of the time that it has of the work.".to_owned(),
        |one| {
            format!(
                "`{}` takes {} % of the kernels' time for {} % of their multiply-adds.",
                one.0.name,
                significant(one.1.unwrap_or(0.0), 3),
                significant(one.2, 3)
            )
        },
    );
    Some(Bars {
        name: "design-work".to_owned(),
        title: "Where the cycles go, and where the operations go".to_owned(),
        caption,
        label: "Share".to_owned(),
        unit: "%".to_owned(),
        format: NumberFormat::Significant(3),
        bars: shares.iter().map(|(kernel, _, _)| kernel.name.clone()).collect(),
        series: vec![
            BarSeries { name: "time of the kernels".to_owned(), lengths: times },
            BarSeries { name: "multiply-adds that they serve".to_owned(), lengths: works },
        ],
        stacked: false,
    })
}

/// The distance of each kernel to its roof; `None` where no roof is known.
pub(super) fn tabulate_roofs(design: &KernelDesign) -> Option<Table> {
    let shares = list_shares(design);
    if design.kernels.iter().all(|kernel| kernel.roof.is_none()) {
        return None;
    }
    let row = |(kernel, time, work): &(&DesignKernel, Option<f64>, f64)| {
        let (three, roof) = (NumberFormat::Significant(3), kernel.roof.as_ref());
        vec![
            Cell::text(&kernel.name),
            number_cell(*time, three),
            Cell::number(*work, three),
            number_cell(roof.map(|roof| 1e3 * roof.time.value.0), three),
            Cell::text(roof.map_or("", |roof| roof.bound.as_str())),
            number_cell(roof.and_then(|roof| roof.distance), three),
        ]
    };
    Some(Table {
        name: "design-roofs".to_owned(),
        caption: "Time and work of each kernel, and what the whole card could do of its work"
            .to_owned(),
        columns: vec![
            Column::text("kernel", "Kernel"),
            Column::number("time", "Time", "% of kernels"),
            Column::number("work", "Multiply-adds", "% of served"),
            Column::number("roof", "At the roof", "ms"),
            Column::text("bound", "Bound"),
            Column::number("distance", "Times of its roof", ""),
        ],
        rows: shares.iter().map(row).collect(),
    })
}
