//! Many evaluations in one call.

use derate_model::language::Generation;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::raise_command;
use crate::table::Table;
use crate::work::run_watched;

/// Whole numbers of 64 bits, the lowest byte first.
fn read_numbers(bytes: &[u8]) -> impl ExactSizeIterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number))
}

/// The runs of a decoder whose extents are columns of 64-bit numbers.
#[pyfunction]
#[pyo3(signature = (words, batch, prompt, generate, threads=None))]
pub(crate) fn decoder_batch(
    py: Python<'_>,
    words: Vec<String>,
    batch: &[u8],
    prompt: &[u8],
    generate: &[u8],
    threads: Option<usize>,
) -> PyResult<Table> {
    if batch.len() != prompt.len() || prompt.len() != generate.len() {
        return Err(PyValueError::new_err(
            "batch, prompt and generate have different lengths: give one value a row in each",
        ));
    }
    let extents = read_numbers(batch).zip(read_numbers(prompt)).zip(read_numbers(generate));
    let run = |((batch, prompt), generate)| Generation { batch, prompt, generate };
    let runs: Vec<Generation> = extents.map(run).collect();
    let done = run_watched(py, None, move |_| derate::tabulate_runs(words, &runs, threads))?;
    done.map(Table::new).map_err(|error| raise_command(py, &error))
}
