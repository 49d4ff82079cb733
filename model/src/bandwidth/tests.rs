use derate_hls::{Sources, read_connectivity, read_report};
use proptest::prelude::*;

use super::*;
use crate::units::Hertz;
use crate::{Figure, KernelDefaults, Memory, Platform, Provenance};

fn card(name: &str) -> Platform {
    Platform::named(name).unwrap()
}

fn hbm() -> Memory {
    card("u280").memory
}

fn reader(width_bits: f64, mhz: f64, channel: usize) -> Port {
    Port::sequential(width_bits, Hertz(mhz * 1e6), channel, &KernelDefaults::default())
}

fn gbs(bandwidth: Bandwidth) -> f64 {
    bandwidth.value.0 / 1e9
}

fn near(value: f64, wanted: f64, share: f64) -> bool {
    (value / wanted - 1.0).abs() <= share
}

#[test]
fn three_hundred_is_a_figure_of_the_ports() {
    let all = explain_ports(&hbm(), 256.0, Hertz(300e6), 32, 32).unwrap();
    assert!((all.figure.value.0 - 307.2e9).abs() < 1.0);
    assert_eq!(all.limited_by, LimitedBy::Port);
    assert_eq!(
        all.sentence,
        "32 ports of 256 bit at 300 MHz carry 307.2 GB/s, the channels that they reach give 419.8 GB/s (32 x \
         0.911 x 14.4 GB/s): the ports hold it at 307.2 GB/s. It is a figure of these ports, not of the memory: twice as \
         wide they would get 419.8 GB/s, and at a lower clock less in proportion."
    );
    let wide = explain_ports(&hbm(), 512.0, Hertz(300e6), 32, 32).unwrap();
    assert_eq!(wide.limited_by, LimitedBy::Channel);
    assert!(
        wide.sentence.contains("the memory channels hold it at 419.8 GB/s"),
        "{}",
        wide.sentence
    );
    let slow = explain_ports(&hbm(), 256.0, Hertz(250e6), 32, 32).unwrap();
    assert!((slow.figure.value.0 - 256e9).abs() < 1.0);
}

#[test]
fn published_aggregates_are_met_within_seven_percent() {
    let ports =
        |count: usize, width, mhz| (0..count).map(|c| reader(width, mhz, c)).collect::<Vec<_>>();
    let channels = Channels::of(&hbm());
    assert!(near(gbs(aggregate(&ports(32, 512.0, 300.0), &channels).unwrap()), 421.3, 0.07));
    let slower = Channels::at(&hbm(), Hertz(405e6));
    let stream = gbs(aggregate(&ports(32, 512.0, 370.0), &slower).unwrap());
    for measured in [377.4, 365.8, 374.0, 378.9] {
        assert!(near(stream, measured, 0.07), "{stream} {measured}");
    }
    let ddr = Channels::of(&card("u280").second_memory.unwrap());
    let both = gbs(aggregate(&ports(2, 512.0, 300.0), &ddr).unwrap());
    for measured in [33.9, 34.6] {
        assert!(near(both, measured, 0.07), "{both} {measured}");
    }
}

#[test]
fn a_channel_serves_all_its_ports_and_no_port_more_than_one_channel() {
    let channels = Channels::of(&hbm());
    // Four wide ports on one channel.
    let shared = vec![reader(512.0, 300.0, 0); 4];
    let all = aggregate(&shared, &channels).unwrap();
    assert!((gbs(all) - 13.1184).abs() < 1e-9);
    assert_eq!(all.limited_by, LimitedBy::Channel);
    // One wide port that reaches all of them.
    let far = Port { channels: (0, 31), ..reader(512.0, 300.0, 0) };
    assert!(
        (gbs(aggregate(std::slice::from_ref(&far), &channels).unwrap()) - 13.1184).abs() < 1e-9
    );
    // Eight narrow ports on 32 channels.
    let few = vec![Port { width_bits: 256.0, ..far }; 8];
    let all = aggregate(&few, &channels).unwrap();
    assert!((gbs(all) - 76.8).abs() < 1e-9);
    assert_eq!(all.limited_by, LimitedBy::Port);
}

#[test]
fn a_u50_bears_less_than_its_channels_give() {
    let ports: Vec<Port> = (0..32).map(|channel| reader(512.0, 300.0, channel)).collect();
    let all = aggregate(&ports, &Channels::of(&card("u50").memory)).unwrap();
    assert_eq!((gbs(all), all.limited_by), (201.0, LimitedBy::Card));
    let explained = explain(&card("u50").memory, None, &ports).unwrap();
    assert!(
        explained.sentence.ends_with("has 316 GB/s as the peak and 201 GB/s as nominal."),
        "{}",
        explained.sentence
    );
    let few = aggregate(&ports[..8], &Channels::of(&card("u50").memory)).unwrap();
    assert_eq!(few.limited_by, LimitedBy::Channel);
}

