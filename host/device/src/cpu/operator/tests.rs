use std::sync::atomic::{AtomicUsize, Ordering};

use derate_model::operator::OperatorKind;
use proptest::prelude::*;

use super::*;

const ONCE: Repeat = Repeat { repetitions: 2, warm_up: 0 };

fn run(shape: &Shape, precision: Precision, threads: usize) -> Result<Run, BenchError> {
    measure_operator(shape, precision, threads, ONCE, &|| false, &mut |_| {})
}

fn right(shape: &Shape, precision: Precision, threads: usize) {
    let run = run(shape, precision, threads).unwrap();
    let check = run.check.unwrap();
    assert!(check.passed, "{} in {precision}: {check:?}", shape.title());
    assert!(check.worst_error <= check.bound, "{check:?}");
    assert_eq!(run.seconds.len(), 2);
}

/// The same layers, forward and backward.
fn backward(shape: &Shape) -> Shape {
    let Shape::Mlp(own) = *shape else { unreachable!() };
    Shape::Mlp(Mlp { backward: true, ..own })
}

const ALL: [Precision; 4] = [Precision::FP32, Precision::FP16, Precision::BF16, Precision::INT8];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn products_of_any_extents_are_right(m in 1..70_u64, n in 1..90_u64, k in 1..300_u64, at in 0..4_usize) {
        right(&Shape::Gemm { m, n, k }, ALL[at], 1);
        right(&Shape::Gemv { n, k }, ALL[at], 1);
    }

    #[test]
    fn attention_of_any_extents_is_right(
        kv in 1..3_u64, group in 1..4_u64, dim in 1..20_u64, queries in 1..40_u64, before in 0..20_u64,
        causal in prop::bool::ANY, at in 0..3_usize
    ) {
        let text = format!("2x{}x{kv}x{dim}x{queries}x{}", kv * group, queries + before);
        let Ok(Shape::Attention(own)) = Shape::parse(OperatorKind::Attention, &text) else { unreachable!() };
        let own = derate_model::operator::Attention { causal, ..own };
        right(&Shape::Attention(own), ALL[at], 1);
    }

    #[test]
    fn layers_of_any_extents_are_right(batch in 1..20_u64, width in 1..70_u64, layers in 1..4_u64, at in 0..3_usize) {
        let shape = Shape::parse(OperatorKind::Mlp, &format!("{batch}x{width}x{layers}")).unwrap();
        right(&shape, ALL[at], 1);
        right(&backward(&shape), ALL[at], 1);
    }
}

/// Large enough that threads share it, by rows and by columns.
#[test]
fn threads_share_the_work() {
    for shape in ["200x100x200", "20x500x500"] {
        right(&Shape::parse(OperatorKind::Gemm, shape).unwrap(), Precision::FP32, 3);
        right(&Shape::parse(OperatorKind::Gemm, shape).unwrap(), Precision::INT8, 3);
    }
    right(&Shape::Gemv { n: 1500, k: 2001 }, Precision::BF16, 3);
    right(&Shape::parse(OperatorKind::Attention, "1x6x2x32x100x200").unwrap(), Precision::FP16, 3);
}

#[test]
fn what_ran_and_what_it_read_is_told() {
    let run = run(&Shape::Gemm { m: 8, n: 4, k: 16 }, Precision::BF16, 1).unwrap();
    let own = run.computed.unwrap();
    assert_eq!((own.arithmetic.as_str(), own.accumulate.as_str()), ("fp32", "fp32"));
    assert!(own.engine.contains("no BF16 arithmetic"), "{}", own.engine);
    assert_eq!(run.bytes_read, Some(Bytes(2.0 * (8.0 * 16.0 + 16.0 * 4.0))));
    assert_eq!((run.bytes_written, run.bytes_from), (Some(Bytes(64.0)), Some(BytesFrom::Formulas)));
}

