//! The double, and processes in which the loader finds it.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Names what runs in a process with the double.
pub(super) const INSIDE: &str = "DERATE_TEST_CUDA";

/// A folder with the double under the names of the driver, of cuBLAS and of NVRTC: one library, loaded once.
pub(super) fn build_double() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cuda-double/double.cpp");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let built = Command::new(compiler)
        .args(["-std=c++17", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(folder.path().join("libcuda.so.1"))
        .arg(source)
        .status()
        .unwrap();
    assert!(built.success());
    for name in ["libcublas.so.13", "libcublasLt.so.13", "libnvrtc.so.13"] {
        std::os::unix::fs::symlink("libcuda.so.1", folder.path().join(name)).unwrap();
    }
    folder
}

/// Runs a case with the double where the loader looks first.
pub(super) fn run_inside(double: &TempDir, case: &str, variable: &str, value: &str) {
    let run = Command::new(std::env::current_exe().unwrap())
        .env("LD_LIBRARY_PATH", double.path())
        .env(INSIDE, case)
        .env(variable, value)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{variable}={value}: {said}");
}
