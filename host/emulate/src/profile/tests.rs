use derate_model::units::{Cycles, Hertz};
use derate_model::{Figure, Platform, Provenance};

use super::*;
use crate::emulator::{Counted, Moved};
use crate::swemu::{
    DeviceRecord, PACKET_BYTES, Recorded, RecordedArgument, RecordedDesign, RecordedPlace,
    RecordedStream, RecordedUnit,
};

/// So many cycles, or none.
struct Always(Option<f64>);

impl CycleModel for Always {
    fn model_cycles(
        &mut self,
        _: &str,
        _: &[(String, u64)],
        _: Hertz,
    ) -> Result<Figure<Cycles>, NoCycles> {
        let cycles = self.0.ok_or_else(|| NoCycles("nobody knows".to_owned()))?;
        Ok(Figure::new(Cycles(cycles), Provenance::Derived, "a test"))
    }
}

const A: u64 = 0;
const B: u64 = 1 << 20;
const C: u64 = 2 << 20;

fn design(units: &[&str]) -> Recorded {
    let unit = |name: &&str| RecordedUnit {
        name: (*name).to_owned(),
        kernel: "k".to_owned(),
        is_free: false,
        plain: Vec::new(),
    };
    let units = units.iter().map(unit).collect();
    Recorded::Design(RecordedDesign { megahertz: Some(200.0), units, sources: Vec::new() })
}

fn transfer(to_card: bool, buffer: u64, offset: u64, bytes: u64) -> Recorded {
    let (address, bank) = (buffer + offset, "HBM[0]".to_owned());
    Recorded::Transfer { to_card, buffer, address, bytes, bank }
}

/// A run that reads one buffer and writes another.
fn run(unit: &str, from: u64, to: u64, bytes: u64) -> [Recorded; 2] {
    let place = |name: &str, at: u64| RecordedArgument {
        name: name.to_owned(),
        value: at,
        place: Some((at, "HBM[0]".to_owned())),
    };
    let moved = |name: &str, address: u64, read: u64, written: u64| Moved {
        argument: name.to_owned(),
        address,
        bundle: None,
        width_bits: 512,
        read,
        written,
        jumps: 0,
    };
    let unit = unit.to_owned();
    let counted = Counted {
        unit: unit.clone(),
        kernel: "k".to_owned(),
        moved: vec![moved("src", from, bytes, 0), moved("dst", to, 0, bytes)],
        wall: std::time::Duration::ZERO,
    };
    [
        Recorded::Start { unit, arguments: vec![place("src", from), place("dst", to)] },
        Recorded::End(counted, Vec::new()),
    ]
}

fn profile(done: Vec<Recorded>, cycles: Option<f64>) -> CardProfile {
    let platform = Platform::named("u280").unwrap();
    profile_card(&DeviceRecord { card: 0, done }, &platform, &mut Always(cycles)).unwrap()
}

/// One after another where they share a buffer: 10.8 GB/s in, 2e6 cycles at 200 MHz, 11.4 GB/s out.
#[test]
fn a_run_waits_for_its_data_and_the_way_back_for_the_run() {
    let [start, end] = run("k_1", A, B, 1 << 16);
    let done = vec![
        design(&["k_1"]),
        transfer(true, A, 0, 1 << 16),
        start,
        end,
        transfer(false, B, 0, 1 << 16),
    ];
    let one = profile(done, Some(2e6));
    let spans: Vec<(f64, f64)> = one.spans.iter().map(|span| (span.start, span.end())).collect();
    let (into, out) = (65536.0 / 10.8e9, 65536.0 / 11.4e9);
    let wanted = [(0.0, into), (into, into + 0.01), (into + 0.01, into + 0.01 + out)];
    for (got, wanted) in spans.iter().zip(wanted) {
        assert!((got.0 - wanted.0).abs() < 1e-12 && (got.1 - wanted.1).abs() < 1e-12, "{spans:?}");
    }
    assert!(one.idle().abs() < 1e-12 && !one.is_bound());
    let port = &one.ports[0];
    assert_eq!((port.runs, port.read, port.written, port.bursts), (1, 1 << 16, 0, 1));
}

/// XRT's threads may start a run before or after a transfer that it does not need: the profile is the same.
#[test]
fn what_does_not_depend_may_come_in_any_order() {
    let (first, second) = (run("k_1", A, B, 4096), run("k_2", C, 3 << 20, 4096));
    let packets = [transfer(true, C, 0, PACKET_BYTES), transfer(true, C, PACKET_BYTES, 4096)];
    let head = [design(&["k_1", "k_2"]), transfer(true, A, 0, 4096)];
    let one = |middle: Vec<Recorded>| {
        let done = head.iter().cloned().chain(middle).chain(second.clone()).collect();
        let mut one = profile(done, None);
        one.spans.sort_by(|a, b| a.lane.cmp(&b.lane).then(a.start.total_cmp(&b.start)));
        one
    };
    let early: Vec<Recorded> = first.iter().chain(&packets).cloned().collect();
    let [start, end] = first;
    let [front, back] = packets;
    let late = vec![front, start, back, end];
    assert_eq!(one(early.clone()), one(late));
    assert_eq!(one(early.clone()).transfers[0].transfers, 2);
    assert!(one(early).is_bound(), "no cycles are known");
}

/// A unit runs one after another; two units side by side.
#[test]
fn units_run_side_by_side() {
    let again = |units: [&str; 2]| {
        let mut done = vec![design(&["k_1", "k_2"])];
        done.extend(run(units[0], A, B, 4096));
        done.extend(run(units[1], A, C, 4096));
        profile(done, Some(1e6)).end()
    };
    assert!((again(["k_1", "k_1"]) - 0.01).abs() < 1e-9);
    assert!((again(["k_1", "k_2"]) - 0.005).abs() < 1e-9);
}

