use proptest::prelude::*;

use super::*;

fn named(name: &str) -> Encoding {
    Encoding::parse(name).unwrap()
}

/// OCP Microscaling 1.0, the `QLoRA` paper, and arithmetic; seed 002 has 4.53 for NVFP4 and 4.25 for NF4.
#[test]
fn the_known_bits() {
    for (name, bits) in [
        ("mxfp8", 8.25),
        ("mxfp8-e5m2", 8.25),
        ("mxint8", 8.25),
        ("mxfp6", 6.25),
        ("mxfp6-e2m3", 6.25),
        ("mxfp4", 4.25),
        ("nvfp4", 4.5),
        ("nf4", 4.5),
        ("int4-g128", 4.125),
        ("int4-g128-zp", 4.15625),
        ("int4-g32", 4.5),
        ("q4_0", 4.5),
        ("tf32", 32.0),
        ("int8-row", 8.0),
    ] {
        assert_eq!(named(name).nominal_bits().to_bits(), f64::to_bits(bits), "{name}");
    }
    assert!((named("nf4-double").nominal_bits() - 4.126_953).abs() < 1e-6);
}

#[test]
fn scales_of_a_row_and_of_a_tensor_are_shared_by_their_elements() {
    assert_eq!(format!("{:.3}", named("int8-row").bits_per_element(960, 960)), "8.033");
    let own = named("nvfp4").bits_per_element(960, 960) - 4.5;
    assert!((own - 32.0 / 921_600.0).abs() < 1e-12, "{own}");
    // The 4.53 of seed 002 is that of a tensor of 1,024 elements, no more and no less.
    assert_eq!(format!("{:.2}", named("nvfp4").bits_per_element(1, 1024)), "4.53");
}

#[test]
fn a_partial_block_has_a_whole_scale() {
    assert_eq!(named("mxfp4").bits(1, 33), 33 * 4 + 2 * 8);
    assert_eq!(named("mxfp4").bits(2, 16), 32 * 4 + 2 * 8);
    // NF4's blocks run on into the next row.
    assert_eq!(named("nf4").bits(2, 32), 64 * 4 + 32);
    assert_eq!(named("nf4-double").bits(1, 65), 65 * 4 + 2 * 8 + 32);
    assert_eq!(named("nvfp4").bits(0, 64), 0);
    assert_eq!(named("int8-row").bits(7, 0), 0);
}

#[test]
fn a_name_and_its_encoding_are_one() {
    for encoding in Encoding::catalogue() {
        assert_eq!(Encoding::parse(&encoding.to_string()), Some(encoding), "{encoding}");
    }
    assert_eq!(named("fp8"), Precision::FP8_E4M3.into());
    for name in ["q4_k", "int4-g0", "int4-g", "int4-g-zp", "int4-g99999999999", "mxfp5", ""] {
        assert_eq!(Encoding::parse(name), None, "{name}");
    }
    assert!(Encoding::describe_unknown("q4_k").contains("nf4-double"));
}

#[test]
fn storage_alone_changes_no_arithmetic() {
    assert_eq!(named("nf4").arithmetic(), Precision::BF16);
    assert_eq!(named("int4-g128").arithmetic(), Precision::FP16);
    assert_eq!(named("nvfp4").arithmetic(), Precision::FP4_E2M1);
    assert!(named("nf4").is_storage_only() && !named("mxfp4").is_storage_only());
}

fn any_encoding() -> impl Strategy<Value = Encoding> {
    proptest::sample::select(Encoding::catalogue())
}

proptest! {
    #[test]
    fn bits_are_never_fewer_than_the_elements(e in any_encoding(), r in 0u128..5000, c in 0u64..5000) {
        prop_assert!(e.bits(r, c) >= r * u128::from(c) * u128::from(e.element().bits()));
    }

    #[test]
    fn one_tensor_takes_no_more_than_its_two_halves(
        e in any_encoding(), top in 0u32..900, bottom in 0u32..900, c in 0u32..900,
    ) {
        let bits = |rows: u32, columns: u32| e.bits(rows.into(), columns.into());
        let (whole, halves) = (bits(top + bottom, c), bits(top, c) + bits(bottom, c));
        prop_assert!(whole <= halves);
        // Where every scale is of one row, rows are counted one by one.
        let by_row = e.extras().all(|extra| matches!(extra.per, Per::Block(_) | Per::Row));
        prop_assert!(!by_row || whole == halves);
        prop_assert!(bits(c, top + bottom) <= bits(c, top) + bits(c, bottom));
    }

    #[test]
    fn more_elements_never_take_fewer_bits(e in any_encoding(), r in 0u128..900, c in 0u64..900) {
        prop_assert!(e.bits(r + 1, c) >= e.bits(r, c));
        prop_assert!(e.bits(r, c + 1) >= e.bits(r, c));
    }

    #[test]
    fn no_shape_is_too_large(e in any_encoding(), r in any::<u128>(), c in any::<u64>()) {
        prop_assert!(e.bits(r, c) >= r.saturating_mul(u128::from(c)));
        prop_assert!(e.bytes(r, c).0.is_finite());
    }
}
