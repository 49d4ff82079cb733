//! What is refused, and in whose words.

use derate_device::cuda::{Arithmetic, Attention, Copies, CudaName, Gpu, Mlp, Product};
use derate_device::operators::OperatorDevice;
use derate_device::{BenchError, CudaError};
use derate_model::Precision;
use derate_model::operator::{Mlp as Layers, Shape};

use super::double::{build_double, run_inside};
use super::operators::extents;
use super::{REPEAT, gpu};

/// A kernel with a name that it does not declare.
pub(super) const SYNTAX_ERROR: &[&str] = &["const unsigned query =>const unsigned qvery "];

/// Without a driver, which a machine that runs this may have, there is one sentence.
pub(super) fn a_machine_without_a_gpu_says_so() {
    if let Err(error) = Gpu::open(CudaName(0)) {
        let said = error.to_string();
        assert!(said.contains("GPU") && said.lines().count() == 1, "{said}");
    }
}

/// The loader finds no compiler that this machine has, nor is there one in the toolkit's folder.
pub(super) fn run_without_compiler(case: &str) {
    let double = build_double();
    std::fs::remove_file(double.path().join("libnvrtc.so.13")).unwrap();
    for name in ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"] {
        std::fs::write(double.path().join(name), "no library").unwrap();
    }
    run_inside(&double, case, "CUDA_HOME", double.path().to_str().unwrap());
}

pub(super) fn no_gpu() {
    let Err(error) = Gpu::open(CudaName(0)) else { panic!("it has no device") };
    let said = "the GPU's driver could not start: no CUDA-capable device is detected";
    assert_eq!(error.to_string(), said);
}

pub(super) fn too_large() {
    let gpu = gpu();
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

fn fail_attention(gpu: &Gpu) -> BenchError {
    let own = Attention { extents: extents("1x1x1x8x4x4", false), arithmetic: Arithmetic::Fp16 };
    own.run(gpu, REPEAT, &|| false, &mut |_| ()).unwrap_err()
}

/// Products need no kernels of derate's own.
fn multiplies(gpu: &Gpu) {
    let product = Product { m: 8, n: 8, k: 8, arithmetic: Arithmetic::Fp16 };
    assert!(product.run(gpu, REPEAT, &|| false, &mut |_| ()).unwrap().check.passed);
}

pub(super) fn no_kernels() {
    let gpu = gpu();
    let error = fail_attention(&gpu);
    let said = error.to_string();
    assert!(said.starts_with("the GPU's NVRTC could not compile derate's kernels: "), "{said}");
    assert!(said.contains("query") && said.lines().count() == 1, "{said}");
    assert!(!error.is_passing());
    multiplies(&gpu);
}

pub(super) fn gpu_too_old() {
    let gpu = gpu();
    let said = fail_attention(&gpu).to_string();
    assert!(
        said.contains("NVRTC 13.0 compiles for no GPU as old as compute capability 9.0"),
        "{said}"
    );
}

pub(super) fn no_nvrtc() {
    let gpu = gpu();
    let extents = Layers { batch: 4, width: 8, layers: 2, backward: false, apart: true };
    let own = Mlp { extents, arithmetic: Arithmetic::Fp16 };
    let error = own.run(&gpu, REPEAT, &|| false, &mut |_| ()).unwrap_err();
    let said = error.to_string();
    assert!(
        said.starts_with("NVRTC cannot be loaded") && said.contains("other products do not"),
        "{said}"
    );
    assert!(said.lines().count() == 1 && !error.is_passing(), "{said}");
    multiplies(&gpu);
}

pub(super) fn older_driver() {
    let gpu = gpu();
    let error = fail_attention(&gpu);
    let said = error.to_string();
    assert!(
        said.starts_with("what NVRTC 13.0 compiles is not loaded by this machine's driver, which is of CUDA 12.4: install the CUDA toolkit 12"),
        "{said}"
    );
    assert!(said.lines().count() == 1 && !error.is_passing(), "{said}");
    multiplies(&gpu);
}

pub(super) fn lost_gpu() {
    let gpu = gpu();
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

pub(super) fn not_supported() {
    let gpu = gpu();
    let device = OperatorDevice::Gpu(Box::new(gpu));
    let shape = Shape::Gemm { m: 8, n: 8, k: 8 };
    let run = |precision| device.run(&shape, precision, REPEAT, &|| false, &mut |_| ());
    let error = run(Precision::BF16).unwrap_err();
    assert!(error.to_string().contains("not supported") && !error.is_passing(), "{error}");
    assert!(run(Precision::FP16).unwrap().check.unwrap().passed);
}
