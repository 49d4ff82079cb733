mod wiring;

use proptest::prelude::*;

use super::*;
use crate::{KernelDefaults, Memory, Platform};
use derate_units::{Figure, Hertz, Provenance};

fn card(name: &str) -> Platform {
    Platform::named(name).unwrap()
}

fn hbm() -> Memory {
    card("u280").memory
}

fn reader(width_bits: f64, mhz: f64, channel: usize) -> Port {
    Port::sequential(width_bits, Hertz(mhz * 1e6), channel, &KernelDefaults::default())
}

/// Readers that are spread evenly over the first channels.
fn alike(count: usize, channels: usize, width_bits: f64, mhz: f64) -> Vec<Port> {
    Port::spread(count, channels, width_bits, Hertz(mhz * 1e6), &KernelDefaults::default())
}

fn gbs(bandwidth: Bandwidth) -> f64 {
    bandwidth.value.0 / 1e9
}

fn near(value: f64, wanted: f64, share: f64) -> bool {
    (value / wanted - 1.0).abs() <= share
}

#[test]
fn three_hundred_is_a_figure_of_the_ports() {
    let all = explain_bandwidth(&hbm(), None, &alike(32, 32, 256.0, 300.0)).unwrap();
    assert!((all.figure.value.0 - 307.2e9).abs() < 1.0);
    assert_eq!(all.limited_by, LimitedBy::Port);
    assert_eq!(
        all.sentence,
        "32 ports of 256 bit at 300 MHz carry 307.2 GB/s, the channels that they reach give 419.8 GB/s (32 x \
         0.911 x 14.4 GB/s): the ports hold it at 307.2 GB/s. It is a figure of these ports, not of the memory: twice as \
         wide they would get 419.8 GB/s, and at a lower clock less in proportion."
    );
    let wide = explain_bandwidth(&hbm(), None, &alike(32, 32, 512.0, 300.0)).unwrap();
    assert_eq!(wide.limited_by, LimitedBy::Channel);
    assert!(
        wide.sentence.contains("the memory channels hold it at 419.8 GB/s"),
        "{}",
        wide.sentence
    );
    let slow = explain_bandwidth(&hbm(), None, &alike(32, 32, 256.0, 250.0)).unwrap();
    assert!((slow.figure.value.0 - 256e9).abs() < 1.0);
}

#[test]
fn published_aggregates_are_met_within_seven_percent() {
    let ports =
        |count: usize, width, mhz| (0..count).map(|c| reader(width, mhz, c)).collect::<Vec<_>>();
    let channels = Channels::of(&hbm());
    assert!(near(
        gbs(aggregate_bandwidth(&ports(32, 512.0, 300.0), &channels).unwrap()),
        421.3,
        0.07
    ));
    let slower = Channels::at(&hbm(), Hertz(405e6));
    let stream = gbs(aggregate_bandwidth(&ports(32, 512.0, 370.0), &slower).unwrap());
    for measured in [377.4, 365.8, 374.0, 378.9] {
        assert!(near(stream, measured, 0.07), "{stream} {measured}");
    }
    let ddr = Channels::of(&card("u280").second_memory.unwrap());
    let both = gbs(aggregate_bandwidth(&ports(2, 512.0, 300.0), &ddr).unwrap());
    for measured in [33.9, 34.6] {
        assert!(near(both, measured, 0.07), "{both} {measured}");
    }
}

#[test]
fn a_channel_serves_all_its_ports_and_no_port_more_than_one_channel() {
    let channels = Channels::of(&hbm());
    // Four wide ports on one channel.
    let shared = vec![reader(512.0, 300.0, 0); 4];
    let all = aggregate_bandwidth(&shared, &channels).unwrap();
    assert!((gbs(all) - 13.1184).abs() < 1e-9);
    assert_eq!(all.limited_by, LimitedBy::Channel);
    // One wide port that reaches all of them.
    let far = Port { channels: (0, 31), ..reader(512.0, 300.0, 0) };
    assert!(
        (gbs(aggregate_bandwidth(std::slice::from_ref(&far), &channels).unwrap()) - 13.1184).abs()
            < 1e-9
    );
    // Eight narrow ports on 32 channels.
    let few = vec![Port { width_bits: 256.0, ..far }; 8];
    let all = aggregate_bandwidth(&few, &channels).unwrap();
    assert!((gbs(all) - 76.8).abs() < 1e-9);
    assert_eq!(all.limited_by, LimitedBy::Port);
}

