//! Files that contradict themselves support nothing, and what only looks like a contradiction does not count as one.

use super::*;

/// Supports the claim: 32 units that copy, measured on a card, five repetitions that differ by a little.
fn good() -> Measurement {
    let mut measurement = copy(32, 512, 300.0, 450.0, 32, 390e9);
    measurement.compute_units = Some(32);
    measurement.runs[0].seconds =
        [1.0, 0.999, 1.002, 1.001, 1.003].map(|times| Seconds(times * BYTES / 390e9)).to_vec();
    measurement
}

fn judged(change: impl FnOnce(&mut Measurement)) -> (Verdict, Vec<&'static str>) {
    let mut measurement = good();
    change(&mut measurement);
    let judged = judge(&measurement, &claim(300e9));
    for reason in &judged.reasons {
        assert!(!reason.sentence.contains('\n'), "{reason:?}");
    }
    (judged.verdict, codes(&judged.reasons))
}

fn stands(change: impl FnOnce(&mut Measurement)) {
    assert_eq!(judged(change), (Verdict::Supported, vec!["share"]));
}

fn open(code: &'static str, change: impl FnOnce(&mut Measurement)) {
    assert_eq!(judged(change), (Verdict::Inconclusive, vec![code]));
}

#[test]
fn what_names_an_emulation_is_none_of_a_card() {
    type Name = fn(&mut Measurement, String);
    let fields: [Name; 6] = [
        |m, text| m.device.name = text,
        |m, text| m.device.platform = Some(text),
        |m, text| m.versions.xrt = Some(text),
        |m, text| m.versions.shell = Some(text),
        |m, text| m.versions.xclbin = Some(text),
        |m, text| m.versions.compiler = Some(text),
    ];
    let emulated = (Verdict::NotEvidence, vec!["emulated"]);
    for name in fields {
        for text in [
            "derate's emulator of u280",
            "xilinx_u280.sw_emu.xclbin",
            "HW_EMU",
            "noop",
            "libxrt_noop.so.2",
            "an Emulated card",
            "Simulator",
        ] {
            assert_eq!(judged(|m| name(m, text.to_owned())), emulated, "{text}");
        }
    }
    for text in
        ["xilinx_u280_gen3x16_xdma_base_1", "snoop filter", "temulator", "qemulator", "rtlsdr"]
    {
        stands(|m| m.device.name = text.to_owned());
    }
    for text in ["QEMU Virtual CPU", "u280 rtl", "Verilator"] {
        assert_eq!(judged(|m| m.device.name = text.to_owned()), emulated, "{text}");
    }
    // A processor may be a virtual one, and that is what was measured.
    let mut machine = good();
    machine.device.kind = DeviceKind::Cpu;
    machine.device.platform = None;
    machine.device.name = "QEMU Virtual CPU".to_owned();
    let claim = BandwidthClaim::given(BytesPerSecond(300e9));
    assert_eq!(judge(&machine, &claim).verdict, Verdict::Supported);
    assert_eq!(judged(|m| m.source = "derate's emulator: data and bytes".to_owned()), emulated);
    // Free words may also say that there was none.
    open("source", |m| m.source = "on the card, not emulated".to_owned());
    stands(|m| m.source = "hbm_bandwidth, four streams simultaneously".to_owned());
}

#[test]
fn a_name_is_that_of_the_card() {
    open("platform", |m| m.device.name = "xilinx_u50_gen3x16_xdma_base_5".to_owned());
    open("platform", |m| m.versions.shell = Some("Alveo U250".to_owned()));
    stands(|m| m.versions.shell = Some("xilinx_U280_gen3x16_xdma_1_202211_1".to_owned()));
    // Of a name that names none nothing is known.
    stands(|m| m.device.name = "the card in the corner".to_owned());
}

