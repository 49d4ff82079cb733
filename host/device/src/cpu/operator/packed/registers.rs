//! The vector registers that sums of packed rows are made in.

/// Registers of a processor's extensions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Registers {
    /// 512 bits: AVX-512 F, BW, DQ and VL.
    Avx512,
    /// 256 bits: AVX2 with FMA and F16C.
    Avx2,
}

impl Registers {
    /// Elements of a row that are expanded together: eight registers of FP32.
    pub(super) fn group(self) -> usize {
        match self {
            Self::Avx512 => 128,
            Self::Avx2 => 64,
        }
    }

    /// For sentences.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "AVX-512",
            Self::Avx2 => "AVX2",
        }
    }

    /// All of them, the widest first.
    pub(super) const ALL: [Self; 2] = [Self::Avx512, Self::Avx2];

    /// Whether this processor has them.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn is_seen(self) -> bool {
        let middle = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c");
        match self {
            Self::Avx2 => middle,
            Self::Avx512 => {
                middle
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }

    /// No other processor has a kernel.
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn is_seen(self) -> bool {
        false
    }

    /// The widest that this processor has.
    pub(super) fn best() -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.is_seen())
    }
}
