use super::*;
use derate_machine::Processor;
use derate_units::{Precision, Seconds};
use derate_workload::Matmul;

fn model(name: &str, arithmetic: Precision) -> GemmModel {
    GemmModel::of(&Processor::named(name).unwrap(), arithmetic).unwrap()
}

#[test]
fn every_peak_has_a_time_a_basis_and_a_band_or_no_device_was_timed_in_it() {
    for processor in Processor::catalogue() {
        for peak in &processor.peaks {
            let model = match GemmModel::of(&processor, peak.arithmetic) {
                Ok(model) => model,
                Err(why) => {
                    let unknown =
                        matches!(why, GemmTimeError::Cpu(_) | GemmTimeError::NoTimings { .. });
                    assert!(unknown, "{why}");
                    let key = peak.arithmetic.key();
                    assert!(
                        matches!(
                            &*key,
                            "tf32"
                                | "fp4_e2m1"
                                | "fp6_e3m2"
                                | "fp6_e2m3"
                                | "int8"
                                | "int4"
                                | "fp64"
                        ),
                        "{key}"
                    );
                    continue;
                }
            };
            assert!(!model.basis().is_empty());
            for extent in [35, 64, 4096] {
                let estimate = model.estimate_time(Matmul::gemm(extent, 4096, 512)).unwrap();
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
    assert!(matches!(why, GemmTimeError::Peak(_)), "{why}");
}

#[test]
fn a_device_without_timings_borrows_and_says_so() {
    let l4 = model("l4", Precision::BF16);
    assert!(l4.basis().starts_with("no timings of NVIDIA L4 in BF16"), "{}", l4.basis());
    let l40s = model("l40s", Precision::BF16);
    let wide = l4.estimate_time(Matmul::gemm(4096, 4096, 4096)).unwrap().band;
    let narrow = l40s.estimate_time(Matmul::gemm(4096, 4096, 4096)).unwrap().band;
    assert!(wide.nine_tenths > narrow.nine_tenths);
}

#[test]
fn fp16_takes_the_timings_of_bf16_and_says_so() {
    let h100 = model("h100-sxm", Precision::FP16);
    assert!(h100.basis().contains("none in FP16 were found"), "{}", h100.basis());
    let product = Matmul::gemm(512, 4096, 4096);
    let bf16 = model("h100-sxm", Precision::BF16);
    assert_eq!(h100.estimate_time(product), bf16.estimate_time(product));
}

#[test]
fn a_product_unlike_those_that_were_timed_has_no_time() {
    let model = model("h100-sxm", Precision::BF16);
    for (product, says) in [
        (
            Matmul::gemm(0, 4096, 4096),
            "M of 0 lies outside of the products that were timed, 1 to 32,768",
        ),
        (Matmul::gemm(1, 4096, 128_256), "N of 128,256 lies outside"),
        (Matmul::gemm(1, 1_000_000_000_000, 64), "K of 1,000,000,000,000 lies outside"),
        (
            Matmul::gemm(32_768, 65_536, 65_536),
            "a product of 281.5 TFLOP is larger than the 54.98 TFLOP",
        ),
    ] {
        let why = model.estimate_time(product).unwrap_err().to_string();
        assert!(why.contains(says), "{why}");
    }
}

#[test]
fn another_device_under_a_name_of_the_catalogue_has_not_its_constants() {
    let h100 = Processor::named("h100-sxm").unwrap();
    assert!(GemmModel::of(&h100, Precision::BF16).unwrap().fitted().is_some());
    let mut other = h100;
    other.memory.bandwidth.value = other.memory.bandwidth.value * 2.0;
    let model = GemmModel::of(&other, Precision::BF16).unwrap();
    assert!(model.fitted().is_none() && !model.borrowed_from().is_empty());
}

/// `DeepBench`'s M of 5124, N of 700 and K of 2048 on a T4 in INT8: 700 rows times a matrix of 5124 outputs, 999 us.
#[test]
fn a_product_by_columns_is_ours_with_its_operands_exchanged() {
    let model = model("t4", Precision::INT8);
    let time = model.estimate_time(Matmul::gemm(700, 2048, 5124)).unwrap();
    let off = (time.total.0 / 999e-6 - 1.0).abs();
    assert!(off <= time.band.nine_tenths, "{off}");
}

/// A part is never longer than the whole, and the whole is what the formula says.
#[test]
fn the_parts_explain_the_whole() {
    for (m, n, k) in [(1, 4096, 4096), (17, 64, 65_536), (4096, 8192, 1024), (32_768, 32, 128)] {
        let model = model("h100-sxm", Precision::FP8_E4M3);
        let parts = model.estimate_time(Matmul::gemm(m, k, n)).unwrap().parts.unwrap();
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
    let time = |m| model.estimate_time(Matmul::gemm(m, 4096, 4096)).unwrap().total;
    let mut last = Seconds(0.0);
    for power in 0..16 {
        let next = time(1 << power);
        assert!(next >= last, "{next:?} after {last:?}");
        last = next;
    }
}

/// Each share of peak and bandwidth is one, so that no constant makes a device quicker than its sheet. What its caches keep is
/// no rate, and may come to more than the sheet says that they hold.
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
