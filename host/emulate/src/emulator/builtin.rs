use std::sync::Arc;

use derate_hls::{Sources, kernels, parse};

use super::image::load_kernels;
use super::{ImageError, Kernel, read_signatures};

/// The compiled kernels, for processors of each level, the least first.
static IMAGES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/images.rs"));

/// Whether this machine runs code of that level.
#[cfg(target_arch = "x86_64")]
fn runs_here(level: &str) -> bool {
    let wide = || {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe")
    };
    match level {
        "x86-64" => true,
        "x86-64-v3" => wide(),
        "x86-64-v4" => {
            wide()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
        }
        _ => false,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn runs_here(_: &str) -> bool {
    true
}

/// The kernels that come with derate, `hls/kernels`, in the order of their names.
pub fn load_builtin_kernels() -> Result<Vec<Arc<Kernel>>, ImageError> {
    let mut sources = Sources::default();
    let mut found = Vec::new();
    for (name, text) in kernels::SOURCES {
        let file = sources.add(name, text);
        found.extend(read_signatures(&parse(&sources, file), &[]));
    }
    let best = IMAGES.iter().rev().find(|(level, _)| runs_here(level));
    let (_, bytes) = best.ok_or(ImageError::Processor)?;
    load_kernels(&[bytes], &found)
}
