//! Where XRT's library is: where the loader finds it, else in the folders of AMD's packages.

use std::fs;
use std::path::{Path, PathBuf};

/// The name that the loader looks for.
pub(super) const LIBRARY: &str = "libxrt_coreutil.so.2";
/// Where AMD's packages put XRT.
const AMD: &str = "/opt/xilinx/xrt";

/// The places in their order; `xilinx_xrt` is the variable's value.
pub(super) fn list_places(xilinx_xrt: Option<&str>) -> Vec<PathBuf> {
    let roots = xilinx_xrt.into_iter().filter(|root| !root.is_empty()).chain([AMD]);
    let mut places = vec![PathBuf::from(LIBRARY)];
    for root in roots {
        let place = Path::new(root).join("lib").join(LIBRARY);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// The file that was loaded, by this process's own map of its memory.
pub(super) fn find_loaded() -> Option<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let stem = LIBRARY.trim_end_matches(".2");
    let path = maps.lines().find_map(|line| {
        let path = line.get(line.find('/')?..)?;
        path.rsplit('/').next()?.starts_with(stem).then_some(path)
    });
    path.map(PathBuf::from)
}

/// XRT's own version, `2.13.0`, which the file's name has.
pub(super) fn library_version(library: &Path) -> Option<&str> {
    Some(library.file_name()?.to_str()?.split_once(".so.")?.1)
}

/// Whether this one finds its own folder: without `XILINX_XRT` those before 2.16 end the process.
pub(super) fn finds_itself(library: &Path) -> bool {
    let mut numbers = library_version(library).into_iter().flat_map(|version| version.split('.'));
    let mut next = || numbers.next().and_then(|number| number.parse::<u32>().ok());
    next().zip(next()).is_some_and(|version| version >= (2, 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xrt_is_looked_for_where_it_may_be() {
        let own = list_places(Some("/nowhere"));
        let wanted = [
            LIBRARY,
            "/nowhere/lib/libxrt_coreutil.so.2",
            "/opt/xilinx/xrt/lib/libxrt_coreutil.so.2",
        ];
        assert_eq!(own, wanted.map(PathBuf::from));
        assert_eq!(list_places(Some(AMD)), list_places(None));
    }

    #[test]
    fn a_library_says_its_version() {
        let of = |name: &str| Path::new("/opt/xilinx/xrt/lib").join(name);
        assert_eq!(library_version(&of("libxrt_coreutil.so.2.13.0")), Some("2.13.0"));
        for (name, finds) in
            [("2.13.0", false), ("2.15.9", false), ("2.16.204", true), ("3.0", true), ("2", false)]
        {
            assert_eq!(finds_itself(&of(&format!("libxrt_coreutil.so.{name}"))), finds, "{name}");
        }
    }
}
