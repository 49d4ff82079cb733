//! From configurations, reports and sources to ports.

use derate_hls::{Sources, read_connectivity, read_report};

use super::super::declared::declared_ports;
use super::super::known::{KnownPort, known_ports};
use super::super::linked::wire_linked;
use super::super::wire::wire_ports;
use super::super::wiring::Wiring;
use super::*;

const CONFIG: &str = "[connectivity]\nnk=gemm:2:left.right\nsp=left.a:HBM[0:3]\nsp=left.b:HBM[4]\n\
                      sp=right.m_axi_gmem0:HBM[5]\nsp=right.c:DDR[0]\nsp=right.d:HBM[40]\nsp=right.e:PLRAM[0]\n\
                      [clock]\nfreqHz=250000000:left\n";

fn read(text: &str) -> derate_hls::Connectivity {
    let mut sources = Sources::default();
    let file = sources.add("a.cfg", text);
    read_connectivity(&sources, file).unwrap()
}

/// What a configuration wires on a U280 at 300 MHz, where it asks for no clock.
fn wired(text: &str, known: &[KnownPort]) -> Wiring {
    wire_ports(&read(text), &card("u280"), known, |asked| {
        asked.own.or(asked.all).unwrap_or(Hertz(300e6))
    })
}

fn explained(wiring: &Wiring) -> Explained {
    wiring.explain(&card("u280"), |_| None).unwrap()
}

fn known() -> KnownPort {
    KnownPort {
        kernel: "gemm".to_owned(),
        name: "m_axi_gmem0".to_owned(),
        arguments: vec!["a".to_owned(), "b".to_owned()],
        bits: Some(Figure::new(512.0, Provenance::Synthesised, "a test")),
        direction: Some(Direction::Read),
        burst_beats: None,
        outstanding: Some(32.0),
    }
}

#[test]
fn a_configuration_says_which_ports_reach_which_channels() {
    let wiring = wired(CONFIG, &[known()]);
    // `a` and `b` of the left unit are one port; `c` is in the other memory.
    let seen: Vec<_> =
        wiring.ports.iter().map(|w| (w.unit.as_str(), w.memory, w.port.channels)).collect();
    assert_eq!(seen, [("left", 0, (0, 4)), ("right", 0, (5, 5)), ("right", 1, (0, 0))]);
    // The unit's own clock wins over the one for all.
    assert_eq!(wiring.ports[0].port.clock, Hertz(250e6));
    assert_eq!(wiring.ports[1].port.clock, Hertz(300e6));
    assert_eq!(wiring.ports[1].bits.provenance, Provenance::Synthesised);
    let left_out: Vec<_> = wiring.unplaced.iter().map(|u| u.argument.as_str()).collect();
    assert_eq!(left_out, ["right.d", "right.e"]);
    let unknown = wired(CONFIG, &[]);
    assert_eq!(unknown.ports.len(), 4);
    assert!(unknown.ports.iter().all(|w| w.bits.provenance == Provenance::Assumed));
}

#[test]
fn what_is_left_out_of_a_figure_stands_in_its_sentence() {
    let all = explained(&wired(CONFIG, &[known()]));
    assert!(
        all.sentence.ends_with(
            "Left out: right.d (HBM[40]: HBM2, 2 stacks, 32 pseudo channels has 32 channels, counted from 0), right.e \
             (PLRAM[0] is not a bank of the card's external memory: HBM and DDR)."
        ),
        "{}",
        all.sentence
    );
    assert_eq!(all.figure.source, all.sentence);
    let none = wired("[connectivity]\nsp=gemm_1.a:PLRAM[0]\n", &[]);
    let reason = none.explain(&card("u280"), |_| None).unwrap_err();
    assert!(
        reason.contains("no port of the design reaches") && reason.contains("gemm_1.a"),
        "{reason}"
    );
}

/// The card's own DDR: two banks of 19.2 GB/s at 0.942, not the HBM that other designs use.
#[test]
fn ports_on_ddr_get_what_ddr_gives() {
    let pins: Vec<_> = (0..8).map(|at| format!("sp=gemm_1.p{at}:DDR[{}]\n", at % 2)).collect();
    let all = explained(&wired(&format!("[connectivity]\n{}", pins.concat()), &[]));
    assert!(near(all.figure.value.0, 2.0 * 0.942 * 19.2e9, 1e-9), "{:?}", all.figure);
    assert_eq!(all.limited_by, LimitedBy::Channel);
}

#[test]
fn ports_on_two_memories_get_what_the_greater_gives_and_say_so() {
    let both = explained(&wired("[connectivity]\nsp=k_1.a:HBM[0]\nsp=k_1.b:DDR[0]\n", &[]));
    let one = |bank: &str| {
        explained(&wired(&format!("[connectivity]\nsp=k_1.a:{bank}\n"), &[])).figure.value.0
    };
    assert!(near(both.figure.value.0, one("HBM[0]").max(one("DDR[0]")), 1e-12));
    assert!(
        both.sentence.contains("nothing says what share of the bytes crosses the rest"),
        "{}",
        both.sentence
    );
    // A port that reaches two memories is none that is modelled.
    let across = wired("[connectivity]\nsp=gemm_1.a:HBM[0]\nsp=gemm_1.b:DDR[0]\n", &[known()]);
    assert_eq!((across.ports.len(), across.unplaced.len()), (1, 1));
}