#[test]
fn reading_and_writing_one_channel_at_once_costs() {
    let channels = Channels::of(&hbm());
    let writer = Port { direction: Direction::Write, ..reader(512.0, 300.0, 0) };
    let apart = aggregate(&[reader(512.0, 300.0, 1), writer.clone()], &channels).unwrap();
    let together = aggregate(&[reader(512.0, 300.0, 0), writer], &channels).unwrap();
    assert!((gbs(together) - 0.860 * 14.4).abs() < 1e-9);
    assert!((gbs(apart) - 2.0 * 0.911 * 14.4).abs() < 1e-9);
}

#[test]
fn what_is_not_known_of_a_memory_is_not_modelled() {
    let random = Port { pattern: Pattern::Random, ..reader(512.0, 300.0, 0) };
    let error = single_stream(&random, &Channels::of(&card("u200").memory)).unwrap_err();
    assert!(error.contains("random_interval"), "{error}");
    let outside = reader(512.0, 300.0, 32);
    let error = aggregate(&[outside], &Channels::of(&hbm())).unwrap_err();
    assert!(error.contains("has 32, counted from 0"), "{error}");
    assert!(explain(&hbm(), None, &[]).is_err());
}

#[test]
fn a_latency_of_another_memory_makes_an_assumption() {
    let few = Port { outstanding: 4.0, ..reader(256.0, 300.0, 0) };
    let one = explain(&hbm(), None, std::slice::from_ref(&few)).unwrap();
    assert_eq!(one.limited_by, LimitedBy::InFlight);
    assert_eq!(one.figure.provenance, Provenance::Assumed);
    let ddr = explain(&card("u200").memory, None, &[few]).unwrap();
    assert_eq!(ddr.figure.provenance, Provenance::Derived);
}

const CONFIG: &str = "[connectivity]\nnk=gemm:2:left.right\nsp=left.a:HBM[0:3]\nsp=left.b:HBM[4]\n\
                      sp=right.m_axi_gmem0:HBM[5]\nsp=right.c:DDR[0]\nsp=right.d:HBM[40]\n[clock]\nfreqHz=250000000:left\n";

fn config() -> derate_hls::Connectivity {
    let mut sources = Sources::default();
    let file = sources.add("a.cfg", CONFIG);
    read_connectivity(&sources, file).unwrap()
}

#[test]
fn a_configuration_says_which_ports_reach_which_channels() {
    let platform = card("u280");
    let known = [KnownPort {
        kernel: "gemm".to_owned(),
        name: "m_axi_gmem0".to_owned(),
        arguments: vec!["a".to_owned(), "b".to_owned()],
        bits: Some(Figure::new(512.0, Provenance::Synthesised, "a test")),
        direction: Some(Direction::Read),
        burst_beats: None,
        outstanding: Some(32.0),
    }];
    let wiring = wire(&config(), &platform, &platform.memory, &known, None);
    // `a` and `b` of the left unit are one port.
    let seen: Vec<_> = wiring.ports.iter().map(|w| (w.unit.as_str(), w.port.channels)).collect();
    assert_eq!(seen, [("left", (0, 4)), ("right", (5, 5))]);
    assert_eq!(wiring.ports[0].port.clock, Hertz(250e6));
    assert_eq!(wiring.ports[1].port.clock, Hertz(300e6));
    assert_eq!(wiring.ports[1].bits.provenance, Provenance::Synthesised);
    let reasons: Vec<_> = wiring.unplaced.iter().map(|u| u.port.as_str()).collect();
    assert_eq!(reasons, ["right.c", "right.d"]);
    let unknown = wire(&config(), &platform, &platform.memory, &[], None);
    assert_eq!(unknown.ports.len(), 3);
    assert!(unknown.ports.iter().all(|w| w.bits.provenance == Provenance::Assumed));
    let ddr = platform.second_memory.clone().unwrap();
    assert_eq!(wire(&config(), &platform, &ddr, &known, None).ports.len(), 1);
}

#[test]
fn an_assumed_width_makes_an_assumed_figure() {
    let platform = card("u280");
    let wiring = wire(&config(), &platform, &platform.memory, &[], None);
    let explained = wiring.explain(&platform.memory, None).unwrap();
    assert_eq!(explained.limited_by, LimitedBy::Port);
    assert_eq!(explained.figure.provenance, Provenance::Assumed);
    assert!(explained.figure.source.contains("left.a is taken to be as wide as a channel"));
    // One of three ports at 250 MHz: it is the ports, not 300 GB/s.
    assert!((explained.figure.value.0 - (2.0 * 8.0 + 9.6) * 1e9).abs() < 1.0);
}

