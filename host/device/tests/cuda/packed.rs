//! Products and layers with packed weights, and products in FP8.

use derate_device::operators::OperatorDevice;
use derate_model::Encoding;
use derate_model::operator::{Mlp as Layers, Shape};

use super::{REPEAT, gpu};

/// Kernels with a fault in what they make of codes and scales, each of which would be seen on a GPU as it is here.
pub(super) const FAULTS: &[&str] = &[
    "(bits & 7) << 9) * 16384.0f=>(bits & 7) << 9) * 8192.0f",
    // The first of two codes in the high half of a byte.
    "codes >> word<CODE>::bits * place=>codes >> word<CODE>::bits * (place ^ 1)",
    "(bits & 8) << 12=>(bits & 8) << 11",
    // A scale that is the neighbour's, and one that nothing reads.
    "first * scales + block=>first * scales + (block ^ 1)",
    "EIGHT: return of_e4m3(scales[at])=>EIGHT: return 1.0f",
    "one * of.tensor;=>one;",
    // A row that is its neighbour's.
    "const count first = 2 * (count)pair, second = first + 1 < of.rows=>const count first = 2 * (count)pair, second = first + 1 > of.rows",
];

/// The same of the tiles.
pub(super) const TILE_FAULTS: &[&str] = &[
    "sums[i][j] * of.tensor=>sums[i][j]",
    "(column >> of.shift)) : 0.0f=>0) : 0.0f",
    "[column - depth + place]=>[column - depth + (place ^ 1)]",
    "const unsigned own = vector + at / 32;=>const unsigned own = vector + at / 64;",
    "step < 32; ++step=>step < 31; ++step",
    "(count)to * of.rows + own=>(count)to * of.rows + of.rows - 1 - own",
];

/// All that have packed weights: the names that a command takes.
const PACKED: [&str; 11] = [
    "int4-g128",
    "nvfp4",
    "mxfp4",
    "mxfp8",
    "mxfp8-e5m2",
    "nf4",
    "int8-row",
    "int4",
    "int4-g32",
    "int4-g64",
    "int4-g256",
];

fn parse(name: &str) -> Encoding {
    Encoding::parse(name).unwrap()
}

fn device() -> OperatorDevice {
    OperatorDevice::Gpu(Box::new(gpu()))
}

fn run(device: &OperatorDevice, shape: &Shape, name: &str) -> derate_model::measurement::Run {
    device.run(shape, parse(name), REPEAT, &|| false, &mut |_| ()).unwrap()
}

/// One row and odd rows, one tile and parts of several, layers.
fn shapes() -> [Shape; 5] {
    let mlp = Layers { batch: 3, width: 256, layers: 2, backward: false, apart: true };
    [
        Shape::Gemv { n: 37, k: 256 },
        Shape::Gemv { n: 1, k: 1280 },
        Shape::Gemm { m: 3, n: 70, k: 256 },
        Shape::Gemm { m: 65, n: 9, k: 512 },
        Shape::Mlp(mlp),
    ]
}

pub(super) fn packed_is_right() {
    let device = device();
    for name in PACKED {
        for shape in shapes() {
            let run = run(&device, &shape, name);
            let check = run.check.unwrap();
            assert!(check.passed, "{name} {}: {check:?}", shape.title());
            assert!(check.bound.unwrap() < 0.01, "{name}: {check:?}");
            let said = run.computed.unwrap();
            assert_eq!(said.arithmetic, "fp32");
            assert!(said.engine.contains("compiled by NVRTC 13.0"), "{}", said.engine);
        }
    }
    // The bytes are those of the packed format, and of FP32 beside it: half a byte a weight, and two a group of 128.
    let own = run(&device, &Shape::Gemv { n: 64, k: 256 }, "int4-g128");
    let weights = 64.0 * 256.0 * (0.5 + 2.0 / 128.0);
    assert!((own.bytes_read.unwrap().0 - weights - 4.0 * 256.0).abs() < 1e-6);
}

pub(super) fn wrong_packed() {
    let device = device();
    let check = run(&device, &Shape::Gemv { n: 36, k: 256 }, "nvfp4").check.unwrap();
    assert!(!check.passed, "{check:?}");
}

pub(super) fn wrong_tiles() {
    let device = device();
    let check = run(&device, &Shape::Gemm { m: 5, n: 36, k: 256 }, "nvfp4").check.unwrap();
    assert!(!check.passed, "{check:?}");
}

pub(super) fn fp8_is_right() {
    let device = device();
    for name in ["fp8", "fp8_e5m2"] {
        for shape in [Shape::Gemv { n: 64, k: 48 }, Shape::Gemm { m: 32, n: 5, k: 64 }] {
            let run = run(&device, &shape, name);
            assert!(run.check.unwrap().passed, "{name} {}", shape.title());
            let said = run.computed.unwrap();
            assert!(said.engine.starts_with("cuBLASLt 13.0.2, "), "{}", said.engine);
        }
        // Layers round to FP8 nowhere: their weights alone are FP8.
        let mlp = Layers { batch: 3, width: 64, layers: 2, backward: false, apart: true };
        let run = run(&device, &Shape::Mlp(mlp), name);
        assert!(run.check.unwrap().passed && run.computed.unwrap().arithmetic == "fp32");
    }
}

pub(super) fn fp8_stops() {
    let check = run(&device(), &Shape::Gemm { m: 512, n: 256, k: 16 }, "fp8").check.unwrap();
    assert!(!check.passed, "{check:?}");
}

/// Of a GPU before 8.9.
pub(super) fn no_fp8() {
    let device = device();
    let shape = Shape::Gemm { m: 32, n: 32, k: 32 };
    let refused =
        |name| device.run(&shape, parse(name), REPEAT, &|| false, &mut |_| ()).unwrap_err();
    let said = refused("fp8").to_string();
    assert!(said.contains("of compute capability 8.9 or later, this GPU has 8.6"), "{said}");
    assert_eq!(said.lines().count(), 1);
    assert_eq!(device.check_support(&shape, parse("fp8")).unwrap_err().to_string(), said);
    assert!(run(&device, &shape, "mxfp8").check.unwrap().passed);
    // The weights of layers are expanded, on any GPU.
    let mlp = Layers { batch: 3, width: 64, layers: 2, backward: false, apart: true };
    assert!(run(&device, &Shape::Mlp(mlp), "fp8").check.unwrap().passed);
}

/// Where the library has no way for it.
pub(super) fn unsupported_fp8() {
    let shape = Shape::Gemm { m: 32, n: 32, k: 32 };
    let device = device();
    let error = device.run(&shape, parse("fp8"), REPEAT, &|| false, &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("not supported") && !error.is_passing(), "{error}");
}

pub(super) fn refused() {
    let device = device();
    let mlp = Layers { batch: 4, width: 64, layers: 2, backward: true, apart: false };
    let gemm = |k| Shape::Gemm { m: 32, n: 32, k };
    for (shape, name, wanted) in [
        (Shape::Mlp(mlp), "nf4", "runs forward only"),
        (gemm(48), "nvfp4", "multiple of 32 columns"),
        (gemm(96), "int4-g128", "multiple of 128 columns"),
        (gemm(40), "fp8", "in multiples of 16"),
        (Shape::Gemv { n: 8, k: 64 }, "fp8", "in multiples of 16"),
        (gemm(0), "mxfp4", "extents of 1 to"),
        (gemm(64), "fp64", "has no kernel on a GPU"),
    ] {
        let said = device.check_support(&shape, parse(name)).unwrap_err().to_string();
        assert!(said.contains(wanted) && said.lines().count() == 1, "{said}");
    }
}
