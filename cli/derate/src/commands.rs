//! One file per subcommand.

pub(crate) mod audit;
mod audit_folder;
pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod emu;
pub(crate) mod estimate;
pub(crate) mod explore;
pub(crate) mod fix;
pub(crate) mod formats;
pub(crate) mod hls;
pub(crate) mod init;
pub(crate) mod kernel;
#[cfg(feature = "lsp")]
pub(crate) mod lsp;
pub(crate) mod man;
#[cfg(feature = "parquet")]
pub(crate) mod merge;
pub(crate) mod platform;
pub(crate) mod predict;
pub(crate) mod report;
pub(crate) mod rules;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod shapes;
#[cfg(feature = "parquet")]
pub(crate) mod shard;
mod sweep;
pub(crate) mod types;
pub(crate) mod validate;
