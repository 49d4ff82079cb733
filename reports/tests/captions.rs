//! What the captions of the figures conclude: another design, another conclusion.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_reports::Block;
use derate_reports::sections;
use fixture::Fixture;

/// The caption of the report's figure of that name.
fn caption(fixture: &Fixture, figure: &str) -> String {
    let analysis = fixture.analysis();
    let report = sections::report(&analysis, &audit(&analysis), &estimate(&analysis));
    let mut blocks = report.sections.iter().flat_map(|section| &section.blocks);
    let found = blocks.find_map(|block| match block {
        Block::Bars(bars) if bars.name == figure => Some(bars.caption.clone()),
        Block::Chart(chart) if chart.name == figure => Some(chart.caption.clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("there is no figure {figure}"))
}

/// smolVLA with a `[design]`.
fn smolvla(design: &str) -> Fixture {
    let design = format!("[design]\n{design}\n\n[derate]");
    Fixture::new("smolvla").with("derate.toml", "[derate]", &design)
}

const ARRAY: &str = "rows = 8\ncolumns = 8\nprecision = \"bf16\"";

/// `derate.toml` with this bandwidth in the place of 300 GB/s.
fn derated(bandwidth: &str) -> Fixture {
    Fixture::new("smolvla").with("derate.toml", "\"300 GB/s\"", &format!("\"{bandwidth}\""))
}

#[test]
fn the_latency_names_what_is_the_first_to_fix() {
    let gap = |more: &str| caption(&smolvla(&format!("{ARRAY}\n{more}")), "latency-gap");
    let near = gap("");
    let wanted =
        "the roofline itself is 93.8 % of it, and of what comes on top fill is the largest";
    assert!(near.contains(wanted), "{near}");
    // 324 calls of a second each.
    let far = gap("launch = \"1 s\"");
    let wanted = "of it 5.4 minutes (93.3 %) for launch, more than the roofline (21.88 s), and the first thing to fix";
    assert!(far.contains(wanted), "{far}");
}

#[test]
fn fusing_is_worth_its_bytes_only_where_memory_bounds() {
    let savings = |fixture: &Fixture| caption(fixture, "fusion-savings");
    let compute = savings(&Fixture::new("smolvla"));
    assert!(compute.contains("keeps 71.4 % of the traffic on the chip"), "{compute}");
    let wanted = "yet saves no more than 3.72 % of the roofline time";
    assert!(compute.contains(wanted) && compute.ends_with("is compute bound."), "{compute}");
    let memory = savings(&derated("10 GB/s"));
    assert!(memory.contains("and saves 54 % of the roofline time"), "{memory}");
    let small = savings(&smolvla("buffer = \"1 KiB\""));
    assert!(small.starts_with("Fusing saves next to nothing here."), "{small}");
}

#[test]
fn the_roofline_says_whether_the_claims_conclusion_stays() {
    let roofline = |fixture: &Fixture| caption(fixture, "roofline");
    let stays = roofline(&Fixture::new("smolvla"));
    let wanted = "text layers: compute bound, as claimed, at 20 % of the claimed rate.";
    assert!(stays.contains(wanted), "{stays}");
    let turns = roofline(&derated("10 GB/s"));
    let wanted = "memory bound, not compute bound as claimed, at 15.7 % of the claimed rate.";
    assert!(turns.contains(wanted), "{turns}");
    let own = roofline(&smolvla(ARRAY));
    assert!(
        own.ends_with(
            "The whole inference on the design: OI 75.3, ridge 0.128 OP/B, compute bound."
        ),
        "{own}"
    );
}
