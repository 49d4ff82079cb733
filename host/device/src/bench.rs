//! Runs of `memcpy`, `read`, `write` and operators: each repetition is checked, and the result is a measurement.

mod assembly;
mod bursts;
mod contract;
mod cycles;
mod emulated;
mod gathered;
mod matrix;
mod notes;
mod on_xrt;
mod product;
mod reach;
mod recorded;
mod slow_loops;
mod stream;
mod tile;

use derate_model::Platform;
use derate_model::measurement::{MeasuredDevice as DeviceEntry, Measurement, Versions};
use derate_model::units::Hertz;

pub use contract::Contract;
pub use emulated::{Emulated, emulated_product, emulated_streams};
pub use notes::rounding_notes;
pub use on_xrt::{xrt_product, xrt_streams};
pub use product::{Products, bench_products};
pub use reach::banks_named;
pub use recorded::Recorded;
pub use stream::{Streams, bench_streams};
pub use tile::{Tile, expected_traffic};

use derate_emulate::emulator::{Modelled, TrafficDifference};

/// Where a bench runs.
#[derive(Debug)]
pub struct Subject<'a, D> {
    /// The device.
    pub device: &'a D,
    /// What the measurement says of it.
    pub entry: DeviceEntry,
    /// The card that it is, or that it emulates.
    pub platform: &'a Platform,
    /// The clock of its kernels; `None` where it is unknown.
    pub clock: Option<Hertz>,
    /// Whether the kernels are those of derate on a device that models time, so that their cycles are modelled.
    pub own_kernels: bool,
    /// What else of the setup is known, and where from.
    pub recorded: Recorded,
    /// What is known of versions, beside derate's own.
    pub versions: Versions,
}

/// What a bench found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The measurement.
    pub measurement: Measurement,
    /// Runs that moved other bytes than the model says; units that do so alike are one finding.
    pub findings: Vec<TrafficDifference>,
    /// The modelled time of one repetition at each size, where time is modelled.
    pub modelled: Vec<Modelled>,
    /// What the figures leave out: a sentence each.
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests;
