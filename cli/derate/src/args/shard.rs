//! The options that write the points of a search into a Parquet file, all of them or a part.

use std::path::PathBuf;

use clap::Args;
use derate_columns::shards::Share;

/// Points of a sweep in a Parquet file.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PointsFile {
    /// Write a row for each point into this Parquet file
    #[arg(long, value_name = "FILE")]
    pub(crate) parquet: Option<PathBuf>,
    /// Compute part I of N alone, such as 3/64; `derate merge` joins the files
    #[arg(long, value_name = "I/N", requires = "parquet", allow_hyphen_values = true)]
    pub(crate) shard: Option<Share>,
    /// Keep the K best points alone, as --by says
    #[arg(long, value_name = "K", requires = "parquet")]
    pub(crate) best: Option<usize>,
    /// The column that is to be small [default: the time]
    #[arg(long, value_name = "COLUMN", requires = "best")]
    pub(crate) by: Option<String>,
    /// Keep the points that no other beats in both columns, such as `latency_seconds,bytes`
    #[arg(long, value_name = "X,Y", requires = "parquet")]
    pub(crate) front: Option<String>,
}

/// Designs of a search in a Parquet file.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct DesignsFile {
    /// Search all designs, without a limit of time, and write the best ones and the front into this Parquet file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["space", "resume", "write", "out"])]
    pub(crate) parquet: Option<PathBuf>,
    /// Search part I of N alone, such as 3/64; `derate merge` joins the files
    #[arg(long, value_name = "I/N", requires = "parquet", allow_hyphen_values = true)]
    pub(crate) shard: Option<Share>,
    /// How many of the best designs
    #[arg(long, value_name = "K", requires = "parquet", default_value_t = 10)]
    pub(crate) best: usize,
    /// A file of designs that are known of other parts: what they beat is not searched; may be given several times
    #[arg(long, value_name = "FILE", requires = "parquet")]
    pub(crate) known: Vec<PathBuf>,
}

/// Files of parts that become one.
#[derive(Debug, Args)]
#[command(
    after_help = "The parts are those of `estimate --sweep`, `predict llm --sweep` and `explore` with --shard I/N --parquet FILE. What is merged \
        has the bytes that one process would have written, whatever the parts and their order. A merge merges again: with the \
        rest of the parts, or with the same ones.\n\n\
        Example:\n  derate merge sweep.parquet part-*.parquet"
)]
pub(crate) struct Merge {
    /// The file to write
    pub(crate) out: PathBuf,
    /// Files of parts
    #[arg(required = true)]
    pub(crate) parts: Vec<PathBuf>,
    /// Write what there is, where parts are missing
    #[arg(long)]
    pub(crate) partial: bool,
}
