//! `kernel_util_*.rpt`.

use super::achieved::{Utilisation, UtilisationKind};
use super::report::{Report, ReportKind};
use super::resource::Resource;
use super::table::{Layout, read_word};
use super::tree::read_share;
use std::collections::BTreeMap;

/// Reads the whole report.
pub(crate) fn read_utilisation(layout: &Layout) -> Report {
    let mut report = Report::new(ReportKind::KernelUtilisation);
    report.tool = layout.find_fact("Tool Version");
    report.part = layout.find_fact("Device");
    report.top = layout.find_fact("Design");
    for grid in layout.grids.iter().filter(|grid| grid.column_named("LUTAsMem").is_some()) {
        let mut kernel: Option<String> = None;
        for row in &grid.rows {
            let Some(name) = read_word(row, grid.column_named("Name")) else { continue };
            let inner = row.first().is_some_and(|cell| cell.indent > 1);
            let kind = match (name.value.as_str(), inner) {
                ("Platform", false) => UtilisationKind::Platform,
                ("User Budget", false) => UtilisationKind::Budget,
                ("Used Resources", true) => UtilisationKind::Used,
                ("Unused Resources", true) => UtilisationKind::Unused,
                (_, false) => UtilisationKind::Kernel,
                (_, true) => UtilisationKind::ComputeUnit,
            };
            if kind == UtilisationKind::Kernel {
                kernel = Some(name.value.clone());
            }
            let mut resources: BTreeMap<String, Resource> = BTreeMap::new();
            for (column, heading) in grid.headings.iter().enumerate().skip(1) {
                if let Some(text) = read_word(row, Some(column)) {
                    resources.insert(heading.clone(), read_share(text));
                }
            }
            let kernel = kernel.clone().filter(|_| kind == UtilisationKind::ComputeUnit);
            report.utilisation.push(Utilisation { name, kind, kernel, resources });
        }
        for span in &grid.odd {
            report.note_unread(*span, "a row that does not fit its headings");
        }
    }
    report
}
