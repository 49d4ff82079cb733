//! Where the libraries are: where the loader finds them, else in the toolkit's folders.

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

/// What compiles derate's own kernels for the GPU that is there.
pub(super) const NVRTC: Library = Library {
    title: "NVRTC",
    names: &["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"],
    remedy: "attention and mlp need it on a GPU, gemv and gemm do not; install the CUDA toolkit, or put the folder of libnvrtc \
             into LD_LIBRARY_PATH",
};

impl Library {
    /// The places in their order; `cuda_home` is the variable's value.
    pub(super) fn places(&self, cuda_home: Option<&str>) -> Vec<PathBuf> {
        let homes = cuda_home.into_iter().filter(|home| !home.is_empty());
        let folders: Vec<PathBuf> =
            homes.chain(["/usr/local/cuda"]).map(|home| Path::new(home).join("lib64")).collect();
        let bare = self.names.iter().map(PathBuf::from);
        let placed =
            folders.iter().flat_map(|folder| self.names.iter().map(|name| folder.join(name)));
        bare.chain(placed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_comes_first_and_the_newest_version() {
        let places = CUBLAS.places(Some("/opt/cuda-13"));
        let wanted = [
            "libcublas.so.13",
            "libcublas.so.12",
            "libcublas.so.11",
            "/opt/cuda-13/lib64/libcublas.so.13",
        ];
        assert_eq!(places[..4], wanted.map(PathBuf::from));
        assert_eq!(places.len(), 9);
        assert_eq!(DRIVER.places(None).len(), 2);
    }
}