#[test]
fn a_command_says_where_it_ran() {
    for command in [
        "derate bench memcpy",
        "derate bench memcpy --device emu",
        "/usr/bin/derate bench memcpy --device=cpu --size '1 GiB'",
        "derate emu run -- ./read_host u280-read.xclbin",
        "/usr/bin/derate -q emu run --platform u280 -- derate bench read --device xrt:0",
        "XCL_EMULATION_MODE=hw_emu ./host u280.xclbin",
        "export XCL_EMULATION_MODE=noop; ./host u280.xclbin",
        "./host build_dir.SW_EMU.u280/read.xclbin",
    ] {
        assert_eq!(
            judged(|m| m.command = Some(command.to_owned())),
            (Verdict::NotEvidence, vec!["emulated"]),
            "{command}"
        );
    }
    for command in [
        "derate bench memcpy --device xrt:0",
        "derate bench read --device=xrt:1",
        "./host bench",
        "./emu run",
        "derate bench read --device xrt:0 --out emu-run.json",
        "env -u XCL_EMULATION_MODE ./host u280.xclbin",
        "XCL_EMULATION_MODE= ./host u280.xclbin",
    ] {
        stands(|m| m.command = Some(command.to_owned()));
    }
    let mut machine = good();
    machine.device = Device { kind: DeviceKind::Cpu, name: "x".to_owned(), platform: None };
    let mut verdict = |command: &str| {
        machine.command = Some(command.to_owned());
        judge(&machine, &BandwidthClaim::given(BytesPerSecond(300e9))).verdict
    };
    assert_eq!(verdict("derate bench memcpy --device cpu"), Verdict::Supported);
    assert_eq!(verdict("derate bench memcpy"), Verdict::NotEvidence);
}

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
    stands(beside(0.9995));
    stands(beside(1.0));
    stands(beside(20.0));
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
    stands(apart(1e-8));
    stands(|m| {
        m.runs[0].seconds = vec![Seconds(BYTES / 390e9); 1000];
        m.runs[0].seconds[999] = Seconds(BYTES / 391e9);
    });
}

#[test]
fn bytes_are_counted_by_nobody_on_a_card() {
    open("counted", |m| m.runs[0].bytes_from = Some(BytesFrom::Counted));
    stands(|m| m.runs[0].bytes_from = Some(BytesFrom::Arguments));
}

#[test]
fn ports_that_nothing_went_through_are_others() {
    let read = |written| {
        move |m: &mut Measurement| {
            m.kernel = Kind::Read;
            (m.runs[0].size, m.runs[0].bytes_read) = (None, Some(Bytes(BYTES)));
            m.runs[0].bytes_written = Some(Bytes(written));
        }
    };
    open("ports", read(0.0));
    stands(read(2048.0));
    stands(|m| {
        read(0.0)(m);
        m.ports[0].direction = Some(Direction::Read);
    });
    open("ports", |m| {
        m.kernel = Kind::Write;
        let run = &mut m.runs[0];
        (run.size, run.bytes_read) = (None, Some(Bytes(0.0)));
        run.bytes_written = Some(Bytes(BYTES));
        m.ports[0].direction = Some(Direction::Read);
    });
}

