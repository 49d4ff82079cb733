//! The GPU's side against a double of NVIDIA's libraries: which calls are made, with what, and what a failure says. What
//! runs here is no GPU, and no time of it means anything.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;
use std::process::{Command, Output};

use derate_host::bench::{BenchError, Repeat};
use derate_host::cuda::{Arithmetic, Copies, CudaError, CudaName, Gpu, Product};
use tempfile::TempDir;

const REPEAT: Repeat = Repeat { repetitions: 3, warm_up: 1 };
/// Set where the double is in the loader's path.
const INSIDE: &str = "DERATE_TEST_CUDA";

/// A folder with the double under the names of the driver and of cuBLAS.
fn double() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/cuda-double/double.cpp");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let built = Command::new(compiler)
        .args(["-std=c++17", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(folder.path().join("libcuda.so.1"))
        .arg(source)
        .status()
        .unwrap();
    assert!(built.success());
    std::fs::copy(folder.path().join("libcuda.so.1"), folder.path().join("libcublas.so.13"))
        .unwrap();
    folder
}

/// Runs one of the tests below with the double where the loader looks first.
fn inside(double: &TempDir, test: &str, vars: &[(&str, &str)]) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", test, "--test-threads=1"])
        .env("LD_LIBRARY_PATH", double.path())
        .env(INSIDE, "1")
        .envs(vars.iter().copied())
        .output()
        .unwrap()
}

