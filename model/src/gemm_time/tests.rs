use super::*;
use crate::units::Seconds;
use crate::workload::Matmul;
use crate::{Precision, Processor};

fn model(name: &str, arithmetic: Precision) -> GemmModel {
    GemmModel::of(&Processor::named(name).unwrap(), arithmetic).unwrap()
}

#[test]
fn every_peak_of_every_gpu_has_a_time_a_basis_and_a_band() {
    for processor in Processor::catalogue() {
        for peak in &processor.peaks {
            let model = GemmModel::of(&processor, peak.arithmetic).unwrap();
            assert!(!model.basis().is_empty());
            for extent in [0, 1, 17, 4096, 1_000_000_000_000] {
                let estimate = model.estimate(Matmul::gemm(extent, 4096, 512));
                assert!(estimate.total.0.is_finite() && estimate.total.0 > 0.0);
                assert!(
                    estimate.band.half > 0.0 && estimate.band.half <= estimate.band.nine_tenths
                );
            }
        }
    }
}

#[test]
fn a_peak_that_nobody_published_leaves_the_time_unknown() {
    let gb10 = Processor::named("gb10").unwrap();
    let why = GemmModel::of(&gb10, Precision::FP16).unwrap_err();
    assert!(why.contains("unknown"), "{why}");
}

#[test]
fn a_device_without_timings_borrows_and_says_so() {
    let l4 = model("l4", Precision::BF16);
    assert!(l4.basis().starts_with("no timings of NVIDIA L4 in BF16"), "{}", l4.basis());
    let l40s = model("l40s", Precision::BF16);
    let wide = l4.estimate(Matmul::gemm(4096, 4096, 4096)).band;
    let narrow = l40s.estimate(Matmul::gemm(4096, 4096, 4096)).band;
    assert!(wide.nine_tenths > narrow.nine_tenths);
}

#[test]
fn fp16_takes_the_timings_of_bf16_and_says_so() {
    let h100 = model("h100-sxm", Precision::FP16);
    assert!(h100.basis().contains("none in FP16 were found"), "{}", h100.basis());
    let product = Matmul::gemm(512, 4096, 4096);
    let bf16 = model("h100-sxm", Precision::BF16);
    assert_eq!(h100.estimate(product).total, bf16.estimate(product).total);
}

/// A part is never longer than the whole, and the whole is what the formula says.
#[test]
fn the_parts_explain_the_whole() {
    for (m, n, k) in [(1, 4096, 4096), (17, 64, 65_536), (4096, 8192, 1024), (32_768, 32, 128)] {
        let model = model("h100-sxm", Precision::FP8_E4M3);
        let parts = model.estimate(Matmul::gemm(m, k, n)).parts.unwrap();
        let joint = [parts.compute, parts.read, parts.write].map(|part| part.0 * part.0);
        let sum = parts.launch.0 + parts.quantise.0 + parts.split.0;
        let whole = sum + joint.iter().sum::<f64>().sqrt();
        assert!((parts.total.0 / whole - 1.0).abs() < 1e-12);
    }
}

/// More work never takes less time: twice the batch, all else equal.
#[test]
fn more_rows_take_no_less_time() {
    let model = model("a100-80", Precision::BF16);
    let time = |m| model.estimate(Matmul::gemm(m, 4096, 4096)).total;
    let mut last = Seconds(0.0);
    for power in 0..16 {
        let next = time(1 << power);
        assert!(next >= last, "{next:?} after {last:?}");
        last = next;
    }
}

/// Every share is one, so that no constant makes a device quicker than its sheet.
#[test]
fn no_efficiency_exceeds_the_sheet() {
    for fit in &FittedFile::embedded().unwrap().fit {
        for c in fit.halves.iter().chain([&fit.constants]) {
            assert!(
                [c.compute, c.read, c.write, c.tail]
                    .iter()
                    .all(|share| (0.0..=1.0).contains(share))
            );
        }
    }
    for borrowed in &FittedFile::embedded().unwrap().borrowed {
        assert!(borrowed.three.compute <= 1.0 && borrowed.three.memory <= 1.0);
    }
}
