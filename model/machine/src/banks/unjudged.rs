//! Configurations that say nothing of a design's banks.

use derate_hls::Connectivity;

/// Whether all kernels of a configuration are test benches by their names.
pub fn are_benches(connectivity: &Connectivity) -> bool {
    let units = connectivity.memory.iter().map(|pin| pin.unit.value.as_str());
    let pinned = units.map(|unit| connectivity.kernel_of_unit(unit));
    let made = connectivity.kernels.iter().map(|one| one.kernel.value.as_str());
    pinned.chain(made).all(is_bench)
}

fn is_bench(kernel: &str) -> bool {
    let kernel = kernel.to_ascii_lowercase();
    kernel.ends_with("_tb") || kernel.starts_with("tb_") || kernel.starts_with("test_")
}
