//! What stands behind the figures of a design: clocks, provenance, and what is not known.
#![allow(clippy::float_cmp, reason = "whole numbers, and quotients of them")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use std::fs;
use std::path::PathBuf;

use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_model::scenario::ScenarioKind;
use derate_model::{Analysis, Bound, Build, Named, Provenance};
use derate_reports::LineStyle;
use derate_reports::render_markdown;
use derate_reports::sections;
use fixture::{Fixture, of};

/// smolVLA with a `[design]`.
fn smolvla(design: &str) -> Fixture {
    Fixture::new("smolvla").with(
        "derate.toml",
        "[derate]",
        &format!("[design]\n{design}\n\n[derate]"),
    )
}

/// The same with what the tools printed.
fn with_reports(fixture: &Fixture, reports: &[(&str, String)]) -> Analysis {
    let mut analysis = fixture.analysis();
    let by = analysis.project.platform.clone();
    let named: Vec<Named> = reports
        .iter()
        .map(|(name, text)| Named {
            file: analysis.sources.add(*name, text.clone()),
            by: by.clone(),
            by_pattern: false,
        })
        .collect();
    analysis.build = Build::read(&analysis.sources, &named, None).unwrap();
    analysis
}

fn report(name: &str) -> String {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/reports");
    fs::read_to_string(dir.join(name)).unwrap()
}

const CSYNTH: &str = "module-2018/fir_csynth.rpt";

/// The report was made for 8 ns; `derate.toml` claims 300 MHz, which says nothing about it.
#[test]
fn reported_cycles_are_timed_at_the_reports_own_clock() {
    let analysis = with_reports(&Fixture::new("smolvla"), &[("fir.rpt", report(CSYNTH))]);
    let rows = estimate(&analysis).synthesised;
    let [row] = &rows[..] else { panic!("{rows:#?}") };
    let (clock, seconds) = (row.clock.as_ref().unwrap(), row.seconds.as_ref().unwrap());
    assert_eq!((clock.value.0, clock.provenance), (125e6, Provenance::Synthesised));
    assert_eq!(
        (seconds.value.0, seconds.provenance),
        (row.worst.value.0 / 125e6, Provenance::Derived)
    );
    assert!(clock.source.contains("8 ns") && seconds.source.contains("8 ns"));
}

#[test]
fn reported_cycles_are_timed_at_the_clock_that_was_reached() {
    let reports =
        [("fir.rpt", report(CSYNTH)), ("axpy.xclbin.info", report("xclbin-info/axpy.xclbin.info"))];
    let time = |fixture: &Fixture| {
        let row = estimate(&with_reports(fixture, &reports)).synthesised.remove(0);
        let seconds = row.seconds.unwrap();
        (row.worst.value.0 / seconds.value.0, seconds.provenance)
    };
    let (clock, provenance) = time(&Fixture::new("smolvla"));
    assert!((clock - 271e6).abs() < 1.0 && provenance == Provenance::Derived);
    let (clock, provenance) = time(&smolvla("clock = \"250 MHz\""));
    assert!((clock - 250e6).abs() < 1.0 && provenance == Provenance::Assumed);
}

#[test]
fn reported_cycles_without_a_clock_have_no_time() {
    let text = report(CSYNTH).replace("8.00|", "   ?|");
    let row = estimate(&with_reports(&Fixture::new("smolvla"), &[("fir.rpt", text)]))
        .synthesised
        .remove(0);
    assert_eq!((row.clock, row.seconds), (None, None));
    assert!(row.unknown.unwrap().contains("names no target clock"));
    assert!(row.worst.value.0 > 0.0);
}

