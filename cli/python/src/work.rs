//! Long work without the interpreter's lock, which hears Ctrl-C and says how far it is.

use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use derate::Watch;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::threads::{hand_over, receive_soon};

/// Signals are heard and progress is shown at this interval.
const TICK: Duration = Duration::from_millis(100);

/// Runs `work` on another thread and waits for it. Ctrl-C asks it to end soon and raises `KeyboardInterrupt`; `progress`
/// is called with words and the share of the work that is done (-1 where it is not known), and with an empty text at the end.
pub(crate) fn run_watched<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Watch) -> T + Send + 'static,
) -> PyResult<T> {
    let watch = Watch::default();
    let own = watch.clone();
    let (send, receive) = bounded(1);
    let job = move |is_done: &mut dyn FnMut()| {
        let done = work(own);
        is_done();
        // Nobody waits for what was interrupted.
        let _ = send.send(done);
    };
    hand_over(Box::new(job))
        .map_err(|error| PyRuntimeError::new_err(format!("no thread can be started: {error}")))?;
    let mut shown = String::new();
    let mut soon = py.detach(|| receive_soon(&receive));
    let done = loop {
        if let Some(done) = soon.take() {
            break Ok(done);
        }
        match py.detach(|| receive.recv_timeout(TICK)) {
            Ok(done) => break Ok(done),
            Err(RecvTimeoutError::Disconnected) => {
                break Err(PyRuntimeError::new_err("derate stopped on a defect of its own"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let (said, share) = watch.progress();
        let show = || match progress {
            // Nothing is said between two stages; the end is said below.
            Some(progress) if !said.is_empty() && said != shown => {
                progress.call1((said.as_str(), share.unwrap_or(-1.0))).map(|_| ())
            }
            _ => Ok(()),
        };
        if let Err(error) = py.check_signals().and_then(|()| show()) {
            watch.stop();
            break Err(error);
        }
        if !said.is_empty() {
            shown = said;
        }
    };
    if let Some(progress) = progress.filter(|_| !shown.is_empty()) {
        progress.call1(("", 1.0))?;
    }
    done
}
