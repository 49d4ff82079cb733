//! What a v++ configuration says of the banks of a design's memory.

mod group;
mod linked_kernels;
mod unjudged;

pub use group::{BankGroup, find_bank_groups};
pub use linked_kernels::{BankTraffic, LinkedKernels};
pub use unjudged::are_benches;
