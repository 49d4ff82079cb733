//! Times of kernels and of inferences, as the runtime and hosts write them.

mod summary;
mod timestamps;

pub use summary::read_summary;
pub use timestamps::read_timestamps;

use derate_project::Timer;
use derate_source::FilePlace;
use derate_units::{Figure, Hertz, Seconds};

/// The name that the whole inference has in a file of timestamps.
pub const INFERENCE: &str = "inference";

/// A time as it was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredTime {
    /// The kernel, as the file calls it; `None` for the inference.
    pub name: Option<String>,
    /// Of one call, or of one inference.
    pub time: Figure<Seconds>,
    /// The least and the most, where more than one was timed.
    pub extremes: Option<[Seconds; 2]>,
    /// Calls or inferences that were timed, where that is known.
    pub count: Option<u64>,
    /// What took it.
    pub timer: Timer,
    /// The clock that the kernel ran at, where the file says so.
    pub clock: Option<Hertz>,
    /// What the card counted as waiting for external memory in one call, where it did.
    pub memory_stall: Option<Seconds>,
}

/// Why a file of times could not be taken: one sentence with file and line.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct TimesError {
    /// The file and the line.
    pub place: FilePlace,
    /// What is wrong and what to do.
    pub reason: String,
}

impl TimesError {
    fn at(file: &str, line: usize, reason: impl Into<String>) -> Self {
        Self { place: FilePlace::at_line(file, line), reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_gives_times_above_zero_or_one_sentence(
            head in "(Flow mode: System Run\n)?(Kernel,Number Of Enqueues,Average Time \\(ms\\)|name,start \\(ns\\),end \\(ns\\))?",
            rows in "(\n[a-z0-9]{0,3},[-0-9.e]{0,4},[-0-9.einfNa]{0,5})*\\PC{0,20}",
        ) {
            let text = format!("{head}{rows}");
            for read in [read_summary("t.csv", &text), read_timestamps("t.csv", &text)] {
                match read {
                    Ok(times) => {
                        let is_time = |time: &MeasuredTime| {
                            time.time.value.0 > 0.0 && time.time.value.0.is_finite()
                        };
                        prop_assert!(!times.is_empty() && times.iter().all(is_time), "{times:?}");
                    }
                    Err(error) => prop_assert!(!error.to_string().contains('\n'), "{error}"),
                }
            }
        }
    }
}
