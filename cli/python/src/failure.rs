//! Errors as exceptions with their file and line.

use derate::CommandError;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyString;

create_exception!(
    derate,
    Error,
    PyException,
    "derate could not do its work: one sentence with what, where and what to do."
);
create_exception!(derate, UsageError, Error, "An argument is not one that derate takes.");

/// Adds the exceptions to the module.
pub(crate) fn add_exceptions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    for kind in [py.get_type::<Error>(), py.get_type::<UsageError>()] {
        kind.setattr("file", py.None())?;
        kind.setattr("line", py.None())?;
        let name: Bound<'_, PyString> = kind.name()?;
        module.add(name, kind)?;
    }
    Ok(())
}

/// The exception of a command that could not run, with `file` and `line` where something is at fault.
pub(crate) fn raise_command(py: Python<'_>, error: &CommandError) -> PyErr {
    let reason = error.reason.clone();
    let raised = if error.is_usage { UsageError::new_err(reason) } else { Error::new_err(reason) };
    if let Some(place) = &error.place {
        let value = raised.value(py);
        let set =
            value.setattr("file", &place.file).and_then(|()| value.setattr("line", place.line));
        if let Err(error) = set {
            return error;
        }
    }
    raised
}