#[test]
fn the_source_declares_one_port_for_each_bundle() {
    let mut sources = Sources::default();
    let text = "void gemm(const float *a, const ap_uint<512> *b, float *c, thing *d) {\n\
                #pragma HLS interface m_axi port=a bundle=in\n#pragma HLS interface m_axi port=b bundle=in\n\
                #pragma HLS interface m_axi port=c\n#pragma HLS interface m_axi port=d bundle=odd\n}\n";
    let file = sources.add("gemm.cpp", text);
    let headers = [derate_hls::parse(&sources, file)];
    let resolver = derate_hls::Resolver::new(&headers, &sources);
    let ports = declared_ports(&resolver, &headers[0].functions[0]);
    let seen: Vec<_> = ports
        .iter()
        .map(|p| {
            (p.name.as_str(), p.arguments.len(), p.bits.as_ref().map(|b| b.value), p.direction)
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("m_axi_gmem", 1, Some(32.0), None),
            ("m_axi_in", 2, Some(512.0), Some(Direction::Read)),
            ("m_axi_odd", 1, None, None),
        ]
    );
}

#[test]
fn a_link_report_has_ports_banks_and_the_clocks_that_were_reached() {
    let mut sources = Sources::default();
    let text = include_str!("../../../fixtures/reports/xclbin-info/axpy.xclbin.info");
    let file = sources.add("axpy.xclbin.info", text);
    let report = read_report(&sources, file).unwrap();
    let platform = card("u280");
    assert_eq!(hbm_clock(&report).unwrap().value, Hertz(450e6));
    let wiring = linked(&report, &platform, &platform.memory).unwrap();
    let [port] = &wiring.ports[..] else { panic!("{wiring:?}") };
    assert_eq!((port.unit.as_str(), port.name.as_str()), ("axpy_1", "M_AXI_GMEM0"));
    assert_eq!(port.bits.provenance, Provenance::Synthesised);
    assert_eq!(
        (port.port.width_bits.to_bits(), port.port.clock),
        (512.0_f64.to_bits(), Hertz(271e6))
    );
    // At 271 MHz 512 bit are more than a channel gives.
    let explained = wiring.explain(&platform.memory, None).unwrap();
    assert_eq!(explained.limited_by, LimitedBy::Channel);
    let csynth = include_str!("../../../fixtures/reports/tree-2022/csynth.rpt");
    let file = sources.add("csynth.rpt", csynth);
    assert!(linked(&read_report(&sources, file).unwrap(), &platform, &platform.memory).is_none());
}

#[test]
fn a_report_knows_its_ports() {
    let mut sources = Sources::default();
    let text = include_str!("../../../fixtures/reports/tree-2022/csynth.rpt");
    let file = sources.add("csynth.rpt", text);
    let known = known_ports(&read_report(&sources, file).unwrap());
    assert!(!known.is_empty());
    assert!(known.iter().all(|port| port.bits.is_some()));
}

proptest! {
    #[test]
    fn no_more_channels_are_slower(width in 32.0..1024.0f64, mhz in 50.0..500.0f64, ports in 1usize..40, channels in 1usize..32) {
        let rate = |channels: usize| {
            let range = (0, channels - 1);
            let ports: Vec<_> =
                (0..ports).map(|_| Port { channels: range, ..reader(width, mhz, 0) }).collect();
            aggregate(&ports, &Channels::of(&hbm())).unwrap().value.0
        };
        prop_assert!(rate(channels + 1) >= rate(channels) * (1.0 - 1e-12));
    }

    #[test]
    fn a_wider_reach_of_one_port_slows_nobody(from in 0usize..8, to in 0usize..8, seeds in prop::collection::vec((0usize..8, 0usize..8), 1..12)) {
        let port = |a: usize, b: usize| Port { channels: (a.min(b), a.max(b)), ..reader(512.0, 300.0, 0) };
        let mut ports: Vec<_> = seeds.iter().map(|&(a, b)| port(a, b)).collect();
        let channels = Channels::of(&hbm());
        let before = aggregate(&ports, &channels).unwrap().value.0;
        let reach = ports[0].channels;
        ports[0].channels = (reach.0.min(from), reach.1.max(to));
        prop_assert!(aggregate(&ports, &channels).unwrap().value.0 >= before * (1.0 - 1e-12));
    }

    #[test]
    fn width_bursts_and_outstanding_never_harm(
        width in 32.0..1024.0f64, mhz in 50.0..500.0f64, beats in 1.0..256.0f64, outstanding in 1.0..64.0f64,
        more in 1.0..4.0f64, which in 0usize..3, way in 0usize..3, order in 0usize..3,
    ) {
        let port = Port {
            burst_beats: beats,
            outstanding,
            direction: [Direction::Read, Direction::Write, Direction::Copy][way],
            pattern: [Pattern::Sequential, Pattern::Random, Pattern::Reordered][order],
            ..reader(width, mhz, 0)
        };
        let mut better = port.clone();
        match which {
            0 => better.width_bits *= more,
            1 => better.burst_beats *= more,
            _ => better.outstanding *= more,
        }
        let channels = Channels::of(&hbm());
        let (one, two) = (single_stream(&port, &channels).unwrap(), single_stream(&better, &channels).unwrap());
        prop_assert!(two.value.0 >= one.value.0 * (1.0 - 1e-12));
        prop_assert!(one.value.0 <= channels.rate.0);
    }
}