#[test]
fn units_have_the_ports_of_their_kernel() {
    let ports = |units, read, write| {
        move |m: &mut Measurement| {
            let group = |way, count| PortGroup {
                direction: Some(way),
                count: Some(count),
                ..m.ports[0].clone()
            };
            m.ports = vec![group(Direction::Read, read), group(Direction::Write, write)];
            m.compute_units = Some(units);
        }
    };
    stands(ports(16, 16, 16));
    stands(ports(8, 32, 16));
    // As many in all as a multiple of the units, but no unit has half a port of a kind.
    open("compute-units", ports(32, 16, 16));
    open("compute-units", ports(16, 24, 8));
    let ours = |units, read, write| {
        move |m: &mut Measurement| {
            ports(units, read, write)(m);
            m.versions.derate = Some("0.1.0".to_owned());
        }
    };
    stands(ours(16, 16, 16));
    open("compute-units", ours(8, 32, 16));
    open("compute-units", ours(1, 32, 32));
    // 32 ports in one unit are no contradiction of somebody else's kernel.
    stands(ports(1, 32, 32));
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
    stands(calls(2.9e-6));
    let notes = |change: &dyn Fn(&mut Measurement)| {
        let mut measurement = good();
        change(&mut measurement);
        let notes = judge(&measurement, &claim(300e9)).notes;
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
    stands(cold([150e9, 380e9, 390e9]));
    assert_eq!(judged(cold([150e9, 200e9, 210e9])).0, Verdict::Refuted);
    stands(|m| {
        cold([340e9, 250e9, 300e9])(m);
        m.runs[0].warm_up = Some(1);
    });
    let mut measurement = good();
    cold([150e9, 380e9, 390e9])(&mut measurement);
    let notes = judge(&measurement, &claim(300e9)).notes;
    assert!(notes.iter().any(|note| note.starts_with("`warm_up` is 0")), "{notes:?}");
}

#[test]
fn no_clock_is_faster_than_what_sets_it() {
    for (mhz, sets) in [(650.0, true), (652.0, true), (660.0, false), (700.0, false)] {
        let at = |m: &mut Measurement| m.kernel_clock = Some(Hertz(mhz * 1e6));
        if sets { stands(at) } else { open("kernel-clock", at) }
    }
    stands(|m| m.memory_clock = Some(Hertz(450.1e6)));
    open("memory-clock", |m| m.memory_clock = Some(Hertz(460e6)));
}

#[test]
fn runs_of_one_size_that_say_the_opposite_leave_it_open() {
    let second = |rate: f64, bytes: f64| {
        move |m: &mut Measurement| {
            let mut run = m.runs[0].clone();
            (run.size, run.bytes_read, run.bytes_written) =
                (Some(Bytes(bytes / 2.0)), Some(Bytes(bytes / 2.0)), Some(Bytes(bytes / 2.0)));
            run.seconds = [1.0, 1.01, 1.02].map(|times| Seconds(times * bytes / rate)).to_vec();
            m.runs.push(run);
        }
    };
    for bytes in [BYTES, 0.95 * BYTES, 1.05 * BYTES] {
        open("runs-disagree", second(195e9, bytes));
        stands(second(300e9, bytes));
    }
    // Small sizes measure the launch.
    stands(second(195e9, 0.01 * BYTES));
    open("runs-disagree", second(195e9, 0.1 * BYTES));
    let mut measurement = good();
    second(300e9, 0.95 * BYTES)(&mut measurement);
    let notes = judge(&measurement, &claim(300e9)).notes;
    assert!(notes.iter().any(|note| note.starts_with("runs[1], of practically")), "{notes:?}");
    // Bare rates say no size, so none is larger than the other.
    let bare = |rate| Run { stated_bandwidth: Some(BytesPerSecond(rate)), ..Run::default() };
    open("runs-disagree", |m| {
        m.provenance = Provenance::Published;
        m.runs = vec![bare(400e9), bare(200e9)];
    });
}

#[test]
fn files_of_one_setup_that_say_the_opposite_leave_it_open() {
    let slower = |m: &mut Measurement| {
        m.runs[0].seconds.iter_mut().for_each(|time| *time = *time * 2.0);
    };
    let verdicts = |change: fn(&mut Measurement)| {
        let mut second = good();
        slower(&mut second);
        change(&mut second);
        let files = [("a.json", good()), ("b.json", second)].map(|(name, measurement)| Recording {
            file: name.to_owned(),
            content: Content::Measurement(Box::new(measurement)),
        });
        let validation = validate(&[], &files, &claim(300e9), &[claim(100e9)]);
        // Of a claim that both support they say the same.
        assert_eq!(validation.beside[0].verdicts, [Verdict::Supported; 2]);
        let files = validation.files;
        (files[0].verdict, files[1].verdict, codes(&files[0].figures[0].reasons))
    };
    let open = (Verdict::Inconclusive, Verdict::Inconclusive, vec!["runs-disagree"]);
    assert_eq!(verdicts(|_| {}), open);
    let apart = (Verdict::Supported, Verdict::Refuted, vec!["share"]);
    assert_eq!(verdicts(|m| m.kernel_clock = Some(Hertz(299e6))), apart);
    assert_eq!(verdicts(|m| m.versions.xclbin = Some("another".to_owned())), apart);
}

/// The gemm of the U280 whose bounds nobody could follow: reads are 16 of 17 bytes, through two of three ports.
#[test]
fn a_bound_by_one_direction_says_how_it_comes_about() {
    let mut measurement = good();
    let group = |way, count, banks: &str| PortGroup {
        direction: Some(way),
        count: Some(count),
        bits: Some(512),
        banks: Some(banks.to_owned()),
    };
    measurement.ports =
        vec![group(Direction::Read, 2, "HBM[0:1]"), group(Direction::Write, 1, "HBM[2]")];
    measurement.compute_units = Some(1);
    let run = &mut measurement.runs[0];
    (run.size, run.bytes_read, run.bytes_written) = (None, Some(Bytes(16e9)), Some(Bytes(1e9)));
    let judged = judge(&measurement, &claim(300e9));
    let (peak, model) = (judged.peak.unwrap(), judged.model.unwrap());
    assert!((peak.value.0 - 30.6e9).abs() < 1e3 && (model.value.0 - 27.8766e9).abs() < 1e3);
    for (figure, said) in [
        (
            peak,
            "2 ports read 94.12 % of the bytes and get 28.8 GB/s (their wires carry 38.4 GB/s; the limit: the memory channels); \
             1 port writes 5.882 % of the bytes and gets 14.4 GB/s (its wires carry 19.2 GB/s; the limit: the memory channels). \
             So all bytes together get 28.8 GB/s / 0.9412 = 30.6 GB/s",
        ),
        (model, "So all bytes together get 26.24 GB/s / 0.9412 = 27.88 GB/s."),
    ] {
        assert!(figure.source.contains(said), "{}", figure.source);
    }
    // Shared out evenly there is nothing to explain.
    measurement.ports =
        vec![group(Direction::Read, 16, "HBM[0:15]"), group(Direction::Write, 16, "HBM[16:31]")];
    let run = &mut measurement.runs[0];
    (run.bytes_read, run.bytes_written) = (Some(Bytes(1e9)), Some(Bytes(1e9)));
    let peak = judge(&measurement, &claim(300e9)).peak.unwrap();
    assert!(peak.source.ends_with("nothing lost"), "{}", peak.source);
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
    stands(times(&[1.0, 1.01, 1.02, 1.03, 1.5, 2.9]));
    stands(times(&[1.0, 1.01, 1.5]));
    assert_eq!(judged(times(&[1.0, 1.5, 1.6])).0, Verdict::Refuted);
}

/// What is called after a board, a processor or a GPU of another kind is no card of the catalogue; a name that also has the
/// card's own stands.
#[test]
fn a_name_of_no_card_of_the_catalogue_is_another() {
    for name in [
        "NVIDIA H200",
        "Intel Xeon Gold 6248R",
        "xilinx_vcu1525_xdma_201830_1",
        "xilinx_u55n_gen3x4",
    ] {
        open("platform", |m| m.device.name = name.to_owned());
    }
    for shell in
        ["xilinx_vck5000_gen4x8_qdma_base_2", "xilinx_aws-vu9p-f1_shell-v04261818_201920_3"]
    {
        open("platform", |m| m.versions.shell = Some(shell.to_owned()));
    }
    for name in ["Alveo U280 in a host with Intel Xeon", "card u1 of the rack", "kvm guest"] {
        stands(|m| m.device.name = name.to_owned());
    }
}

#[test]
fn clocks_and_times_of_another_unit_are_told() {
    open("kernel-clock", |m| m.kernel_clock = Some(Hertz(300.0)));
    open("memory-clock", |m| m.memory_clock = Some(Hertz(450.0)));
    let verdict = |rate| judge(&copy(32, 512, 300.0, 450.0, 32, rate), &claim(300e9)).verdict;
    assert_eq!(verdict(0.4e9), Verdict::Inconclusive);
    assert_eq!([0.05e9, 4e9].map(verdict), [Verdict::Refuted; 2]);
}

#[test]
fn a_peak_names_what_holds_it() {
    let peak = |m: &Measurement| judge(m, &claim(300e9)).peak.unwrap();
    let half = peak(&copy(16, 512, 300.0, 450.0, 32, 200e9));
    assert_eq!(half.value, BytesPerSecond(230.4e9));
    assert!(
        half.source.contains("one channel at a time, so 16 ports get 230.4 GB/s"),
        "{}",
        half.source
    );
    let all = peak(&copy(32, 512, 300.0, 450.0, 32, 200e9));
    assert!(!all.source.contains("at a time"), "{}", all.source);
    let mut open = good();
    open.memory_clock = None;
    let source = peak(&open).source;
    assert!(source.contains("without `memory_clock` the ports are not counted"), "{source}");
}

#[test]
fn more_ports_than_the_hbm_has_are_noted() {
    let shared = |ports| {
        let judged = judge(&copy(ports, 512, 300.0, 450.0, 32, 390e9), &claim(300e9));
        judged.notes.iter().any(|note| note.contains("UG1393"))
    };
    assert!(shared(33) && !shared(32));
}

#[test]
fn what_was_reckoned_or_not_checked_is_open() {
    for source in
        ["computed from the datasheet", "my estimate", "theoretical peak", "UG1120, Data Sheet"]
    {
        open("source", |m| m.source = source.to_owned());
    }
    stands(|m| m.source = "bandwidth computed from bytes and the host's clock".to_owned());
    let method = |text: &str| {
        let text = text.to_owned();
        move |m: &mut Measurement| {
            if let Some(check) = &mut m.runs[0].check {
                check.method = text;
            }
        }
    };
    for text in ["not checked", "", "None.", "unverified so far"] {
        open("check", method(text));
    }
    stands(method("every lane's sum; padding not checked"));
}

#[test]
fn a_source_says_what_took_the_times() {
    let none = (Verdict::NotEvidence, vec!["source"]);
    for text in ["roofline model of the U280", "predicted", "one bank times 32", "no card was used"]
    {
        assert_eq!(judged(|m| m.source = text.to_owned()), none, "{text}");
    }
    open("source", |m| m.source = "  ".to_owned());
    stands(|m| {
        m.source = "XRT's timer on the host, model name of the card: A-U280-P32G".to_owned();
    });
}

#[test]
fn what_does_not_fit_into_the_memory_did_not_lie_there() {
    // 8 GiB of HBM; a copy has its source and its target.
    let gib = |size: f64| {
        move |m: &mut Measurement| {
            let run = &mut m.runs[0];
            let bytes = Bytes(size * f64::from(1 << 30));
            (run.size, run.bytes_read, run.bytes_written) = (Some(bytes), Some(bytes), Some(bytes));
            let times = [1.0, 1.001, 1.002];
            run.seconds = times.map(|x| Seconds(x * 2.0 * bytes.0 / 390e9)).to_vec();
        }
    };
    stands(gib(4.0));
    open("capacity", gib(4.1));
    open("capacity", gib(16.0));
    stands(|m| {
        gib(16.0)(m);
        m.runs[0].launches = Some(4);
    });
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

#[test]
fn a_larger_run_does_not_outvote_a_settled_one() {
    let with = |bytes: f64, rate: f64| {
        move |m: &mut Measurement| {
            let mut other = m.runs[0].clone();
            (other.size, other.bytes_read) = (Some(Bytes(bytes / 2.0)), Some(Bytes(bytes / 2.0)));
            other.bytes_written = other.bytes_read;
            other.seconds = [1.0, 1.001, 1.002].map(|x| Seconds(x * bytes / rate)).to_vec();
            m.runs.push(other);
        }
    };
    open("runs-disagree", with(2e9, 150e9));
    stands(with(2e9, 380e9));
    // A launch is no small part of so few bytes.
    stands(with(2e8, 150e9));
}

#[test]
fn what_nobody_was_seen_to_reach_is_told() {
    let notes = |rate: f64| {
        let mut measurement = copy(32, 512, 300.0, 450.0, 32, rate);
        measurement.kernel = Kind::Read;
        measurement.ports[0].direction = Some(Direction::Read);
        let run = &mut measurement.runs[0];
        (run.size, run.bytes_read, run.bytes_written) =
            (Some(Bytes(BYTES)), Some(Bytes(BYTES)), Some(Bytes(0.0)));
        judge(&measurement, &claim(300e9)).notes
    };
    let told =
        |notes: &[String]| notes.iter().any(|note| note.contains("nothing that was published"));
    assert!(told(&notes(455e9)));
    assert!(!told(&notes(440e9)));
}

#[test]
fn a_device_that_does_not_name_its_card_is_told() {
    let notes = |name: &str| {
        let mut measurement = good();
        measurement.device.name = name.to_owned();
        judge(&measurement, &claim(300e9)).notes
    };
    let told = |name: &str| notes(name).iter().any(|note| note.contains("`device.platform` alone"));
    assert!(told("") && told("my laptop"));
    assert!(!told("xilinx_u280_gen3x16_xdma_base_1") && !told("Alveo U280"));
}
