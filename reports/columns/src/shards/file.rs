//! A file of a part: rows, and what they are of.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;

use super::{About, ShardError};

/// Rows of a group. A file is written in groups of just so many, so that its bytes depend on its rows alone.
const GROUP: usize = 1 << 16;

/// The key of the metadata.
const KEY: &str = "derate";

/// Writes the rows of a file, ordered by their points.
pub struct ShardWriter<W: Write + Send> {
    writer: ArrowWriter<W>,
    schema: SchemaRef,
    waiting: Vec<RecordBatch>,
    rows: usize,
}

impl<W: Write + Send> ShardWriter<W> {
    /// Begins a file whose rows have these columns.
    ///
    /// # Errors
    ///
    /// A place that cannot be written.
    pub fn new(out: W, schema: SchemaRef, about: &About) -> Result<Self, ShardError> {
        let about = serde_json::to_string(about)
            .map_err(|error| ShardError::Write(ParquetError::External(Box::new(error))))?;
        let properties = WriterProperties::builder()
            .set_created_by("derate".to_owned())
            .set_max_row_group_row_count(Some(GROUP))
            .set_key_value_metadata(Some(vec![KeyValue::new(KEY.to_owned(), about)]))
            .build();
        let writer = ArrowWriter::try_new(out, schema.clone(), Some(properties))?;
        Ok(Self { writer, schema, waiting: Vec::new(), rows: 0 })
    }

    /// Takes the next rows.
    ///
    /// # Errors
    ///
    /// Rows with other columns, or a place that cannot be written.
    pub fn push(&mut self, rows: RecordBatch) -> Result<(), ShardError> {
        self.rows += rows.num_rows();
        self.waiting.push(rows);
        while self.rows >= GROUP {
            let all = concat_batches(&self.schema, &self.waiting)?;
            self.writer.write(&all.slice(0, GROUP))?;
            self.writer.flush()?;
            self.rows = all.num_rows() - GROUP;
            self.waiting = vec![all.slice(GROUP, self.rows)];
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// A place that cannot be written.
    pub fn finish(mut self) -> Result<W, ShardError> {
        if self.rows > 0 {
            self.writer.write(&concat_batches(&self.schema, &self.waiting)?)?;
        }
        Ok(self.writer.into_inner()?)
    }
}

/// A file of a part, opened.
pub struct ShardFile<R: ChunkReader + 'static = File> {
    /// What it says of itself.
    pub about: About,
    /// The columns of its rows.
    pub schema: SchemaRef,
    builder: ParquetRecordBatchReaderBuilder<R>,
}

impl ShardFile {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or that derate did not write.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        let opened = File::open(path);
        let file = opened.map_err(|cause| ShardError::Open { path: path.to_owned(), cause })?;
        if file.metadata().is_ok_and(|about| about.is_dir()) {
            return Err(ShardError::NotAShard(path.to_owned()));
        }
        Self::of_reader(file, path)
    }
}

impl ShardFile<Bytes> {
    /// The same of the bytes of a file; `name` is what errors call it.
    ///
    /// # Errors
    ///
    /// Bytes that derate did not write.
    pub fn of_bytes(content: Vec<u8>, name: &Path) -> Result<Self, ShardError> {
        Self::of_reader(Bytes::from(content), name)
    }
}

impl<R: ChunkReader + 'static> ShardFile<R> {
    fn of_reader(reader: R, path: &Path) -> Result<Self, ShardError> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(reader)
            .map_err(|_| ShardError::NotAShard(path.to_owned()))?;
        let metadata = builder.metadata().file_metadata().key_value_metadata();
        let own = metadata.into_iter().flatten().find(|one| one.key == KEY);
        let about = own.and_then(|one| serde_json::from_str::<About>(one.value.as_ref()?).ok());
        let about = about.filter(|about| about.schema == About::SCHEMA);
        let about = about.ok_or_else(|| ShardError::NotAShard(path.to_owned()))?;
        // What the file says of itself is not of its columns.
        let schema = builder.schema().as_ref().clone().with_metadata(HashMap::new());
        Ok(Self { about, schema: Arc::new(schema), builder })
    }

    /// Its rows.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn read(self) -> Result<ParquetRecordBatchReader, ShardError> {
        Ok(self.builder.with_batch_size(GROUP).build()?)
    }
}
