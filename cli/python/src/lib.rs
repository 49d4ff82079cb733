//! The shared object of the Python package: the binary's `main`, and its commands as answers.

mod answer;
mod batch;
mod failure;
mod points;
mod program;
mod table;
mod threads;
mod work;

use pyo3::prelude::*;

/// What `import derate` loads.
#[pymodule(name = "_derate")]
fn derate_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(answer::answer, module)?)?;
    module.add_function(wrap_pyfunction!(answer::time_answer, module)?)?;
    module.add_function(wrap_pyfunction!(table::make_table, module)?)?;
    module.add_function(wrap_pyfunction!(batch::decoder_batch, module)?)?;
    module.add_function(wrap_pyfunction!(points::read_points, module)?)?;
    module.add_function(wrap_pyfunction!(points::read_ranges, module)?)?;
    module.add_function(wrap_pyfunction!(program::run_program, module)?)?;
    failure::add_exceptions(module)
}
