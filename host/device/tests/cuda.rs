//! The GPU's side against a double of NVIDIA's libraries: which calls are made, with what, and what a failure says. What
//! runs here is no GPU, and no time of it means anything.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;
use std::process::{Command, Output};

use derate_device::BenchError;
use derate_device::CudaError;
use derate_device::cuda::{Arithmetic, Attention, Copies, CudaName, Gpu, GpuTiming, Mlp, Product};
use derate_device::measure::Repeat;
use derate_device::operators::OperatorDevice;
use derate_model::Precision;
use derate_model::operator::{Attention as Extents, Mlp as Layers, OperatorKind, Shape};
use tempfile::TempDir;

const REPEAT: Repeat = Repeat { repetitions: 3, warm_up: 1 };
/// Set where the double is in the loader's path.
const INSIDE: &str = "DERATE_TEST_CUDA";

/// A folder with the double under the names of the driver, of cuBLAS and of NVRTC: one library, loaded once.
fn double() -> TempDir {
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
    for name in ["libcublas.so.13", "libnvrtc.so.13"] {
        std::os::unix::fs::symlink("libcuda.so.1", folder.path().join(name)).unwrap();
    }
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

/// derate's own kernels, compiled by this machine's compiler, between the double's products.
#[test]
fn attention_and_layers_are_right() {
    assert_passes("inside_attention", &[]);
    assert_passes("inside_layers", &[]);
    // By a compiler that is older than the GPU.
    assert_passes("inside_layers", &[("DOUBLE_KNOWS", "86")]);
}

/// A kernel with a fault in it, each of which would be seen on a GPU as it is here.
#[test]
fn kernels_that_are_wrong_are_found() {
    let double = double();
    for patch in [
        // A query that sees the key behind its own, or not its own.
        "queries + query + 1=>queries + query + 2",
        "queries + query + 1=>queries + query",
        // Queries that are the first of the tokens, not the last.
        "keys - queries + query + 1=>query + 1",
        // Hidden keys that keep their scores, and scores that are never scaled.
        "key < keys; key=>key < seen; key",
        "- most) * scale) * share=>- most)) * share",
        // A sum of one warp alone, and one that misses a step.
        "warp < blockDim.x / 32=>warp < 1",
        "lane = 16=>lane = 8",
        // Rows of another length than they have.
        "scores + row * keys=>scores + row * (keys - 1)",
        // Numbers that are cut where they are stored.
        "bits + 0x7fff + (bits >> 16 & 1)=>bits",
    ] {
        let run = inside(&double, "inside_wrong_shares", &[("DOUBLE_PATCH", patch)]);
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && said.contains("1 passed"), "{patch}: {said}");
    }
    for patch in [
        "0.044715f=>0.44715f",
        "-2.0f * u=>-1.0f * u",
        "* scale;=>;",
        "at < elements=>at + 1 < elements",
    ] {
        let run = inside(&double, "inside_wrong_layers", &[("DOUBLE_PATCH", patch)]);
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && said.contains("1 passed"), "{patch}: {said}");
    }
}

/// Each kernel and each product of an operator, from the first launch on or later.
#[test]
fn kernels_that_stop_are_found_whenever_they_begin() {
    let double = double();
    for (test, variable, works) in [
        ("inside_wrong_shares", "DOUBLE_KERNELS", ["0", "9"]),
        ("inside_wrong_shares", "DOUBLE_BATCHES", ["0", "11"]),
        ("inside_wrong_layers", "DOUBLE_KERNELS", ["0", "9"]),
        ("inside_wrong_layers", "DOUBLE_PRODUCTS", ["0", "9"]),
    ] {
        for works in works {
            let run = inside(&double, test, &[(variable, works)]);
            let said = String::from_utf8_lossy(&run.stdout);
            assert!(run.status.success() && said.contains("1 passed"), "{test} {works}: {said}");
        }
    }
}

#[test]
fn what_no_gpu_runs_is_refused() {
    assert_passes("inside_refused_operators", &[]);
}