fn assert_passes(test: &str, vars: &[(&str, &str)]) {
    let run = inside(&double(), test, vars);
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn products_and_copies_are_right() {
    assert_passes("inside_products_and_copies", &[]);
}

#[test]
fn what_is_wrong_is_found() {
    assert_passes("inside_a_wrong_product", &[("DOUBLE_SPOIL", "1")]);
}

/// A device that says of every launch that it is done, and from some launch on does nothing.
#[test]
fn launches_that_do_nothing_are_found_whenever_they_begin() {
    let double = double();
    for (test, variable, works) in [
        ("inside_a_product_that_stops", "DOUBLE_PRODUCTS", ["0", "1", "2", "5", "6"]),
        ("inside_a_copy_that_stops", "DOUBLE_COPIES", ["0", "1", "2", "3", "4"]),
    ] {
        for works in works {
            let run = inside(&double, test, &[(variable, works)]);
            let said = String::from_utf8_lossy(&run.stdout);
            assert!(run.status.success() && said.contains("1 passed"), "{test} {works}: {said}");
        }
        let run = inside(&double, test, &[(variable, "7")]);
        assert!(!run.status.success(), "as many launches as there are do all of the work");
    }
}

#[test]
fn fp32_in_ten_bits_is_no_fp32() {
    assert_passes("inside_fp32_in_ten_bits", &[("DOUBLE_TF32", "1")]);
    assert_passes("inside_an_override", &[("NVIDIA_TF32_OVERRIDE", "1")]);
}

#[test]
fn a_failure_has_the_drivers_words() {
    assert_passes("inside_no_gpu", &[("DOUBLE_INIT", "100")]);
}

#[test]
fn what_does_not_fit_is_refused() {
    assert_passes("inside_too_large", &[]);
}

/// Without a driver, which a machine that runs this may have, there is one sentence.
#[test]
fn a_machine_without_a_gpu_says_so() {
    if let Err(error) = Gpu::open(CudaName(0)) {
        let said = error.to_string();
        assert!(said.contains("GPU") && said.lines().count() == 1, "{said}");
    }
}

fn gpu() -> Option<Gpu> {
    std::env::var_os(INSIDE)?;
    Some(Gpu::open(CudaName(0)).unwrap())
}

#[test]
#[ignore = "products_and_copies_are_right starts it with the double"]
fn inside_products_and_copies() {
    let Some(gpu) = gpu() else { return };
    assert_eq!((gpu.name(), gpu.last_level_cache().unwrap()), ("test double, no GPU", 1 << 16));
    assert_eq!(gpu.capability().unwrap(), "9.0");
    assert_eq!(gpu.driver_version().unwrap(), "13.0");
    assert_eq!(gpu.cublas_version().unwrap(), "13.0.2");
    for arithmetic in Arithmetic::ALL {
        for (m, n, k) in [(8, 5, 12), (64, 1, 64), (4, 33, 4)] {
            let mut steps = Vec::new();
            let product = Product { m, n, k, arithmetic };
            let timed = product
                .run(&gpu, REPEAT, &|| false, &mut |text| steps.push(text.to_owned()))
                .unwrap();
            assert!(timed.check.passed, "{product:?}: {:?}", timed.check);
            assert_eq!((timed.seconds.len(), steps.len()), (3, 4));
            assert!(
                timed.launches > 1 && timed.sets > 1,
                "small products are many, and take turns"
            );
        }
    }
    let copies = Copies { bytes: 1_000_001 }.run(&gpu, REPEAT, &mut |_| ()).unwrap();
    assert!(copies.check.passed);
    assert_eq!(copies.seconds.len(), 3);
    // A second one opens the same device anew.
    drop(gpu);
    drop(Gpu::open(CudaName(0)).unwrap());
}

#[test]
#[ignore = "what_is_wrong_is_found starts it with a double that is wrong"]
fn inside_a_wrong_product() {
    let Some(gpu) = gpu() else { return };
    for arithmetic in Arithmetic::ALL {
        let product = Product { m: 16, n: 16, k: 16, arithmetic };
        let timed = product.run(&gpu, REPEAT, &|| false, &mut |_| ()).unwrap();
        assert!(!timed.check.passed, "{arithmetic:?}");
    }
}

#[test]
#[ignore = "launches_that_do_nothing_are_found_whenever_they_begin starts it with a double that stops"]
fn inside_a_product_that_stops() {
    let Some(gpu) = gpu() else { return };
    // Large enough that a repetition is one launch: two before the first, four, and one after them.
    let product = Product { m: 512, n: 256, k: 16, arithmetic: Arithmetic::Fp16 };
    let timed = product.run(&gpu, REPEAT, &|| false, &mut |_| ()).unwrap();
    assert!(!timed.check.passed, "{:?}", timed.check);
}

#[test]
#[ignore = "launches_that_do_nothing_are_found_whenever_they_begin starts it with a double that stops"]
fn inside_a_copy_that_stops() {
    let Some(gpu) = gpu() else { return };
    // One before the first repetition, and four; fewer than as many as the double takes to a millisecond.
    let timed = Copies { bytes: 32 << 20 }.run(&gpu, REPEAT, &mut |_| ()).unwrap();
    assert!(!timed.check.passed, "{:?}", timed.check);
}

#[test]
#[ignore = "fp32_in_ten_bits_is_no_fp32 starts it with a double that reads ten bits"]
fn inside_fp32_in_ten_bits() {
    let Some(gpu) = gpu() else { return };
    let of = |arithmetic| {
        Product { m: 8, n: 8, k: 8, arithmetic }.run(&gpu, REPEAT, &|| false, &mut |_| ())
    };
    let said = of(Arithmetic::Fp32).unwrap_err().to_string();
    assert!(said.contains("in fewer bits than it has"), "{said}");
    assert!(of(Arithmetic::Tf32).unwrap().check.passed);
}

#[test]
#[ignore = "fp32_in_ten_bits_is_no_fp32 starts it with the variable set"]
fn inside_an_override() {
    let Some(gpu) = gpu() else { return };
    let of = |arithmetic| {
        Product { m: 8, n: 8, k: 8, arithmetic }.run(&gpu, REPEAT, &|| false, &mut |_| ())
    };
    let said = of(Arithmetic::Fp32).unwrap_err().to_string();
    assert!(said.contains("NVIDIA_TF32_OVERRIDE is 1") && said.ends_with("again"), "{said}");
    assert!(of(Arithmetic::Tf32).unwrap().check.passed);
    assert!(of(Arithmetic::Bf16).unwrap().check.passed);
}

#[test]
#[ignore = "a_failure_has_the_drivers_words starts it with a double that has no device"]
fn inside_no_gpu() {
    let Err(error) = Gpu::open(CudaName(0)) else { return };
    let said = "the GPU's driver could not start: no CUDA-capable device is detected";
    assert_eq!(error.to_string(), said);
}

#[test]
#[ignore = "what_does_not_fit_is_refused starts it with the double"]
fn inside_too_large() {
    let Some(gpu) = gpu() else { return };
    let product = |m, k, arithmetic| {
        Product { m, n: 4, k, arithmetic }.run(&gpu, REPEAT, &|| false, &mut |_| ())
    };
    let large = product(1 << 20, 1 << 20, Arithmetic::Fp16).unwrap_err();
    let room = BenchError::Cuda(CudaError::Room { what: String::new(), bytes: 0, free: 0 });
    assert_eq!(std::mem::discriminant(&large), std::mem::discriminant(&room), "{large}");
    assert!(large.to_string().contains("of which 67108864 are free"), "{large}");
    for (m, k) in [(0, 4), (4, 0), (1 << 40, 4)] {
        let wrong = product(m, k, Arithmetic::Fp32).unwrap_err();
        assert!(wrong.to_string().contains("extents of 1 to"), "{wrong}");
    }
    let wrong = product(4, 6, Arithmetic::Int8).unwrap_err();
    assert!(wrong.to_string().contains("in multiples of 4"), "{wrong}");
    let copies = Copies { bytes: 1 << 40 }.run(&gpu, REPEAT, &mut |_| ()).unwrap_err();
    assert!(matches!(copies, CudaError::Room { .. }), "{copies}");
    let none = Gpu::open(CudaName(7)).unwrap_err();
    assert!(none.to_string().starts_with("there is no GPU 7: the driver shows 1"), "{none}");
}
