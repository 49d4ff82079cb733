//! A command's answer in Python.

use std::time::Instant;

use derate::Watch;
use derate_reports::render_html_fragment;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::raise_command;
use crate::work::run_watched;

/// What a command gave.
#[pyclass(frozen, module = "derate._derate")]
pub(crate) struct Answer {
    inner: derate::Answer,
}

#[pymethods]
impl Answer {
    /// The bytes that `--format json` prints.
    #[getter]
    fn json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.json)
    }

    /// The same as a part of a page, in the look of the report; empty where there is nothing to show.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let Some(document) = &self.inner.document else { return Ok(String::new()) };
        let bytes = py.detach(|| render_html_fragment(document));
        let bytes = bytes.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(String::from_utf8(bytes)?)
    }

    /// The lines that the binary prints to stderr.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.inner.notes.clone()
    }

    /// Whether the binary exits with 1.
    #[getter]
    fn is_refused(&self) -> bool {
        self.inner.is_refused
    }
}

/// How long the work of a command takes in Rust, in seconds: what a call from Python takes beyond it is overhead.
#[pyfunction]
pub(crate) fn time_answer(py: Python<'_>, words: Vec<String>) -> PyResult<f64> {
    let (done, seconds) = py.detach(|| {
        let begun = Instant::now();
        (derate::answer_command(words, Watch::default()), begun.elapsed().as_secs_f64())
    });
    done.map(|_| seconds).map_err(|error| raise_command(py, &error))
}

/// Runs the command of these words; `progress` is called with words while it runs.
#[pyfunction]
#[pyo3(signature = (words, progress=None))]
pub(crate) fn answer(
    py: Python<'_>,
    words: Vec<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let done = run_watched(py, progress, move |watch| derate::answer_command(words, watch))?;
    done.map(|inner| Answer { inner }).map_err(|error| raise_command(py, &error))
}