#[test]
fn kernels_that_do_not_compile_are_told_with_the_compilers_words() {
    let patch = "const unsigned query =>const unsigned qvery ";
    assert_passes("inside_no_kernels", &[("DOUBLE_PATCH", patch)]);
    assert_passes("inside_a_gpu_too_old", &[("DOUBLE_KNOWS", "120")]);
    let double = double();
    std::fs::remove_file(double.path().join("libnvrtc.so.13")).unwrap();
    // What the loader takes none of, so that it finds none that this machine has; nor is there one in the toolkit's folder.
    for name in ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"] {
        std::fs::write(double.path().join(name), "no library").unwrap();
    }
    let home = double.path().to_str().unwrap();
    let run = inside(&double, "inside_no_nvrtc", &[("CUDA_HOME", home)]);
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}

/// A driver of CUDA 12 loads nothing that a compiler of CUDA 13 made; one of CUDA 14 does.
#[test]
fn a_compiler_that_is_newer_than_the_driver_is_refused() {
    assert_passes("inside_an_older_driver", &[("DOUBLE_DRIVER", "12040")]);
    assert_passes("inside_layers", &[("DOUBLE_DRIVER", "14000")]);
}

/// A product that ends on the GPU by a wrong address is refused for good; what is asked after it is not to blame.
#[test]
fn a_gpu_that_is_lost_is_told_from_what_it_does_not_run() {
    assert_passes("inside_a_lost_gpu", &[("DOUBLE_FAULT", "3")]);
    assert_passes("inside_what_is_not_supported", &[("DOUBLE_IS_OLD", "1")]);
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

const FLOATS: [Arithmetic; 4] =
    [Arithmetic::Fp32, Arithmetic::Tf32, Arithmetic::Fp16, Arithmetic::Bf16];

fn extents(text: &str, causal: bool) -> Extents {
    match Shape::parse(OperatorKind::Attention, text).unwrap() {
        Shape::Attention(own) => Extents { causal, ..own },
        other => panic!("{other:?}"),
    }
}

fn attention(gpu: &Gpu, extents: Extents, arithmetic: Arithmetic) -> GpuTiming {
    Attention { extents, arithmetic }.run(gpu, REPEAT, &|| false, &mut |_| ()).unwrap()
}

fn layers(gpu: &Gpu, [batch, width, layers]: [u64; 3], arithmetic: Arithmetic) -> GpuTiming {
    let extents = Layers { batch, width, layers, backward: false, apart: true };
    Mlp { extents, arithmetic }.run(gpu, REPEAT, &|| false, &mut |_| ()).unwrap()
}

/// Heads that share keys, fewer queries than keys, masks, rows of less and of more than a warp.
#[test]
#[ignore = "attention_and_layers_are_right starts it with the double"]
fn inside_attention() {
    let Some(gpu) = gpu() else { return };
    for (text, causal) in [
        ("2x6x2x16x20x33", true),
        ("1x4x4x8x17x17", true),
        ("2x6x3x16x9x40", false),
        ("1x8x2x32x1x70", false),
        ("1x1x1x4x12x300", true),
    ] {
        for arithmetic in FLOATS {
            let timed = attention(&gpu, extents(text, causal), arithmetic);
            assert!(timed.check.passed, "{text} {arithmetic:?}: {:?}", timed.check);
            let (worst, bound) = (timed.check.worst_error.unwrap(), timed.check.bound.unwrap());
            assert!(worst <= bound && bound < 0.02, "{text} {arithmetic:?}: {worst:e} {bound:e}");
            assert_eq!(timed.seconds.len(), 3);
        }
    }
}

#[test]
#[ignore = "attention_and_layers_are_right starts it with the double"]
fn inside_layers() {
    let Some(gpu) = gpu() else { return };
    for shape in [[5, 24, 3], [1, 64, 2], [33, 16, 1], [4, 32, 64]] {
        for arithmetic in FLOATS {
            let timed = layers(&gpu, shape, arithmetic);
            assert!(timed.check.passed, "{shape:?} {arithmetic:?}: {:?}", timed.check);
            assert!(timed.check.bound.unwrap() < 0.05, "{:?}", timed.check);
        }
    }
}

/// Found in what elements are stored in 16 bits, where as much rounding is allowed as anywhere.
#[test]
#[ignore = "kernels_that_are_wrong_are_found starts it with a kernel that is"]
fn inside_wrong_shares() {
    let Some(gpu) = gpu() else { return };
    // More keys than a warp has threads, and 21 before the first query.
    let timed = attention(&gpu, extents("2x6x2x16x20x40", true), Arithmetic::Bf16);
    assert!(!timed.check.passed, "{:?}", timed.check);
}

#[test]
#[ignore = "kernels_that_are_wrong_are_found starts it with a kernel that is"]
fn inside_wrong_layers() {
    let Some(gpu) = gpu() else { return };
    let timed = layers(&gpu, [5, 24, 3], Arithmetic::Bf16);
    assert!(!timed.check.passed, "{:?}", timed.check);
}

#[test]
#[ignore = "what_no_gpu_runs_is_refused starts it with the double"]
fn inside_refused_operators() {
    let Some(gpu) = gpu() else { return };
    let device = OperatorDevice::Gpu(Box::new(gpu));
    let fused = extents("1x8x8x16x4x4", false);
    let mlp = Layers { batch: 4, width: 8, layers: 2, backward: false, apart: false };
    for (shape, precision, wanted) in [
        (Shape::Attention(fused), Precision::INT8, "pass through exponentials"),
        (Shape::Mlp(mlp), Precision::INT8, "pass through exponentials"),
        (
            Shape::Attention(Extents { window: Some(2), causal: true, ..fused }),
            Precision::FP16,
            "no window",
        ),
        (Shape::Attention(Extents { kv_heads: 3, ..fused }), Precision::FP16, "do not divide"),
        (
            Shape::Attention(Extents { queries: 5, causal: true, ..fused }),
            Precision::FP16,
            "cannot be causal",
        ),
        (Shape::Attention(Extents { keys: 1 << 40, ..fused }), Precision::FP16, "extents of 1 to"),
        (
            Shape::Attention(Extents { queries: 1 << 30, heads: 64, ..fused }),
            Precision::FP16,
            "share keys",
        ),
        (Shape::Mlp(Layers { backward: true, ..mlp }), Precision::FP16, "forward only"),
        (Shape::Mlp(Layers { width: 0, ..mlp }), Precision::FP16, "extents of 1 to"),
    ] {
        let said = device.check_support(&shape, precision).unwrap_err().to_string();
        assert!(said.contains(wanted), "{said}");
        let run = device.run(&shape, precision, REPEAT, &|| false, &mut |_| ()).unwrap_err();
        assert_eq!(run.to_string(), said);
    }
    let large = Shape::Attention(Extents { queries: 8192, keys: 8192, ..fused });
    let said = device.run(&large, Precision::FP16, REPEAT, &|| false, &mut |_| ()).unwrap_err();
    assert!(said.to_string().contains("of which 67108864 are free"), "{said}");
}

#[test]
#[ignore = "kernels_that_do_not_compile_are_told_with_the_compilers_words starts it"]
fn inside_no_kernels() {
    let Some(gpu) = gpu() else { return };
    let own = Attention { extents: extents("1x1x1x8x4x4", false), arithmetic: Arithmetic::Fp16 };
    let error = own.run(&gpu, REPEAT, &|| false, &mut |_| ()).unwrap_err();
    let said = error.to_string();
    assert!(said.starts_with("the GPU's NVRTC could not compile derate's kernels: "), "{said}");
    assert!(said.contains("query") && said.lines().count() == 1, "{said}");
    assert!(!error.is_passing());
    // Products need none.
    let product = Product { m: 8, n: 8, k: 8, arithmetic: Arithmetic::Fp16 };
    assert!(product.run(&gpu, REPEAT, &|| false, &mut |_| ()).unwrap().check.passed);
}

#[test]
#[ignore = "kernels_that_do_not_compile_are_told_with_the_compilers_words starts it"]
fn inside_a_gpu_too_old() {
    let Some(gpu) = gpu() else { return };
    let own = Attention { extents: extents("1x1x1x8x4x4", false), arithmetic: Arithmetic::Fp16 };
    let said = own.run(&gpu, REPEAT, &|| false, &mut |_| ()).unwrap_err().to_string();
    assert!(
        said.contains("NVRTC 13.0 compiles for no GPU as old as compute capability 9.0"),
        "{said}"
    );
}

#[test]
#[ignore = "kernels_that_do_not_compile_are_told_with_the_compilers_words starts it"]
fn inside_no_nvrtc() {
    let Some(gpu) = gpu() else { return };
    let extents = Layers { batch: 4, width: 8, layers: 2, backward: false, apart: true };
    let own = Mlp { extents, arithmetic: Arithmetic::Fp16 };
    let error = own.run(&gpu, REPEAT, &|| false, &mut |_| ()).unwrap_err();
    let said = error.to_string();
    assert!(
        said.starts_with("NVRTC cannot be loaded") && said.contains("gemv and gemm do not"),
        "{said}"
    );
    assert!(said.lines().count() == 1 && !error.is_passing(), "{said}");
    let product = Product { m: 8, n: 8, k: 8, arithmetic: Arithmetic::Fp16 };
    assert!(product.run(&gpu, REPEAT, &|| false, &mut |_| ()).unwrap().check.passed);
}

#[test]
#[ignore = "a_compiler_that_is_newer_than_the_driver_is_refused starts it"]
fn inside_an_older_driver() {
    let Some(gpu) = gpu() else { return };
    let own = Attention { extents: extents("1x1x1x8x4x4", false), arithmetic: Arithmetic::Fp16 };
    let error = own.run(&gpu, REPEAT, &|| false, &mut |_| ()).unwrap_err();
    let said = error.to_string();
    assert!(
        said.starts_with("what NVRTC 13.0 compiles is not loaded by this machine's driver, which is of CUDA 12.4: install the CUDA toolkit 12"),
        "{said}"
    );
    assert!(said.lines().count() == 1 && !error.is_passing(), "{said}");
    let product = Product { m: 8, n: 8, k: 8, arithmetic: Arithmetic::Fp16 };
    assert!(product.run(&gpu, REPEAT, &|| false, &mut |_| ()).unwrap().check.passed);
}

#[test]
#[ignore = "a_gpu_that_is_lost_is_told_from_what_it_does_not_run starts it"]
fn inside_a_lost_gpu() {
    let Some(gpu) = gpu() else { return };
    let device = OperatorDevice::Gpu(Box::new(gpu));
    let run = |side: u64| {
        let shape = Shape::Gemm { m: side, n: side, k: side };
        device.run(&shape, Precision::FP16, REPEAT, &|| false, &mut |_| ()).unwrap_err()
    };
    let first = run(8);
    assert!(first.to_string().contains("cuBLAS could not multiply: the work failed"), "{first}");
    assert!(!first.is_passing());
    let next = run(16);
    assert!(next.to_string().contains("answers nothing since an earlier failure"), "{next}");
    assert!(next.to_string().contains("could not multiply") && next.is_passing(), "{next}");
}

#[test]
#[ignore = "a_gpu_that_is_lost_is_told_from_what_it_does_not_run starts it"]
fn inside_what_is_not_supported() {
    let Some(gpu) = gpu() else { return };
    let device = OperatorDevice::Gpu(Box::new(gpu));
    let shape = Shape::Gemm { m: 8, n: 8, k: 8 };
    let run = |precision| device.run(&shape, precision, REPEAT, &|| false, &mut |_| ());
    let error = run(Precision::BF16).unwrap_err();
    assert!(error.to_string().contains("not supported") && !error.is_passing(), "{error}");
    assert!(run(Precision::FP16).unwrap().check.unwrap().passed);
}
