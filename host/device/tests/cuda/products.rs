//! Products of matrices, and copies.

use derate_device::BenchError;
use derate_device::cuda::{Arithmetic, Copies, CudaName, Gpu, GpuTiming, Product};

use super::{REPEAT, gpu};

fn multiply(
    gpu: &Gpu,
    [m, n, k]: [u64; 3],
    arithmetic: Arithmetic,
) -> Result<GpuTiming, BenchError> {
    Product { m, n, k, arithmetic }.run(gpu, REPEAT, &|| false, &mut |_| ())
}

pub(super) fn products_and_copies() {
    let gpu = gpu();
    assert_eq!((gpu.name(), gpu.last_level_cache().unwrap()), ("test double, no GPU", 1 << 16));
    assert_eq!(gpu.capability().unwrap(), "9.0");
    assert_eq!(gpu.driver_version().unwrap(), "13.0");
    assert_eq!(gpu.cublas_version().unwrap(), "13.0.2");
    for arithmetic in Arithmetic::ALL {
        for (m, n, k) in [(16, 5, 48), (64, 1, 64), (32, 33, 16)] {
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

pub(super) fn wrong_product() {
    let gpu = gpu();
    for arithmetic in Arithmetic::ALL {
        let timed = multiply(&gpu, [16; 3], arithmetic).unwrap();
        assert!(!timed.check.passed, "{arithmetic:?}");
    }
}

/// Large enough that a repetition is one launch: two before the first, four, and one after them.
const ONE_LAUNCH: [u64; 3] = [512, 256, 16];

pub(super) fn product_stops() {
    let timed = multiply(&gpu(), ONE_LAUNCH, Arithmetic::Fp16).unwrap();
    assert!(!timed.check.passed, "{:?}", timed.check);
}

pub(super) fn product_is_whole() {
    assert!(multiply(&gpu(), ONE_LAUNCH, Arithmetic::Fp16).unwrap().check.passed);
}

fn copy() -> GpuTiming {
    // One before the first repetition, and four; fewer than as many as the double takes to a millisecond.
    Copies { bytes: 32 << 20 }.run(&gpu(), REPEAT, &mut |_| ()).unwrap()
}

pub(super) fn copy_stops() {
    let timed = copy();
    assert!(!timed.check.passed, "{:?}", timed.check);
}

pub(super) fn copy_is_whole() {
    assert!(copy().check.passed);
}

pub(super) fn fp32_in_ten_bits() {
    let gpu = gpu();
    let said = multiply(&gpu, [8; 3], Arithmetic::Fp32).unwrap_err().to_string();
    assert!(said.contains("in fewer bits than it has"), "{said}");
    assert!(multiply(&gpu, [8; 3], Arithmetic::Tf32).unwrap().check.passed);
}

pub(super) fn overridden() {
    let gpu = gpu();
    let said = multiply(&gpu, [8; 3], Arithmetic::Fp32).unwrap_err().to_string();
    assert!(said.contains("NVIDIA_TF32_OVERRIDE is 1") && said.ends_with("again"), "{said}");
    for arithmetic in [Arithmetic::Tf32, Arithmetic::Bf16] {
        assert!(multiply(&gpu, [8; 3], arithmetic).unwrap().check.passed);
    }
}
