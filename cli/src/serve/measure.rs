//! One point, measured on this machine.

use std::sync::atomic::{AtomicBool, Ordering};

use derate_host::bench::Repeat;
use derate_host::cpu::{Machine, products};
use derate_model::measurement::Measurement;

use super::subject::Subject;

/// How a measurement ended that gave none.
#[derive(Debug)]
pub(crate) enum Ended {
    /// Somebody wished so.
    Stopped,
    /// It cannot be done; one sentence.
    Refused(String),
}

/// What every measurement is made of.
const REPEAT: Repeat = Repeat { repetitions: 7, warm_up: 2 };

/// Measures an operator in a precision. `progress` hears how far it is.
pub(crate) fn measure(
    subject: &Subject,
    precision: &str,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&str),
) -> Result<Measurement, Ended> {
    if stop.load(Ordering::Relaxed) {
        return Err(Ended::Stopped);
    }
    let Subject::Gemm { m, n, k } = *subject else {
        return Err(Ended::Refused(
            "on this machine matrix products alone are measured".to_owned(),
        ));
    };
    if precision != "fp32" {
        return Err(Ended::Refused(format!(
            "on this machine products are measured in fp32 alone, and not in {precision}"
        )));
    }
    let machine =
        Machine { bytes: Vec::new(), products: vec![[m, n, k]], threads: 1, repeat: REPEAT };
    products(&machine, progress).map_err(|error| Ended::Refused(error.to_string()))
}
