//! What a project's own ports get, and what becomes of a design whose ports are not known to get anything.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_hls::Sources;
use derate_model::audit::audit;
use derate_model::estimate::{BandwidthRow, estimate, port_bandwidth};
use derate_model::scenario::ScenarioKind;
use derate_model::{
    Analysis, Build, Code, ModelShape, Named, Platform, Project, ProjectError, Provenance,
    Recorded, scenario,
};
use derate_reports::sections;

const PROJECT: &str = "[model]\nshapes = \"dump.txt\"\n[platform]\nname = \"u280\"\n[claims]\nclock = \"300 MHz\"\nbandwidth = \"300 GB/s\"\nprecision = \"int8\"\npeak = { int8 = \"1 TOP/s\" }\n[design]\nrows = 16\ncolumns = 16\n";

const DUMP: &str = "fc.weight: torch.Size([64, 64]) torch.float32\n";

const LINK: &str = include_str!("../../fixtures/reports/xclbin-info/axpy.xclbin.info");

fn project(sources: &mut Sources, design: &str) -> Result<Project, ProjectError> {
    let file = sources.add("derate.toml", format!("{PROJECT}{design}"));
    Project::parse(sources, file)
}

fn on(platform: Platform, design: &str, configuration: &str, report: &str) -> Analysis {
    of_all(platform, design, configuration, report, "")
}

fn with_code(configuration: &str, code: &str) -> Analysis {
    of_all(Platform::named("u280").unwrap(), "", configuration, "", code)
}

fn of_all(
    platform: Platform,
    design: &str,
    configuration: &str,
    report: &str,
    code: &str,
) -> Analysis {
    let mut sources = Sources::default();
    let project = project(&mut sources, design).unwrap();
    let dump = sources.add("dump.txt", DUMP);
    let shape = ModelShape::parse(&sources, dump, None).unwrap();
    let mut named = |name: &str, text: &str| {
        let file = (!text.is_empty()).then(|| sources.add(name, text))?;
        Some(Named { file, by: project.platform.clone(), by_pattern: false })
    };
    let (configuration, report) = (named("a.cfg", configuration), named("a.info", report));
    let files: Vec<_> = named("kernel.cpp", code).map(|named| named.file).into_iter().collect();
    let reports: Vec<_> = report.into_iter().collect();
    let build = Build::read(&sources, &reports, configuration).unwrap();
    let code = Code::new(&mut sources, &files, &[], &mut Recorded::default(), Some(&shape));
    Analysis::new(sources, project, shape, code, platform, build).unwrap()
}

fn analysis(design: &str, configuration: &str, report: &str) -> Analysis {
    on(Platform::named("u280").unwrap(), design, configuration, report)
}

fn own(analysis: &Analysis) -> BandwidthRow {
    let rows = estimate(analysis).bandwidths;
    rows.into_iter().find(|row| row.name == "the project's own ports").unwrap()
}

fn gigabytes(analysis: &Analysis) -> f64 {
    own(analysis).bandwidth.unwrap().value.0 / 1e9
}

fn near(value: f64, wanted: f64) -> bool {
    (value / wanted - 1.0).abs() < 1e-3
}

/// Two banks of DDR are 38.4 GB/s, an eighth of the 300 GB/s that the HBM of the same card is claimed to give.
#[test]
fn a_design_on_ddr_has_the_bandwidth_of_ddr() {
    let analysis = analysis(
        "",
        "[connectivity]\nsp=mlp_1.a:DDR[0]\nsp=mlp_1.b:DDR[1]\nsp=mlp_1.c:DDR[0]\n",
        "",
    );
    assert!(near(gigabytes(&analysis), 36.17), "{:?}", own(&analysis));
    let estimate = estimate(&analysis);
    let design = estimate.scenario(ScenarioKind::Design).unwrap();
    assert!(near(design.bandwidth.value.0 / 1e9, 36.17), "{:?}", design.bandwidth);
}

#[test]
fn a_design_whose_ports_reach_nothing_has_no_latency_and_says_why() {
    let analysis = analysis("", "[connectivity]\nsp=mlp_1.a:HBM[32]\nsp=mlp_1.b:PLRAM[0]\n", "");
    let estimate = estimate(&analysis);
    assert!(estimate.scenario(ScenarioKind::Design).is_none());
    let skipped = estimate.skipped.iter().find(|one| one.scenario == ScenarioKind::Design).unwrap();
    for said in ["no port of the design reaches", "mlp_1.a (HBM[32]", "mlp_1.b (PLRAM[0]"] {
        assert!(skipped.reason.contains(said), "{}", skipped.reason);
    }
    let row = own(&analysis);
    assert_eq!((row.bandwidth, &row.sentence), (None, &skipped.reason));
    let json = serde_json::to_string(&estimate).unwrap();
    assert!(json.contains("\"bandwidth\":null,\"sentence\":\"no port of the design"), "{json}");
    let document = sections::estimate(&analysis, &estimate);
    let text = derate_reports::render_markdown(&document).unwrap();
    assert!(String::from_utf8(text).unwrap().contains("no port of the design reaches"));
}

