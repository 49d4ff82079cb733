use super::*;
use derate_machine::Processor;
use derate_units::{Bound, Encoding, OpsPerSecond, Precision, Roofline, Seconds};
use derate_workload::operator::{Mlp, OperatorKind};

const GEMM: Shape = Shape::Gemm { m: 4096, n: 4096, k: 4096 };
const MLP: Shape =
    Shape::Mlp(Mlp { width: 2048, layers: 4, batch: 512, backward: true, apart: false });

fn study(platform: &str, subject: Shape, names: &[&str]) -> FormatStudy {
    let target = Target::named(platform).unwrap();
    let mixtures: Vec<Mixture> = names.iter().map(|name| Mixture::parse(name).unwrap()).collect();
    FormatQuestion {
        target: Some((&target, platform)),
        subject: Some(subject),
        mixtures: &mixtures,
        points: &[],
        given: GivenFigures::default(),
        words: String::new(),
    }
    .study_formats()
    .unwrap()
}

fn near(value: f64, wanted: f64) {
    assert!((value / wanted - 1.0).abs() < 1e-4, "{value} is not {wanted}");
}

/// The bit-level intensity of a set of weights by its own definition.
fn bit_intensity(row: &FormatRow, set: CircuitWeights) -> f64 {
    let own = |i: &&BitIntensity| (i.definition, i.weights) == (set, set);
    row.bit_intensity.iter().find(own).unwrap().value
}

/// Seed 004 at its own shapes, on its own GPU; its bytes (allocator peaks) and its bandwidth (128 GB/s) are corrected.
#[test]
fn seed_004_gemm() {
    let study = study("rtx-5060-laptop", GEMM, &["fp32", "tf32", "fp16", "bf16"]);
    for (row, [oi, ridge, rho, text, code]) in study.rows.iter().zip([
        [682.667, 34.8438, 19.5922, 21.3333, 85.3333],
        [682.667, 34.8438, 19.5922, 12.8, 46.9333],
        [1365.33, 69.6875, 19.5922, 21.3333, 75.0933],
        [1365.33, 69.6875, 19.5922, 21.3333, 68.2667],
    ]) {
        near(row.oi.unwrap().0, oi);
        near(row.ridge.unwrap().0, ridge);
        near(row.rho.unwrap(), rho);
        near(bit_intensity(row, CircuitWeights::Text), text);
        near(bit_intensity(row, CircuitWeights::Code), code);
        // Two definitions with two weights each, and the weights by rule.
        assert_eq!(row.bit_intensity.len(), 5);
        assert!(row.bit_intensity.iter().all(|i| i.provenance == Provenance::Assumed));
        // The code of the seed: TFLOP/s over GB/s.
        let seed = row.oi.unwrap().0 / (row.peak.as_ref().unwrap().value.0 / 1e12 / 384.0);
        near(seed / row.rho.unwrap(), 1000.0);
    }
    let notes = study.notes.join(" ");
    assert!(notes.contains("128 GB/s is printed too") && notes.contains("allocator"), "{notes}");
    assert!(notes.contains("1,000 times too large"));
}

#[test]
fn seed_004_mlp() {
    // The seed adds 8 b d a layer for GELU, which is not a product.
    let gelu = 4.0 * 8.0 * 512.0 * 2048.0;
    assert_eq!((MLP.flops().0 + gelu).to_bits(), 51_573_161_984.0_f64.to_bits());
    let study = study("rtx-5060-laptop", MLP, &["fp32", "tf32", "fp16", "bf16", "nf4"]);
    // 4 x 3 x (2 x 512 x 2048 + 2048^2) elements.
    assert_eq!(study.rows[0].bytes.unwrap().0.to_bits(), 301_989_888.0_f64.to_bits());
    // FP16 doubles the intensity and the ridge alike on this chip: it comes no nearer to its roof than FP32.
    for (row, [oi, rho, text, code]) in study.rows.iter().zip([
        [170.667, 4.89806, 5.33333, 21.3333],
        [170.667, 4.89806, 3.2, 11.7333],
        [341.333, 4.89806, 5.33333, 18.7733],
        [341.333, 4.89806, 5.33333, 17.0667],
    ]) {
        near(row.oi.unwrap().0, oi);
        near(row.rho.unwrap(), rho);
        near(bit_intensity(row, CircuitWeights::Text), text);
        near(bit_intensity(row, CircuitWeights::Code), code);
    }
    let nf4 = &study.rows[4];
    assert!(nf4.oi.is_none() && nf4.unknown.as_ref().unwrap().contains("not trained"));
}

