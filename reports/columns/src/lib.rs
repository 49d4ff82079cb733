//! Results as columns with types, for programs that take Arrow.
//!
//! A [`Column`] has a name and values, [`make_batch`] makes a record batch of several. Text is for people and in
//! `derate-render`; what is here keeps the numbers as they are. With the feature `parquet`, [`shards`] writes a part of a
//! search into a file, and merges such files.
//!
//! ```
//! use derate_columns::{Column, Values, make_batch};
//!
//! let batch = make_batch(vec![Column::new("cycles", Values::Number(vec![Some(4096.0), None]))])?;
//! assert_eq!((batch.num_rows(), batch.num_columns()), (2, 1));
//! # Ok::<(), derate_columns::ColumnsError>(())
//! ```

mod column;
mod designs;
mod lengths;
#[cfg(feature = "parquet")]
pub mod shards;
mod sweep;

pub use arrow_array::RecordBatch;
#[cfg(feature = "parquet")]
pub use arrow_select::concat::concat_batches;
pub use column::{Column, ColumnsError, Values, make_batch};
pub use designs::{read_designs, tabulate_designs};
pub use lengths::{number_lengths, tabulate_lengths};
pub use sweep::tabulate_sweep;
