use derate_hls::{Sources, read_report};
use proptest::prelude::*;

use super::*;
use derate_units::{Cycles, Hertz, Provenance};

#[test]
fn a_loop_of_one_stage_takes_its_trips() {
    assert_eq!(pipelined_loop(8232, 1, 1), Cycles(8232.0));
    assert_eq!(pipelined_loop(0, 1, 5), Cycles(0.0));
    // Published: 16 rounds, II 2 and depth 2 take 2 x 8, not 2 x 7 + 1.
    assert_eq!(pipelined_loop(8, 2, 2), Cycles(16.0));
    assert_eq!(pipelined_loop(16384, 4, 14), Cycles(65545.0));
}

#[test]
fn a_nest_that_was_synthesised_and_simulated() {
    // The 5 x 5 x 5 product of the Zynq book under 2018.2, nothing pipelined: csynth and cosim say 686.
    let inner = plain_loop(5, 5);
    let column = sequence(0, 1, 0, true, 25);
    let row = sequence(0, 1, 0, true, 135);
    assert_eq!((inner, column, row), (Cycles(25.0), Cycles(27.0), Cycles(137.0)));
    assert_eq!(plain_loop(5, 137), Cycles(685.0));
    assert_eq!(outlined_plain_loop(685), Cycles(686.0));
}

#[test]
fn calls_and_loops_take_different_states() {
    assert_eq!(sequence(4, 0, 0, false, 144_872_409), Cycles(144_872_416.0));
    assert_eq!(sequence(1, 1, 0, false, 16_487 + 10_290), Cycles(26_779.0));
    assert_eq!(sequence(0, 2, 0, false, 62_328), Cycles(62_330.0));
    // What is alone is what the rules of modules say.
    assert_eq!(sequence(0, 0, 1, false, 390), outlined_pipelined_loop(390));
    assert_eq!(sequence(0, 1, 0, false, 390), outlined_plain_loop(390));
}

#[test]
fn rounds_of_a_dataflow_region_overlap() {
    assert_eq!(dataflow_loop(129, 24, 124), Cycles(3197.0));
    assert_eq!(dataflow_loop(8, 27_673, 27_714), Cycles(221_426.0));
    assert_eq!(dataflow_interval(528_822), Cycles(528_823.0));
    // The call in the loop becomes a region.
    let text = TREE_2022.replacen("+ layer_Pipeline_acc |", "+ layer_Pipeline_acc*|", 1);
    let compared = compare_report(&report(&text));
    let one = compared.iter().find(|one| one.place == "layer/rows").unwrap();
    assert_eq!(one.rule, CycleRule::DataflowLoop { trips: 256, interval: 256, latency: 256 });
}

#[test]
fn a_sum_waits_for_its_adder() {
    assert_eq!(recurrence_interval(Cycles(6.0), 1), Cycles(6.0));
    assert_eq!(recurrence_interval(Cycles(6.0), 4), Cycles(2.0));
    assert_eq!(recurrence_interval(Cycles(0.0), 1), Cycles(1.0));
    // Published: csynth reaches II 4 in the sums of Allo's LayerNorm and softmax at 300 MHz, with an adder of fabric.
    let adder = operator_latency(LibraryOperator::FAdd, Implementation::Fabric, Hertz(300e6), None);
    assert_eq!(recurrence_interval(adder.unwrap().value, 1), Cycles(4.0));
}

#[test]
fn a_term_names_its_rule_and_inputs() {
    let rule = CycleRule::PipelinedLoop { trips: 49, ii: 2, depth: 2 };
    assert_eq!(
        rule.to_string(),
        "pipelined loop: (T - 1) x II + max(D - 1, II), T = 49, II = 2, D = 2: 98 cycles"
    );
    assert_eq!(
        serde_json::to_string(&rule).unwrap(),
        r#"{"rule":"pipelined-loop","trips":49,"ii":2,"depth":2}"#
    );
}

#[test]
fn an_adder_takes_what_was_published_at_its_clock_or_above() {
    let adder = |mhz: f64, part| {
        operator_latency(LibraryOperator::FAdd, Implementation::Dsp, Hertz(mhz * 1e6), part)
    };
    for (mhz, cycles) in
        [(200.0, 4.0), (225.0, 6.0), (250.0, 6.0), (300.0, 6.0), (320.0, 9.0), (450.0, 9.0)]
    {
        assert_eq!(
            adder(mhz, Some("xcu280-fsvh2892-2L-e")).unwrap().value,
            Cycles(cycles),
            "{mhz}"
        );
    }
    // A U55C is published at 200 MHz alone; above, another device with the same slices is used.
    assert!(adder(200.0, Some("xcu55c-fsvh2892-2L-e")).unwrap().source.contains("xcu55c"));
    let other = adder(300.0, Some("xcu55c-fsvh2892-2L-e")).unwrap();
    assert!(other.source.contains("xcu280"), "{}", other.source);
    assert_eq!(other.provenance, Provenance::Published);
    let error = adder(500.0, None).unwrap_err();
    assert_eq!(error.to_string(), "no latency of fadd in dsp is published at 500 MHz or above");
}

