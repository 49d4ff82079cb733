//! The bytes that runs moved, and whether a cache holds them.

use derate_measure::{BytesFrom, MlpRun};
use derate_units::{Mixture, Precision};
use derate_workload::operator::{Mlp, OperatorFormats};

use super::*;

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
