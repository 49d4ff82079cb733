use derate_reports::{Block, Document, Section};

use super::tables::{kernel_table, memory_table, section_table, unit_table};
use derate_host::xclbin::InspectReport;

/// The data for people.
pub(super) fn document(report: &InspectReport) -> Document {
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
    let code = match report.code {
        Some(bytes) => format!("`derate emu run` runs it: {bytes} bytes of kernels' code are in it."),
        None => "`derate emu run` does not run it: no whole code of kernels, as `derate emu xclbin` puts it in, is in it.".to_owned(),
    };
    let table = Block::Table(section_table(report));
    add("Container", vec![Block::Prose(about), Block::Prose(code), table]);
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
