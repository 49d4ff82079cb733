use derate_hls::{Sources, parse};
use derate_model::measurement::{
    BandwidthClaim, DeviceKind, KernelKind, Verdict, judge_measurement,
};
use derate_model::operator::Shape;
use derate_model::units::{BytesPerSecond, Hertz};
use derate_model::{Platform, Precision, Provenance};
use ndarray::Array2;

use super::cycles::product_cycles;
use super::matrix::draw_matrix;
use super::*;
use crate::cpu;
use crate::measure::Repeat;
use crate::operators::OperatorDevice;
use crate::oracle::{Element, Oracle};

const ONCE: Repeat = Repeat { repetitions: 3, warm_up: 1 };

fn u280() -> Platform {
    Platform::named("u280").unwrap()
}

fn card() -> Emulated {
    Emulated {
        platform: u280(),
        clock: None,
        sources: Vec::new(),
        include: Vec::new(),
        defines: Vec::new(),
    }
}

fn move_bytes(setup: &Streams) -> Outcome {
    emulated_streams(&card(), setup, &mut |_| {}).unwrap()
}

fn over_all_channels(kind: KernelKind, port_bits: u32) -> Streams {
    Streams {
        kind,
        kernel: None,
        sizes: vec![32 << 16],
        ports: 32,
        port_bits,
        banks: (0..=31).collect(),
        repeat: ONCE,
    }
}

#[test]
fn streams_are_right_and_move_what_the_model_says() {
    for kind in [KernelKind::Memcpy, KernelKind::Read, KernelKind::Write] {
        for port_bits in [256, 512] {
            let setup = Streams {
                sizes: vec![100, 70_000],
                ports: 4,
                ..over_all_channels(kind, port_bits)
            };
            let outcome = move_bytes(&setup);
            assert_eq!(outcome.findings, []);
            let measurement = &outcome.measurement;
            assert_eq!(measurement.provenance, Provenance::Emulated);
            assert_eq!(measurement.device.kind, DeviceKind::Emulator);
            assert_eq!(measurement.runs.len(), 2);
            for run in &measurement.runs {
                assert!(run.check.as_ref().unwrap().passed);
                assert_eq!((run.seconds.len(), run.wall_seconds.len()), (3, 3));
            }
        }
    }
}

#[test]
fn the_figures_of_a_u280() {
    let gigabytes = |outcome: &Outcome| outcome.measurement.runs[0].bandwidth().unwrap().0 / 1e9;
    let near = |got: f64, wanted: f64| assert!((got / wanted - 1.0).abs() < 0.01, "{got} {wanted}");
    near(gigabytes(&move_bytes(&over_all_channels(KernelKind::Read, 256))), 307.2);
    near(gigabytes(&move_bytes(&over_all_channels(KernelKind::Read, 512))), 419.8);
    // Each channel is either read or written: as much as reading alone.
    near(gigabytes(&move_bytes(&over_all_channels(KernelKind::Memcpy, 512))), 419.8);
    // Both ways through the same channel, between 0.86 and 0.911 of 14.4 GB/s.
    let both = Streams { ports: 2, banks: vec![0], ..over_all_channels(KernelKind::Memcpy, 512) };
    let both = move_bytes(&both);
    near(gigabytes(&both), 0.86 * 14.4);
    near(both.modelled[0].at_best.as_ref().unwrap().value.0 / 1e9, 0.911 * 14.4);
    let slow = emulated_streams(
        &Emulated { clock: Some(Hertz(250e6)), ..card() },
        &over_all_channels(KernelKind::Read, 256),
        &mut |_| {},
    );
    near(gigabytes(&slow.unwrap()), 256.0);
}