/// What seed 004 asks: on an A100 TF32 raises the ridge and not the intensity.
#[test]
fn tf32_moves_away_from_its_roof_on_an_a100() {
    let study = study("a100-40", MLP, &["fp32", "tf32", "fp16"]);
    let rho: Vec<f64> = study.rows.iter().map(|row| row.rho.unwrap()).collect();
    near(rho[0] / rho[1], 156.0 / 19.5);
    near(rho[1] / rho[2], 1.0);
    let bounds: Vec<_> = study.rows.iter().map(|row| row.bound.unwrap()).collect();
    assert_eq!(bounds, [Bound::Compute; 3]);
}

/// A peak that nobody publishes leaves a bound that holds for each in its range, and none where it does not.
#[test]
fn unknown_peaks_leave_conditional_bounds() {
    let of = |m: u64| study("gb10", Shape::Gemm { m, n: 4096, k: 4096 }, &["fp8", "nvfp4"]);
    let low = of(1);
    let conditional = low.rows[0].conditional.as_ref().unwrap();
    assert_eq!((low.rows[0].bound, conditional.bound), (None, Bound::Memory));
    near(conditional.attainable.unwrap().0, low.rows[0].oi.unwrap().0 * 273e9);
    assert!(conditional.condition.contains("between 31 TFLOP/s (FP32) and 500 TFLOP/s"));
    // Its peak is known.
    assert!(low.rows[1].conditional.is_none() && low.rows[1].bound == Some(Bound::Memory));
    // 1,024 rows: 31 TFLOP/s would bound, 500 would not.
    assert_eq!(of(1024).rows[0].conditional, None);
    let high = of(1 << 20);
    let conditional = high.rows[0].conditional.as_ref().unwrap();
    assert_eq!((conditional.bound, conditional.attainable), (Bound::Compute, None));
}

/// Seed 002's GEMV of 4096 x 4096 at its own 287 GB/s, and at the 273 GB/s that the product is specified with.
#[test]
fn seed_002_gemv() {
    let gemv = Shape::Gemm { m: 1, n: 4096, k: 4096 };
    let micros = |bytes: derate_units::Bytes, gbs: f64| {
        let Seconds(time) = bytes / BytesPerSecond(gbs * 1e9);
        format!("{:.1}", time * 1e6)
    };
    let bytes = |name: &str| subject::moved_bytes(&gemv, &Mixture::parse(name).unwrap()).unwrap();
    assert_eq!(
        (micros(bytes("fp16"), 287.0), micros(bytes("fp16"), 273.0)),
        ("117.0".into(), "123.0".into())
    );
    assert_eq!(
        (micros(bytes("fp8"), 287.0), micros(bytes("fp8"), 273.0)),
        ("58.5".into(), "61.5".into())
    );
    // At its own 4.53 bits 33.1, not the ~30 that it prints; 4.5 bits make 32.9 and 34.6.
    let own = Encoding::NVFP4.bits_per_element(1, 1024);
    assert_eq!(own.to_bits(), 4.53125_f64.to_bits());
    assert_eq!(micros(derate_units::Bytes(4096.0 * 4096.0 * own / 8.0), 287.0), "33.1");
    assert_eq!(
        (micros(bytes("nvfp4"), 287.0), micros(bytes("nvfp4"), 273.0)),
        ("32.9".into(), "34.6".into())
    );
    // "~4.0x" is 16 / 4.5, and its intensities of 1 and 2 hold.
    assert_eq!(format!("{:.2}", bytes("fp16") / bytes("nvfp4")), "3.56");
    assert_eq!(format!("{:.2}", (gemv.flops() / bytes("fp16")).0), "1.00");
    assert_eq!(format!("{:.2}", (gemv.flops() / bytes("fp8")).0), "2.00");
    // Its critical intensity follows from inputs that nobody has published.
    let own = Roofline { peak: OpsPerSecond(62e12), bandwidth: BytesPerSecond(287e9) };
    assert_eq!(format!("{:.0}", own.ridge().0), "216");
    let on_gb10 = study("gb10", gemv, &["fp16"]);
    let row = &on_gb10.rows[0];
    assert!(row.ridge.is_none() && row.unknown.as_ref().unwrap().contains("not published"));
    assert_eq!(format!("{:.1}", row.memory_seconds.unwrap().0 * 1e6), "123.0");
    assert!(on_gb10.notes.iter().any(|note| note.contains("287 GB/s")), "{:?}", on_gb10.notes);
}

