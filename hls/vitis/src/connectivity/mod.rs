//! v++ configurations: which kernels there are, and what each port is wired to.

mod bank;
mod config;
mod error;
mod read;

#[cfg(test)]
mod tests;

pub use bank::BankRange;
pub use config::{
    Connectivity, Entry, EntryValue, FrequencyOption, Kernels, MemoryPin, SlrPin, StreamLink,
};
pub use error::ConnectivityError;
pub use read::read_connectivity;