/// The U55C has no second memory: the sums of a read share its channels with the data, and are 64 bytes a unit.
#[test]
fn a_few_written_bytes_make_no_copy_of_a_read() {
    let on = Emulated { platform: Platform::named("u55c").unwrap(), ..card() };
    let run = |setup: &Streams| emulated_streams(&on, setup, &mut |_| {}).unwrap();
    let rate = |outcome: &Outcome| outcome.modelled[0].bandwidth.value.0 / 1e9;
    let one = Streams {
        ports: 1,
        banks: vec![0],
        sizes: vec![1 << 20],
        ..over_all_channels(KernelKind::Read, 512)
    };
    let alone = run(&one);
    assert!((rate(&alone) / (0.911 * 14.4) - 1.0).abs() < 1e-4, "{}", rate(&alone));
    assert_eq!(alone.modelled[0].at_best, None);
    let all = run(&Streams { sizes: vec![32 << 20], ..over_all_channels(KernelKind::Read, 512) });
    assert!((rate(&all) / (32.0 * 0.911 * 14.4) - 1.0).abs() < 1e-4, "{}", rate(&all));
    // As many sums as data are a copy: 64 bytes read and 64 written.
    let few = run(&Streams { sizes: vec![64], ..one });
    assert!((rate(&few) / (0.86 * 14.4) - 1.0).abs() < 1e-4, "{}", rate(&few));
    assert!(few.modelled[0].at_best.is_some());
}

#[test]
fn what_is_emulated_is_no_evidence() {
    let outcome = move_bytes(&over_all_channels(KernelKind::Read, 512));
    let judgement = judge_measurement(
        &outcome.measurement,
        &BandwidthClaim::from_option(BytesPerSecond(300e9)),
    );
    assert_eq!(judgement.verdict, Verdict::NotEvidence);
}

