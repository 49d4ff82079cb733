use proptest::prelude::*;

use super::*;
use crate::{Platform, PlatformError};
use derate_units::Provenance;

const H100: &str = include_str!("../../platforms/h100-sxm.toml");

fn named(name: &str) -> Processor {
    Processor::named(name).unwrap()
}

#[test]
fn every_embedded_file_is_of_the_form() {
    let names: Vec<&str> = Processor::names().collect();
    let read: Vec<String> = Processor::catalogue().into_iter().map(|p| p.name).collect();
    assert_eq!(names, read);
    assert!(names.is_sorted());
}

/// The GPU table of seed 003, as it prints it; its 990 for the H100 rounds 989.4.
#[test]
fn seed_003_prints_these_ridges() {
    for (name, tflops, gbs, ridge) in [
        ("t4", 65.0, 320.0, 203.0),
        ("v100-sxm2", 125.0, 900.0, 139.0),
        ("a100-40", 312.0, 1555.0, 201.0),
        ("a100-80", 312.0, 2039.0, 153.0),
        ("h100-sxm", 990.0, 3350.0, 296.0),
        ("l4", 121.0, 300.0, 403.0),
    ] {
        let processor = named(name);
        let roof = processor.roofline(Precision::FP16).unwrap();
        assert!((roof.peak.0 / 1e12 - tflops).abs() < 0.7, "{name}: {:?}", roof.peak);
        assert_eq!(roof.bandwidth.0.to_bits(), (gbs * 1e9_f64).to_bits(), "{name}");
        // Its own peaks, rounded, and the catalogue's come to one ridge, to the whole number that it prints.
        let seed = Roofline { peak: derate_units::OpsPerSecond(tflops * 1e12), ..roof };
        assert_eq!(format!("{:.0}", seed.ridge().0), format!("{ridge}"), "{name}");
        assert!((roof.ridge().0 - ridge).abs() < 1.0, "{name}: {:?}", roof.ridge());
    }
    // "~4.7x faster than T4" is 4.86.
    let bandwidth = |name: &str| named(name).memory.bandwidth.value;
    assert_eq!(format!("{:.2}", bandwidth("a100-40") / bandwidth("t4")), "4.86");
}

/// What `nvidia-smi` prints, and a program's share of it: never more than the memory, and most of it.
#[test]
fn the_size_of_a_memory_is_that_of_its_driver() {
    let gigabytes = |name: &str| named(name).memory.capacity.unwrap().value.0 / 1e9;
    for (name, size) in [
        ("a100-40", 42.95),
        ("a100-80", 85.90),
        ("h100-sxm", 85.52),
        ("t4", 16.11),
        ("h200", 150.75),
    ] {
        assert_eq!(format!("{:.2}", gigabytes(name)), format!("{size:.2}"), "{name}");
    }
    for processor in Processor::catalogue() {
        let memory = &processor.memory;
        let capacity = memory.capacity.as_ref().unwrap();
        assert!(capacity.source.len() > 20, "{}: {}", processor.name, capacity.source);
        if let Some(kept) = &memory.driver_keeps {
            assert!(kept.value.0 < 0.04 * capacity.value.0, "{}: {kept:?}", processor.name);
        }
    }
}

#[test]
fn what_is_not_published_is_unknown_with_its_reason() {
    let gb10 = named("gb10");
    for arithmetic in [Precision::FP16, Precision::BF16] {
        let error = gb10.roofline(arithmetic).unwrap_err();
        assert!(error.contains("has not published") && error.contains("80 to 125"), "{error}");
    }
    let other = |value: &str| gb10.disputed.iter().any(|d| d.value == value);
    assert!(other("287 GB/s") && other("301 GB/s") && other("240 GB/s"));
    let error = named("h100-sxm").peak(Precision::FP64).unwrap_err();
    assert!(error.ends_with("its file gives none"), "{error}");
    let error = named("t4").peak(Precision::BF16).unwrap_err();
    assert!(error.contains("Turing's tensor cores have no BF16"), "{error}");
}

#[test]
fn sums_in_half_precision_have_a_peak_of_their_own() {
    let laptop = named("rtx-5060-laptop");
    let rate = |sum| laptop.peak_summing(Precision::FP16, sum).map(|peak| peak.rate.value.0);
    assert_eq!(rate(Precision::FP32), Ok(26.76e12));
    assert_eq!(rate(Precision::FP16), Ok(53.51e12));
    assert_eq!(laptop.peak(Precision::FP16).unwrap().accumulate, Precision::FP32);
    assert!(rate(Precision::BF16).unwrap_err().contains("with sums in FP32 and in FP16"));
}

