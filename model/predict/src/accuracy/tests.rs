mod bytes;
mod fitted;
mod settings;

use super::*;
use derate_measure::{Computed, DeviceKind, GemmRun, MeasuredDevice, Run};
use derate_workload::operator::{OperatorKind, Shape};

/// 50 GB/s, 200 GFLOP/s, a cache of 8 MB.
const CPU: &str = r#"
name = "test"
title = "A processor of a test"
kind = "cpu"
units = { value = 2, provenance = "measured", source = "a test" }
last_level_cache = { value = "8 MB", provenance = "measured", source = "a test" }
[memory]
title = "DDR"
bandwidth = { value = "50 GB/s", provenance = "measured", source = "a test" }
[[peak]]
arithmetic = "fp32"
accumulate = "fp32"
engine = "loops"
rate = { value = "200 GFLOP/s", provenance = "measured", source = "a test" }
"#;

fn target() -> Target {
    Target::parse("test.toml", CPU).unwrap()
}

fn measurement(kind: KernelKind, runs: Vec<Run>) -> Measurement {
    Measurement {
        schema: derate_measure::Schema::V1,
        kernel: kind,
        device: MeasuredDevice { kind: DeviceKind::Cpu, name: "x".to_owned(), platform: None },
        provenance: Provenance::Measured,
        source: "a test".to_owned(),
        timed_by: None,
        command: None,
        threads: Some(2),
        compute_units: None,
        ports: Vec::new(),
        kernel_clock: None,
        memory_clock: None,
        versions: derate_measure::Versions::default(),
        runs,
    }
}

fn gemm(m: u64, n: u64, k: u64, seconds: f64) -> Run {
    let computed = Computed {
        arithmetic: "fp32".to_owned(),
        accumulate: "fp32".to_owned(),
        engine: "loops".to_owned(),
    };
    Run {
        gemm: Some(GemmRun { m, n, k, precision: "bf16".to_owned(), count: 1 }),
        computed: Some(computed),
        seconds: vec![Seconds(seconds)],
        ..Run::default()
    }
}

fn of(target: &Target, measurements: Vec<Measurement>) -> Result<Accuracy, String> {
    let names = (0..).map(|at| format!("m{at}.json"));
    let files: Vec<(String, Measurement)> = names.zip(measurements).collect();
    Accuracy::of(&files, target, String::new())
}

/// `max(flops / (c P), bytes / (m B)) + launch` of bf16 operands.
fn modelled([m, n, k]: [u64; 3], (compute, memory, launch): (f64, f64, f64)) -> f64 {
    let [m_, n_, k_] = [m, n, k].map(|extent| extent as f64);
    let bytes = 2.0 * (m_ * k_ + k_ * n_ + m_ * n_);
    (2.0 * m_ * n_ * k_ / (compute * 200e9)).max(bytes / (memory * 50e9)) + launch
}

fn ladder() -> Vec<[u64; 3]> {
    let shapes = OperatorKind::Gemm.sweep_shapes().into_iter().filter_map(|shape| match shape {
        Shape::Gemm { m, n, k } => Some([m, n, k]),
        _ => None,
    });
    shapes.chain([[1, 4096, 4096], [1, 8192, 8192], [1, 1024, 2048], [2, 2048, 2048]]).collect()
}

fn compared(constants: (f64, f64, f64)) -> Accuracy {
    let runs = ladder().iter().map(|&s| gemm(s[0], s[1], s[2], modelled(s, constants))).collect();
    of(&target(), vec![measurement(KernelKind::Gemm, runs)]).unwrap()
}

/// 1 TB/s, 100 TOP/s and 50 TFLOP/s, a cache of 40 MB.
const GPU: &str = r#"
name = "t9"
title = "NVIDIA T9"
kind = "gpu"
last_level_cache = { value = "40 MB", provenance = "published", source = "a test" }
[memory]
title = "HBM"
bandwidth = { value = "1 TB/s", provenance = "published", source = "a test" }
[[peak]]
arithmetic = "int8"
accumulate = "int32"
engine = "tensor cores"
rate = { value = "100 TOP/s", provenance = "published", source = "a test" }
[[peak]]
arithmetic = "fp32"
accumulate = "fp32"
engine = "cores"
rate = { value = "50 TFLOP/s", provenance = "published", source = "a test" }
"#;

fn gpu() -> Target {
    Target::parse("t9.toml", GPU).unwrap()
}

fn on_gpu(name: &str, runs: Vec<Run>) -> Measurement {
    let device = MeasuredDevice { kind: DeviceKind::Gpu, name: name.to_owned(), platform: None };
    Measurement { device, threads: None, ..measurement(KernelKind::Gemm, runs) }
}

#[test]
fn what_cannot_be_compared_is_said() {
    let of = |measurement| of(&target(), vec![measurement]);
    let run = gemm(8, 8, 8, 1.0);
    let emulated = Measurement {
        provenance: Provenance::Emulated,
        ..measurement(KernelKind::Gemm, vec![run.clone()])
    };
    assert!(of(emulated).unwrap_err().contains("m0.json: its times are emulated"));
    let stream = measurement(KernelKind::Read, vec![Run { gemm: None, ..run.clone() }]);
    assert!(of(stream).unwrap_err().contains("names no operator"));
    let int8 = GemmRun { precision: "int8".to_owned(), ..run.gemm.clone().unwrap() };
    let int8 = Run { gemm: Some(int8), computed: None, ..run.clone() };
    let error = of(measurement(KernelKind::Gemm, vec![int8.clone()])).unwrap_err();
    assert!(error.contains("m0.json, runs[0]: the INT8 peak of A processor"), "{error}");
    // Beside one that can be, it is left out with its reason.
    let both = of(measurement(KernelKind::Gemm, vec![run, int8])).unwrap();
    assert_eq!((both.points.len(), both.left_out.len(), both.left_out[0].run), (1, 1, 1));
    assert!(both.notes.iter().any(|note| note.contains("fewer than 4 shapes")), "{:?}", both.notes);
}

/// The prediction is the roofline of the arithmetic that ran, whatever the fit finds.
#[test]
fn the_prediction_stays_that_of_the_platform() {
    let found = compared((0.5, 0.8, 0.0));
    for point in &found.points {
        let roofline = (point.flops.0 / 200e9).max(point.bytes.0 / 50e9);
        assert!((point.predicted_seconds.0 / roofline - 1.0).abs() < 1e-12);
        let error = point.predicted_seconds.0 / point.measured_seconds.0 - 1.0;
        assert!((point.error - error).abs() < 1e-12);
    }
    // Every other shape, in the order of its operations.
    let halves: Vec<Half> = found.points.iter().map(|point| point.half.unwrap()).collect();
    assert!(halves.iter().step_by(2).all(|&half| half == Half::Fitted));
    assert!(halves.iter().skip(1).step_by(2).all(|&half| half == Half::Tested));
}

#[test]
fn runs_above_the_roof_are_counted() {
    let note = |constants| {
        let notes = compared(constants).notes;
        notes.into_iter().find(|note| note.contains("less time than at the roofline"))
    };
    assert_eq!(note((1.0, 1.0, 0.0)), None, "on the roof is not above it");
    let said = note((1.25, 1.25, 0.0)).unwrap();
    let all = ladder().len();
    assert!(said.starts_with(&format!("{all} of {all} runs took")), "{said}");
    assert!(said.contains("by up to 20 % of it"), "{said}");
}