/// DSP48E2 bear 775 MHz on this card; the design is built for the claimed 300 MHz.
#[test]
fn a_clock_that_no_slice_bears_is_counted_nowhere() {
    let fixture = smolvla("rows = 8\ncolumns = 8\nports = 32\nport_bits = 256\nclock = \"2 GHz\"");
    let analysis = fixture.analysis();
    let findings = audit(&analysis).findings;
    let [finding] = &of(&findings, "clock/above-fmax")[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.subject, "design.clock");
    let clock = analysis.achieved_clock();
    assert_eq!(clock.value.0, 300e6);
    assert!(clock.source.contains("2 GHz") && clock.source.contains("300 MHz"), "{}", clock.source);
    let fastest = analysis.platform.fastest_clock.as_ref().unwrap().value;
    assert_eq!(analysis.reached_clock().unwrap().value, fastest);
    let slower = smolvla("rows = 8\ncolumns = 8\nports = 32\nport_bits = 256\nclock = \"300 MHz\"");
    let (fast, usual) = (estimate(&analysis), estimate(&slower.analysis()));
    let (fast, usual) = (
        fast.scenario(ScenarioKind::Design).unwrap(),
        usual.scenario(ScenarioKind::Design).unwrap(),
    );
    assert_eq!(fast.bandwidth.value, usual.bandwidth.value);
    assert_eq!(fast.totals.latency_seconds, usual.totals.latency_seconds);
    let inputs = &fast.latency.as_ref().unwrap().rules[0].inputs;
    assert!(inputs.contains("300 MHz (") && inputs.contains("2 GHz"), "{inputs}");
    // A clock that is borne is nobody's error.
    let findings = slower.findings();
    assert!(of(&findings, "clock/above-fmax").is_empty());
}

/// What `derate estimate` shows.
fn shown(analysis: &Analysis) -> String {
    let document = sections::estimate(analysis, &estimate(analysis));
    String::from_utf8(render_markdown(&document).unwrap()).unwrap()
}

/// The last cell of the row that begins with `label`.
fn last_cell<'a>(text: &'a str, label: &str) -> &'a str {
    let row = text.lines().find(|line| line.starts_with(&format!("| {label}"))).unwrap();
    row.trim_end_matches('|').rsplit('|').next().unwrap().trim()
}

#[test]
fn the_design_column_is_headed_by_its_schedule_and_shows_the_claims_own_kernels() {
    let design = "rows = 8\ncolumns = 8\nprecision = \"bf16\"";
    let unfused = shown(&smolvla(design).analysis());
    let fused = shown(&smolvla(&format!("{design}\nschedule = \"block\"")).analysis());
    assert_eq!(last_cell(&unfused, "Figure"), "design");
    assert_eq!(last_cell(&fused, "Figure"), "design (block)");
    // What the claim models is not a matter of the schedule.
    for row in ["OI, text layers", "Peak", "Ridge", "Bound"] {
        assert_eq!(last_cell(&fused, row), last_cell(&unfused, row), "{row}");
    }
    assert_eq!(last_cell(&fused, "OI, text layers"), "170.2");
    assert!(fused.contains("Latency, design (block)") && !unfused.contains("design (block)"));
}

#[test]
fn an_array_that_does_not_fit_is_the_reason_everywhere() {
    let analysis = smolvla("rows = 1000\ncolumns = 1000").analysis();
    let estimate = estimate(&analysis);
    let reason = estimate.no_latency();
    assert!(reason.contains("more than the") && reason.contains("DSP"), "{reason}");
    let text = shown(&analysis);
    // The latency section, the critique and the verdict.
    let escaped = reason.replace('[', "\\[").replace(']', "\\]");
    assert_eq!(text.matches(&escaped).count(), 3, "{text}");
    assert!(!text.contains("gives no rows") && !text.contains("no array"), "{text}");
    let without = shown(&Fixture::new("smolvla").analysis());
    assert_eq!(without.matches("gives no rows and columns of an array").count(), 3);
}

#[test]
fn what_the_design_leaves_out_is_no_saving_to_come() {
    let text = shown(&smolvla("hoist_cross_kv = true").analysis());
    let of =
        |key: &str| text.lines().find(|line| line.contains(&format!("`{key} = true`"))).unwrap();
    assert!(of("hoist_cross_kv").contains("are saved by the design"), "{text}");
    assert!(of("drop_dead_work").contains("could be saved"), "{text}");
}

/// 23,592,960 bytes of the connector's weights at two bytes.
#[test]
fn held_weights_are_taken_off_the_memory_that_is_told() {
    let design = "rows = 8\ncolumns = 8\nbuffer = \"32 MiB\"";
    let held = format!("{design}\nhold = [\"connector\"]");
    let on_chip =
        |design: &str| estimate(&smolvla(design).analysis()).design().unwrap().on_chip.clone();
    let (free, left) = (on_chip(design), on_chip(&held));
    assert_eq!(free.value.0 - left.value.0, 23_592_960.0);
    assert!(left.source.contains("23.59 MB") && left.source.contains("hold"), "{}", left.source);
    assert!(shown(&smolvla(&held).analysis()).contains("with 9.961 MB on the chip"));
}

