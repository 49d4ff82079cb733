//! One point, measured on a device.

use std::sync::atomic::{AtomicBool, Ordering};

use derate_host::BenchError;
use derate_host::measure::Repeat;
use derate_host::operators::OperatorDevice;
use derate_model::Encoding;
use derate_model::measurement::Measurement;
use derate_model::operator::Shape;

use crate::limits;

/// How a measurement ended that gave none.
#[derive(Debug)]
pub(crate) enum Ended {
    /// Somebody wished so.
    Stopped,
    /// It cannot be done, now or later; one sentence.
    Refused(String),
    /// It cannot be done now; one sentence.
    NotNow(String),
}

impl From<BenchError> for Ended {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Cancelled => Self::Stopped,
            passing if passing.is_passing() => Self::NotNow(passing.to_string()),
            other => Self::Refused(other.to_string()),
        }
    }
}

/// What every measurement is made of.
const REPEAT: Repeat = Repeat { repetitions: 7, warm_up: 2 };

/// Measures an operator in a precision. `progress` hears how far it is.
pub(crate) fn measure_point(
    device: &OperatorDevice,
    shape: &Shape,
    precision: &str,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&str),
) -> Result<Measurement, Ended> {
    let stored = Encoding::parse(precision).ok_or_else(|| {
        Ended::Refused(format!(
            "{precision} is predicted, and not measured: nothing here multiplies it"
        ))
    })?;
    if matches!(device, OperatorDevice::Cpu { .. }) {
        limits::check_available(shape).map_err(|error| Ended::NotNow(error.to_string()))?;
    }
    let cancel = || stop.load(Ordering::Relaxed);
    let run = device.run(shape, stored, REPEAT, &cancel, progress)?;
    Ok(device.measurement(shape.kind(), vec![run])?)
}