#[test]
fn a_u50_bears_less_than_its_channels_give() {
    let ports: Vec<Port> = (0..32).map(|channel| reader(512.0, 300.0, channel)).collect();
    let all = aggregate_bandwidth(&ports, &Channels::of(&card("u50").memory)).unwrap();
    assert_eq!((gbs(all), all.limited_by), (201.0, LimitedBy::Card));
    let explained = explain_bandwidth(&card("u50").memory, None, &ports).unwrap();
    assert!(
        explained.sentence.ends_with("has 316 GB/s as the peak and 201 GB/s as nominal."),
        "{}",
        explained.sentence
    );
    let few = aggregate_bandwidth(&ports[..8], &Channels::of(&card("u50").memory)).unwrap();
    assert_eq!(few.limited_by, LimitedBy::Channel);
}

#[test]
fn reading_and_writing_one_channel_at_once_costs() {
    let channels = Channels::of(&hbm());
    let writer = Port { direction: Direction::Write, ..reader(512.0, 300.0, 0) };
    let apart = aggregate_bandwidth(&[reader(512.0, 300.0, 1), writer.clone()], &channels).unwrap();
    let together = aggregate_bandwidth(&[reader(512.0, 300.0, 0), writer], &channels).unwrap();
    assert!((gbs(together) - 0.860 * 14.4).abs() < 1e-9);
    assert!((gbs(apart) - 2.0 * 0.911 * 14.4).abs() < 1e-9);
}

#[test]
fn what_is_not_known_of_a_memory_is_not_modelled() {
    let random = Port { pattern: Pattern::Random, ..reader(512.0, 300.0, 0) };
    let error = single_stream(&random, &Channels::of(&card("u200").memory)).unwrap_err();
    assert!(error.contains("random_interval"), "{error}");
    let outside = reader(512.0, 300.0, 32);
    let error = aggregate_bandwidth(&[outside], &Channels::of(&hbm())).unwrap_err();
    assert!(error.contains("has 32, counted from 0"), "{error}");
    assert!(explain_bandwidth(&hbm(), None, &[]).is_err());
}

#[test]
fn a_latency_of_another_memory_makes_an_assumption() {
    let few = Port { outstanding: 4.0, ..reader(256.0, 300.0, 0) };
    let one = explain_bandwidth(&hbm(), None, std::slice::from_ref(&few)).unwrap();
    assert_eq!(one.limited_by, LimitedBy::InFlight);
    assert_eq!(one.figure.provenance, Provenance::Assumed);
    let ddr = explain_bandwidth(&card("u200").memory, None, &[few]).unwrap();
    assert_eq!(ddr.figure.provenance, Provenance::Derived);
}

/// The sentence names the efficiency behind the figure: 32 ports that read and write get 0.86, not 0.911.
#[test]
fn channels_that_are_read_and_written_give_the_efficiency_of_copies() {
    let copy = |port| Port { direction: Direction::Copy, ..port };
    let copies: Vec<Port> = alike(32, 32, 512.0, 300.0).into_iter().map(copy).collect();
    let all = explain_bandwidth(&hbm(), None, &copies).unwrap();
    assert!(
        all.sentence.contains(
            "give 396.3 GB/s (32 x 0.86 x 14.4 GB/s): the memory channels hold it at 396.3 GB/s."
        ),
        "{}",
        all.sentence
    );
    let mut some = alike(32, 32, 512.0, 300.0);
    some[0].direction = Direction::Copy;
    let all = explain_bandwidth(&hbm(), None, &some).unwrap();
    assert!(all.sentence.contains("(1 x 0.86 + 31 x 0.911) x 14.4 GB/s"), "{}", all.sentence);
}

#[test]
fn an_efficiency_that_nobody_saw_makes_an_assumed_figure() {
    let standing = |memory: &Memory, port: &Port| {
        explain_bandwidth(memory, None, std::slice::from_ref(port)).unwrap().figure.provenance
    };
    let copy = Port { direction: Direction::Copy, ..reader(512.0, 300.0, 0) };
    assert_eq!(standing(&hbm(), &copy), Provenance::Derived);
    let mut memory = hbm();
    if let Some(efficiency) = &mut memory.limits.copy_efficiency {
        efficiency.provenance = Provenance::Assumed;
    }
    assert_eq!(standing(&memory, &copy), Provenance::Assumed);
    assert_eq!(standing(&memory, &reader(512.0, 300.0, 0)), Provenance::Derived);
    // DDR has no figure for copies: that of reads is used.
    let ddr = card("u280").second_memory.unwrap();
    assert_eq!(standing(&ddr, &copy), Provenance::Assumed);
}

