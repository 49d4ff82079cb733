//! `export_impl.xml`, `export_syn.xml` and their copies `vivado_*.xml`, of Vivado HLS `<top>_export.xml`: what Vivado made of an
//! exported kernel.

use super::achieved::{Utilisation, UtilisationKind};
use super::figure::Located;
use super::profile::{read_available, read_nanoseconds};
use super::report::{Report, ReportKind};
use super::resource::{Resource, resource_name};
use super::xml::Element;

/// The stage of a run of Vivado: placed and routed, or synthesised alone. `None` for a report of HLS.
pub(crate) fn find_stage(root: &Element) -> Option<ReportKind> {
    let Some(run) = root.element_at(&["RunData"]) else { return find_stage_of_vivado_hls(root) };
    let run = run.word_of("RUN_TYPE")?;
    match run.value.as_str() {
        "impl" => Some(ReportKind::Implementation),
        "synth" | "syn" => Some(ReportKind::RtlSynthesis),
        _ => None,
    }
}

/// Vivado HLS does not name the run: slices are known once the kernel is placed.
fn find_stage_of_vivado_hls(root: &Element) -> Option<ReportKind> {
    read_nanoseconds(root.find_child("TimingReport")?, "AchievedClockPeriod")?;
    let slices = root.element_at(&["AreaReport", "Resources"])?.figure_of("SLICE");
    let is_placed = slices.and_then(|slices| slices.value.known()).is_some_and(|number| number > 0);
    Some(if is_placed { ReportKind::Implementation } else { ReportKind::RtlSynthesis })
}

/// Reads the element `<profile>` of a run of Vivado.
pub(crate) fn read_implementation(root: &Element, kind: ReportKind) -> Report {
    let mut report = Report::new(kind);
    report.version = root.element_at(&["RunData"]).and_then(|run| run.word_of("VIVADO_VERSION"));
    report.top = find_top(root);
    if let Some(timing) = root.find_child("TimingReport") {
        report.clock.target = read_nanoseconds(timing, "TargetClockPeriod");
        report.clock.estimated = read_nanoseconds(timing, "AchievedClockPeriod");
    }
    let Some(area) = root.find_child("AreaReport") else { return report };
    // Some copies name no module.
    let name = report.top.clone().unwrap_or_else(|| area.name.clone().map(|_| "the kernel".into()));
    let used = area.find_child("Resources").map_or(&[][..], |used| &used.children);
    let resources = used.iter().filter_map(|one| {
        // Blocks of 18 Kb, as HLS counts them.
        let name = if one.name.value == "BRAM" { "BRAM_18K" } else { one.name.value.as_str() };
        let used = area.find_child("Resources")?.figure_of(&one.name.value)?;
        let available = read_available(area, &one.name.value);
        Some((resource_name(name).to_owned(), Resource { used, available, share: None }))
    });
    let resources = resources.collect();
    report.utilisation.push(Utilisation {
        name,
        kind: UtilisationKind::Kernel,
        kernel: None,
        resources,
    });
    report
}

/// The function that Vivado was given. Vivado's own copy has the depth and the name of its cell in place of the mark.
fn find_top(root: &Element) -> Option<Located<String>> {
    let modules = &root.find_child("RtlModules")?.children;
    let find = |key: &str, word: &str, name: &str| {
        let is_it =
            |one: &&Element| one.find_attribute(key).is_some_and(|answer| answer.value == word);
        modules.iter().find(is_it)?.find_attribute(name)
    };
    find("IS_TOP", "1", "MODULENAME").or_else(|| find("DEPTH", "0", "ORIG_REF_NAME"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;
    use crate::csynth::read_report;

    /// In the form of Vitis 2022.1 to 2025.1.
    const PLACED: &str = "<profile>\n<RunData><RUN_TYPE>impl</RUN_TYPE>\
        <VIVADO_VERSION>v.2025.1</VIVADO_VERSION></RunData>\n\
        <TimingReport><TargetClockPeriod>10.000</TargetClockPeriod>\
        <AchievedClockPeriod>7.904</AchievedClockPeriod><CP_ROUTE>NA</CP_ROUTE></TimingReport>\n\
        <AreaReport><Resources><BRAM>8</BRAM><DSP>0</DSP><LUT>3330</LUT></Resources>\
        <AvailableResources><BRAM>10</BRAM><DSP>10</DSP><LUT>3750</LUT></AvailableResources></AreaReport>\n\
        <RtlModules><RtlModule CELL=\"inst/a\" MODULENAME=\"stage\"/>\
        <RtlModule CELL=\"inst\" IS_TOP=\"1\" MODULENAME=\"hash\"/></RtlModules>\n</profile>\n";

    #[test]
    fn a_run_of_vivado_gives_what_the_top_takes_and_the_clock_it_reaches() {
        let mut sources = Sources::default();
        let file = sources.add("export_impl.xml", PLACED);
        let report = read_report(&sources, file).unwrap();
        assert_eq!(report.kind, ReportKind::Implementation);
        assert_eq!(report.top.as_ref().unwrap().value, "hash");
        assert_eq!(report.clock.estimated.as_ref().unwrap().value.known(), Some(7.904));
        let row = &report.utilisation[0];
        assert_eq!((row.name.value.as_str(), row.kind), ("hash", UtilisationKind::Kernel));
        let lut = &row.resources["LUT"];
        assert_eq!(lut.used.value.known(), Some(3330));
        assert_eq!(lut.available.as_ref().unwrap().value.known(), Some(3750));
        assert_eq!(row.resources["BRAM_18K"].used.value.known(), Some(8));
        assert!(report.modules.is_empty() && report.unread.is_empty());
        let copy = PLACED.replace("IS_TOP=\"1\" MODULENAME", "DEPTH=\"0\" ORIG_REF_NAME");
        let file = sources.add("vivado_impl.xml", copy);
        assert_eq!(read_report(&sources, file).unwrap().top.unwrap().value, "hash");
        // Vivado HLS names neither the run nor the module.
        let start = PLACED.find("<TimingReport>").unwrap();
        let end = PLACED.find("<RtlModules>").unwrap();
        let old = format!("<profile>\n{}</profile>\n", &PLACED[start..end]);
        let placed = old.replace("<BRAM>8", "<SLICE>900</SLICE><BRAM>8");
        for (text, kind) in [(old, ReportKind::RtlSynthesis), (placed, ReportKind::Implementation)]
        {
            assert_eq!(crate::report_kind(&text), Some(kind));
            let file = sources.add("hash_export.xml", text);
            let report = read_report(&sources, file).unwrap();
            assert_eq!(report.kind, kind);
            assert_eq!(report.clock.estimated.as_ref().unwrap().value.known(), Some(7.904));
            assert_eq!(report.utilisation[0].name.value, "the kernel");
        }
        let file = sources.add("export_syn.xml", PLACED.replace(">impl<", ">synth<"));
        assert_eq!(read_report(&sources, file).unwrap().kind, ReportKind::RtlSynthesis);
    }
}
