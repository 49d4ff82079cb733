//! Runs of `memcpy`, `read`, `write` and operators: each repetition is checked, and the result is a measurement.

mod assembly;
mod bursts;
mod contract;
mod cycles;
mod element;
mod emulated;
mod gathered;
mod gelu;
mod matrix;
mod notes;
mod on_xrt;
mod operators;
mod oracle;
mod product;
mod reach;
mod recorded;
mod room;
mod rounding;
mod slow_loops;
mod stream;
mod tile;
mod worst;

use derate_model::measurement::{Device as DeviceEntry, Kind, Measurement, Run, Schema, Versions};
use derate_model::units::Hertz;
use derate_model::{Platform, Provenance};

pub use contract::Contract;
pub use element::Element;
pub use emulated::{Emulated, emulated_product, emulated_streams};
pub use notes::rounded;
pub use on_xrt::{xrt_product, xrt_streams};
pub use operators::{Cancel, OperatorDevice};
pub use oracle::{Oracle, unit_roundoff};
pub use product::{Products, products};
pub use reach::banks_named;
pub use recorded::Recorded;
pub use rounding::Rounding;
pub use stream::{Streams, streams};
pub use tile::{Tile, expected_traffic};

pub(crate) use gelu::{GELU_SLOPE, exact_gelu, gelu_scale};
pub(crate) use matrix::Numbers;
pub(crate) use oracle::exact_product;
pub(crate) use room::room;
pub(crate) use worst::Worst;

use crate::cuda::CudaError;
use crate::device::DeviceError;
use crate::emulator::{Modelled, TrafficDifference};

/// How often.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    /// Repetitions that count; at least one.
    pub repetitions: usize,
    /// Repetitions before them that are checked and not timed.
    pub warm_up: usize,
}

/// Where a bench runs.
#[derive(Debug)]
pub struct Subject<'a, D> {
    /// The device.
    pub device: &'a D,
    /// What the measurement says of it.
    pub entry: DeviceEntry,
    /// The card that it is, or stands for.
    pub platform: &'a Platform,
    /// The clock that its kernels run at; `None` where nobody says.
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

/// Why a bench could not be run. Each is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Ports, banks or sizes that make no sense together.
    #[error("{0}")]
    Setup(String),
    /// The device.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The GPU.
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// Somebody asked it to stop.
    #[error("it was stopped before it was through")]
    Cancelled,
    /// Memory that this machine does not give just now.
    #[error("{0}")]
    Room(String),
}

impl BenchError {
    /// Whether the same may work at another time: memory that others take, or a device that fails.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Room(_) | Self::Device(_) => true,
            Self::Cuda(error) => error.is_passing(),
            Self::Setup(_) | Self::Cancelled => false,
        }
    }
}

/// Told how far a bench is.
pub type Progress<'a> = &'a mut dyn FnMut(&str);

/// The file of runs on a machine that has no ports, channels and clocks which anybody records.
pub(crate) fn of_a_machine(
    kernel: Kind,
    device: DeviceEntry,
    threads: Option<usize>,
    source: String,
    runs: Vec<Run>,
) -> Measurement {
    Measurement {
        schema: Schema::V1,
        kernel,
        device,
        provenance: Provenance::Measured,
        source,
        command: None,
        threads: threads.map(|threads| threads as u64),
        compute_units: None,
        ports: Vec::new(),
        kernel_clock: None,
        memory_clock: None,
        versions: versions(&Versions::default()),
        runs,
    }
}

/// derate's own version beside the others.
pub(crate) fn versions(others: &Versions) -> Versions {
    Versions { derate: Some(env!("CARGO_PKG_VERSION").to_owned()), ..others.clone() }
}

#[cfg(test)]
mod tests;
