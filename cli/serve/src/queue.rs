//! The thread that measures: one point after another, so that none is in another's way.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use derate_model::measurement::{Measurement, Run};
use derate_model::operator::Shape;

use crate::measure::Ended;
use crate::store::{Ending, Store, StoreError, Task};

/// The store, for one at a time.
pub(crate) type SharedStore = Arc<Mutex<Store>>;

/// What measures: an operator in a precision, until it is asked to stop; it tells how far it is.
pub(crate) trait Measures:
    Fn(&Shape, &str, &AtomicBool, &mut dyn FnMut(&str)) -> Result<Measurement, Ended> + Send + 'static
{
}

impl<F> Measures for F where
    F: Fn(&Shape, &str, &AtomicBool, &mut dyn FnMut(&str)) -> Result<Measurement, Ended>
        + Send
        + 'static
{
}

/// Nobody rings for so long.
const IDLE: Duration = Duration::from_secs(3600);

/// A store that failed is tried again.
const AGAIN: Duration = Duration::from_secs(5);

/// The point that is measured now.
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
    /// Why nothing is measured.
    trouble: Option<String>,
}

/// Tells the thread what has changed, and tells of it.
pub(crate) struct Queue {
    desk: Mutex<Desk>,
    bell: Condvar,
    /// Shows a line to the person who started the server.
    note: fn(&str),
}

/// The result of a point, as it is stored.
enum Outcome {
    Ended(Ending),
    Stopped,
    NotNow(String),
}

/// Says so when the thread ends that should not.
struct LastWord<'a>(&'a Queue);

impl Drop for LastWord<'_> {
    fn drop(&mut self) {
        let mut desk = lock_mutex(&self.0.desk);
        if !desk.ending {
            desk.running = None;
            desk.trouble = Some(
                "the thread that measures has ended, which is a fault of derate: start derate serve again; what is finished is kept"
                    .to_owned(),
            );
        }
    }
}