#[test]
fn sums_choose_the_peak() {
    let study = study("rtx-5060-laptop", GEMM, &["fp16", "w=fp16,acc=fp16", "w=bf16,acc=fp16"]);
    let ridges: Vec<_> = study.rows.iter().map(|row| row.ridge.map(|r| r.0.round())).collect();
    assert_eq!(ridges, [Some(70.0), Some(139.0), None]);
    assert!(study.rows[2].unknown.as_ref().unwrap().contains("but one with sums in FP32"));
}

#[test]
fn a_card_has_formats_too() {
    let study = study("u280", GEMM, &["fp32", "int8", "fp8"]);
    near(study.rows[0].ridge.unwrap().0, 1.0824e12 / 460.8e9);
    assert!(study.rows[1].ridge.unwrap().0 > study.rows[0].ridge.unwrap().0);
    assert!(study.rows[2].unknown.as_ref().unwrap().contains("no way to build that multiply-add"));
}

#[test]
fn a_measured_point_belongs_to_the_format_that_it_is_named_for() {
    let point = |name: &str| MeasuredPoint {
        range: None,
        name: name.to_owned(),
        oi: derate_units::OpsPerByte(1300.0),
        rate: OpsPerSecond(24e12),
        source: "a test".to_owned(),
    };
    let mixtures = [Mixture::of(Precision::FP16.into()), Mixture::of(Precision::BF16.into())];
    let points = [point("fp16 4096"), point("fp16_large"), point("bf16")];
    let question = FormatQuestion {
        target: None,
        subject: None,
        mixtures: &mixtures,
        points: &points,
        given: GivenFigures::default(),
        words: String::new(),
    };
    let achieved: Vec<usize> =
        question.study_formats().unwrap().rows.iter().map(|r| r.achieved.len()).collect();
    assert_eq!(achieved, [1, 1]);
}

#[test]
fn without_a_question_every_format_has_its_bits() {
    let question = FormatQuestion {
        target: None,
        subject: None,
        mixtures: &[],
        points: &[],
        given: GivenFigures::default(),
        words: String::new(),
    };
    let study = question.study_formats().unwrap();
    assert_eq!(study.rows.len(), Encoding::catalogue().len());
    assert!(study.rows.iter().all(|row| row.unknown.is_none() && row.oi.is_none()));
}

#[test]
fn shapes_that_mean_nothing_are_refused() {
    for (text, word) in [
        ("0,1,1", "in `0,1,1`, `0` is less than one"),
        ("1,-1,1", "`-1` is less than one"),
        ("1,1,1000000000000", "is too large"),
        ("1,1", "has 2 extents: write 3 of them, MxNxK or M,N,K"),
        ("1,1,1,1", "has 4 extents"),
        ("a,1,1", "`a`"),
    ] {
        let error = parse_gemm(text).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    assert_eq!(parse_gemm("4096, 4096,4096"), Ok(GEMM));
    assert_eq!(parse_mlp("2048,4,512"), Ok(MLP));
}

#[test]
fn processors_have_a_row_for_every_format_and_a_reason_where_it_is_empty() {
    for processor in Processor::names() {
        let target = Target::named(processor).unwrap();
        let asked = Some((&target, processor));
        let question = FormatQuestion {
            target: asked,
            subject: Some(GEMM),
            mixtures: &[],
            points: &[],
            given: GivenFigures::default(),
            words: String::new(),
        };
        for row in question.study_formats().unwrap().rows {
            assert_eq!(row.rho.is_none(), row.unknown.is_some(), "{processor}: {}", row.mixture);
        }
    }
}

#[test]
fn an_operator_without_a_study_is_refused() {
    let shapes = ["4x4", "1x2x2x4x4x4", "4x8x2"].into_iter();
    let kinds = [OperatorKind::Gemv, OperatorKind::Attention, OperatorKind::Mlp];
    for (kind, text) in kinds.into_iter().zip(shapes) {
        let subject = Some(Shape::parse(kind, text).unwrap());
        let question = FormatQuestion {
            target: None,
            subject,
            mixtures: &[],
            points: &[],
            given: GivenFigures::default(),
            words: String::new(),
        };
        let error = question.study_formats().unwrap_err();
        assert!(error.starts_with(kind.name()) && error.contains("give a GEMM"), "{error}");
    }
}