/// What a backward pass needs beside the operands of its products is counted, and said.
#[test]
fn what_gelu_is_taken_of_counts_where_it_is_kept() {
    let forward = Shape::parse(OperatorKind::Mlp, "8x32x3").unwrap();
    let both = backward(&forward);
    let (flow, layer) = (2.0 * 8.0 * 32.0, 2.0 * 32.0 * 32.0);
    let run = |shape| run(shape, Precision::BF16, 1).unwrap();
    let (plain, both) = (run(&forward), run(&both));
    assert_eq!(plain.bytes_read, Some(Bytes(3.0 * (flow + layer))));
    assert!(!plain.computed.unwrap().engine.contains("GELU"));
    // Weights twice; activations and gradient twice a layer, GELU's argument, and the gradient that is given.
    assert_eq!(both.bytes_read, Some(Bytes(3.0 * (2.0 * layer + 4.0 * flow) + 4.0 * flow)));
    // Results, gradients of inputs and weights; GELU's arguments, and the first gradient.
    assert_eq!(both.bytes_written, Some(Bytes(3.0 * (2.0 * flow + layer) + 4.0 * flow)));
    assert!(both.computed.as_ref().unwrap().engine.contains("what GELU is taken of is written"));
    assert!(both.mlp.unwrap().backward);
    let apart = Mlp { batch: 2, width: 4, layers: 1, backward: true, apart: true };
    let refused = check_support(&Shape::Mlp(apart), Precision::FP32).unwrap_err().to_string();
    assert!(refused.contains("has GELU fused"), "{refused}");
    let deep = Mlp { layers: 257, apart: false, ..apart };
    let refused = check_support(&Shape::Mlp(deep), Precision::FP32).unwrap_err().to_string();
    assert!(refused.contains("give at most 256 to run backward"), "{refused}");
    assert!(check_support(&Shape::Mlp(Mlp { layers: 256, ..deep }), Precision::FP32).is_ok());
    assert!(check_support(&Shape::Mlp(Mlp { backward: false, ..deep }), Precision::FP32).is_ok());
    let integers = check_support(&backward(&forward), Precision::INT8).unwrap_err().to_string();
    assert!(integers.contains("give fp32, fp16 or bf16"), "{integers}");
}

#[test]
fn what_cannot_be_is_refused_in_a_sentence() {
    let said = |shape: &str, kind, precision| {
        run(&Shape::parse(kind, shape).unwrap(), precision, 1).unwrap_err().to_string()
    };
    for (shape, kind, precision, word) in [
        ("4x4", OperatorKind::Gemv, Precision::FP64, "give fp32, fp16, bf16 or int8"),
        ("1x2x2x4x4x4", OperatorKind::Attention, Precision::INT8, "passes through exponentials"),
        ("1x131072", OperatorKind::Gemv, Precision::INT8, "at most 131071 terms"),
        ("1073741824x1073741824", OperatorKind::Gemv, Precision::FP32, "elements in one matrix"),
        ("1x1x100000", OperatorKind::Mlp, Precision::FP32, "more than 65536 layers"),
        ("70000x1x1x1x1x1", OperatorKind::Attention, Precision::FP32, "heads of all sequences"),
        ("1000000x1000000x1000000", OperatorKind::Gemm, Precision::FP32, "elements in one matrix"),
    ] {
        let word = word.replace("passes", "pass");
        assert!(said(shape, kind, precision).contains(&word), "{}", said(shape, kind, precision));
    }
    let stopped = measure_operator(
        &Shape::Gemv { n: 4, k: 4 },
        Precision::FP32,
        1,
        ONCE,
        &|| true,
        &mut |_| {},
    );
    assert!(matches!(stopped, Err(BenchError::Cancelled)));
}

/// Every ladder's shapes fit the limits.
#[test]
fn a_sweep_is_not_refused() {
    for kind in [OperatorKind::Gemv, OperatorKind::Gemm, OperatorKind::Attention, OperatorKind::Mlp]
    {
        let both = |shape: Shape| match shape {
            Shape::Mlp(_) => vec![shape, backward(&shape)],
            _ => vec![shape],
        };
        for shape in kind.sweep_shapes().into_iter().flat_map(both) {
            assert!(
                operator_bytes(&shape, Precision::FP32).unwrap() < 4 << 30,
                "{}",
                shape.title()
            );
        }
    }
}