#[test]
fn setups_that_make_no_sense_are_refused() {
    let good = over_all_channels(KernelKind::Memcpy, 512);
    for (setup, said) in [
        (Streams { ports: 3, ..good.clone() }, "even number"),
        (Streams { port_bits: 128, ..good.clone() }, "256 and of 512"),
        (Streams { sizes: vec![0], ..good.clone() }, "no size may be 0"),
        (Streams { kind: KernelKind::Gemm, ..good.clone() }, "not a stream"),
        (Streams { banks: vec![40], ports: 2, ..good.clone() }, "no bank 40"),
        (Streams { sizes: vec![1 << 40], ports: 2, ..good }, "more than it counts"),
    ] {
        let error = emulated_streams(&card(), &setup, &mut |_| {}).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn products_are_within_their_bounds_whether_the_tile_divides_them_or_not() {
    for element in Element::ALL {
        let sizes = vec![[64, 64, 256], [1, 1, 1], [65, 130, 257], [50, 96, 33], [128, 17, 300]];
        let setup = Products {
            element,
            kernel: None,
            sizes,
            units: 2,
            banks: (0..=31).collect(),
            repeat: ONCE,
        };
        let outcome = emulated_product(&card(), &setup, &mut |_| {}).unwrap();
        assert_eq!(outcome.findings, []);
        for (run, size) in outcome.measurement.runs.iter().zip(&setup.sizes) {
            let check = run.check.as_ref().unwrap();
            assert!(check.passed, "{element} {run:?}");
            assert!(check.worst_error <= check.bound);
            let gemm = run.gemm.as_ref().unwrap();
            assert_eq!(([gemm.m, gemm.n, gemm.k], gemm.count), (*size, 2), "one in each unit");
            // 64 multiply-adds a cycle in each of two units are all that there are.
            let most = 2.0 * 64.0 * 2.0 * u280().clock.value.0;
            assert!(run.ops_per_second().unwrap().0 < most);
        }
    }
}

#[test]
fn a_large_product_nears_what_the_kernel_can_multiply() {
    let setup = Products {
        element: Element::Fp32,
        kernel: None,
        sizes: vec![[256, 256, 1024]],
        units: 1,
        banks: (0..=31).collect(),
        repeat: Repeat { repetitions: 1, warm_up: 0 },
    };
    let outcome = emulated_product(&card(), &setup, &mut |_| {}).unwrap();
    let rate = outcome.measurement.runs[0].ops_per_second().unwrap();
    let share = rate.0 / (2.0 * 64.0 * u280().clock.value.0);
    assert!((0.8..1.0).contains(&share), "{share}");
}

/// A step of k is two tiles to load, each a burst, and 64 x 256 cycles to multiply.
#[test]
fn a_step_pays_the_memory_twice_whatever_the_type() {
    let (platform, multiplying) = (u280(), 64.0 * 256.0);
    let cycles = |element, k| {
        product_cycles(&platform, platform.clock.value, element, [64, 64, k]).unwrap().value.0
    };
    for element in Element::ALL {
        let loading = cycles(element, 512) - cycles(element, 256) - multiplying;
        // Words of B take as many cycles as they have groups of 16: 1024 in all. A has 256 to 1024 words, 1.5 cycles each.
        let words = 64 * 256 * element.bytes() / 64;
        assert!(loading > 1024.0 + words as f64, "{element} {loading}");
        assert!(loading < 1.5 * (1024.0 + words as f64) + 300.0, "{element} {loading}");
    }
}

#[test]
fn the_oracle_sees_what_is_wrong() {
    for element in Element::ALL {
        let (a, b) = (draw_matrix(element, 5, 40, 3), draw_matrix(element, 40, 7, 4));
        let oracle = Oracle::new(element, &a, &b);
        let right: Array2<f64> = a.dot(&b);
        assert!(oracle.check(&right).passed);
        for wrong in [1.0, f64::NAN] {
            let mut off = right.clone();
            off[[2, 3]] += wrong;
            assert!(!oracle.check(&off).passed, "{element}");
        }
        let mut off = right.clone();
        let scale: f64 = a.row(2).iter().zip(b.column(3)).map(|(a, b)| (a * b).abs()).sum();
        off[[2, 3]] += oracle.bound() * scale * 1.01 + 1e-9;
        assert!(!oracle.check(&off).passed, "{element}");
        assert!(!oracle.check(&right.slice(ndarray::s![..4, ..]).to_owned()).passed);
    }
}

#[test]
fn the_tile_is_that_of_the_source() {
    let mut sources = Sources::default();
    let file = sources.add("gemm.h", include_str!("../../../../hls/kernels/gemm.h"));
    let header = parse(&sources, file);
    let Tile { m, n, k, lanes, depth } = Tile::OURS;
    for (name, value) in
        [("TILE_M", m), ("TILE_N", n), ("TILE_K", k), ("LANES", lanes), ("DEPTH", depth)]
    {
        let constant = header.constants.iter().find(|one| one.name == name).unwrap();
        assert!(
            sources.text(file)[constant.span.start..constant.span.end]
                .contains(&format!("= {value}")),
            "{name}"
        );
    }
}

#[test]
fn this_machine_is_measured() {
    let setup = cpu::Machine { bytes: vec![100_000], threads: 2, repeat: ONCE };
    for kind in [KernelKind::Memcpy, KernelKind::Read, KernelKind::Write] {
        let measurement = cpu::measure_streams(kind, &setup, &mut |_| {}).unwrap();
        assert_eq!(measurement.provenance, Provenance::Measured);
        assert!(measurement.runs[0].check.as_ref().unwrap().passed);
        assert!(measurement.runs[0].bandwidth().unwrap().0 > 0.0);
    }
    let device = OperatorDevice::Cpu { threads: 2 };
    let shape = Shape::Gemm { m: 33, n: 65, k: 17 };
    let run = device.run(&shape, Precision::FP32, ONCE, &|| false, &mut |_| {}).unwrap();
    let measurement = device.measurement(shape.kind(), vec![run]).unwrap();
    assert_eq!(measurement.check(), Ok(()));
    let check = measurement.runs[0].check.as_ref().unwrap();
    assert!(check.passed && check.worst_error <= check.bound);
    assert_eq!(measurement.device.kind, DeviceKind::Cpu);
}
