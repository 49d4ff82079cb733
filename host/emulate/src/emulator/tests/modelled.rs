//! The times that a card would take.

use derate_model::bandwidth::{Channels, LimitedBy, Port, aggregate_bandwidth};

use super::*;

#[test]
fn units_run_side_by_side() {
    let card = with_units("krnl_read", 2);
    let bytes = 32 << 20;
    let sources = [0, 1].map(|bank| card.allocate(bank, bytes).unwrap());
    let sums = [2, 3].map(|bank| card.allocate(bank, 64).unwrap());
    let words = bytes / 64;
    let one = |at: usize, unit| launch(unit, &[&sources[at], &sums[at]], &[words]);
    let overlap = |first, second| {
        let ran = card.run(&[one(0, first), one(1, second)]).unwrap();
        let sum: f64 = ran.counted.iter().map(|run| run.wall.as_secs_f64()).sum();
        sum > ran.wall.as_secs_f64() * 1.02
    };
    // Whether two threads run at once is for the machine to say; on a busy one it may take many attempts.
    assert!((0..500).any(|_| overlap("krnl_read_1", "krnl_read_2")));
    assert!(!overlap("krnl_read_1", "krnl_read_1"));
}

/// The modelled bandwidth of `count` units that each read 64 KiB from a channel of their own.
fn read_from_all(name: &str, count: usize) -> Modelled {
    let card = with_units(name, count);
    let units: Vec<String> = (1..=count).map(|index| format!("{name}_{index}")).collect();
    let sources: Vec<_> = (0..count).map(|bank| card.allocate(bank, 1 << 16).unwrap()).collect();
    let sums: Vec<_> = (0..count).map(|bank| card.allocate(bank, 64).unwrap()).collect();
    let KernelArgumentKind::Port { bytes, .. } = card.units()[0].kernel().arguments[0].kind else {
        panic!()
    };
    let words = (1 << 16) / u64::from(bytes);
    let launches: Vec<_> =
        (0..count).map(|at| launch(&units[at], &[&sources[at], &sums[at]], &[words])).collect();
    card.run(&launches).unwrap().modelled.unwrap()
}

#[test]
fn reads_are_bound_by_ports_of_256_bit_and_by_channels_at_512() {
    let narrow = read_from_all("krnl_read_256", 32);
    assert!((narrow.bandwidth.value.0 / 307.2e9 - 1.0).abs() < 1e-3, "{narrow:?}");
    assert_eq!(narrow.held_by, HeldBy::Memory(LimitedBy::Port));
    let wide = read_from_all("krnl_read", 32);
    assert!((wide.bandwidth.value.0 / 419.8e9 - 1.0).abs() < 2e-3, "{wide:?}");
    assert_eq!(wide.held_by, HeldBy::Memory(LimitedBy::Channel));
}

#[test]
fn equal_ports_get_what_the_bandwidth_model_says() {
    let platform = u280();
    let channels = Channels::of(&platform.memory);
    for (name, bits) in [("krnl_read_256", 256.0), ("krnl_read", 512.0)] {
        for count in [1, 7, 32] {
            let port =
                |channel| Port::sequential(bits, platform.clock.value, channel, &platform.kernel);
            let ports: Vec<_> = (0..count).map(port).collect();
            let wanted = aggregate_bandwidth(&ports, &channels).unwrap().value;
            let got = read_from_all(name, count).bandwidth.value;
            // The sums, written to the channels that are read, are a thousandth of the bytes.
            assert!((got / wanted - 1.0).abs() < 2e-3, "{name} x {count}: {got:?} {wanted:?}");
        }
    }
}

#[test]
fn copies_within_a_channel_have_a_range() {
    let card = with_units("krnl_memcpy", 1);
    let bytes = 1 << 16;
    let [from, to] = [4, 4].map(|bank| card.allocate(bank, bytes).unwrap());
    let ran = card.run(&[launch("krnl_memcpy_1", &[&from, &to], &[bytes / 64])]).unwrap();
    let modelled = ran.modelled.unwrap();
    let share = |figure: f64| figure / 14.4e9;
    assert!((share(modelled.bandwidth.value.0) - 0.86).abs() < 1e-9, "{modelled:?}");
    assert!((share(modelled.at_best.unwrap().value.0) - 0.911).abs() < 1e-9);
    assert!(modelled.time.source.contains("a fit to DDR"), "{}", modelled.time.source);
    // Through channels of their own, a read one and a written one lose nothing.
    let to = card.allocate(5, bytes).unwrap();
    let ran = card.run(&[launch("krnl_memcpy_1", &[&from, &to], &[bytes / 64])]).unwrap();
    assert_eq!(ran.modelled.unwrap().at_best, None);
}