/// `gmem1` of `sm0` has no line: v++ links it all the same.
#[test]
fn a_port_that_no_line_wires_is_counted_and_named() {
    let interface = |port: &str, bundle: &str| {
        format!("#pragma HLS INTERFACE m_axi port={port} bundle={bundle}\n")
    };
    let pragmas = interface("scores", "gmem0") + &interface("probs", "gmem1");
    let kernel = format!(
        "#include <ap_int.h>\nvoid sm(const ap_uint<16> *scores, ap_uint<16> *probs) {{\n{pragmas}}}\n"
    );
    let partly = "[connectivity]\nnk=sm:2:sm0.sm1\nsp=sm0.scores:HBM[4]\n";
    let row = own(&with_code(partly, &kernel));
    // Four ports of 16 bit at 300 MHz.
    let figure = row.bandwidth.unwrap();
    assert!(near(figure.value.0, 4.0 * 0.6e9), "{}", row.sentence);
    assert_eq!(figure.provenance, Provenance::Assumed);
    assert!(
        row.sentence.contains(
            "No sp= line wires sm0.m_axi_gmem1, sm1.m_axi_gmem0, sm1.m_axi_gmem1: v++ chooses the bank"
        ),
        "{}",
        row.sentence
    );
    let told = format!("{partly}sp=sm0.probs:HBM[5]\nsp=sm1.scores:HBM[6]\nsp=sm1.probs:HBM[7]\n");
    let row = own(&with_code(&told, &kernel));
    let figure = row.bandwidth.unwrap();
    assert!(near(figure.value.0, 4.0 * 0.6e9), "{}", row.sentence);
    assert_eq!(figure.provenance, Provenance::Derived, "{}", row.sentence);
    // Which port `x` is nobody knows, so none of the unit is said to have no line.
    let row = own(&with_code("[connectivity]\nsp=sm_1.x:HBM[4]\n", &kernel));
    assert!(!row.sentence.contains("No sp= line"), "{}", row.sentence);
}

#[test]
fn a_configuration_that_wires_nothing_says_nothing_of_ports() {
    let analysis = analysis("", "[connectivity]\nnk=mlp:2\n", "");
    assert!(port_bandwidth(&analysis).is_none());
    let estimate = estimate(&analysis);
    assert!(near(estimate.scenario(ScenarioKind::Design).unwrap().bandwidth.value.0, 300e9));
}

#[test]
fn ports_of_the_design_are_a_claim_and_named_as_one() {
    let analysis = analysis("ports = 32\nport_bits = 512\n", "", "");
    let figure = own(&analysis).bandwidth.unwrap();
    assert!(near(figure.value.0, 419.8e9), "{figure:?}");
    assert_eq!(figure.provenance, Provenance::Assumed);
    assert!(
        figure.source.starts_with("[design] ports and port_bits in derate.toml."),
        "{figure:?}"
    );
}

/// 405 MHz is what large designs close at: 377.8 GB/s in place of 419.8.
#[test]
fn the_clock_of_the_link_report_holds_for_every_row() {
    let linked = LINK.replace("Frequency: 450 MHz", "Frequency: 405 MHz");
    let analysis = analysis("ports = 32\nport_bits = 512\n", "", &linked);
    assert!(near(gigabytes(&analysis), 377.8), "{:?}", own(&analysis));
    let rows = estimate(&analysis).bandwidths;
    let wide = rows.iter().find(|row| row.name == "32 ports of 512 bit at 271 MHz").unwrap();
    assert!(near(wide.bandwidth.as_ref().unwrap().value.0, 377.8e9), "{wide:?}");
    assert!(wide.sentence.contains("405 MHz: the link report"), "{}", wide.sentence);
}

/// A platform file may say that ports have one burst of one beat in flight.
#[test]
fn bursts_of_a_platform_file_hold_for_ports_of_the_design() {
    let mut platform = Platform::named("u280").unwrap();
    platform.kernel.m_axi_burst.value = 1.0;
    platform.kernel.m_axi_outstanding.value = 1.0;
    let design = "ports = 32\nport_bits = 512\n";
    let slow = gigabytes(&on(platform, design, "", ""));
    // 32 x 64 B / (227 ns + one cycle of 3.33 ns).
    assert!(near(slow, 32.0 * 64.0 / (227.0 + 1.0 / 0.3)), "{slow}");
}

