//! What the audit finds in reports and in a v++ configuration, and that it keeps silent where nothing is wrong.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod accesses;
mod allows;
mod connectivity;
mod intervals;
mod reports;

use std::fs;
use std::path::PathBuf;

use derate_hls::Sources;
use derate_model::audit::{Finding, audit};
use derate_model::{Analysis, Build, Code, ModelShape, Named, Platform, Project, Recorded};

const PROJECT: &str = "[model]\nshapes = \"dump.txt\"\n\n[platform]\nname = \"u280\"\n\n[claims]\n";
const DUMP: &str = "fc.weight: torch.Size([64, 64]) torch.float32\n";

/// An analysis with claims, a v++ configuration (empty for none) and reports.
fn analysis(claims: &str, connectivity: &str, reports: &[(&str, String)]) -> Analysis {
    with_code(claims, connectivity, reports, "")
}

/// The same with a kernel's source; empty for none.
fn with_code(claims: &str, connectivity: &str, reports: &[(&str, String)], code: &str) -> Analysis {
    let mut sources = Sources::default();
    let file = sources.add("derate.toml", format!("{PROJECT}{claims}\n"));
    let project = Project::parse(&sources, file).unwrap();
    let dump = sources.add("dump.txt", DUMP);
    let shape = ModelShape::parse(&sources, dump, None).unwrap();
    let named = |file| Named { file, by: project.platform.clone(), by_pattern: false };
    let connectivity =
        (!connectivity.is_empty()).then(|| named(sources.add("u280.cfg", connectivity.to_owned())));
    let reports: Vec<_> =
        reports.iter().map(|(name, text)| named(sources.add(*name, text.clone()))).collect();
    let build = Build::read(&sources, &reports, connectivity).unwrap();
    let platform = Platform::named(&project.platform.value).unwrap();
    let headers: Vec<_> =
        (!code.is_empty()).then(|| sources.add("kernel.cpp", code)).into_iter().collect();
    let mut nowhere = Recorded::default();
    let code = Code::new(&mut sources, &headers, &[], &mut nowhere, Some(&shape));
    Analysis::new(sources, project, shape, code, platform, build).unwrap()
}

/// What one rule finds.
fn found(code: &str, claims: &str, reports: &[(&str, String)]) -> Vec<Finding> {
    let findings = audit(&analysis(claims, "", reports)).findings;
    findings.into_iter().filter(|finding| finding.code == code).collect()
}

/// What one rule finds in one report, without claims.
fn found_in(code: &str, name: &str, text: impl Into<String>) -> Vec<Finding> {
    found(code, "", &[(name, text.into())])
}

/// A report of `fixtures/reports`.
fn fixture(path: &str) -> String {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/reports");
    fs::read_to_string(dir.join(path)).unwrap()
}

/// The text with `from`, which must occur, replaced.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "no `{from}`");
    text.replace(from, to)
}

/// A report in XML without a word about violations, as before 2023.2.
fn old_xml(name: &str, ii: &str) -> String {
    format!(
        "<profile><ReportVersion><Version>2019.2</Version></ReportVersion>\
         <UserAssignments><TopModelName>{name}</TopModelName></UserAssignments>\
         <PerformanceEstimates><SummaryOfLoopLatency><ACC><TripCount>64</TripCount>\
         <Latency>260</Latency><PipelineII>{ii}</PipelineII><PipelineDepth>8</PipelineDepth></ACC>\
         </SummaryOfLoopLatency></PerformanceEstimates></profile>"
    )
}
