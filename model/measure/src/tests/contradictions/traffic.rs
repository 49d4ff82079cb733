//! Bytes, and the ports that they went through.

use super::*;

#[test]
fn bytes_are_counted_by_nobody_on_a_card() {
    open("counted", |m| m.runs[0].bytes_from = Some(BytesFrom::Counted));
    accepts(|m| m.runs[0].bytes_from = Some(BytesFrom::Arguments));
}

#[test]
fn ports_that_nothing_went_through_are_others() {
    let read = |written| {
        move |m: &mut Measurement| {
            m.kernel = KernelKind::Read;
            (m.runs[0].size, m.runs[0].bytes_read) = (None, Some(Bytes(BYTES)));
            m.runs[0].bytes_written = Some(Bytes(written));
        }
    };
    open("ports", read(0.0));
    accepts(read(2048.0));
    accepts(|m| {
        read(0.0)(m);
        m.ports[0].direction = Some(Direction::Read);
    });
    open("ports", |m| {
        m.kernel = KernelKind::Write;
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
    accepts(ports(16, 16, 16));
    accepts(ports(8, 32, 16));
    // As many in all as a multiple of the units, but no unit has half a port of a kind.
    open("compute-units", ports(32, 16, 16));
    open("compute-units", ports(16, 24, 8));
    let ours = |units, read, write| {
        move |m: &mut Measurement| {
            ports(units, read, write)(m);
            m.versions.derate = Some("0.1.0".to_owned());
        }
    };
    accepts(ours(16, 16, 16));
    open("compute-units", ours(8, 32, 16));
    open("compute-units", ours(1, 32, 32));
    // 32 ports in one unit are not a contradiction of somebody else's kernel.
    accepts(ports(1, 32, 32));
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
    let judged = judge_measurement(&measurement, &claim(300e9));
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
    let peak = judge_measurement(&measurement, &claim(300e9)).peak.unwrap();
    assert!(peak.source.ends_with("nothing lost"), "{}", peak.source);
}

#[test]
fn a_peak_names_what_holds_it() {
    let peak = |m: &Measurement| judge_measurement(m, &claim(300e9)).peak.unwrap();
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
        let judged = judge_measurement(&copy(ports, 512, 300.0, 450.0, 32, 390e9), &claim(300e9));
        judged.notes.iter().any(|note| note.contains("UG1393"))
    };
    assert!(shared(33) && !shared(32));
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
    accepts(gib(4.0));
    open("capacity", gib(4.1));
    open("capacity", gib(16.0));
    accepts(|m| {
        gib(16.0)(m);
        m.runs[0].launches = Some(4);
    });
}

#[test]
fn what_nobody_was_seen_to_reach_is_told() {
    let notes = |rate: f64| {
        let mut measurement = copy(32, 512, 300.0, 450.0, 32, rate);
        measurement.kernel = KernelKind::Read;
        measurement.ports[0].direction = Some(Direction::Read);
        let run = &mut measurement.runs[0];
        (run.size, run.bytes_read, run.bytes_written) =
            (Some(Bytes(BYTES)), Some(Bytes(BYTES)), Some(Bytes(0.0)));
        judge_measurement(&measurement, &claim(300e9)).notes
    };
    let told =
        |notes: &[String]| notes.iter().any(|note| note.contains("nothing that was published"));
    assert!(told(&notes(455e9)));
    assert!(!told(&notes(440e9)));
}