/// The clock of a unit is the one that its configuration asks for; no unit is faster than the design was linked.
#[test]
fn a_unit_runs_at_its_own_clock_and_no_faster_than_the_design_reached() {
    let pins = "[connectivity]\nsp=mlp_1.a:HBM[0]\nsp=mlp_2.a:HBM[1]\n";
    let asked = format!("{pins}[clock]\nfreqHz=150000000:mlp_1\n");
    // 256 bit at 150 and at 300 MHz.
    assert!(near(gigabytes(&analysis("", &asked, "")), 4.8 + 9.6));
    assert!(near(gigabytes(&analysis("clock = \"200 MHz\"\n", &asked, "")), 4.8 + 6.4));
    assert!(near(gigabytes(&analysis("clock = \"100 MHz\"\n", &asked, "")), 3.2 + 3.2));
}

#[test]
fn more_ports_than_a_card_has_are_refused() {
    let refused = |count: &str| {
        project(&mut Sources::default(), &format!("ports = {count}\nport_bits = 256\n"))
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert!(refused("4096").is_ok());
    for count in ["4097", "0", "-1", "99999999999"] {
        let reason = refused(count).unwrap_err();
        assert_eq!(
            reason,
            format!(
                "derate.toml:13: {count} is not a count of ports to external memory: write a whole number from 1 to 4096"
            )
        );
    }
}

/// 49 slices for each of 49 multiply-adds are 2,401 of them; one over one over 49 is a slice more.
#[test]
fn an_array_takes_no_slice_that_rounding_made() {
    let design = "dsp_per_mac = { int8 = 49.0 }\nunroll = 49\n";
    let fits = PROJECT.replace("rows = 16\ncolumns = 16\n", "rows = 1\ncolumns = 1\n");
    let mut sources = Sources::default();
    let file = sources.add("derate.toml", format!("{fits}{design}"));
    let project = Project::parse(&sources, file).unwrap();
    let mut analysis = analysis("", "", "");
    analysis.project = project;
    let (steps, skipped) = scenario::ladder_steps(&analysis);
    assert!(skipped.iter().all(|one| one.scenario != ScenarioKind::Design), "{skipped:?}");
    let design = steps.into_iter().find(|step| step.kind == ScenarioKind::Design).unwrap();
    let scenario::PeakBasis::Array(array) = design.peaks else { panic!("no array") };
    let dsp = array.dsp.unwrap();
    assert_eq!(dsp.value.to_bits(), 2401.0_f64.to_bits());
    assert!(dsp.source.starts_with("49 multiply-adds at 49 DSP per MAC"), "{}", dsp.source);
}

/// 300 MHz is claimed and 250 MHz asked for: peak, ports and array stand on one clock.
#[test]
fn a_clock_that_v_plus_plus_is_asked_for_corrects_what_is_derived() {
    let peak = |configuration: &str| {
        let estimate = estimate(&analysis("", configuration, ""));
        let scenario = estimate.scenario(ScenarioKind::DerivedPeak).unwrap();
        scenario.main_ceiling().unwrap().peak.rate.clone()
    };
    let claimed = peak("").value.0;
    // The claim of 1 TOP/s is below what 300 MHz allow, so that the analysis asks for the derived one.
    let derived = |configuration: &str| {
        let analysis = analysis("", configuration, "");
        (scenario::derived_peaks(&analysis, derate_model::Precision::INT8).swap_remove(0), analysis)
    };
    let (before, _) = derived("");
    for lower in [
        "kernel_frequency=250\n",
        "[clock]\ndefaultFreqHz=250000000\n",
        "kernel_frequency=0:250|1:500\n",
    ] {
        let (after, analysis) = derived(lower);
        assert!(near(after.rate.value.0, before.rate.value.0 * 250.0 / 300.0), "{lower}");
        assert!(after.rate.source.contains("a.cfg asks v++ for 250 MHz"), "{}", after.rate.source);
        assert!(near(analysis.achieved_clock().value.0, 250e6));
        assert!(peak(lower).value.0 <= claimed);
    }
    // As much or more, a unit's own clock, and one that nobody can read correct nothing.
    for same in [
        "kernel_frequency=300\n",
        "kernel_frequency=350\n",
        "[clock]\nfreqHz=150000000:k_1.ap_clk\n",
        "kernel_frequency=${CLOCK}\n",
    ] {
        assert!(near(derived(same).0.rate.value.0, before.rate.value.0), "{same}");
    }
}

/// 300 MHz is claimed and 250 MHz asked for: the clock of `[design]` is that of its whole column, and the others are named.
#[test]
fn the_designs_column_stands_on_the_clock_of_the_design() {
    const LINKED: &str = "[connectivity]\nnk=k:1\nsp=k_1.a:HBM[0]\n[clock]\n";
    let on = |design: &str, clocks: &str| {
        let estimate = estimate(&analysis(design, &format!("{LINKED}{clocks}"), ""));
        let scenario = estimate.scenario(ScenarioKind::Design).unwrap();
        let peak = scenario.main_ceiling().unwrap().peak.rate.value.0;
        let latency = scenario.latency.clone().unwrap();
        (peak / 512.0 / 1e6, scenario.bandwidth.source.clone(), latency)
    };
    for (clock, others) in [
        ("200", "v++ is asked for 250 MHz, [claims] says 300 MHz"),
        ("250", "; [claims] says 300 MHz"),
        ("280", "v++ is asked for 250 MHz, [claims] says 300 MHz"),
    ] {
        let design = format!("clock = \"{clock} MHz\"\n");
        let (mhz, ports, latency) = on(&design, "defaultFreqHz=250000000\n");
        assert!(near(mhz, clock.parse().unwrap()), "{mhz}");
        assert!(ports.contains(&format!("bit at {clock} MHz")), "{ports}");
        assert!(near(latency.array.clock.value.0 / 1e6, mhz));
        let source = &latency.array.clock.source;
        assert!(source.starts_with("[design] clock") && source.ends_with(others), "{source}");
        assert_eq!(latency.seconds, latency.terms.total());
    }
    // Near misses: nothing else is spoken of, and a unit that is asked for less by its name.
    let (.., latency) = on("clock = \"300 MHz\"\n", "");
    assert_eq!(latency.array.clock.source, "[design] clock in derate.toml");
    let (_, ports, _) = on("clock = \"200 MHz\"\n", "freqHz=150000000:k_1\n");
    assert!(ports.contains("bit at 150 MHz"), "{ports}");
}

/// 350 MHz is asked for: nobody claims them, and ports, peak and array count on the 300 MHz that are claimed. Where nothing
/// is claimed they are what there is.
#[test]
fn a_clock_beyond_the_claim_is_counted_nowhere() {
    const LINKED: &str =
        "[connectivity]\nnk=k:1\nsp=k_1.a:HBM[0]\n[clock]\ndefaultFreqHz=350000000\n";
    let clocks = |analysis: &Analysis| {
        let estimate = estimate(analysis);
        let scenario = estimate.scenario(ScenarioKind::Design).unwrap();
        let peak = scenario.main_ceiling().unwrap().peak.rate.value.0;
        let array = scenario.latency.clone().unwrap().array.clock;
        (peak / 512.0 / 1e6, scenario.bandwidth.source.clone(), array)
    };
    let mut project = analysis("", LINKED, "");
    let (mhz, ports, array) = clocks(&project);
    assert!(near(mhz, 300.0) && near(array.value.0, 300e6), "{mhz}");
    assert!(ports.contains("bit at 300 MHz"), "{ports}");
    // A unit that is asked for more by its name is no faster.
    let named = LINKED.replace("defaultFreqHz=350000000", "freqHz=350000000:k_1");
    let (_, ports, _) = clocks(&analysis("", &named, ""));
    assert!(ports.contains("bit at 300 MHz"), "{ports}");
    project.project.claims.clock = None;
    let (mhz, ports, array) = clocks(&project);
    assert!(near(mhz, 350.0) && near(array.value.0, 350e6), "{mhz}");
    assert!(ports.contains("bit at 350 MHz"), "{ports}");
    assert!(array.source.starts_with("a.cfg asks v++ for 350 MHz"), "{}", array.source);
}

/// One port of 16 bit at 300 MHz, and the array of 16 x 16 behind it.
#[test]
fn the_verdict_says_where_the_design_stands_and_why() {
    let verdict = |design: &str| {
        let design = format!("{design}\n[derate]\nbandwidth = \"300 GB/s\"\n");
        let analysis = analysis(&design, "", "");
        sections::verdict(&analysis, &audit(&analysis), &estimate(&analysis)).join("\n")
    };
    let held = verdict("ports = 1\nport_bits = 16\n");
    assert!(held.contains("at 600 MB/s and the 153.6 GOP/s of its array of 16 x 16 x 1"), "{held}");
    assert!(
        held.contains(
            "memory bound. Its bandwidth is that of the project's own ports: 1 port of 16 bit"
        ),
        "{held}"
    );
    let free = verdict("");
    assert!(free.contains("The design ") && !free.contains("own ports:"), "{free}");
}