#[test]
fn an_assumed_width_makes_an_assumed_figure() {
    let all = explained(&wired(&CONFIG.replace("sp=right.c:DDR[0]\n", ""), &[]));
    assert_eq!(all.limited_by, LimitedBy::Port);
    assert_eq!(all.figure.provenance, Provenance::Assumed);
    assert!(
        all.figure
            .source
            .contains("The width of left.a is taken to be 256 bit, as wide as a channel"),
        "{}",
        all.figure.source
    );
    // One of three ports at 250 MHz: it is the ports, not 300 GB/s.
    assert!((all.figure.value.0 - (2.0 * 8.0 + 9.6) * 1e9).abs() < 1.0);
}

#[test]
fn the_source_declares_one_port_for_each_bundle() {
    let mut sources = Sources::default();
    let text = "void gemm(const float *a, const ap_uint<512> *b, float *c, thing *d, int *e, ap_uint<64> *f) {\n\
                #pragma HLS interface m_axi port=e bundle=held max_widen_bitwidth=32\n\
                #pragma HLS interface m_axi port=f bundle=narrow\n\
                #pragma HLS interface m_axi port=a bundle=in\n#pragma HLS interface m_axi port=b bundle=in\n\
                #pragma HLS interface m_axi port=c\n#pragma HLS interface m_axi port=d bundle=odd\n}\n";
    let file = sources.add("gemm.cpp", text);
    let headers = [derate_hls::parse(&sources, file)];
    let resolver = derate_hls::Resolver::new(&headers, &sources);
    let ports = declared_ports(&resolver, &headers[0].functions[0]);
    let seen: Vec<_> = ports
        .iter()
        .map(|p| {
            let bits = p.bits.as_ref().map(|b| (b.value, b.provenance));
            (p.name.as_str(), p.arguments.len(), bits, p.direction)
        })
        .collect();
    // HLS may widen a port of floats, but neither one that is as wide as it may be, nor one that a pragma holds.
    assert_eq!(
        seen,
        [
            ("m_axi_gmem", 1, Some((32.0, Provenance::Assumed)), None),
            ("m_axi_held", 1, Some((32.0, Provenance::Derived)), None),
            ("m_axi_in", 2, Some((512.0, Provenance::Derived)), Some(Direction::Read)),
            ("m_axi_narrow", 1, Some((64.0, Provenance::Derived)), None),
            ("m_axi_odd", 1, None, None),
        ]
    );
}

#[test]
fn a_link_report_has_ports_banks_and_the_clocks_that_were_reached() {
    let mut sources = Sources::default();
    let text = include_str!("../../../../../fixtures/reports/xclbin-info/axpy.xclbin.info");
    let file = sources.add("axpy.xclbin.info", text);
    let report = read_report(&sources, file).unwrap();
    let platform = card("u280");
    let reports = std::slice::from_ref(&report);
    assert_eq!(axi_clock(reports, &platform.memory).unwrap().value, Hertz(450e6));
    assert!(
        axi_clock(reports, platform.second_memory.as_ref().unwrap()).is_none(),
        "DDR is not HBM"
    );
    let clock = kernel_clock(&report).unwrap().value;
    let wiring = wire_linked(&report, &platform, clock).unwrap();
    let [port] = &wiring.ports[..] else { panic!("{wiring:?}") };
    assert_eq!((port.unit.as_str(), port.name.as_str()), ("axpy_1", "M_AXI_GMEM0"));
    assert_eq!(port.bits.provenance, Provenance::Synthesised);
    assert_eq!(
        (port.port.width_bits.to_bits(), port.port.clock),
        (512.0_f64.to_bits(), Hertz(271e6))
    );
    // At 271 MHz 512 bit are more than a channel gives.
    assert_eq!(explained(&wiring).limited_by, LimitedBy::Channel);
    let csynth = include_str!("../../../../../fixtures/reports/tree-2022/csynth.rpt");
    let file = sources.add("csynth.rpt", csynth);
    assert!(wire_linked(&read_report(&sources, file).unwrap(), &platform, clock).is_none());
}

#[test]
fn a_report_knows_its_ports() {
    let mut sources = Sources::default();
    let text = include_str!("../../../../../fixtures/reports/tree-2022/csynth.rpt");
    let file = sources.add("csynth.rpt", text);
    let known = known_ports(&read_report(&sources, file).unwrap());
    assert!(!known.is_empty());
    assert!(known.iter().all(|port| port.bits.is_some()));
}
