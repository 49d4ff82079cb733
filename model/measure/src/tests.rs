//! Laws of the verdict.

mod contradictions;

use proptest::prelude::*;

use super::*;
use derate_machine::bandwidth::Direction;
use derate_units::{Bytes, BytesPerSecond, Hertz, Provenance, Seconds};

const BYTES: f64 = 8e9;

/// `count` ports on the first `banks` channels of a U280, a copy of 8 GB in all at `rate`.
fn copy(count: u64, bits: u64, mhz: f64, hbm_mhz: f64, banks: u64, rate: f64) -> Measurement {
    Measurement {
        schema: Schema::V1,
        kernel: KernelKind::Memcpy,
        device: MeasuredDevice {
            kind: DeviceKind::Card,
            name: "a card".to_owned(),
            platform: Some("u280".to_owned()),
        },
        provenance: Provenance::Measured,
        source: "a test".to_owned(),
        timed_by: None,
        command: None,
        threads: None,
        compute_units: None,
        ports: vec![PortGroup {
            direction: Some(Direction::Copy),
            count: Some(count),
            bits: Some(bits),
            banks: Some(format!("HBM[0:{}]", banks - 1)),
        }],
        kernel_clock: Some(Hertz(mhz * 1e6)),
        memory_clock: Some(Hertz(hbm_mhz * 1e6)),
        versions: Versions::default(),
        runs: vec![Run {
            size: Some(Bytes(BYTES / 2.0)),
            bytes_read: Some(Bytes(BYTES / 2.0)),
            bytes_written: Some(Bytes(BYTES / 2.0)),
            // A clock tells repetitions apart.
            seconds: [1.0 - 1e-7, 1.0, 1.0 + 1e-7].map(|x| Seconds(x * BYTES / rate)).to_vec(),
            check: Some(ResultCheck {
                passed: true,
                method: "every byte".to_owned(),
                worst_error: None,
                bound: None,
            }),
            ..Run::default()
        }],
    }
}

fn claim(rate: f64) -> BandwidthClaim {
    BandwidthClaim { value: BytesPerSecond(rate), ..BandwidthClaim::of_u280() }
}

fn codes(reasons: &[VerdictReason]) -> Vec<&'static str> {
    reasons.iter().map(|reason| reason.code).collect()
}

/// From below to above.
fn order(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Refuted => 0,
        Verdict::Supported => 1,
        Verdict::Implausible => 2,
        other => panic!("{other}"),
    }
}

/// A product whose bytes are not a product's, whose size nobody says, or whose error is above its bound supports nothing.
#[test]
fn what_cannot_have_been_done_supports_nothing() {
    let good = copy(32, 512, 300.0, 450.0, 32, 390e9);
    let verdict = |measurement: &Measurement| judge_measurement(measurement, &claim(300e9)).verdict;
    assert_eq!(verdict(&good), Verdict::Supported);
    let mut product = Measurement { kernel: KernelKind::Gemm, ..good.clone() };
    assert_eq!(verdict(&product), Verdict::Inconclusive);
    let gemm = |n| Some(GemmRun { m: n, n, k: n, precision: "fp32".to_owned(), count: 1 });
    product.runs[0].gemm = gemm(64);
    assert_eq!(verdict(&product), Verdict::Implausible);
    // Thousands of them move as much: each has operands of its own.
    product.runs[0].gemm = gemm(64).map(|gemm| GemmRun { count: 4000, ..gemm });
    assert_eq!(verdict(&product), Verdict::Supported);
    product.runs[0].gemm = gemm(64).map(|gemm| GemmRun { count: 4_000_000, ..gemm });
    assert_eq!(verdict(&product), Verdict::Implausible);
    product.runs[0].gemm = gemm(2048);
    assert_eq!(verdict(&product), Verdict::Supported);
    // 429 TFLOP/s are not a U280's.
    product.runs[0].gemm = gemm(16_384);
    let judged = judge_measurement(&product, &claim(300e9));
    assert_eq!(
        (judged.verdict, codes(&judged.reasons)),
        (Verdict::Implausible, vec!["above-arithmetic"])
    );
    let mut computing = |n, precision: &str, wanted| {
        product.runs[0].gemm =
            gemm(n).map(|gemm| GemmRun { precision: precision.to_owned(), ..gemm });
        assert_eq!(verdict(&product), wanted, "{n} in {precision}");
    };
    computing(3150, "fp32", Verdict::Supported);
    computing(3250, "fp32", Verdict::Implausible);
    computing(3250, "bf16", Verdict::Supported);
    computing(16_384, "bf16", Verdict::Implausible);
    let mut wrong = good;
    if let Some(check) = &mut wrong.runs[0].check {
        (check.worst_error, check.bound) = (Some(5.0), Some(1.0));
    }
    assert_eq!(verdict(&wrong), Verdict::Implausible);
}

