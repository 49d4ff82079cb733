//! Times and clocks.

use super::*;

#[test]
fn the_hosts_clock_shows_no_less_than_the_devices() {
    let beside = |factor: f64| {
        move |m: &mut Measurement| {
            let seconds = m.runs[0].seconds.iter();
            m.runs[0].wall_seconds = seconds.map(|time| *time * factor).collect();
        }
    };
    let impossible = (Verdict::Implausible, vec!["wall-seconds"]);
    assert_eq!(judged(beside(0.99)), impossible);
    accepts(beside(0.9995));
    accepts(beside(1.0));
    accepts(beside(20.0));
    // One time for all of them.
    let all = |factor: f64| {
        move |m: &mut Measurement| {
            let sum: Seconds = m.runs[0].seconds.iter().copied().sum();
            m.runs[0].wall_seconds = vec![sum * factor];
        }
    };
    assert_eq!(judged(all(0.5)), impossible);
    open("wall-seconds", all(1.1));
}

#[test]
fn equal_times_are_no_clocks() {
    let all =
        |count| move |m: &mut Measurement| m.runs[0].seconds = vec![Seconds(BYTES / 390e9); count];
    open("same-times", all(3));
    open("same-times", all(5));
    let apart = |by: f64| {
        move |m: &mut Measurement| {
            let times = [1.0, 1.0, 1.0, 1.0, 1.0 + by];
            m.runs[0].seconds = times.map(|x| Seconds(x * BYTES / 390e9)).to_vec();
        }
    };
    open("same-times", apart(1e-13));
    open("same-times", apart(0.9e-9));
    accepts(apart(1e-8));
    accepts(|m| {
        m.runs[0].seconds = vec![Seconds(BYTES / 390e9); 1000];
        m.runs[0].seconds[999] = Seconds(BYTES / 391e9);
    });
}

#[test]
fn calls_follow_one_another_no_faster_than_anybody_saw() {
    let calls = |each: f64| {
        move |m: &mut Measurement| {
            let fastest = 0.999 * BYTES / 390e9;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "some thousand"
            )]
            let launches = (fastest / each) as u64;
            m.runs[0].launches = Some(launches);
        }
    };
    open("launches", calls(0.9e-6));
    open("launches", calls(2.7e-6));
    accepts(calls(2.9e-6));
    let notes = |change: &dyn Fn(&mut Measurement)| {
        let mut measurement = good();
        change(&mut measurement);
        let notes = judge_measurement(&measurement, &claim(300e9)).notes;
        notes.iter().filter(|note| note.starts_with("`launches` is")).count()
    };
    assert_eq!((notes(&calls(2.9e-6)), notes(&calls(300e-6)), notes(&|_| {})), (1, 0, 0));
    assert_eq!(judged(calls(0.09e-6)), (Verdict::Implausible, vec!["launches"]));
}

#[test]
fn a_first_repetition_that_decides_leaves_it_open() {
    let cold = |times: [f64; 3]| {
        move |m: &mut Measurement| {
            m.runs[0].warm_up = Some(0);
            m.runs[0].seconds = times.map(|rate| Seconds(BYTES / rate)).to_vec();
        }
    };
    // 250 GB/s in the middle; without the first it is 287.
    open("warm-up", cold([150e9, 250e9, 340e9]));
    accepts(cold([150e9, 380e9, 390e9]));
    assert_eq!(judged(cold([150e9, 200e9, 210e9])).0, Verdict::Refuted);
    accepts(|m| {
        cold([340e9, 250e9, 300e9])(m);
        m.runs[0].warm_up = Some(1);
    });
    let mut measurement = good();
    cold([150e9, 380e9, 390e9])(&mut measurement);
    let notes = judge_measurement(&measurement, &claim(300e9)).notes;
    assert!(notes.iter().any(|note| note.starts_with("`warm_up` is 0")), "{notes:?}");
}

