//! The thread that measures: one point after another, so that none is in another's way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use derate_host::bench::OperatorDevice;
use derate_model::measurement::{Measurement, Run};

use super::measure::{Ended, measure};
use super::store::{PointResult, PointRow, Store};
use crate::output;

/// The store, for one at a time.
pub(crate) type Shared = Arc<Mutex<Store>>;

/// What is measured just now.
#[derive(Clone)]
struct Running {
    sweep: i64,
    stop: Arc<AtomicBool>,
    text: String,
}

#[derive(Default)]
struct Desk {
    /// There may be something to do.
    awake: bool,
    ending: bool,
    running: Option<Running>,
}

/// Tells the thread what has changed, and tells of it.
#[derive(Default)]
pub(crate) struct Queue {
    desk: Mutex<Desk>,
    bell: Condvar,
}

/// What nobody else holds, whatever became of who held it before.
pub(crate) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    /// There is something to do.
    pub(crate) fn wake(&self) {
        held(&self.desk).awake = true;
        self.bell.notify_all();
    }

    /// What runs of a sweep need not go on.
    pub(crate) fn stop(&self, sweep: i64) {
        if let Some(running) = held(&self.desk).running.as_ref().filter(|own| own.sweep == sweep) {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the thread after what it does.
    pub(crate) fn end(&self) {
        let mut desk = held(&self.desk);
        desk.ending = true;
        if let Some(running) = &desk.running {
            running.stop.store(true, Ordering::Relaxed);
        }
        drop(desk);
        self.bell.notify_all();
    }

    /// What is done just now for a sweep.
    pub(crate) fn progress(&self, sweep: i64) -> Option<String> {
        held(&self.desk)
            .running
            .as_ref()
            .filter(|own| own.sweep == sweep)
            .map(|own| own.text.clone())
    }

    /// Waits until there may be something to do; `false` at the end.
    fn rest(&self, at_most: Duration) -> bool {
        let desk = held(&self.desk);
        let idle = |desk: &mut Desk| !desk.awake && !desk.ending;
        let (mut desk, _) = self
            .bell
            .wait_timeout_while(desk, at_most, idle)
            .unwrap_or_else(PoisonError::into_inner);
        desk.awake = false;
        !desk.ending
    }

    fn is_ending(&self) -> bool {
        held(&self.desk).ending
    }

    /// Measures a point, and says what became of it; `None` where somebody stopped it.
    fn result(&self, device: &OperatorDevice, point: &PointRow) -> Option<PointResult> {
        let stop = Arc::new(AtomicBool::new(false));
        held(&self.desk).running =
            Some(Running { sweep: point.sweep, stop: Arc::clone(&stop), text: String::new() });
        let mut progress = |text: &str| {
            if let Some(running) = &mut held(&self.desk).running {
                text.clone_into(&mut running.text);
            }
        };
        let ended = measure(device, &point.workload, &point.precision, &stop, &mut progress);
        held(&self.desk).running = None;
        match ended {
            Ok(measurement) => Some(judged(&measurement)),
            Err(Ended::Refused(reason)) => Some(PointResult::Refused(reason)),
            Err(Ended::Stopped) => None,
        }
    }

    fn work(&self, device: &OperatorDevice, store: &Shared) {
        while !self.is_ending() {
            let next = held(store).next();
            let done = match next {
                Ok(None) => {
                    self.rest(Duration::from_secs(3600));
                    continue;
                }
                Ok(Some(point)) => match self.result(device, &point) {
                    Some(result) => held(store).finish(&point, &result),
                    None => Ok(()),
                },
                Err(error) => Err(error),
            };
            if let Err(error) = done {
                // A full disk may have room later.
                output::note(&format!("note: {error}"));
                self.rest(Duration::from_secs(5));
            }
        }
    }

    /// Begins to work.
    pub(crate) fn start(
        self: &Arc<Self>,
        device: OperatorDevice,
        store: Shared,
    ) -> std::io::Result<JoinHandle<()>> {
        let queue = Arc::clone(self);
        std::thread::Builder::new()
            .name("measure".to_owned())
            .spawn(move || queue.work(&device, &store))
    }
}

/// A measurement whose results were wrong is none.
fn judged(measurement: &Measurement) -> PointResult {
    let run = measurement.runs.first();
    let seconds = run.and_then(Run::median).filter(|seconds| seconds.0 > 0.0);
    let wrong = run.and_then(|run| run.check.as_ref()).filter(|check| !check.passed);
    match (seconds, wrong, serde_json::to_string(measurement)) {
        (_, Some(check), _) => PointResult::Refused(format!(
            "the result was wrong, so its time is none: {}",
            check.method
        )),
        (Some(seconds), None, Ok(text)) => PointResult::Measured {
            device: measurement.device.name.clone(),
            seconds: seconds.0,
            measurement: text,
        },
        _ => PointResult::Refused(
            "the clock's steps are longer than it took: take a larger shape".to_owned(),
        ),
    }
}