#[test]
fn the_bar_is_at_93_percent() {
    let judged =
        |rate| judge_measurement(&copy(32, 512, 300.0, 450.0, 32, rate), &claim(300e9)).verdict;
    assert_eq!(judged(279.01e9), Verdict::Supported);
    assert_eq!(judged(278.99e9), Verdict::Refuted);
    assert_eq!(judged(460.7e9), Verdict::Supported);
    assert_eq!(judged(460.9e9), Verdict::Implausible);
}

#[test]
fn a_gap_is_explained_by_what_would_close_it() {
    let gaps = |measurement: &Measurement, rate| {
        let judged = judge_measurement(measurement, &claim(rate));
        assert_eq!(judged.verdict, Verdict::Refuted, "{judged:?}");
        codes(&judged.gaps)
    };
    // 0.86 of 460.8 GB/s are 396 GB/s: reads alone would reach what a copy does not.
    assert_eq!(gaps(&copy(32, 512, 300.0, 450.0, 32, 396e9), 450e9), ["copy"]);
    assert_eq!(
        gaps(&copy(32, 512, 370.0, 405.0, 32, 377.4e9), 420e9),
        ["memory-clock", "copy"],
        "STREAM of HPCC_FPGA"
    );
    assert_eq!(gaps(&copy(4, 512, 300.0, 450.0, 4, 51e9), 300e9), ["channels", "copy"]);
    // 32 narrow ports carry 76.8 GB/s each way.
    assert_eq!(gaps(&copy(32, 64, 300.0, 450.0, 32, 120e9), 300e9), ["port-width"]);
    assert_eq!(gaps(&copy(1, 512, 300.0, 450.0, 32, 12.5e9), 300e9), ["ports", "copy"]);
    assert_eq!(gaps(&copy(32, 512, 300.0, 450.0, 32, 250e9), 300e9), ["unexplained"]);
    // The model gives it 282 GB/s, more than is asked and less than is claimed.
    assert_eq!(gaps(&copy(34, 64, 648.2, 438.3, 24, 273e9), 300e9), ["channels", "port-width"]);
}

#[test]
fn half_of_what_the_model_gives_is_the_scheduler_where_there_are_many_units() {
    let mut measurement = copy(32, 512, 300.0, 450.0, 32, 200e9);
    measurement.compute_units = Some(32);
    assert_eq!(codes(&judge_measurement(&measurement, &claim(300e9)).gaps), ["scheduler"]);
    measurement.compute_units = Some(16);
    assert_eq!(codes(&judge_measurement(&measurement, &claim(300e9)).gaps), ["unexplained"]);
}

#[test]
fn every_field_that_a_verdict_needs_is_missed() {
    type Lose = fn(&mut Measurement);
    let lose: [(&str, Lose); 9] = [
        ("`memory_clock`", |m| m.memory_clock = None),
        ("`kernel_clock`", |m| m.kernel_clock = None),
        ("`ports`", |m| m.ports.clear()),
        ("`direction of ports[0]`", |m| m.ports[0].direction = None),
        ("`count of ports[0]`", |m| m.ports[0].count = None),
        ("`bits of ports[0]`", |m| m.ports[0].bits = None),
        ("`banks of ports[0]`", |m| m.ports[0].banks = None),
        ("`check`", |m| m.runs[0].check = None),
        ("`device.platform", |m| m.device.platform = None),
    ];
    for (key, lose) in lose {
        let mut measurement = copy(32, 512, 300.0, 450.0, 32, 400e9);
        lose(&mut measurement);
        let judged = judge_measurement(&measurement, &claim(300e9));
        assert_eq!(judged.verdict, Verdict::Inconclusive, "{key}");
        assert_eq!(codes(&judged.reasons), ["missing-field"], "{key}");
        assert!(judged.reasons[0].sentence.contains(key), "{:?}", judged.reasons);
    }
}

