//! Why a file of a part cannot be written, read or merged.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

/// Why a file of a part cannot be written, read or merged: one sentence.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The file cannot be opened.
    #[error("{} cannot be read: check the path: {cause}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// It is not a file that derate wrote.
    #[error("{} is not a part of a search: give files that --parquet wrote", .0.display())]
    NotAShard(PathBuf),
    /// It ends early, or was changed.
    #[error("{} is damaged ({reason}): run its part again", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Two files are of different searches.
    #[error(
        "{} is of another search than {}: they differ in command, inputs or version; merge files of one search",
        .other.display(), .first.display()
    )]
    OtherSearch {
        /// The first file.
        first: PathBuf,
        /// The one that differs.
        other: PathBuf,
    },
    /// No file was named.
    #[error("no file is named: give files that --parquet wrote")]
    Nothing,
    /// Not all points are there.
    #[error(
        "points {} to {} of {points} are missing{}: run those parts again, or merge what there is with --partial",
        .missing.start, .missing.end - 1, describe_more(*.more)
    )]
    Missing {
        /// The first stretch that is missing.
        missing: Range<u64>,
        /// How many more stretches are.
        more: usize,
        /// How many points the search has.
        points: u64,
    },
    /// A column is named that the rows do not have.
    #[error("`{name}` is not a column of numbers: there are {known}")]
    NoColumn {
        /// What was asked for.
        name: String,
        /// The columns of numbers.
        known: String,
    },
    /// The file cannot be written.
    #[error("the file cannot be written: {0}")]
    Write(#[from] ParquetError),
    /// Rows that do not belong together.
    #[error("rows cannot be joined: {0}")]
    Rows(#[from] ArrowError),
}

fn describe_more(more: usize) -> String {
    if more > 0 { format!(", and {more} more stretches") } else { String::new() }
}

impl ShardError {
    /// The file that is at fault, where one is.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Open { path, .. } | Self::NotAShard(path) | Self::Damaged { path, .. } => {
                Some(path)
            }
            Self::OtherSearch { other, .. } => Some(other),
            _ => None,
        }
    }
}