#[test]
fn a_peak_never_falls_with_the_bits() {
    for processor in Processor::catalogue() {
        let rate = |arithmetic| processor.peak(arithmetic).ok().map(|peak| peak.rate.value.0);
        for (wide, narrow) in [
            (Precision::FP32, Precision::FP16),
            (Precision::TF32, Precision::FP16),
            (Precision::FP16, Precision::FP8_E4M3),
            (Precision::INT8, Precision::INT4),
        ] {
            if let (Some(wide), Some(narrow)) = (rate(wide), rate(narrow)) {
                assert!(narrow >= wide, "{}", processor.name);
            }
        }
    }
}

#[test]
fn what_others_quote_is_no_data_sheet() {
    for processor in Processor::catalogue() {
        let peaks = processor.peaks.iter().map(|peak| (peak.rate.provenance, &peak.rate.source));
        let memory = &processor.memory.bandwidth;
        for (provenance, source) in peaks.chain([(memory.provenance, &memory.source)]) {
            assert_ne!(provenance, Provenance::Datasheet, "{}: {source}", processor.name);
        }
    }
}

fn broken(what: &str, with: &str) -> String {
    assert!(H100.contains(what), "{what}");
    Processor::parse("mine.toml", &H100.replacen(what, with, 1)).unwrap_err().to_string()
}

fn line_of(what: &str) -> usize {
    1 + H100[..H100.find(what).unwrap()].matches('\n').count()
}

#[test]
fn an_error_names_its_line_and_the_form() {
    for (what, with, reason) in [
        ("units =", "unit =", "unknown field `unit`"),
        ("kind = \"gpu\"", "kind = \"tpu\"", "unknown variant `tpu`"),
        ("\"3350 GB/s\"", "\"3350\"", "`3350` is not a bandwidth"),
        ("\"700 W\"", "\"700\"", "`700` is not a power"),
        ("value = 132", "value = -132", "`units` must be a positive number, not -132"),
        (
            "arithmetic = \"bf16\"",
            "arithmetic = \"fp16\"",
            "FP16 with sums in FP32 has a peak already",
        ),
        (
            "arithmetic = \"int4\"",
            "arithmetic = \"int8\"",
            "INT8 has a [[peak]], so it is not unknown",
        ),
        ("figure = \"peak.fp16\"", "figure = \"peak\"", "`peak` is not a figure of this file"),
    ] {
        let error = broken(what, with);
        assert!(error.starts_with(&format!("mine.toml:{}: {reason}", line_of(what))), "{error}");
        assert!(
            error.ends_with("`derate platform h100-sxm --format toml` prints a file of the form")
        );
    }
}

#[test]
fn cards_and_processors_are_not_taken_for_each_other() {
    let error = Platform::named("t4").unwrap_err();
    assert!(matches!(error, PlatformError::Processor { .. }));
    assert!(
        error.to_string().contains("`t4` is a GPU or a CPU") && error.to_string().contains("u280")
    );
    let error = Processor::named("u280").unwrap_err().to_string();
    assert!(error.contains("`u280` is an FPGA card") && error.contains("h100-sxm"), "{error}");
    let error = Platform::parse("mine.toml", H100).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("mine.toml:{}: `kind` makes", line_of("kind ="))),
        "{error}"
    );
    let u280 = include_str!("../../platforms/u280.toml");
    let error = Processor::parse("mine.toml", u280).unwrap_err().to_string();
    assert!(error.starts_with("mine.toml: this is the form of an FPGA card"), "{error}");
}

proptest! {
    #[test]
    fn no_file_is_too_odd(at in 0..H100.len(), length in 0usize..40, with in "[\\PC\n]{0,20}") {
        let (start, end) = (at, (at + length).min(H100.len()));
        let (Some(before), Some(after)) = (H100.get(..start), H100.get(end..)) else { return Ok(()) };
        // Refused with a sentence, or read; never a panic.
        if let Err(error) = Processor::parse("mine.toml", &format!("{before}{with}{after}")) {
            prop_assert!(error.to_string().starts_with("mine.toml"), "{error}");
        }
    }
}