#[test]
fn what_the_card_does_not_have_is_told() {
    type Break = fn(&mut Measurement);
    let broken: [(&str, Break); 10] = [
        ("banks", |m| m.ports[0].banks = Some("HBM[0:63]".to_owned())),
        ("banks", |m| m.ports[0].banks = Some("MRAM[0]".to_owned())),
        ("banks", |m| m.ports[0].banks = Some("HBM[".to_owned())),
        ("memory-clock", |m| m.memory_clock = Some(Hertz(900e6))),
        ("kernel-clock", |m| m.kernel_clock = Some(Hertz(2e9))),
        ("ports", |m| m.ports[0].count = Some(u64::MAX)),
        ("ports", |m| m.ports[0].count = Some(1000)),
        ("ports", |m| {
            let half =
                |way| PortGroup { direction: Some(way), count: Some(400), ..m.ports[0].clone() };
            m.ports = vec![half(Direction::Read), half(Direction::Write)];
        }),
        ("compute-units", |m| m.compute_units = Some(33)),
        ("compute-units", |m| m.compute_units = Some(7)),
    ];
    for (code, change) in broken {
        let mut measurement = copy(32, 512, 300.0, 450.0, 32, 400e9);
        change(&mut measurement);
        let judged = judge_measurement(&measurement, &claim(300e9));
        assert_eq!(judged.verdict, Verdict::Inconclusive, "{code}");
        assert_eq!(codes(&judged.reasons), [code], "{:?}", judged.reasons);
    }
}

/// A claim about a processor is held against its own times; what could not be is not known there, and said so.
#[test]
fn a_processor_is_held_against_its_own_times() {
    let machine = |rate| {
        let mut measurement = copy(1, 64, 300.0, 450.0, 32, rate);
        measurement.device =
            MeasuredDevice { kind: DeviceKind::Cpu, name: "x".to_owned(), platform: None };
        (measurement.ports, measurement.kernel_clock, measurement.memory_clock) =
            (Vec::new(), None, None);
        measurement
    };
    let given = BandwidthClaim::from_option(BytesPerSecond(10e9));
    for (rate, verdict) in [
        (9.31e9, Verdict::Supported),
        (9.29e9, Verdict::Refuted),
        // No peak says that this cannot be.
        (5e12, Verdict::Supported),
        // Less than 100 us is not a measurement, though.
        (1e14, Verdict::Inconclusive),
    ] {
        let judged = judge_measurement(&machine(rate), &given);
        assert_eq!(judged.verdict, verdict, "{rate}: {:?}", judged.reasons);
        assert_eq!((judged.peak, judged.gaps), (None, Vec::new()));
        let said = judged.notes.iter().any(|note| note.contains("lay in a cache"));
        assert_eq!(said, verdict != Verdict::Inconclusive);
    }
    let mut short = machine(20e9);
    short.runs[0].seconds.truncate(1);
    assert_eq!(codes(&judge_measurement(&short, &given).reasons), ["few-repetitions"]);
    // Wrong results are wrong anywhere, and a claim about a card's memory is not a claim about this one's.
    let mut wrong = machine(20e9);
    wrong.runs[0].check.as_mut().unwrap().passed = false;
    assert_eq!(judge_measurement(&wrong, &given).verdict, Verdict::Implausible);
    assert_eq!(judge_measurement(&machine(400e9), &claim(300e9)).verdict, Verdict::NotEvidence);
}

/// As many as a card has been given, and as units share them out.
#[test]
fn ports_and_units_that_a_card_has_are_no_reason() {
    for (ports, units) in [(32, 8), (32, 16), (32, 32), (162, 162), (160, 1)] {
        let mut measurement = copy(ports, 512, 300.0, 450.0, 32, 380e9);
        measurement.compute_units = Some(units);
        let judged = judge_measurement(&measurement, &claim(300e9));
        assert_eq!(judged.verdict, Verdict::Supported, "{:?}", judged.reasons);
    }
}

