use super::sys::{Driver, Event};
use crate::error::CudaError;

/// Two marks in the GPU's order of work.
#[derive(Debug)]
pub(super) struct Stopwatch {
    driver: &'static Driver,
    begin: Event,
    end: Event,
}

/// What a repetition should last at least: the events tell half a microsecond.
const LEAST: f64 = 1e-3;
const MOST_LAUNCHES: u32 = 1000;

impl Stopwatch {
    pub(super) fn new(driver: &'static Driver) -> Result<Self, CudaError> {
        let begin = driver.event()?;
        match driver.event() {
            Ok(end) => Ok(Self { driver, begin, end }),
            Err(error) => {
                driver.forget(&begin);
                Err(error)
            }
        }
    }

    /// The seconds of each of so many launches of something, one after another on the GPU.
    pub(super) fn time(
        &self,
        launches: u32,
        mut launch: impl FnMut() -> Result<(), CudaError>,
    ) -> Result<f64, CudaError> {
        self.driver.record(&self.begin)?;
        for _ in 0..launches {
            launch()?;
        }
        self.driver.record(&self.end)?;
        self.driver.wait(&self.end)?;
        let milliseconds = f64::from(self.driver.elapsed(&self.begin, &self.end)?);
        Ok(milliseconds / 1e3 / f64::from(launches))
    }
}

/// How many launches make a repetition that is long enough for the events to resolve.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped before")]
pub(super) fn choose_launches(seconds: f64) -> u32 {
    if seconds > 0.0 {
        (LEAST / seconds).ceil().clamp(1.0, f64::from(MOST_LAUNCHES)) as u32
    } else {
        MOST_LAUNCHES
    }
}

impl Drop for Stopwatch {
    fn drop(&mut self) {
        self.driver.forget(&self.begin);
        self.driver.forget(&self.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repetition_lasts_a_millisecond_or_a_launch() {
        let of = [(0.0, 1000), (1e-9, 1000), (1e-5, 100), (3e-4, 4), (1e-3, 1), (2.0, 1)];
        for (seconds, wanted) in of {
            assert_eq!(choose_launches(seconds), wanted, "{seconds}");
        }
    }
}