#[test]
fn the_critique_computes_its_intensities() {
    let text = shown(&Fixture::new("smolvla").analysis());
    assert!(
        text.contains("All in fp32 the text layers have 23.01 OP/B, all in bf16 46.03 OP/B"),
        "{text}"
    );
    assert!(!text.contains("43.45"));
}

/// A claimed latency stands against what the corrected roofs allow, whatever the claimed ones did.
#[test]
fn a_claimed_latency_is_held_against_the_corrected_roofs_too() {
    let with = |latency: &str| {
        let claim = format!("batch = 1\nlatency = \"{latency}\"");
        let analysis = Fixture::new("smolvla").with("derate.toml", "batch = 1", &claim).analysis();
        let estimate = estimate(&analysis);
        let report = sections::report(&analysis, &audit(&analysis), &estimate);
        String::from_utf8(render_markdown(&report).unwrap()).unwrap()
    };
    // 775.7 ms is the best pass of the seed at 1.08 TFLOP/s and 300 GB/s.
    let said =
        "The claimed latency of 160 ms cannot hold then: that best pass takes 4.8 times as long.";
    assert!(with("160 ms").contains(said), "{}", with("160 ms"));
    assert!(with("900 ms").contains("900 ms is above that floor"), "{}", with("900 ms"));
    assert!(!with("unknown").contains("The claimed latency"));
}

/// The cost of a bfloat16 multiply-add is published or taken from one that is; the size of the array is in nobody's report.
#[test]
fn no_figure_is_better_known_than_what_it_stands_on() {
    let cost = smolvla("rows = 8\ncolumns = 8\nprecision = \"int8\"").analysis();
    assert!(cost.mac_cost(derate_model::Precision::INT8).unwrap().provenance > Provenance::Derived);
    let estimate = estimate(&cost);
    let design = estimate.design().unwrap();
    let latency = design.latency.as_ref().unwrap();
    let dsp = latency.array.dsp.as_ref().unwrap();
    assert_eq!((dsp.value, dsp.provenance), (37.0, Provenance::Assumed));
    assert!(dsp.source.starts_with("64 multiply-adds at 1.75 MAC per DSP"), "{}", dsp.source);
    assert_eq!(latency.provenance, Provenance::Assumed);
    for part in &design.parts {
        assert_eq!(part.provenance, latency.provenance, "{}", part.name);
        assert!(part.kernels.iter().all(|k| k.provenance == latency.provenance));
    }
}

#[test]
fn an_array_whose_operators_cost_is_unknown_is_not_said_to_fit() {
    let unknown = smolvla("rows = 8\ncolumns = 8\nprecision = \"fp64\"").analysis();
    let estimate = estimate(&unknown);
    let latency = estimate.design().unwrap().latency.as_ref().unwrap();
    assert!(latency.array.dsp.is_none());
    assert!(
        latency.unknown[0].starts_with("whether the array fits is unknown"),
        "{:?}",
        latency.unknown
    );
    assert!(shown(&unknown).contains("Whether the array fits is unknown"));
    let known = shown(&smolvla("rows = 8\ncolumns = 8").analysis());
    assert!(known.contains("The design takes") && !known.contains("hether the array fits"));
}

#[test]
fn the_call_that_starts_all_parts_has_its_own_row() {
    let text = shown(
        &smolvla("rows = 8\ncolumns = 8\nlaunches = \"inference\"\nlaunch = \"18 ms\"").analysis(),
    );
    assert_eq!(last_cell(&text, "call of the host"), "18.00");
    assert!(text.contains("18 ms per inference"), "{text}");
    assert!(!shown(&smolvla("rows = 8\ncolumns = 8").analysis()).contains("call of the host"));
}