/// Neither cycles nor bytes: then there is no time, and it is said.
#[test]
fn a_run_of_which_nothing_is_known_has_no_time() {
    let [start, _] = run("k_1", A, B, 0);
    let one = profile(vec![design(&["k_1"]), start], None);
    assert_eq!(one.spans[0].duration, None);
    assert_eq!((one.units[0].unknown, one.units[0].launches), (1, 1));
    let said = &one.spans[0].run.as_ref().unwrap().left_out;
    assert!(said.contains(&"the program did not wait for its end".to_owned()), "{said:?}");
}

/// Two units copy within one bank, which alone holds each of them down.
#[test]
fn runs_on_one_bank_share_its_bandwidth() {
    let bytes = 1 << 18;
    let durations = |done: Vec<Recorded>| -> Vec<f64> {
        profile(done, None).spans.iter().filter_map(|span| span.duration).collect()
    };
    let [start, end] = run("k_1", A, B, bytes);
    let [alone] = durations(vec![design(&["k_1"]), start.clone(), end.clone()]).try_into().unwrap();
    let [other, other_end] = run("k_2", C, C + (1 << 20), bytes);
    let both = durations(vec![design(&["k_1", "k_2"]), start, other, end, other_end]);
    assert_eq!(both.len(), 2);
    assert!(both.iter().all(|time| (time / alone - 2.0).abs() < 1e-9), "{both:?} {alone}");
}

fn streamed(from: &str, to: &str, writes: bool, elements: u64) -> RecordedStream {
    let (from, to) = (from.to_owned(), to.to_owned());
    RecordedStream { from, to, at: 1, writes, elements }
}

/// A unit that runs by itself between two that a host starts: its time is theirs, and an element takes a cycle at least.
#[test]
fn streams_and_units_by_themselves_are_on_the_axis() {
    let Recorded::Design(mut about) = design(&["k_1", "f_1", "k_2"]) else { unreachable!() };
    about.units[1].is_free = true;
    let (count, mhz) = (2_000_000, 200e6);
    let [start, end] = run("k_1", A, B, 4096);
    let [other, other_end] = run("k_2", C, 3 << 20, 4096);
    let with = |end: Recorded, streams: Vec<RecordedStream>| match end {
        Recorded::End(counted, _) => Recorded::End(counted, streams),
        other => other,
    };
    let free = Counted {
        unit: "f_1".to_owned(),
        kernel: "k".to_owned(),
        moved: Vec::new(),
        wall: std::time::Duration::ZERO,
    };
    let done = vec![
        Recorded::Design(about),
        transfer(true, A, 0, 1 << 20),
        start,
        other,
        with(end, vec![streamed("k_1", "f_1", true, count)]),
        with(other_end, vec![streamed("f_1", "k_2", false, count)]),
        Recorded::Free(
            free,
            vec![streamed("k_1", "f_1", false, count), streamed("f_1", "k_2", true, count)],
        ),
    ];
    let one = profile(done, None);
    let lane =
        |lane: Lane| -> Vec<&Span> { one.spans.iter().filter(|span| span.lane == lane).collect() };
    let into = f64::from(1 << 20) / 10.8e9;
    // The second needs nothing of the transfer.
    let times = [(0, into, into + count as f64 / mhz), (2, 0.0, count as f64 / mhz)];
    for (unit, start, end) in times {
        let [span] = lane(Lane::Unit(unit))[..] else { panic!("{:?}", one.spans) };
        assert!((span.start - start).abs() < 1e-9 && (span.end() - end).abs() < 1e-9, "{span:?}");
    }
    let [free] = lane(Lane::Unit(1))[..] else { panic!("{:?}", one.spans) };
    assert!(free.start.abs() < 1e-12 && (free.end() - one.end()).abs() < 1e-12);
    assert_eq!(one.streams.len(), 2);
    for (at, stream) in one.streams.iter().enumerate() {
        assert_eq!((stream.written, stream.read), (count, count));
        let [span] = lane(Lane::Stream(at))[..] else { panic!("{:?}", one.spans) };
        assert_eq!(span.name, "2000000 elements");
    }
    assert!(one.is_bound(), "a unit that runs by itself may be the slowest");
}

/// A copy reads a buffer that a run wrote: it waits for the run, and its banks take at least so long.
#[test]
fn copies_follow_those_that_use_their_buffers() {
    let place = |buffer: u64| Some(RecordedPlace { buffer, address: buffer });
    let far = 1 << 28;
    let [start, end] = run("k_1", A, B, 4096);
    let copy = Recorded::Copy { bytes: 1 << 20, from: place(B), to: place(far) };
    let out = transfer(false, far, 0, 1 << 20);
    let one = profile(vec![design(&["k_1"]), start, end, copy, out], Some(2e6));
    let [run, copy, out] = &one.spans[..] else { panic!("{:?}", one.spans) };
    assert_eq!((copy.lane, one.copies), (Lane::Copy, (1, 1 << 20)));
    assert!(copy.start >= run.end() - 1e-12 && out.start >= copy.end() - 1e-12);
    // A channel of HBM gives 14.4 GB/s at most.
    let rate = f64::from(1 << 20) / copy.duration.unwrap() / 1e9;
    assert!(rate > 5.0 && rate <= 14.4, "{rate}");
    let elsewhere = Recorded::Copy { bytes: 1 << 20, from: None, to: None };
    let one = profile(vec![design(&["k_1"]), elsewhere], None);
    assert_eq!(one.spans[0].duration, None);
    assert!(one.is_bound());
}
