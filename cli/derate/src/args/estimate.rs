//! The options of `derate estimate`.

use std::path::PathBuf;

use super::Preprocess;

/// How an estimate is printed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
pub(crate) enum EstimateFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// A sweep as a table
    Csv,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without options, a whole inference under the scenarios from the claim to what holds, one correction at a time.\n\n\
        Examples:\n  derate estimate\n  derate estimate --detail\n  derate estimate --scenario as-built --schedule block\n  \
        derate estimate --precision int8 --bandwidth \"300 GB/s\" --peak derived\n  \
        derate estimate --sweep cameras=1,2,3 --sweep \"bandwidth=300 GB/s,420 GB/s\" --format csv > sweep.csv\n  \
        derate estimate --sweep cameras=1,2,3 --shard 1/3 --parquet part-1.parquet"
)]
pub(crate) struct Estimate {
    /// The project: a folder with a derate.toml, or that file
    #[arg(default_value = ".")]
    pub(crate) project: PathBuf,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
    /// One scenario of the ladder: claimed, as-built, derated, derived-peak, design
    #[arg(long, value_name = "NAME", conflicts_with_all = ["precision", "tokens", "bandwidth", "peak"])]
    pub(crate) scenario: Option<String>,
    /// Bytes per element: fp32, bf16, int8, int4..., as-stored or as-built [default: as claimed]
    #[arg(long)]
    pub(crate) precision: Option<String>,
    /// Tokens that the claim's own kernels see [default: as claimed]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) tokens: Option<u32>,
    /// External bandwidth, such as "300 GB/s" [default: as claimed]
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) bandwidth: Option<String>,
    /// Peak rate: claimed, derived, or a rate such as "1.08 TFLOP/s" [default: claimed]
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) peak: Option<String>,
    /// What is fused: unfused, epilogue, attention or block [default: unfused, or as the design says]
    #[arg(long, value_name = "NAME")]
    pub(crate) schedule: Option<String>,
    /// Vary an assumption: a key and its values; may be given several times, every combination is computed
    #[arg(long, value_name = "KEY=V1,V2..", allow_hyphen_values = true)]
    pub(crate) sweep: Vec<String>,
    #[cfg(feature = "parquet")]
    #[command(flatten)]
    pub(crate) points: super::PointsFile,
    /// Show every part, kernel and figure, not what fits one screen
    #[arg(long)]
    pub(crate) detail: bool,
    /// How to print it; csv is for --sweep, and its default
    #[arg(long, value_enum)]
    pub(crate) format: Option<EstimateFormat>,
}