/// However late it is asked for: while operands are drawn, in repetitions and between them, and in the check.
#[test]
fn whoever_stops_it_is_heard_at_every_step() {
    for (kind, shape) in [
        (OperatorKind::Gemv, "300x2000"),
        (OperatorKind::Gemm, "40x50x60"),
        (OperatorKind::Attention, "1x2x1x8x9x10"),
        (OperatorKind::Mlp, "4x8x2"),
    ] {
        let shape = Shape::parse(kind, shape).unwrap();
        let shape = if kind == OperatorKind::Mlp { backward(&shape) } else { shape };
        let asked = AtomicUsize::new(0);
        let count = |at: usize| {
            asked.store(0, Ordering::Relaxed);
            let cancel = || asked.fetch_add(1, Ordering::Relaxed) >= at;
            measure_operator(&shape, Precision::FP32, 1, ONCE, &cancel, &mut |_| {})
        };
        assert!(count(usize::MAX).is_ok());
        let questions = asked.load(Ordering::Relaxed);
        // Two repetitions, and what is drawn and checked.
        assert!(questions >= 2 + 2 + 2, "{}: {questions}", shape.title());
        for at in 0..questions {
            assert!(matches!(count(at), Err(BenchError::Cancelled)), "{}: {at}", shape.title());
            assert_eq!(asked.load(Ordering::Relaxed), at + 1, "it ends there");
        }
    }
}

/// Rows of a few columns are taken together: a question for each would be timed.
#[test]
fn sums_of_many_rows_are_one_question() {
    let shape = Shape::parse(OperatorKind::Gemm, "11x64x2").unwrap();
    let mut operator = make_operator(&shape, Precision::FP32, 1, &|| false).unwrap();
    let asked = AtomicUsize::new(0);
    let count = || asked.fetch_add(1, Ordering::Relaxed) == usize::MAX;
    operator.run(&Stop::new(&count));
    // The piece of work, its one block, and its sums.
    assert_eq!(asked.load(Ordering::Relaxed), 3);
    assert!(operator.check_result(&mut None, &|| false).unwrap().passed);
}

/// Within a repetition, too, however long it is: before each block of a product, each piece of work, and what becomes of its sums.
#[test]
fn a_repetition_asks_before_every_block() {
    for (kind, shape, blocks) in [
        // At most 120 rows, 1024 columns and 256 terms are a block.
        (OperatorKind::Gemm, "121x1025x2", 2 * 2 + 2),
        (OperatorKind::Gemm, "121x8x257", 2 * 2 + 2),
        (OperatorKind::Gemv, "700x2000", 6 + 1),
        // 400 rows of queries, 96 at a time: scores, shares, sums of values.
        (OperatorKind::Attention, "1x2x1x8x200x30", 5 * 4),
        // Two products forward, four backward, and the gradient that is given.
        (OperatorKind::Mlp, "13x20x2", 6 * 3 + 2),
    ] {
        let shape = Shape::parse(kind, shape).unwrap();
        let shape = if kind == OperatorKind::Mlp { backward(&shape) } else { shape };
        let mut operator = make_operator(&shape, Precision::FP32, 1, &|| false).unwrap();
        let asked = AtomicUsize::new(0);
        let count = || asked.fetch_add(1, Ordering::Relaxed) == usize::MAX;
        operator.run(&Stop::new(&count));
        let questions = asked.load(Ordering::Relaxed);
        assert!(questions >= blocks, "{}: {questions} of {blocks}", shape.title());
        // Whoever hears yes at once computes nothing.
        operator.wipe_result();
        let stop = Stop::new(&|| true);
        operator.run(&stop);
        assert!(stop.heard());
        assert!(!operator.check_result(&mut None, &|| false).unwrap().passed, "{}", shape.title());
    }
}
