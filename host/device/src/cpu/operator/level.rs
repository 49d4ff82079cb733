//! Loops compiled for what this processor has, chosen when they run: the program itself stays portable.

/// Something to compute, written once. `ROWS x COLUMNS` is the tile that fits the registers.
pub(super) trait Compute {
    /// What comes out.
    type Output;

    /// Computes it. Whatever this calls in its loops must be inlined into it to be compiled for the same processor.
    fn compute<const FUSED: bool, const ROWS: usize, const COLUMNS: usize>(self) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
mod sys {
    #![expect(
        unsafe_code,
        reason = "a function for a processor's extensions is called where they were seen"
    )]

    use super::Compute;

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
    fn run_wide<C: Compute>(work: C) -> C::Output {
        work.compute::<true, 12, 32>()
    }

    #[target_feature(enable = "avx2,fma")]
    fn run_middle<C: Compute>(work: C) -> C::Output {
        work.compute::<true, 6, 16>()
    }

    /// By the widest vectors that this processor has.
    pub(in super::super) fn run_best<C: Compute>(work: C) -> C::Output {
        let fused = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let wider = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        if fused && wider {
            // SAFETY: each of its features was just seen.
            unsafe { run_wide(work) }
        } else if fused {
            // SAFETY: both of its features were just seen.
            unsafe { run_middle(work) }
        } else {
            work.compute::<false, 4, 8>()
        }
    }

    /// What [`run_best`] uses, for sentences.
    pub(in super::super) fn name_vectors() -> &'static str {
        if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
            "SSE2"
        } else if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
        {
            "AVX-512"
        } else {
            "AVX2"
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod sys {
    use super::Compute;

    /// As the program was compiled; 64-bit ARM has a fused multiply-add in every processor.
    pub(in super::super) fn run_best<C: Compute>(work: C) -> C::Output {
        if cfg!(target_arch = "aarch64") {
            work.compute::<true, 6, 16>()
        } else {
            work.compute::<false, 4, 8>()
        }
    }

    /// What [`run_best`] uses, for sentences.
    pub(in super::super) fn name_vectors() -> &'static str {
        std::env::consts::ARCH
    }
}

pub(super) use sys::{name_vectors, run_best};