#[test]
fn a_clock_of_the_link_report_is_that_of_the_channels_and_named() {
    let linked =
        Figure::new(Hertz(405e6), Provenance::Synthesised, "the link report, clock hbm_aclk");
    let all = explain_bandwidth(&hbm(), Some(&linked), &alike(32, 32, 512.0, 300.0)).unwrap();
    assert!(near(all.figure.value.0, 377.8e9, 1e-3), "{:?}", all.figure);
    assert!(
        all.sentence.contains("at an AXI clock of 405 MHz: the link report, clock hbm_aclk"),
        "{}",
        all.sentence
    );
}

#[test]
fn one_port_gets_no_more_than_one_channel_and_the_sentence_says_so() {
    let far = Port { channels: (0, 31), ..reader(512.0, 300.0, 0) };
    let all = explain_bandwidth(&hbm(), None, &[far]).unwrap();
    assert!(all.sentence.contains("no more than one channel gives"), "{}", all.sentence);
}

proptest! {
    /// What the sentence says that channels give is never less than what ports are said to get of them.
    #[test]
    fn channels_give_at_least_what_ports_get(
        ports in prop::collection::vec((0usize..32, 0usize..32, 0usize..3, 32.0..1024.0f64), 1..24), mhz in 50.0..500.0f64,
    ) {
        let port = |&(a, b, way, width): &(usize, usize, usize, f64)| Port {
            direction: [Direction::Read, Direction::Write, Direction::Copy][way],
            channels: (a.min(b), a.max(b)),
            ..reader(width, mhz, 0)
        };
        let ports: Vec<Port> = ports.iter().map(port).collect();
        let channels = Channels::of(&hbm());
        let seen = aggregate::view_ports(&ports, &channels).unwrap();
        let together = aggregate::aggregate_viewed(&seen, &channels).value;
        prop_assert!(together.0 <= supply::Supply::of(&seen, &channels).total.0 * (1.0 + 1e-12));
    }

    #[test]
    fn no_more_channels_are_slower(width in 32.0..1024.0f64, mhz in 50.0..500.0f64, ports in 1usize..40, channels in 1usize..32) {
        let rate = |channels: usize| {
            let range = (0, channels - 1);
            let ports: Vec<_> =
                (0..ports).map(|_| Port { channels: range, ..reader(width, mhz, 0) }).collect();
            aggregate_bandwidth(&ports, &Channels::of(&hbm())).unwrap().value.0
        };
        prop_assert!(rate(channels + 1) >= rate(channels) * (1.0 - 1e-12));
    }

    #[test]
    fn a_wider_reach_of_one_port_slows_nobody(from in 0usize..8, to in 0usize..8, seeds in prop::collection::vec((0usize..8, 0usize..8), 1..12)) {
        let port = |a: usize, b: usize| Port { channels: (a.min(b), a.max(b)), ..reader(512.0, 300.0, 0) };
        let mut ports: Vec<_> = seeds.iter().map(|&(a, b)| port(a, b)).collect();
        let channels = Channels::of(&hbm());
        let before = aggregate_bandwidth(&ports, &channels).unwrap().value.0;
        let reach = ports[0].channels;
        ports[0].channels = (reach.0.min(from), reach.1.max(to));
        prop_assert!(aggregate_bandwidth(&ports, &channels).unwrap().value.0 >= before * (1.0 - 1e-12));
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

#[test]
fn logic_reaches_the_memory_of_a_zynq_through_its_ports() {
    let zybo = card("zybo-z7-20");
    let at = |count, bits| {
        let ports = Port::spread(count, 1, bits, Hertz(100e6), &zybo.kernel);
        explain_bandwidth(&zybo.memory, None, &ports).unwrap()
    };
    // A port of 512 bit goes through one of 64: 8 B x 100 MHz.
    let wide = at(1, 512.0);
    assert_eq!((wide.figure.value.0 / 1e6, wide.limited_by), (800.0, LimitedBy::Port));
    assert!(wide.sentence.contains("HP ports") && !wide.sentence.contains("twice as wide"));
    // Four ports of the processor are all that there are, whatever number a design has.
    assert_eq!(
        (at(4, 64.0).figure.value, at(4, 64.0).limited_by),
        (BytesPerSecond(3.2e9), LimitedBy::Port)
    );
    assert_eq!(
        (at(8, 64.0).figure.value, at(8, 64.0).limited_by),
        (BytesPerSecond(3.2e9), LimitedBy::Attachment)
    );
    // At a clock that is high enough the memory itself holds them, and what streams reach of it is unknown.
    let ports = Port::spread(4, 1, 64.0, Hertz(200e6), &zybo.kernel);
    let all = explain_bandwidth(&zybo.memory, None, &ports).unwrap();
    assert_eq!(all.limited_by, LimitedBy::Channel);
    assert!(all.sentence.contains("upper bound"), "{}", all.sentence);
}
