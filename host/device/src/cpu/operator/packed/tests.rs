//! Packed operators against f64, and the vectors against the portable loops.

use derate_model::Encoding;
use derate_model::operator::{Mlp, Shape};
use proptest::prelude::*;

use super::gemv::{ROWS, arrange};
use super::registers::Registers;
use super::{Vector, sum_rows};
use crate::cpu::measure_operator;
use crate::measure::Repeat;
use crate::oracle::Numbers;
use crate::packed::{EXTRA_ROUNDINGS, PackedFormat, PackedMatrix};

const ONCE: Repeat = Repeat { repetitions: 1, warm_up: 0 };

fn is_right(shape: &Shape, stored: Encoding) {
    let run = measure_operator(shape, stored, 2, ONCE, &|| false, &mut |_| {}).unwrap();
    let check = run.check.unwrap();
    assert!(check.passed, "{stored} {}: {check:?}", shape.title());
    assert!(run.bytes_read.unwrap().0 > 0.0 && run.seconds.len() == 1);
}

#[test]
fn every_format_multiplies_as_f64_does() {
    for format in PackedFormat::all() {
        let stored = format.encoding;
        for k in [256, 768, 1280] {
            is_right(&Shape::Gemv { n: 37, k }, stored);
        }
        // Rows whose end is no whole group.
        is_right(&Shape::Gemv { n: 5, k: format.row_unit() as u64 * 3 }, stored);
        is_right(&Shape::Gemm { m: 19, n: 45, k: 512 }, stored);
        is_right(
            &Shape::Mlp(Mlp { batch: 7, width: 256, layers: 2, backward: false, apart: false }),
            stored,
        );
    }
}

#[test]
fn what_has_no_kernel_is_refused_in_a_sentence() {
    let run = |shape: &Shape, name: &str| {
        let stored = Encoding::parse(name).unwrap();
        let refused = measure_operator(shape, stored, 1, ONCE, &|| false, &mut |_| {});
        refused.unwrap_err().to_string()
    };
    let gemv = Shape::Gemv { n: 4, k: 100 };
    assert!(run(&gemv, "nvfp4").contains("give a multiple of 16 columns"));
    assert!(run(&gemv, "nf4").contains("a multiple of 64"));
    assert!(run(&gemv, "mxfp6").contains("has no kernel on a processor"));
    let mlp = Shape::Mlp(Mlp { batch: 1, width: 64, layers: 1, backward: true, apart: false });
    assert!(run(&mlp, "mxfp4").contains("runs forward only"));
}

proptest! {
    /// The vectors sum what the portable loops sum, in another order.
    #[test]
    fn vectors_agree_with_portable_loops(at in 0..20_usize, blocks in 1..20_usize, seed in any::<u64>()) {
        let all = PackedFormat::all();
        let format = all[at % all.len()];
        let columns = format.row_unit() * blocks * 8;
        let packed = PackedMatrix::draw(format, [ROWS, columns], seed, &|| false).unwrap();
        let mut numbers = Numbers::new(seed ^ 5);
        let plain: Vec<f32> = (0..columns).map(|_| numbers.unit()).collect();
        let mut arranged = Vec::new();
        for registers in Registers::ALL.into_iter().filter(|own| own.is_seen()) {
            arrange(&plain, Some(registers), &mut arranged);
            let vector = Vector { plain: &plain, arranged: &arranged, registers: Some(registers) };
            let together: [f32; ROWS] = sum_rows(&packed, 0, &vector);
            for (row, together) in together.into_iter().enumerate() {
                let [own] = sum_rows(&packed, row, &vector);
                prop_assert_eq!(own.to_bits(), together.to_bits());
                let [portable] = sum_rows(&packed, row, &Vector { registers: None, ..vector });
                let size: f32 = (0..columns).map(|column| {
                    let mut one = [0.0];
                    packed.expand(row, column, &mut one);
                    (one[0] * plain[column]).abs()
                }).sum();
                let bound = size * (columns + EXTRA_ROUNDINGS) as f32 * 2.0_f32.powi(-23);
                prop_assert!((own - portable).abs() <= bound, "{} {registers:?}: {own} {portable}", format.encoding);
            }
        }
    }
}