#[test]
fn every_row_of_the_table_can_be_found() {
    let text = include_str!("../../operators.csv");
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.splitn(6, ',').collect();
        let clock = Hertz(1e9 / cells[1].parse::<f64>().unwrap());
        let found = [Implementation::Dsp, Implementation::Fabric].into_iter().any(|built| {
            [
                LibraryOperator::FAdd,
                LibraryOperator::FMul,
                LibraryOperator::FDiv,
                LibraryOperator::FSqrt,
                LibraryOperator::FExp,
                LibraryOperator::DAdd,
                LibraryOperator::DMul,
                LibraryOperator::DDiv,
                LibraryOperator::DExp,
                LibraryOperator::Mul,
            ]
            .into_iter()
            .any(|operator| {
                operator.to_string() == cells[2]
                    && built.to_string() == cells[3]
                    && operator_latency(operator, built, clock, Some(cells[0]))
                        .is_ok_and(|figure| figure.source.ends_with(&format!("({})", cells[5])))
            })
        });
        assert!(found, "{line}");
    }
}

fn report(text: &str) -> derate_hls::Report {
    let mut sources = Sources::default();
    let file = sources.add("report", text);
    read_report(&sources, file).unwrap()
}

const TREE: &str = include_str!("../../../../fixtures/reports/tree-2025/csynth.rpt");
const TREE_2022: &str = include_str!("../../../../fixtures/reports/tree-2022/csynth.rpt");
const NESTED: &str = include_str!("../../../../fixtures/reports/xml-2018-nested/scale_csynth.xml");
const UNDEF: &str = include_str!("../../../../fixtures/reports/xml-2020-undef/load_csynth.xml");
const RANGE: &str =
    include_str!("../../../../fixtures/reports/xml-2019-dataflow-range/net_csynth.xml");
const COSIM: &str = include_str!("../../../../fixtures/reports/cosim-2018/fir_cosim.rpt");

#[test]
fn a_report_is_held_against_the_rules() {
    let compared = compare_report(&report(NESTED));
    let places: Vec<_> = compared.iter().map(|one| (one.place.as_str(), one.rule.name())).collect();
    assert_eq!(
        places,
        [
            ("scale/Rows", "loop, not pipelined"),
            ("scale/Rows, body", "body of a loop"),
            ("scale/Rows/Cols", "pipelined loop"),
            ("scale", "loop as a module, not pipelined"),
        ]
    );
    assert!(compared.iter().all(|one| one.miss().abs() < 0.5));
    // A call from within a loop belongs to the loop's body, not to the module's.
    let tree = compare_report(&report(TREE));
    let body = tree.iter().find(|one| one.place == "layer/rows, body").unwrap();
    assert_eq!(
        body.rule,
        CycleRule::Sequence { calls: 1, plain: 0, pipelined: 0, in_loop: true, sum: 256 }
    );
}

#[test]
fn a_latency_is_what_the_report_prints_or_unknown_with_its_loops() {
    let nested = reported_latency(&report(NESTED)).unwrap();
    assert_eq!(nested.worst.provenance, Provenance::Synthesised);
    assert_eq!(nested.best.as_ref().map(|best| best.value), Some(nested.worst.value));
    let range = reported_latency(&report(RANGE)).unwrap();
    assert!(range.best.unwrap().value < range.worst.value);
    // A tree prints the worst case alone.
    let known = TREE_2022.replacen("-0.21|        -|", "-0.21|    66100|", 1);
    assert!(reported_latency(&report(&known)).unwrap().best.is_none());
    let error = reported_latency(&report(UNDEF)).unwrap_err();
    assert!(matches!(error, NoLatency::Unknown { .. }), "{error}");
    assert!(reported_latency(&report(COSIM)).is_err());
}

proptest! {
    #[test]
    fn a_pipelined_loop_lies_between_the_roofline_and_the_textbook(trips in 1u64..1_000_000, ii in 1u64..200, depth in 1u64..5000) {
        let cycles = pipelined_loop(trips, ii, depth).0;
        let (t, ii_, d) = (trips as f64, ii as f64, depth as f64);
        prop_assert!(cycles >= t * ii_);
        prop_assert!(cycles <= (t - 1.0) * ii_ + d.max(ii_));
        prop_assert!((pipelined_loop_at_most(trips, ii, depth).0 - cycles - ii_).abs() < 0.5);
    }
}