#[test]
fn no_clock_is_faster_than_what_sets_it() {
    for (mhz, sets) in [(650.0, true), (652.0, true), (660.0, false), (700.0, false)] {
        let at = |m: &mut Measurement| m.kernel_clock = Some(Hertz(mhz * 1e6));
        if sets { accepts(at) } else { open("kernel-clock", at) }
    }
    accepts(|m| m.memory_clock = Some(Hertz(450.1e6)));
    open("memory-clock", |m| m.memory_clock = Some(Hertz(460e6)));
}

/// A verdict that more than a third of the repetitions deny is none, whichever it is; a few slow ones leave it.
#[test]
fn repetitions_on_both_sides_leave_it_open() {
    let times = |factors: &[f64]| {
        let seconds: Vec<Seconds> =
            factors.iter().map(|factor| Seconds(factor * BYTES / 390e9)).collect();
        move |m: &mut Measurement| m.runs[0].seconds = seconds
    };
    open("repetitions-disagree", times(&[1.0, 1.01, 1.02, 1.5, 1.8, 2.9]));
    open("repetitions-disagree", times(&[1.0, 1.01, 1.5, 1.6, 1.7]));
    open("repetitions-disagree", times(&[1.0, 1.01, 1.02, 1.5, 1.8]));
    accepts(times(&[1.0, 1.01, 1.02, 1.03, 1.5, 2.9]));
    accepts(times(&[1.0, 1.01, 1.5]));
    assert_eq!(judged(times(&[1.0, 1.5, 1.6])).0, Verdict::Refuted);
}

#[test]
fn clocks_and_times_of_another_unit_are_told() {
    open("kernel-clock", |m| m.kernel_clock = Some(Hertz(300.0)));
    open("memory-clock", |m| m.memory_clock = Some(Hertz(450.0)));
    let verdict =
        |rate| judge_measurement(&copy(32, 512, 300.0, 450.0, 32, rate), &claim(300e9)).verdict;
    assert_eq!(verdict(0.4e9), Verdict::Inconclusive);
    assert_eq!([0.05e9, 4e9].map(verdict), [Verdict::Refuted; 2]);
}

#[test]
fn times_in_another_unit_refute_nothing() {
    let times = |factor: f64| {
        move |m: &mut Measurement| {
            m.runs[0].seconds.iter_mut().for_each(|time| *time = *time * factor);
        }
    };
    open("seconds", times(1e3));
    open("seconds", times(1e6));
    assert_eq!(judged(times(10.0)).0, Verdict::Refuted);
    assert_eq!(judged(times(1e5)).0, Verdict::Refuted);
}

/// What XRT's calls were seen to take says nothing of a GPU's kernels, of which a pass may be many.
#[test]
fn kernels_of_a_gpu_are_no_calls_through_xrt() {
    let of = |device| {
        let mut measurement = copy(32, 512, 300.0, 450.0, 32, 390e9);
        let time = measurement.runs[0].times().unwrap().median;
        // 2 us each.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "some thousand"
        )]
        let launches = (time.0 / 2e-6) as u64;
        measurement.runs[0].launches = Some(launches);
        if device == DeviceKind::Gpu {
            measurement.device =
                MeasuredDevice { kind: device, name: "NVIDIA T9".to_owned(), platform: None };
            measurement.ports.clear();
            (measurement.kernel_clock, measurement.memory_clock) = (None, None);
        }
        judge_measurement(&measurement, &BandwidthClaim::from_option(BytesPerSecond(300e9)))
    };
    let card = of(DeviceKind::Card);
    assert!(codes(&card.reasons).contains(&"launches"), "{:?}", card.reasons);
    let gpu = of(DeviceKind::Gpu);
    assert!(!codes(&gpu.reasons).contains(&"launches"), "{:?}", gpu.reasons);
    assert_eq!(gpu.verdict, Verdict::Supported, "{:?}", gpu.reasons);
}
