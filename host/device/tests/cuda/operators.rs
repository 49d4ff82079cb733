//! Attention and layers.

use derate_device::cuda::{Arithmetic, Attention, Gpu, GpuTiming, Mlp};
use derate_device::operators::OperatorDevice;
use derate_model::Precision;
use derate_model::operator::{Attention as Extents, Mlp as Layers, OperatorKind, Shape};

use super::{REPEAT, gpu};

/// Kernels with a fault in the attention, each of which would be seen on a GPU as it is here.
pub(super) const SHARE_FAULTS: &[&str] = &[
    // A query that sees the key behind its own, or not its own.
    "queries + query + 1=>queries + query + 2",
    "queries + query + 1=>queries + query",
    // Queries that are the first of the tokens, not the last.
    "keys - queries + query + 1=>query + 1",
    // Hidden keys that keep their scores, and scores that are never scaled.
    "key < keys; key=>key < seen; key",
    "- most) * scale) * share=>- most)) * share",
    // A sum of one warp alone, and one that misses a step.
    "warp < blockDim.x / 32=>warp < 1",
    "lane = 16=>lane = 8",
    // Rows of another length than they have.
    "scores + row * keys=>scores + row * (keys - 1)",
    // Numbers that are cut where they are stored.
    "bits + 0x7fff + (bits >> 16 & 1)=>bits",
];

/// Kernels with a fault in the passes back and forth.
pub(super) const TRAINING_FAULTS: &[&str] = &[
    "store(to + at, x / (1.0f=>store(to + at, x / (2.0f",
    "x * rise * (e * share) * share=>x * rise * share",
    "1.0f + 3.0f * square=>1.0f + square",
    "widened(from[at]) * scale * (share=>widened(from[at]) * (share",
];

/// Kernels with a fault in the layers.
pub(super) const LAYER_FAULTS: &[&str] = &[
    "0.044715f=>0.44715f",
    "-2.0f * u=>-1.0f * u",
    "* scale;=>;",
    "at < elements=>at + 1 < elements",
];

const FLOATS: [Arithmetic; 4] =
    [Arithmetic::Fp32, Arithmetic::Tf32, Arithmetic::Fp16, Arithmetic::Bf16];

pub(super) fn extents(text: &str, causal: bool) -> Extents {
    match Shape::parse(OperatorKind::Attention, text).unwrap() {
        Shape::Attention(own) => Extents { causal, ..own },
        other => panic!("{other:?}"),
    }
}

fn attend(gpu: &Gpu, extents: Extents, arithmetic: Arithmetic) -> GpuTiming {
    Attention { extents, arithmetic }.run(gpu, REPEAT, &|| false, &mut |_| ()).unwrap()
}

fn run_layers(gpu: &Gpu, shape: [u64; 3], arithmetic: Arithmetic) -> GpuTiming {
    run_passes(gpu, shape, arithmetic, false)
}

fn run_passes(
    gpu: &Gpu,
    [batch, width, layers]: [u64; 3],
    arithmetic: Arithmetic,
    backward: bool,
) -> GpuTiming {
    let extents = Layers { batch, width, layers, backward, apart: true };
    Mlp { extents, arithmetic }.run(gpu, REPEAT, &|| false, &mut |_| ()).unwrap()
}

/// Heads that share keys, fewer queries than keys, masks, rows of less and of more than a warp.
pub(super) fn attention_is_right() {
    let gpu = gpu();
    for (text, causal) in [
        ("2x6x2x16x20x33", true),
        ("1x4x4x8x17x17", true),
        ("2x6x3x16x9x40", false),
        ("1x8x2x32x1x70", false),
        ("1x1x1x4x12x300", true),
    ] {
        for arithmetic in FLOATS {
            let timed = attend(&gpu, extents(text, causal), arithmetic);
            assert!(timed.check.passed, "{text} {arithmetic:?}: {:?}", timed.check);
            let (worst, bound) = (timed.check.worst_error.unwrap(), timed.check.bound.unwrap());
            assert!(worst <= bound && bound < 0.02, "{text} {arithmetic:?}: {worst:e} {bound:e}");
            assert_eq!(timed.seconds.len(), 3);
        }
    }
}

