//! The GPU's side against a double of NVIDIA's libraries: which calls are made, with what, and what a failure says. What
//! runs here is not a GPU, and no time of it means anything.
//!
//! Each test is a process of its own, started with the double where the loader looks first.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod double;
mod failures;
mod operators;
mod packed;
mod products;

use std::process::ExitCode;
use std::sync::{Arc, LazyLock};

use derate_device::cuda::{CudaName, Gpu};
use derate_device::measure::Repeat;
use double::{INSIDE, build_double, run_inside};
use libtest_mimic::{Arguments, Trial};

const REPEAT: Repeat = Repeat { repetitions: 3, warm_up: 1 };

/// A test: its name, what runs with the double, and the values of a variable that the double or derate reads; each of them is
/// a process.
type Case = (&'static str, fn(), &'static str, &'static [&'static str]);

/// The variable of a double that is as it should be.
const RIGHT: &str = "DOUBLE_IS_RIGHT";
/// Those of kernels with a fault; the last part says which ones run, so that the double compiles only these.
const FAULT_IN_BF16: &str = "DOUBLE_PATCH_bf16";
const FAULT_IN_NVFP4: &str = "DOUBLE_PATCH_e2m1_eight";

const CASES: &[Case] = &[
    ("products_and_copies_are_right", products::products_and_copies, RIGHT, &["1"]),
    ("a_wrong_product_is_found", products::wrong_product, "DOUBLE_SPOIL", &["1"]),
    // A device that says of every launch that it is done, and from some launch on does nothing.
    ("products_that_stop_are_found", products::product_stops, "DOUBLE_PRODUCTS", STOPPED_PRODUCTS),
    ("all_products_are_needed", products::product_is_whole, "DOUBLE_PRODUCTS", &["7"]),
    (
        "copies_that_stop_are_found",
        products::copy_stops,
        "DOUBLE_COPIES",
        &["0", "1", "2", "3", "4"],
    ),
    ("all_copies_are_needed", products::copy_is_whole, "DOUBLE_COPIES", &["7"]),
    ("fp32_in_ten_bits_is_not_fp32", products::fp32_in_ten_bits, "DOUBLE_TF32", &["1"]),
    ("an_override_is_refused", products::overridden, "NVIDIA_TF32_OVERRIDE", &["1"]),
    // derate's own kernels, compiled by this machine's compiler, between the double's products.
    ("attention_is_right", operators::attention_is_right, RIGHT, &["1"]),
    ("layers_are_right", operators::layers_are_right, RIGHT, &["1"]),
    ("training_is_right", operators::training_is_right, RIGHT, &["1"]),
    (
        "wrong_training_is_found",
        operators::wrong_training,
        FAULT_IN_BF16,
        operators::TRAINING_FAULTS,
    ),
    ("training_kernels_that_stop", operators::wrong_training, "DOUBLE_KERNELS", &["0", "9"]),
    (
        "training_products_that_stop",
        operators::wrong_training,
        "DOUBLE_PRODUCTS",
        &["0", "9", "11"],
    ),
    ("packed_weights_are_right", packed::packed_is_right, RIGHT, &["1"]),
    ("wrong_packed_vectors_are_found", packed::wrong_packed, FAULT_IN_NVFP4, packed::FAULTS),
    ("wrong_packed_tiles_are_found", packed::wrong_tiles, FAULT_IN_NVFP4, packed::TILE_FAULTS),
    ("packed_kernels_that_stop", packed::wrong_packed, "DOUBLE_KERNELS", &["0", "9"]),
    ("products_in_fp8_are_right", packed::fp8_is_right, RIGHT, &["1"]),
    ("products_in_fp8_that_stop", packed::fp8_stops, "DOUBLE_PRODUCTS", &["0", "5"]),
    ("a_gpu_without_fp8_says_so", packed::no_fp8, "DOUBLE_CAPABILITY", &["86"]),
    ("a_library_without_fp8_says_so", packed::unsupported_fp8, "DOUBLE_NO_FP8", &["1"]),
    ("what_packed_kernels_do_not_run_is_refused", packed::refused, RIGHT, &["1"]),
    // By a compiler that is older than the GPU.
    ("an_older_compiler_makes_layers", operators::layers_are_right, "DOUBLE_KNOWS", &["86"]),
    ("a_newer_driver_runs_layers", operators::layers_are_right, "DOUBLE_DRIVER", &["14000"]),
    ("wrong_attention_is_found", operators::wrong_shares, FAULT_IN_BF16, operators::SHARE_FAULTS),
    ("wrong_layers_are_found", operators::wrong_layers, FAULT_IN_BF16, operators::LAYER_FAULTS),
    // Each kernel and each product of an operator, from the first launch on or later.
    ("attention_kernels_that_stop", operators::wrong_shares, "DOUBLE_KERNELS", &["0", "9"]),
    ("attention_products_that_stop", operators::wrong_shares, "DOUBLE_BATCHES", &["0", "11"]),
    ("layer_kernels_that_stop", operators::wrong_layers, "DOUBLE_KERNELS", &["0", "9"]),
    ("layer_products_that_stop", operators::wrong_layers, "DOUBLE_PRODUCTS", &["0", "9"]),
    ("what_a_gpu_does_not_run_is_refused", operators::refused_operators, RIGHT, &["1"]),
    ("a_missing_gpu_has_the_drivers_words", failures::no_gpu, "DOUBLE_INIT", &["100"]),
    ("what_does_not_fit_is_refused", failures::too_large, RIGHT, &["1"]),
    (
        "a_kernel_that_does_not_compile",
        failures::no_kernels,
        "DOUBLE_PATCH",
        failures::SYNTAX_ERROR,
    ),
    ("a_gpu_that_is_too_old", failures::gpu_too_old, "DOUBLE_KNOWS", &["120"]),
    // A driver of CUDA 12 loads nothing that a compiler of CUDA 13 made.
    ("a_compiler_newer_than_the_driver", failures::older_driver, "DOUBLE_DRIVER", &["12040"]),
    // A product that ends on the GPU by a wrong address is refused for good; what is asked after it is not to blame.
    ("a_lost_gpu_is_told", failures::lost_gpu, "DOUBLE_FAULT", &["3"]),
    ("an_arithmetic_is_not_supported", failures::not_supported, "DOUBLE_IS_OLD", &["1"]),
    (NO_COMPILER, failures::no_nvrtc, "CUDA_HOME", &[]),
];

const STOPPED_PRODUCTS: &[&str] = &["0", "1", "2", "5", "6"];
/// Its double lacks the compiler.
const NO_COMPILER: &str = "a_missing_compiler_is_told";

fn main() -> ExitCode {
    if let Ok(name) = std::env::var(INSIDE) {
        let (_, inside, ..) = CASES.iter().find(|(known, ..)| *known == name).unwrap();
        inside();
        return ExitCode::SUCCESS;
    }
    let double = Arc::new(LazyLock::new(build_double));
    let trial = |name, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let mut trials = vec![
        trial("a_machine_without_a_gpu_says_so", failures::a_machine_without_a_gpu_says_so),
        trial(NO_COMPILER, || failures::run_without_compiler(NO_COMPILER)),
    ];
    trials.extend(CASES.iter().filter(|(name, ..)| *name != NO_COMPILER).map(
        |&(name, _, variable, values)| {
            let double = Arc::clone(&double);
            Trial::test(name, move || {
                for value in values {
                    run_inside(&double, name, variable, value);
                }
                Ok(())
            })
        },
    ));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// The double.
fn gpu() -> Gpu {
    Gpu::open(CudaName(0)).unwrap()
}
