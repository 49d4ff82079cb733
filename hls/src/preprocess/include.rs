//! Which text an `#include` means.

use crate::{FileId, Sources};

/// Headers of the vendors and of the C++ library: they define no macro that a project tests, and
/// the types in them are known.
pub(crate) fn is_vendor(path: &str, quoted: bool) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    let prefixes = ["ap_", "hls_", "ac_", "xf_", "nnet_", "xcl"];
    let names = [
        "ap_int",
        "tapa",
        "systemc",
        "mc_scverify",
        "xrt",
        "assert",
        "complex",
        "ctype",
        "errno",
        "float",
        "fstream",
        "iomanip",
        "iostream",
        "limits",
        "malloc",
        "math",
        "memory",
        "cmath",
        "cstdint",
        "cstddef",
        "cstdio",
        "cstdlib",
        "cstring",
        "signal",
        "stdarg",
        "stdbool",
        "stddef",
        "stdint",
        "stdio",
        "stdlib",
        "string",
        "time",
        "unistd",
        "vector",
        "array",
        "algorithm",
        "sstream",
    ];
    let known = prefixes.iter().any(|prefix| stem.starts_with(prefix)) || names.contains(&stem);
    // `hls_types.h` of one's own may well stand in quotes; it is then looked for first.
    known && (!quoted || VENDOR_FILES.contains(&file) || names.contains(&stem))
}

const VENDOR_FILES: [&str; 30] = [
    "ap_int.h",
    "ap_fixed.h",
    "ap_float.h",
    "ap_cint.h",
    "ap_utils.h",
    "ap_axi_sdata.h",
    "ap_shift_reg.h",
    "ap_mem_if.h",
    "hls_stream.h",
    "hls_math.h",
    "hls_vector.h",
    "hls_half.h",
    "hls_video.h",
    "hls_linear_algebra.h",
    "hls_fft.h",
    "hls_fir.h",
    "hls_print.h",
    "hls_task.h",
    "hls_streamofblocks.h",
    "hls_burst_maxi.h",
    "hls_np_channel.h",
    "hls_directio.h",
    "hls_opencv.h",
    "hls_dsp.h",
    "hls_x_complex.h",
    "ac_int.h",
    "ac_fixed.h",
    "ac_float.h",
    "ac_channel.h",
    "ac_std_float.h",
];

/// The text among those already read that a path means: beside the includer, or the only one of
/// `own` whose name ends so.
pub(crate) fn find(
    sources: &Sources,
    own: &[FileId],
    includer: FileId,
    path: &str,
) -> Option<FileId> {
    let beside = normal(&format!("{}/../{path}", sources.name(includer)));
    let mut suffix = normal(path);
    while let Some(rest) = suffix.strip_prefix("../") {
        suffix = rest.to_owned();
    }
    let tail = format!("/{suffix}");
    let mut ending = None;
    let mut several = false;
    let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or("").to_owned();
    let last = base(path);
    for file in sources.files().filter(|&file| sources.name(file).ends_with(&last)) {
        let name = normal(sources.name(file));
        if name == beside {
            return Some(file);
        }
        if own.contains(&file) && (name == suffix || name.ends_with(&tail)) {
            several = ending.is_some();
            ending = Some(file);
        }
    }
    ending.filter(|_| !several)
}

/// A path without `.` and, as far as they go, without `..`.
pub(crate) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbour_goes_before_a_namesake() {
        let mut sources = Sources::default();
        let kernel = sources.add("a/kernels/k.cpp", "");
        let other = sources.add("b/defs.h", "");
        assert_eq!(find(&sources, &[kernel, other], kernel, "defs.h"), Some(other));
        let own = sources.add("a/defs.h", "");
        let all: Vec<FileId> = sources.files().collect();
        assert_eq!(find(&sources, &all, kernel, "../defs.h"), Some(own));
        assert_eq!(find(&sources, &all, kernel, "defs.h"), None);
    }
}