pub(super) fn layers_are_right() {
    let gpu = gpu();
    for shape in [[5, 24, 3], [1, 64, 2], [33, 16, 1], [4, 32, 64]] {
        for arithmetic in FLOATS {
            let timed = run_layers(&gpu, shape, arithmetic);
            assert!(timed.check.passed, "{shape:?} {arithmetic:?}: {:?}", timed.check);
            assert!(timed.check.bound.unwrap() < 0.05, "{:?}", timed.check);
        }
    }
}

/// Forward and backward, in layers of more and of less rows than columns.
pub(super) fn training_is_right() {
    let gpu = gpu();
    for shape in [[5, 24, 3], [1, 64, 2], [33, 16, 1], [4, 32, 16]] {
        for arithmetic in FLOATS {
            let timed = run_passes(&gpu, shape, arithmetic, true);
            assert!(timed.check.passed, "{shape:?} {arithmetic:?}: {:?}", timed.check);
            assert!(timed.check.bound.unwrap() < 0.05, "{:?}", timed.check);
        }
    }
}

pub(super) fn wrong_training() {
    let gpu = gpu();
    let timed = run_passes(&gpu, [5, 24, 3], Arithmetic::Bf16, true);
    assert!(!timed.check.passed, "{:?}", timed.check);
}

/// Found in what elements are stored in 16 bits, where as much rounding is allowed as anywhere.
pub(super) fn wrong_shares() {
    let gpu = gpu();
    // More keys than a warp has threads, and 21 before the first query.
    let timed = attend(&gpu, extents("2x6x2x16x20x40", true), Arithmetic::Bf16);
    assert!(!timed.check.passed, "{:?}", timed.check);
}

pub(super) fn wrong_layers() {
    let gpu = gpu();
    let timed = run_layers(&gpu, [5, 24, 3], Arithmetic::Bf16);
    assert!(!timed.check.passed, "{:?}", timed.check);
}

pub(super) fn refused_operators() {
    let gpu = gpu();
    let device = OperatorDevice::Gpu(Box::new(gpu));
    let fused = extents("1x8x8x16x4x4", false);
    let mlp = Layers { batch: 4, width: 8, layers: 2, backward: false, apart: false };
    for (shape, precision, wanted) in [
        (Shape::Attention(fused), Precision::INT8, "pass through exponentials"),
        (Shape::Attention(fused), Precision::FP8_E4M3, "which int8 and fp8 do not have"),
        (Shape::Mlp(mlp), Precision::INT8, "pass through exponentials"),
        (
            Shape::Attention(Extents { window: Some(2), causal: true, ..fused }),
            Precision::FP16,
            "no window",
        ),
        (Shape::Attention(Extents { kv_heads: 3, ..fused }), Precision::FP16, "do not divide"),
        (
            Shape::Attention(Extents { queries: 5, causal: true, ..fused }),
            Precision::FP16,
            "cannot be causal",
        ),
        (Shape::Attention(Extents { keys: 1 << 40, ..fused }), Precision::FP16, "extents of 1 to"),
        (
            Shape::Attention(Extents { queries: 1 << 30, heads: 64, ..fused }),
            Precision::FP16,
            "share keys",
        ),
        (
            Shape::Mlp(Layers { backward: true, layers: 257, ..mlp }),
            Precision::FP16,
            "forward only",
        ),
        (
            Shape::Mlp(Layers { backward: true, ..mlp }),
            Precision::INT8,
            "pass through exponentials",
        ),
        (Shape::Mlp(Layers { width: 0, ..mlp }), Precision::FP16, "extents of 1 to"),
    ] {
        let said = device.check_support(&shape, precision).unwrap_err().to_string();
        assert!(said.contains(wanted), "{said}");
        let run = device.run(&shape, precision, REPEAT, &|| false, &mut |_| ()).unwrap_err();
        assert_eq!(run.to_string(), said);
    }
    let large = Shape::Attention(Extents { queries: 8192, keys: 8192, ..fused });
    let said = device.run(&large, Precision::FP16, REPEAT, &|| false, &mut |_| ()).unwrap_err();
    assert!(said.to_string().contains("of which 67108864 are free"), "{said}");
}
