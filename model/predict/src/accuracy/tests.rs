use proptest::prelude::*;

use super::*;
use derate_machine::{Processor, ProcessorKind};
use derate_measure::{BytesFrom, Computed, DeviceKind, GemmRun, MeasuredDevice, MlpRun, Run};
use derate_units::{Mixture, Precision};
use derate_workload::operator::{Mlp, OperatorFormats, OperatorKind, Shape};

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
    Accuracy::of(
        &[("g.json".to_owned(), measurement(KernelKind::Gemm, runs))],
        &target(),
        String::new(),
    )
    .unwrap()
}

#[test]
fn a_fit_finds_what_times_were_made_with() {
    let found = compared((0.5, 0.8, 20e-6));
    let group = &found.groups[0];
    let own = group.efficiency.unwrap();
    assert!((own.compute.unwrap() - 0.5).abs() < 0.01, "{own:?}");
    assert!((own.memory.unwrap() - 0.8).abs() < 0.02, "{own:?}");
    assert!((own.launch_seconds.unwrap().0 - 20e-6).abs() < 1e-6, "{own:?}");
    assert_eq!((group.arithmetic.as_deref(), group.precision.as_str()), (Some("fp32"), "bf16"));
    // Half the shapes were never seen, and are met all the same.
    let tested = group.errors.tested_after.unwrap();
    assert_eq!(tested.runs, ladder().len() / 2);
    assert!(tested.p90 < 0.02 && group.errors.tested_before.unwrap().median > 0.3, "{group:?}");
    assert_eq!(found.whole.tested_after.unwrap(), tested);
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
fn median_and_ninetieth_are_nearest_ranks() {
    let errors = Errors::of((1..=10).map(f64::from)).unwrap();
    assert_eq!((errors.runs, errors.median, errors.p90, errors.mean), (10, 5.0, 9.0, 5.5));
    let one = Errors::of(std::iter::once(0.25)).unwrap();
    assert_eq!((one.median, one.p90), (0.25, 0.25));
    assert_eq!(Errors::of(std::iter::empty()), None);
}

/// A shape that was run twice is on one side, or the test would know what the fit saw.
#[test]
fn a_shape_is_on_one_side_only() {
    let runs: Vec<Run> = [1e-3, 2e-3]
        .iter()
        .flat_map(|&seconds| (1..=8).map(move |m| gemm(64 * m, 512, 512, seconds * m as f64)))
        .collect();
    let files = [("g.json".to_owned(), measurement(KernelKind::Gemm, runs))];
    let found = Accuracy::of(&files, &target(), String::new()).unwrap();
    for pair in found.points.chunks(2) {
        assert_eq!((&pair[0].shape, pair[0].half), (&pair[1].shape, pair[1].half));
    }
}

#[test]
fn what_cannot_be_compared_is_said() {
    let of = |measurement: Measurement| {
        Accuracy::of(&[("m.json".to_owned(), measurement)], &target(), String::new())
    };
    let run = gemm(8, 8, 8, 1.0);
    let emulated = Measurement {
        provenance: Provenance::Emulated,
        ..measurement(KernelKind::Gemm, vec![run.clone()])
    };
    assert!(of(emulated).unwrap_err().contains("m.json: its times are emulated"));
    let stream = measurement(KernelKind::Read, vec![Run { gemm: None, ..run.clone() }]);
    assert!(of(stream).unwrap_err().contains("names no operator"));
    let int8 = GemmRun { precision: "int8".to_owned(), ..run.gemm.clone().unwrap() };
    let int8 = Run { gemm: Some(int8), computed: None, ..run.clone() };
    let error = of(measurement(KernelKind::Gemm, vec![int8.clone()])).unwrap_err();
    assert!(error.contains("m.json, runs[0]: the INT8 peak of A processor"), "{error}");
    // Beside one that can be, it is left out with its reason.
    let both = of(measurement(KernelKind::Gemm, vec![run, int8])).unwrap();
    assert_eq!((both.points.len(), both.left_out.len(), both.left_out[0].run), (1, 1, 1));
    assert!(both.notes.iter().any(|note| note.contains("fewer than 4 shapes")), "{:?}", both.notes);
    assert_eq!(target().processor().map(|own: &Processor| own.kind), Some(ProcessorKind::Cpu));
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

/// A product of bytes as cuBLAS makes it: sums of 32 bits, in memory too.
fn int8([m, n, k]: [u64; 3], result_bytes: u64) -> Run {
    Run {
        gemm: Some(GemmRun { m, n, k, precision: "int8".to_owned(), count: 1 }),
        bytes_read: Some(Bytes((m * k + k * n) as f64)),
        bytes_written: Some(Bytes((m * n * result_bytes) as f64)),
        bytes_from: Some(BytesFrom::Formulas),
        beyond_cache: Some(true),
        computed: None,
        ..gemm(m, n, k, 1e-4)
    }
}

fn on_gpu(name: &str, runs: Vec<Run>) -> Measurement {
    let device = MeasuredDevice { kind: DeviceKind::Gpu, name: name.to_owned(), platform: None };
    Measurement { device, threads: None, ..measurement(KernelKind::Gemm, runs) }
}

fn of(target: &Target, measurements: Vec<Measurement>) -> Result<Accuracy, String> {
    let names = (0..).map(|at| format!("m{at}.json"));
    let files: Vec<(String, Measurement)> = names.zip(measurements).collect();
    Accuracy::of(&files, target, String::new())
}

/// 4096 x 4096 x 64: 17.3 MB of bytes alone, 67.6 MB with sums of four.
#[test]
fn results_that_are_wider_than_operands_count_as_they_are() {
    let found = of(&gpu(), vec![on_gpu("NVIDIA T9", vec![int8([4096, 4096, 64], 4)])]).unwrap();
    let point = &found.points[0];
    assert_eq!(point.bytes, Bytes(67_633_152.0));
    assert!((point.predicted_seconds.0 / 67.633_152e-6 - 1.0).abs() < 1e-9, "{point:?}");
    assert_eq!(point.bound, Bound::Memory);
    let said = "gemm in int8: the runs moved up to 3.91 times the bytes";
    assert!(found.notes.iter().any(|note| note.starts_with(said)), "{:?}", found.notes);
    // Of one byte each it is what the formats say, and nothing is to be said.
    let narrow = of(&gpu(), vec![on_gpu("NVIDIA T9", vec![int8([4096, 4096, 64], 1)])]).unwrap();
    assert_eq!(narrow.points[0].bytes, Bytes(17_301_504.0));
    assert!(!narrow.notes.iter().any(|note| note.contains("moved up to")), "{:?}", narrow.notes);
    // What a device was told to move may be more than once what operands take: the roofline has them once.
    let told = Run { bytes_from: Some(BytesFrom::Arguments), ..int8([4096, 4096, 64], 4) };
    let told = of(&gpu(), vec![on_gpu("NVIDIA T9", vec![told])]).unwrap();
    assert_eq!(told.points[0].bytes, Bytes(17_301_504.0));
    let few = Run { bytes_written: Some(Bytes(1.0)), ..int8([4096, 4096, 64], 4) };
    let few = of(&gpu(), vec![on_gpu("NVIDIA T9", vec![few])]).unwrap_err();
    assert!(few.contains("are fewer than its operands and its result have"), "{few}");
}

/// Only layers that ran backward kept what GELU is taken of.
#[test]
fn layers_are_wider_for_the_reason_that_is_theirs() {
    let layers = |backward, factor| {
        let of = Mlp { batch: 64, width: 512, layers: 4, backward, apart: false };
        let (read, written) =
            Shape::Mlp(of).bytes(&OperatorFormats::new(Mixture::of(Precision::FP16.into())));
        Run {
            gemm: None,
            mlp: Some(MlpRun::of(&of, "fp16".to_owned())),
            bytes_read: Some(read * factor),
            bytes_written: Some(written * factor),
            bytes_from: Some(BytesFrom::Formulas),
            ..gemm(64, 64, 64, 1e-4)
        }
    };
    let notes = |runs| {
        let found = of(&target(), vec![measurement(KernelKind::Mlp, runs)]).unwrap();
        let notes = found.notes.into_iter();
        notes.filter(|note| note.contains("moved up to")).collect::<Vec<_>>()
    };
    let (results, kept) = ("those count: results are wider.", "kept for the backward pass.");
    let told = notes(vec![layers(false, 1.5)]);
    assert!(told.len() == 1 && told[0].ends_with(results), "{told:?}");
    let told = notes(vec![layers(true, 1.25), layers(false, 1.0)]);
    assert!(told.len() == 1 && told[0].ends_with(kept) && told[0].contains("1.25"), "{told:?}");
    let told = notes(vec![layers(true, 1.25), layers(false, 1.5)]);
    assert!(told.len() == 2 && told[0].ends_with(results) && told[1].ends_with(kept), "{told:?}");
    assert!(notes(vec![layers(true, 1.0), layers(false, 1.0)]).is_empty());
}

/// Elements of 16 bits may have been widened, or not: what is not told is not named, and whose peak stands in is.
#[test]
fn an_arithmetic_that_is_not_told_is_not_named() {
    let silent = |n| Run { computed: None, ..gemm(64, n, 64, 1e-4) };
    let in_fp32 = |run: Run| {
        let own = run.gemm.map(|own| GemmRun { precision: "fp32".to_owned(), ..own });
        Run { gemm: own, ..run }
    };
    let runs = vec![in_fp32(gemm(64, 64, 64, 1e-4)), in_fp32(silent(96))];
    let found = of(&target(), vec![measurement(KernelKind::Gemm, runs)]).unwrap();
    let groups: Vec<_> =
        found.groups.iter().map(|g| (g.arithmetic.as_deref(), g.accumulate.as_deref())).collect();
    assert_eq!(groups, [(None, None), (Some("fp32"), Some("fp32"))]);
    assert_eq!(found.points[0].arithmetic, None);
    let told = |found: &Accuracy| {
        let notes = found.notes.iter();
        notes.filter(|note| note.contains("do not tell")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(told(&found).len(), 1, "{:?}", found.notes);
    assert!(told(&found)[0].ends_with("The predictions use that of FP32."));
    // A platform that widens says to what.
    let widens = format!(
        "{CPU}[[unknown]]\narithmetic = \"bf16\"\nreason = \"no kernel\"\ncomputed_as = \"fp32\"\n"
    );
    let widens = Target::parse("test.toml", &widens).unwrap();
    let found = of(&widens, vec![measurement(KernelKind::Gemm, vec![silent(64)])]).unwrap();
    assert_eq!(found.groups[0].arithmetic, None);
    assert!(told(&found)[0].contains("gemm in bf16: ") && told(&found)[0].ends_with("of FP32."));
}

/// Operands of 786 kB that take turns are in no cache, whatever it holds.
#[test]
fn a_cache_holds_what_the_run_says() {
    let cached = |beyond_cache, extent: u64| {
        let run = Run { beyond_cache, ..int8([extent; 3], 1) };
        let measurement = on_gpu("NVIDIA T9", vec![]);
        ComparedRun::of("g.json", &measurement, &run, &gpu()).unwrap().cached
    };
    assert!(!cached(Some(true), 512));
    assert!(cached(Some(false), 512));
    assert!(cached(None, 512));
    assert!(!cached(None, 8192));
}

#[test]
fn another_kind_of_device_is_refused_and_another_machine_told() {
    let run = |m: Measurement| Measurement { runs: vec![gemm(64, 64, 64, 1e-4)], ..m };
    let cpu = || run(measurement(KernelKind::Gemm, vec![]));
    let error = of(&gpu(), vec![cpu()]).unwrap_err();
    assert!(error.starts_with("m0.json: it ran on a processor, and t9 is a GPU: "), "{error}");
    assert!(error.contains("derate platform measure"), "{error}");
    let error = of(&target(), vec![run(on_gpu("NVIDIA T9", vec![]))]).unwrap_err();
    assert!(error.contains("it ran on a GPU, and test is a processor"), "{error}");
    let error = of(&Target::named("u280").unwrap(), vec![cpu()]).unwrap_err();
    assert!(error.contains("it ran on a processor, and u280 is a card"), "{error}");
    // Of the same kind it is compared, and another name is told.
    let about = |target: &Target, m: Measurement| -> Vec<String> {
        let notes = of(target, vec![m]).unwrap().notes;
        notes.into_iter().filter(|note| note.starts_with("m0.json ")).collect()
    };
    assert_eq!(about(&gpu(), run(on_gpu("NVIDIA T9", vec![]))), Vec::<String>::new());
    let other = about(&gpu(), run(on_gpu("NVIDIA H200", vec![])));
    assert!(other[0].contains("was measured on `NVIDIA H200`"), "{other:?}");
    let own = MeasuredDevice { name: "A processor of a test".to_owned(), ..cpu().device };
    let own = Measurement { device: own, ..cpu() };
    assert_eq!(about(&target(), own.clone()), Vec::<String>::new());
    assert!(about(&target(), cpu())[0].contains("nothing says that these are one machine"));
    let threads = about(&target(), Measurement { threads: Some(16), ..own });
    assert!(threads[0].contains("on 16 threads") && threads[0].contains("--ports"), "{threads:?}");
    // Threads are nothing that a GPU has.
    let many = Measurement { threads: Some(16), ..run(on_gpu("NVIDIA T9", vec![])) };
    assert_eq!(about(&gpu(), many), Vec::<String>::new());
    let measured = of(&target(), vec![cpu()]).unwrap().notes;
    assert!(measured.iter().any(|note| note.contains("are measured ones")), "{measured:?}");
    let printed = of(&gpu(), vec![run(on_gpu("NVIDIA T9", vec![]))]).unwrap().notes;
    assert!(!printed.iter().any(|note| note.contains("are measured ones")), "{printed:?}");
}

/// Twice as fast on another machine, or on other threads, is no efficiency of both.
#[test]
fn runs_of_two_settings_have_an_efficiency_each() {
    let all = |efficiency: f64| -> Vec<Run> {
        let time = |s: &[u64; 3]| modelled(*s, (efficiency, efficiency, 0.0));
        ladder().iter().map(|s| gemm(s[0], s[1], s[2], time(s))).collect()
    };
    let own = |efficiency| measurement(KernelKind::Gemm, all(efficiency));
    let elsewhere = MeasuredDevice { name: "y".to_owned(), ..own(0.4).device };
    let in_fp16: Vec<Run> = all(0.6)
        .into_iter()
        .map(|run| {
            let computed =
                Computed { accumulate: "fp16".to_owned(), ..run.computed.clone().unwrap() };
            Run { computed: Some(computed), ..run }
        })
        .collect();
    let found = of(
        &target(),
        vec![
            own(0.8),
            Measurement { device: elsewhere, ..own(0.4) },
            Measurement { threads: Some(1), ..own(0.2) },
        ],
    )
    .unwrap();
    let shares: Vec<(String, Option<u64>, f64)> = found
        .groups
        .iter()
        .map(|g| {
            let share = g.efficiency.unwrap().compute.unwrap();
            (g.device.clone(), g.threads, (100.0 * share).round() / 100.0)
        })
        .collect();
    let named = |name: &str, threads, share| (name.to_owned(), Some(threads), share);
    assert_eq!(shares, [named("x", 1, 0.2), named("x", 2, 0.8), named("y", 2, 0.4)]);
    for (at, group) in found.groups.iter().enumerate() {
        let own = found.points.iter().filter(|point| point.group == at).count();
        assert_eq!(own, group.errors.roofline.unwrap().runs);
    }
    // Sums in another precision have no peak here, and are never pooled with those that have one.
    let other = of(&target(), vec![own(0.8), measurement(KernelKind::Gemm, in_fp16)]).unwrap();
    assert_eq!((other.groups.len(), other.left_out.len()), (1, ladder().len()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The order of runs and of files says nothing, also where shapes were run twice.
    #[test]
    fn runs_in_another_order_give_the_same_fit(
        noise in prop::collection::vec(0.5..2.0_f64, 12),
        order in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let shapes = &ladder()[10..16];
        let run = |at: usize| {
            let s = shapes[at % 6];
            gemm(s[0], s[1], s[2], modelled(s, (0.7, 0.6, 30e-6)) * noise[at])
        };
        let file = |name: &str, order: &[usize]| {
            (name.to_owned(), measurement(KernelKind::Gemm, order.iter().map(|&at| run(at)).collect()))
        };
        let straight: Vec<usize> = (0..12).collect();
        let (first, second): (Vec<usize>, Vec<usize>) = order.iter().partition(|&&at| at < 6);
        let of = |files: &[(String, Measurement)]| {
            Accuracy::of(files, &target(), String::new()).unwrap()
        };
        let one = of(&[file("a", &straight[..6]), file("b", &straight[6..])]);
        let other = of(&[file("b", &second), file("a", &first)]);
        prop_assert_eq!(&one.groups, &other.groups);
        prop_assert_eq!(&one.points, &other.points);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_fit_is_never_worse_on_what_it_saw_than_none(
        noise in prop::collection::vec(0.05..20.0_f64, 28)
    ) {
        let runs: Vec<Run> = ladder()
            .iter()
            .zip(&noise)
            .map(|(&s, noise)| gemm(s[0], s[1], s[2], modelled(s, (1.0, 1.0, 0.0)) * noise))
            .collect();
        let measurement = measurement(KernelKind::Gemm, runs);
        let cases: Vec<ComparedRun> = measurement
            .runs
            .iter()
            .map(|run| ComparedRun::of("g.json", &measurement, run, &target()).unwrap())
            .collect();
        let cases: Vec<&ComparedRun> = cases.iter().collect();
        let found = fit::fit_efficiency(&cases);
        prop_assert!(fit::mean_error(&cases, &found) <= fit::mean_error(&cases, &Efficiency::ROOFLINE));
    }
}