/// A kernel call takes longer than a bus access; none that the host made within the time is none.
#[test]
fn more_calls_than_the_time_has_room_for_are_implausible() {
    let judged = |launches| {
        let mut measurement = copy(32, 512, 300.0, 450.0, 32, 390e9);
        measurement.runs[0].launches = Some(launches);
        judge_measurement(&measurement, &claim(300e9))
    };
    let most = judged(1_000_000);
    assert_eq!((most.verdict, codes(&most.reasons)), (Verdict::Implausible, vec!["launches"]));
    for launches in [0, 1, 80] {
        assert_eq!(judged(launches).verdict, Verdict::Supported, "{launches}");
    }
}

#[test]
fn one_way_is_held_against_the_ports_of_that_way() {
    let mut measurement = copy(32, 512, 300.0, 450.0, 32, 400e9);
    measurement.ports[0].direction = Some(Direction::Read);
    measurement.ports.push(PortGroup {
        direction: Some(Direction::Write),
        count: Some(1),
        bits: Some(512),
        banks: Some("HBM[0]".to_owned()),
    });
    // Half of the bytes go through one channel.
    let judged = judge_measurement(&measurement, &claim(300e9));
    assert_eq!(judged.verdict, Verdict::Implausible);
    assert_eq!(judged.peak.unwrap().value, BytesPerSecond(28.8e9));
}

/// A word of sums through ports of their own makes no copy of a read; a hundredth part of the bytes does.
#[test]
fn a_few_written_bytes_leave_a_read_a_read() {
    let model = |written: f64| {
        let mut measurement = copy(32, 512, 300.0, 450.0, 32, 400e9);
        measurement.kernel = KernelKind::Read;
        measurement.ports[0].direction = Some(Direction::Read);
        let sums = PortGroup { direction: Some(Direction::Write), ..measurement.ports[0].clone() };
        measurement.ports.push(sums);
        let run = &mut measurement.runs[0];
        (run.size, run.bytes_read) = (Some(Bytes(BYTES)), Some(Bytes(BYTES)));
        run.bytes_written = Some(Bytes(written));
        let judged = judge_measurement(&measurement, &claim(300e9));
        (judged.model.unwrap().value.0 / 1e9, judged.model_least.map(|least| least.0 / 1e9))
    };
    let near = |got: f64, wanted: f64| assert!((got / wanted - 1.0).abs() < 1e-3, "{got} {wanted}");
    let (most, least) = model(2048.0);
    near(most, 419.8);
    assert_eq!(least, None);
    let (most, least) = model(0.02 * BYTES);
    near(most, 419.8);
    near(least.unwrap(), 396.3);
}

#[test]
fn bytes_that_no_port_carries_leave_it_open() {
    let mut measurement = copy(32, 512, 300.0, 450.0, 32, 400e9);
    measurement.ports[0].direction = Some(Direction::Read);
    let judged = judge_measurement(&measurement, &claim(300e9));
    assert_eq!((judged.verdict, codes(&judged.reasons)), (Verdict::Inconclusive, vec!["ports"]));
    assert!(judged.reasons[0].sentence.starts_with("It writes"), "{:?}", judged.reasons);
}

fn any_setup() -> impl Strategy<Value = (u64, u64, f64, f64, u64)> {
    (
        1u64..64,
        prop::sample::select(vec![32u64, 64, 128, 256, 512, 1024]),
        50.0..650.0f64,
        200.0..450.0f64,
        1u64..33,
    )
}

