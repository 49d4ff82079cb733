//! Where the libraries are: where the loader finds them, else in the toolkit's folder, which is `CUDA_HOME` where that is set.

use std::path::{Path, PathBuf};

/// A library of NVIDIA's, by the names that its versions have, the newest first.
pub(super) struct Library {
    pub(super) title: &'static str,
    pub(super) names: &'static [&'static str],
    pub(super) remedy: &'static str,
}

/// The driver's, which no toolkit brings.
pub(super) const DRIVER: Library = Library {
    title: "NVIDIA's driver",
    names: &["libcuda.so.1"],
    remedy: "a GPU and its driver are needed, see `nvidia-smi`",
};

/// cuBLAS.
pub(super) const CUBLAS: Library = Library {
    title: "cuBLAS",
    names: &["libcublas.so.13", "libcublas.so.12", "libcublas.so.11"],
    remedy: "install the CUDA toolkit, or put the folder of cuBLAS into LD_LIBRARY_PATH",
};

/// What multiplies FP8.
pub(super) const CUBLAS_LT: Library = Library {
    title: "cuBLASLt",
    names: &["libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"],
    remedy: "products in fp8 need it; it comes with cuBLAS in the CUDA toolkit, or put its folder into LD_LIBRARY_PATH",
};

/// What compiles derate's own kernels for the GPU that is there.
pub(super) const NVRTC: Library = Library {
    title: "NVRTC",
    names: &["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"],
    remedy: "attention, mlp and packed weights need it on a GPU, other products do not; install the CUDA toolkit, or put the \
             folder of libnvrtc into LD_LIBRARY_PATH",
};

impl Library {
    /// The places in their order; `cuda_home` is the variable's value. Versions that are newer than the driver's CUDA, of that
    /// major number, come last: it does not load what they compile.
    pub(super) fn list_places(&self, cuda_home: Option<&str>, driver: Option<i32>) -> Vec<PathBuf> {
        let home = cuda_home.filter(|home| !home.is_empty()).unwrap_or("/usr/local/cuda");
        let folder = Path::new(home).join("lib64");
        let fits = |name: &&str| driver.is_none_or(|driver| major_version(name) <= driver);
        let (fitting, newer): (Vec<&str>, Vec<&str>) = self.names.iter().copied().partition(fits);
        let places = |names: Vec<&str>| {
            let placed = names.iter().map(|name| folder.join(name));
            names.iter().map(PathBuf::from).chain(placed).collect::<Vec<_>>()
        };
        [places(fitting), places(newer)].concat()
    }
}

/// 13 of `libnvrtc.so.13`.
fn major_version(name: &str) -> i32 {
    let version = name.rsplit_once(".so.").and_then(|(_, version)| version.split('.').next());
    version.and_then(|major| major.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_comes_first_and_the_newest_version() {
        let places = CUBLAS.list_places(Some("/opt/cuda-13"), None);
        let wanted = [
            "libcublas.so.13",
            "libcublas.so.12",
            "libcublas.so.11",
            "/opt/cuda-13/lib64/libcublas.so.13",
        ];
        assert_eq!(places[..4], wanted.map(PathBuf::from));
        assert_eq!(places.len(), 6);
        let default = ["libcuda.so.1", "/usr/local/cuda/lib64/libcuda.so.1"].map(PathBuf::from);
        assert_eq!(DRIVER.list_places(None, None), default);
        assert_eq!(DRIVER.list_places(Some(""), None), default);
    }

    #[test]
    fn what_is_newer_than_the_driver_comes_last() {
        let names = |driver| {
            let places = NVRTC.list_places(Some("/t"), Some(driver)).into_iter();
            places.map(|place| place.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            names(12),
            "libnvrtc.so.12 libnvrtc.so.11.2 /t/lib64/libnvrtc.so.12 /t/lib64/libnvrtc.so.11.2 libnvrtc.so.13 /t/lib64/libnvrtc.so.13"
        );
        assert!(names(13).starts_with("libnvrtc.so.13 libnvrtc.so.12 "));
        assert_eq!(names(14), names(13));
        assert!(names(11).starts_with("libnvrtc.so.11.2 /t/lib64/libnvrtc.so.11.2 "));
    }
}