/// Locks also after a panic of another thread.
pub(crate) fn lock_mutex<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    pub(crate) fn new(note: fn(&str)) -> Self {
        Self { desk: Mutex::default(), bell: Condvar::new(), note }
    }

    /// There is something to do.
    pub(crate) fn wake(&self) {
        lock_mutex(&self.desk).awake = true;
        self.bell.notify_all();
    }

    /// Stops the running point of a sweep. With the store locked, it cannot stop a later run.
    pub(crate) fn stop(&self, sweep: i64) {
        if let Some(running) =
            lock_mutex(&self.desk).running.as_ref().filter(|own| own.sweep == sweep)
        {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the thread after what it does.
    pub(crate) fn end(&self) {
        let mut desk = lock_mutex(&self.desk);
        desk.ending = true;
        if let Some(running) = &desk.running {
            running.stop.store(true, Ordering::Relaxed);
        }
        drop(desk);
        self.bell.notify_all();
    }

    /// The step that runs now for a sweep.
    pub(crate) fn progress(&self, sweep: i64) -> Option<String> {
        lock_mutex(&self.desk)
            .running
            .as_ref()
            .filter(|own| own.sweep == sweep)
            .map(|own| own.text.clone())
    }

    /// Why nothing is measured, where something is in the way.
    pub(crate) fn trouble(&self) -> Option<String> {
        lock_mutex(&self.desk).trouble.clone()
    }

    /// Waits until there may be something to do.
    fn wait_for_bell(&self, at_most: Duration) {
        let desk = lock_mutex(&self.desk);
        let idle = |desk: &mut Desk| !desk.awake && !desk.ending;
        let (mut desk, _) = self
            .bell
            .wait_timeout_while(desk, at_most, idle)
            .unwrap_or_else(PoisonError::into_inner);
        desk.awake = false;
    }

    fn is_ending(&self) -> bool {
        lock_mutex(&self.desk).ending
    }

    /// Keeps the error of the store as the trouble, and notes each new one.
    fn note_trouble<T>(&self, said: Result<T, StoreError>) -> Option<T> {
        let (trouble, done) = match said {
            Ok(done) => (None, Some(done)),
            Err(error) => (Some(error.to_string()), None),
        };
        let mut desk = lock_mutex(&self.desk);
        let is_new = desk.trouble != trouble;
        desk.trouble.clone_from(&trouble);
        drop(desk);
        if let Some(text) = trouble.filter(|_| is_new) {
            (self.note)(&format!("note: {text}"));
        }
        done
    }

    /// The next point. It is on the desk before the store is unlocked, so that a cancel finds it there.
    fn take_next(
        &self,
        store: &SharedStore,
    ) -> Result<Option<(Task, Arc<AtomicBool>)>, StoreError> {
        let mut store = lock_mutex(store);
        let Some(task) = store.next_task()? else { return Ok(None) };
        let stop = Arc::new(AtomicBool::new(false));
        let (sweep, own) = (task.sweep, Arc::clone(&stop));
        lock_mutex(&self.desk).running = Some(Running { sweep, stop: own, text: String::new() });
        Ok(Some((task, stop)))
    }

    /// Measures a point, and says what became of it.
    fn measure_task(&self, measures: &impl Measures, task: &Task, stop: &AtomicBool) -> Outcome {
        let refused = |reason| Outcome::Ended(Ending::Refused(reason));
        let workload = match &task.workload {
            Ok(workload) => workload,
            Err(error) => return refused(error.to_string()),
        };
        let mut progress = |text: &str| {
            if let Some(running) = &mut lock_mutex(&self.desk).running {
                text.clone_into(&mut running.text);
            }
        };
        let ended = catch_unwind(AssertUnwindSafe(|| {
            measures(workload, &task.precision, stop, &mut progress)
        }));
        match ended {
            Ok(Ok(measurement)) => Outcome::Ended(judge_measurement(&measurement)),
            Ok(Err(Ended::Refused(reason))) => refused(reason),
            Ok(Err(Ended::NotNow(reason))) => Outcome::NotNow(reason),
            Ok(Err(Ended::Stopped)) => Outcome::Stopped,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                refused(format!(
                    "derate failed at it ({}), which is a fault of derate: please tell of it with this shape",
                    text.unwrap_or("without a word")
                ))
            }
        }
    }

    /// Keeps what became of a point, for as long as it takes: a full disk may have room later.
    fn keep_outcome(&self, store: &SharedStore, task: &Task, outcome: &Outcome) {
        loop {
            let ending = self.is_ending();
            let mut open = lock_mutex(store);
            let done = match outcome {
                Outcome::Ended(ending) => open.finish_point(task, ending),
                // At the end all that runs is interrupted.
                Outcome::Stopped => open.put_back(task),
                Outcome::NotNow(reason) => open.suspend_sweep(task, reason),
            };
            drop(open);
            if self.note_trouble(done).is_some() || ending {
                return;
            }
            self.wait_for_bell(AGAIN);
        }
    }

    fn run_queue(&self, measures: &impl Measures, store: &SharedStore) {
        let _last = LastWord(self);
        while !self.is_ending() {
            match self.note_trouble(self.take_next(store)) {
                None => self.wait_for_bell(AGAIN),
                Some(None) => self.wait_for_bell(IDLE),
                Some(Some((task, stop))) => {
                    let outcome = self.measure_task(measures, &task, &stop);
                    lock_mutex(&self.desk).running = None;
                    self.keep_outcome(store, &task, &outcome);
                }
            }
        }
    }

    /// Begins to work.
    pub(crate) fn start(
        self: &Arc<Self>,
        store: SharedStore,
        measures: impl Measures,
    ) -> std::io::Result<JoinHandle<()>> {
        let queue = Arc::clone(self);
        std::thread::Builder::new()
            .name("measure".to_owned())
            .spawn(move || queue.run_queue(&measures, &store))
    }
}

/// A measurement whose results were wrong is none.
fn judge_measurement(measurement: &Measurement) -> Ending {
    let run = measurement.runs.first();
    let seconds = run.and_then(Run::median).filter(|seconds| seconds.0 > 0.0);
    let wrong = run.and_then(|run| run.check.as_ref()).filter(|check| !check.passed);
    match (seconds, wrong, serde_json::to_string(measurement)) {
        (_, Some(check), _) => {
            Ending::Refused(format!("the result was wrong, so its time is none: {}", check.method))
        }
        (Some(seconds), None, Ok(text)) => Ending::Measured {
            device: measurement.device.name.clone(),
            seconds: seconds.0,
            measurement: text,
        },
        _ => Ending::Refused(
            "the clock's steps are longer than it took: take a larger shape".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests;
