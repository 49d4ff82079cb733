//! Parts of a search as Parquet files, and their merge.
//!
//! A search has points that are numbered from zero. [`Share`] says which of them a part computes, [`ShardWriter`] writes their
//! rows, and [`merge_shards`] joins files of parts. A file depends on its rows and on [`About`] alone: no time, no machine and no
//! order of work is in it, so a merge gives the bytes that one process would have written.

mod about;
mod error;
mod file;
mod merge;
mod reduction;
mod share;

pub use about::About;
pub use error::ShardError;
pub use file::{ShardFile, ShardWriter};
pub use merge::{Merged, merge_shards};
pub use reduction::Reduction;
pub use share::{NotAShare, Share};
