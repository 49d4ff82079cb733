//! The shapes that a sweep runs: from what any cache holds to what none does, square and not.

use super::{Attention, Mlp, OperatorKind, Shape};

/// Rows and columns.
const GEMV: [(u64, u64); 24] = [
    (256, 256),
    (256, 1024),
    (1024, 256),
    (512, 512),
    (960, 960),
    (1024, 1024),
    (2560, 960),
    (960, 2560),
    (1536, 1536),
    (2048, 2048),
    (4096, 1024),
    (1024, 4096),
    (3072, 3072),
    (4096, 4096),
    (11008, 2048),
    (2048, 11008),
    (5120, 5120),
    (6144, 6144),
    (8192, 4096),
    (4096, 8192),
    (11008, 4096),
    (4096, 11008),
    (8192, 8192),
    (14336, 4096),
];

/// Rows, columns, terms.
const GEMM: [(u64, u64, u64); 24] = [
    (64, 64, 64),
    (128, 128, 128),
    (50, 960, 960),
    (50, 2560, 960),
    (50, 960, 2560),
    (16, 1024, 1024),
    (32, 1024, 1024),
    (64, 1024, 1024),
    (256, 256, 256),
    (128, 1024, 1024),
    (384, 384, 384),
    (512, 512, 512),
    (256, 1024, 1024),
    (512, 1024, 256),
    (768, 768, 768),
    (512, 512, 2048),
    (1024, 1024, 512),
    (16, 4096, 4096),
    (64, 4096, 1024),
    (1000, 1000, 1000),
    (1024, 1024, 1024),
    (513, 1025, 2049),
    (256, 4096, 1024),
    (1536, 1536, 1024),
];

/// Batch, heads, heads of keys, width of a head, queries, keys, causal.
const ATTENTION: [([u64; 6], bool); 12] = [
    ([1, 15, 5, 64, 50, 50], false),
    ([1, 8, 8, 64, 128, 128], false),
    ([1, 8, 8, 64, 256, 256], false),
    ([1, 8, 2, 64, 256, 256], true),
    ([1, 8, 8, 64, 512, 512], false),
    ([1, 8, 8, 64, 512, 512], true),
    ([1, 8, 2, 128, 512, 512], false),
    ([1, 32, 8, 128, 1, 1024], false),
    ([4, 32, 8, 128, 1, 1024], false),
    ([1, 32, 8, 128, 1, 4096], false),
    ([2, 8, 8, 64, 256, 1024], true),
    ([1, 8, 8, 64, 1024, 1024], true),
];

/// Rows, width, layers.
const MLP: [(u64, u64, u64); 12] = [
    (1, 1024, 2),
    (8, 1024, 2),
    (32, 512, 4),
    (64, 512, 4),
    (128, 512, 2),
    (256, 512, 2),
    (64, 1024, 2),
    (128, 1024, 2),
    (256, 1024, 2),
    (1, 2048, 4),
    (16, 2048, 2),
    (128, 2048, 1),
];

impl OperatorKind {
    /// The shapes of a sweep, the least first by and large.
    pub fn sweep_shapes(self) -> Vec<Shape> {
        match self {
            Self::Gemv => GEMV.iter().map(|&(n, k)| Shape::Gemv { n, k }).collect(),
            Self::Gemm => GEMM.iter().map(|&(m, n, k)| Shape::Gemm { m, n, k }).collect(),
            Self::Attention => ATTENTION
                .iter()
                .map(|&(extents, causal)| {
                    Shape::Attention(Attention { causal, ..Attention::fused(extents) })
                })
                .collect(),
            Self::Mlp => MLP
                .iter()
                .map(|&(batch, width, layers)| {
                    Shape::Mlp(Mlp { batch, width, layers, backward: false, apart: false })
                })
                .collect(),
        }
    }

    /// The shape that a bench runs where none is given.
    pub fn default_shape(self) -> Shape {
        let text = match self {
            Self::Gemv => "4096x4096",
            Self::Gemm => "512x512x512",
            Self::Attention => "1x8x8x64x256x256",
            Self::Mlp => "64x512x2",
        };
        // Each of these is read by a test; any other shape would do as well.
        Shape::parse(self, text).unwrap_or(Shape::Gemv { n: 4096, k: 4096 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ladder_has_no_step_twice() {
        for kind in
            [OperatorKind::Gemv, OperatorKind::Gemm, OperatorKind::Attention, OperatorKind::Mlp]
        {
            let shapes = kind.sweep_shapes();
            assert!(shapes.len() >= 12);
            for (at, shape) in shapes.iter().enumerate() {
                assert!(!shapes[..at].contains(shape), "{shape:?}");
                assert_eq!(shape.kind(), kind);
            }
            assert_eq!(kind.default_shape().kind(), kind);
        }
        assert!(
            OperatorKind::Gemv.sweep_shapes().len() >= 20
                && OperatorKind::Gemm.sweep_shapes().len() >= 20
        );
    }
}