proptest! {
    #[test]
    fn nothing_above_the_physical_peak_is_supported(
        (count, bits, mhz, hbm_mhz, banks) in any_setup(), rate in 1e9..2e12f64, claimed in 1e9..1e12f64,
    ) {
        let judged = judge_measurement(&copy(count, bits, mhz, hbm_mhz, banks, rate), &claim(claimed));
        let ports = count as f64 * 2.0 * bits as f64 / 8.0 * mhz * 1e6;
        let channels = banks as f64 * 32.0 * hbm_mhz * 1e6;
        let one = (2.0 * bits as f64 / 8.0 * mhz).min(32.0 * hbm_mhz) * 1e6;
        let peak = ports.min(channels).min(one * count as f64);
        if rate > peak * (1.0 + 1e-9) {
            prop_assert_eq!(judged.verdict, Verdict::Implausible);
        }
        prop_assert!(judged.peak.unwrap().value.0 <= peak * (1.0 + 1e-9));
        if let Some(model) = judged.model {
            prop_assert!(model.value.0 <= peak * (1.0 + 1e-9));
        }
    }

    #[test]
    fn what_is_emulated_or_modelled_never_is_evidence(
        (count, bits, mhz, hbm_mhz, banks) in any_setup(), rate in 1e6..2e12f64, claimed in 1e6..1e12f64,
        kind in 0usize..4, provenance in 0usize..5, by_flag in any::<bool>(),
    ) {
        let mut measurement = copy(count, bits, mhz, hbm_mhz, banks, rate);
        let mut claim = claim(claimed);
        if by_flag {
            claim.platform = None;
        }
        // The device says it, whatever the provenance is called.
        measurement.device.kind =
            [DeviceKind::Emulator, DeviceKind::Noop, DeviceKind::SwEmu, DeviceKind::HwEmu][kind];
        prop_assert_eq!(judge_measurement(&measurement, &claim).verdict, Verdict::NotEvidence);
        // And the provenance, whatever the device is called.
        measurement.device.kind = DeviceKind::Card;
        measurement.provenance = [
            Provenance::Assumed,
            Provenance::Derived,
            Provenance::Emulated,
            Provenance::Datasheet,
            Provenance::Synthesised,
        ][provenance];
        prop_assert_eq!(judge_measurement(&measurement, &claim).verdict, Verdict::NotEvidence);
    }

    #[test]
    fn more_bandwidth_is_never_less_support(
        (count, bits, mhz, hbm_mhz, banks) in any_setup(), rate in 1e9..1e12f64, more in 1.0..4.0f64, claimed in 1e9..5e11f64,
    ) {
        let banks = banks.max(2);
        let verdict = |rate| judge_measurement(&copy(count, bits, mhz, hbm_mhz, banks, rate), &claim(claimed)).verdict;
        prop_assert!(order(verdict(rate)) <= order(verdict(rate * more)));
    }

    #[test]
    fn one_bank_supports_nothing_about_all(rate in 1e8..1e12f64, claimed in 1e6..1e12f64) {
        let judged = judge_measurement(&copy(1, 512, 300.0, 450.0, 1, rate), &claim(claimed));
        let wanted = if rate > 14.4e9 { Verdict::Implausible } else { Verdict::Inconclusive };
        prop_assert_eq!(judged.verdict, wanted);
    }

    #[test]
    fn a_refuted_claim_has_a_reason_for_its_gap(
        (count, bits, mhz, hbm_mhz, banks) in any_setup(), rate in 1e9..5e11f64,
    ) {
        let judged = judge_measurement(&copy(count, bits, mhz, hbm_mhz, banks.max(2), rate), &claim(300e9));
        prop_assert_eq!(judged.verdict == Verdict::Refuted, !judged.gaps.is_empty());
    }
}

/// At every depth: whoever writes two values means one of them, and nobody knows which.
#[test]
fn a_key_that_stands_twice_is_refused() {
    let text = include_str!("../../../fixtures/measurements/refuted-narrow-ports/measurement.json");
    assert!(Recording::parse("m.json", text).is_ok());
    for (key, value) in [("kernel", "\"read\""), ("bytes_read", "1"), ("passed", "true")] {
        let twice =
            text.replacen(&format!("\"{key}\":"), &format!("\"{key}\": {value}, \"{key}\":"), 1);
        assert_ne!(twice, text, "{key}");
        let error = Recording::parse("m.json", &twice).unwrap_err();
        assert!(error.reason.contains(&format!("key given twice: `{key}`")), "{}", error.reason);
    }
}