#[test]
fn the_assumptions_have_the_designs_own_figures() {
    let design = "rows = 8\ncolumns = 8\nclock = \"250 MHz\"\nlanes = 16\nports = 32\nport_bits = 256\nbuffer = \"32 MiB\"\nhold = [\"connector\"]\ndrop_dead_work = true";
    let of = |fixture: &Fixture| {
        let analysis = with_reports(fixture, &[("fir.rpt", report(CSYNTH))]);
        let document = sections::report(&analysis, &audit(&analysis), &estimate(&analysis));
        let own = |name: &str| document.tables().find(|table| table.name == name).unwrap();
        // What formulas read has its unit beside it.
        let rows = own("inputs").rows.iter().map(|row| {
            let value = format!("{} {}", row[1].display(), row[2].display());
            (row[0].display(), value.trim_end().to_owned())
        });
        let fixed = own("assumptions").rows.iter();
        let fixed = fixed.map(|row| (row[0].display(), row[1].display()));
        rows.chain(fixed).collect::<Vec<_>>()
    };
    let with = of(&smolvla(design));
    for (name, value) in [
        ("clock that was reached", "250 MHz"),
        ("kernel clock", "300 MHz"),
        ("array: clock that it runs at", "250 MHz"),
        ("array: rows", "8"),
        ("array: fill per tile", "20 cycles"),
        ("array: accumulation interval", "1 cycles"),
        ("array: memory latency", "64 cycles"),
        ("array: launch per block", "0.265"),
        ("array: elementwise lanes", "16"),
        ("memory ports of the design", "32"),
        ("width of each", "256 bit"),
        ("design: on-chip memory for operands", "9.961 MB"),
        ("design: drop_dead_work", "true"),
        ("clock of fir", "250.0 MHz"),
    ] {
        let row = with.iter().find(|(known, _)| known == name);
        let fits = row.is_some_and(|(_, own)| {
            own == value || name.contains("launch") && own.starts_with(value)
        });
        assert!(fits, "{name}: {with:#?}");
    }
    let without = of(&Fixture::new("smolvla"));
    assert!(
        without.iter().all(|(name, _)| !name.starts_with("array") && !name.starts_with("design"))
    );
}

#[test]
fn what_the_design_cannot_fuse_is_said_of_the_design() {
    let text = shown(&smolvla("rows = 8\ncolumns = 8\nbuffer = \"1 MiB\"").analysis());
    for scenario in ["derived-peak", "design"] {
        let lead = format!("Scenario {scenario}, vision: the vision layer (");
        let line = text.lines().find(|line| line.starts_with(&lead));
        assert!(
            line.is_some_and(|line| line.contains("more than the 1.049 MB on the chip")),
            "{text}"
        );
    }
}

/// One wide layer over the ridge of 6 OP/B and eighty narrow ones below it: together they stand over it, yet memory takes the
/// larger share of their time.
#[test]
fn one_bound_is_told_of_one_part() {
    let narrow = (0..80).map(|n| format!("l{n}.w: torch.Size([8, 1024]) [torch.float32]\n"));
    let dump =
        format!("wide.w: torch.Size([1024, 1024]) [torch.float32]\n{}", narrow.collect::<String>());
    let toml = "[model]\nshapes = \"model_shape.txt\"\nworkload = \"linear\"\n\n[platform]\nname = \"u280\"\n\n[claims]\nprecision = \"fp32\"\nsequence_length = 64\nbandwidth = \"300 GB/s\"\npeak = { fp32 = \"1.8 TFLOP/s\" }\n";
    let fixture = Fixture::new("smolvla").only("derate.toml", toml).only("model_shape.txt", &dump);
    let analysis = fixture.analysis();
    let estimate = estimate(&analysis);
    let derated = estimate.scenario(ScenarioKind::Derated).unwrap();
    let (part, ceiling) = (derated.main_part().unwrap(), derated.main_ceiling().unwrap());
    assert!(part.totals.oi > ceiling.ridge && part.totals.bound == Some(Bound::Memory));
    let text = shown(&analysis);
    assert!(text.contains("memory bound at 1.3 times the ridge"), "{text}");
    assert!(text.contains("are at 1.3 times the ridge point of 6 OP/B: memory bound."), "{text}");
}

#[test]
fn the_figure_shows_the_designs_roof_and_parts() {
    let chart = |design: &str| sections::roofline(&estimate(&smolvla(design).analysis())).unwrap();
    let with = chart("rows = 8\ncolumns = 8\nprecision = \"int8\"\nschedule = \"block\"");
    let roof = with.lines.iter().find(|line| line.style == LineStyle::Design).unwrap();
    // 2 x 64 x 300 MHz.
    assert_eq!(roof.name, "design (block): 300 GB/s, 38.4 GOP/s");
    assert_eq!(roof.corners.last().unwrap().y, 38.4e9);
    let parts =
        with.points.iter().find(|series| series.name.starts_with("design (block)")).unwrap();
    assert!(parts.points.iter().any(|point| point.label == "vision"));
    assert!(parts.points.iter().all(|point| point.at.y <= 38.4e9 * (1.0 + 1e-12)));
    let without = chart("");
    assert!(without.lines.iter().all(|line| line.style != LineStyle::Design));
}
