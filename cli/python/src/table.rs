//! Arrow tables through the C stream interface.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use derate_columns::{Column, Values, make_batch};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Rows and columns, which pandas, polars and pyarrow take by `__arrow_c_stream__`.
#[pyclass(frozen, module = "derate._derate")]
pub(crate) struct Table {
    batch: RecordBatch,
}

impl Table {
    pub(crate) fn new(batch: RecordBatch) -> Self {
        Self { batch }
    }
}

#[pymethods]
impl Table {
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("Table of {} rows: {}", self.batch.num_rows(), self.column_names().join(", "))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer that cannot cast may ignore the request.
        let _ = requested_schema;
        let schema = self.batch.schema();
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// A table of columns: name, kind of the values (`text`, `flag`, `whole` or `number`), values.
#[pyfunction]
pub(crate) fn make_table(columns: Vec<(String, String, Bound<'_, PyAny>)>) -> PyResult<Table> {
    let column = |(name, kind, values): (String, String, Bound<'_, PyAny>)| {
        let values = match kind.as_str() {
            "text" => Values::Text(values.extract()?),
            "flag" => Values::Flag(values.extract()?),
            "whole" => Values::Whole(values.extract()?),
            "number" => Values::Number(values.extract()?),
            _ => return Err(PyValueError::new_err(format!("`{kind}` is not a kind of column"))),
        };
        Ok(Column::new(name, values))
    };
    let columns = columns.into_iter().map(column).collect::<PyResult<Vec<_>>>()?;
    let batch = make_batch(columns).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Table::new(batch))
}
