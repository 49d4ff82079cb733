//! Which text an `#include` means.

use super::follow::{Reach, Sought};
use crate::{FileId, Sources, Span};

/// An `#include` line.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Include {
    /// The path between the quotes or angle brackets.
    pub path: String,
    /// Whether it is in quotes.
    pub quoted: bool,
    /// The directive.
    pub span: Span,
    /// The text that it names, if that was followed.
    pub file: Option<FileId>,
    /// Whether nothing of that name was found, though the project must have it: it is in
    /// quotes and is not a vendor's.
    pub missing: bool,
}

/// Headers of the C++ library and of tools, without their ending.
const LIBRARY_HEADERS: &str = "tapa systemc mc_scverify xrt assert complex ctype errno float fstream iomanip iostream \
    limits malloc math memory cmath cstdint cstddef cstdio cstdlib cstring signal stdarg \
    stdbool stddef stdint stdio stdlib string time unistd vector array algorithm sstream";

/// Headers of the vendors.
const VENDOR_HEADERS: &str = "ap_int.h ap_fixed.h ap_float.h ap_cint.h ap_utils.h ap_axi_sdata.h ap_shift_reg.h \
    ap_mem_if.h hls_stream.h hls_math.h hls_vector.h hls_half.h hls_video.h \
    hls_linear_algebra.h hls_fft.h hls_fir.h hls_print.h hls_task.h hls_streamofblocks.h \
    hls_burst_maxi.h hls_fence.h hls_np_channel.h hls_directio.h hls_opencv.h hls_dsp.h hls_x_complex.h \
    ac_int.h ac_fixed.h ac_float.h ac_channel.h ac_std_float.h x_hls_utils.h x_hls_defines.h sds_lib.h";

/// What the vendors' headers include in turn, and those of libraries whose templates are known.
const COPIED_HEADERS: &str = "ap_common.h ap_decl.h ap_private.h ap_int_base.h ap_int_ref.h ap_int_special.h ap_int_syn.h \
    ap_int_sim.h ap_fixed_base.h ap_fixed_ref.h ap_fixed_special.h ap_fixed_syn.h ap_fixed_sim.h ac_complex.h \
    ac_array_1D.h nnet_types.h";

/// Whether a text is a copy of the vendor's own header that declares a template, by its name.
pub(crate) fn is_vendor_copy(name: &str, template: &str) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let of_tapa = template.starts_with("tapa::") && format!("/{name}").contains("/tapa/");
    is_listed(file, VENDOR_HEADERS) || is_listed(file, COPIED_HEADERS) || of_tapa
}

fn is_listed(name: &str, list: &str) -> bool {
    list.split(' ').any(|one| one == name)
}

/// Headers of the vendors and of the C++ library: they define no macro that a project tests, and
/// the types in them are known. They need not be there.
#[must_use]
pub fn is_vendor(path: &str, quoted: bool) -> bool {
    let path = path.strip_prefix("sys/").unwrap_or(path);
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    let prefixes = ["ap_", "hls_", "ac_", "xf_", "nnet_", "xcl"];
    // The library has no folders: `utils/memory.h` is a project's own.
    let library = is_listed(stem, LIBRARY_HEADERS) && file == path;
    // A project's own `hls_types.h` may be in quotes.
    let prefixed = prefixes.iter().any(|prefix| stem.starts_with(prefix)) && !quoted;
    library || prefixed || is_listed(file, VENDOR_HEADERS)
}

/// Whether what such an include leads to is the vendor's: `"string.h"` that is there may be the project's own.
pub(crate) fn is_known(path: &str, quoted: bool) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    is_vendor(path, quoted) && (!quoted || is_listed(file, VENDOR_HEADERS))
}

/// The text among those already read that a path means: beside the includer, or the only one of
/// `own` whose name ends so.
pub(crate) fn find_include(
    sources: &Sources,
    own: &[FileId],
    sought: &Sought<'_>,
) -> Option<FileId> {
    let Sought { includer, path, reach, .. } = *sought;
    if reach == Reach::Kept {
        return None;
    }
    let beside = normal_path(&format!("{}/../{path}", sources.name(includer)));
    let mut suffix = normal_path(path);
    while let Some(rest) = suffix.strip_prefix("../") {
        suffix = rest.to_owned();
    }
    let tail = format!("/{suffix}");
    let mut ending = None;
    let mut several = false;
    let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or("").to_owned();
    let last = base(path);
    for file in sources.files().filter(|&file| sources.name(file).ends_with(&last)) {
        let name = normal_path(sources.name(file));
        if name == beside {
            return Some(file);
        }
        if reach == Reach::Anywhere
            && own.contains(&file)
            && (name == suffix || name.ends_with(&tail))
        {
            several = ending.is_some();
            ending = Some(file);
        }
    }
    ending.filter(|_| !several)
}

/// A path without `.` and, as far as they go, without `..`.
pub(crate) fn normal_path(path: &str) -> String {
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
        let sought = |path, reach| Sought { includer: kernel, path, beside: true, reach };
        let defs = sought("defs.h", Reach::Anywhere);
        assert_eq!(find_include(&sources, &[kernel, other], &defs), Some(other));
        assert_eq!(
            find_include(&sources, &[kernel, other], &sought("defs.h", Reach::Beside)),
            None
        );
        let own = sources.add("a/defs.h", "");
        let all: Vec<FileId> = sources.files().collect();
        for (reach, found) in
            [(Reach::Anywhere, Some(own)), (Reach::Beside, Some(own)), (Reach::Kept, None)]
        {
            assert_eq!(find_include(&sources, &all, &sought("../defs.h", reach)), found);
        }
        assert_eq!(find_include(&sources, &all, &defs), None);
    }

    #[test]
    fn an_own_header_with_a_library_s_name_is_no_vendor_s() {
        for (path, quoted, vendor, known) in [
            ("utils/memory.h", true, false, false),
            ("utils/memory.h", false, false, false),
            ("string.h", true, true, false),
            ("string.h", false, true, true),
            ("sys/time.h", true, true, false),
            ("vector", false, true, true),
            ("ap_int.h", true, true, true),
            ("include/hls_stream.h", true, true, true),
            ("hls_types.h", true, false, false),
            ("nnet_utils/nnet_mult.h", false, true, true),
        ] {
            assert_eq!(is_vendor(path, quoted), vendor, "{path}");
            assert_eq!(is_known(path, quoted), known, "{path}");
        }
    }
}
