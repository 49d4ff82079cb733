//! The arguments of `derate explore`.

use std::path::PathBuf;

use super::KernelSource;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without --vary and --space, the loops of the kernel are open: innermost loops are unrolled by powers of two, loops around\n\
        short ones are pipelined. Arrays are cut as the unrolled loops need. Every figure is modelled, none is synthesised.\n\
        The best design is written as Tcl by --write; `derate kernel --directives` predicts it anew.\n\n\
        What may be varied:\n  \
        unroll:FUNCTION/LOOP=1,2,4           how often a loop is unrolled\n  \
        pipeline:FUNCTION/LOOP=as-written,1  whether it is pipelined, and at which interval\n  \
        partition:FUNCTION/ARRAY@DIM=1,8     into how many banks an array is cut\n  \
        NAME=8,16,32                         a macro, or a placeholder auto{NAME} in the source\n\n\
        Examples:\n  derate explore attention.cpp --top attention\n  \
        derate explore gemm.cpp --vary TILE=8,16,32 --vary unroll:gemm/terms=1,2,4,8 --limit dsp=50%\n  \
        derate explore gemm.cpp --limit lut=75% --write best.tcl && derate kernel gemm.cpp --directives best.tcl\n  \
        derate explore gesummv.cpp --space designs.csv --format csv"
)]
pub(crate) struct Explore {
    #[command(flatten)]
    pub(crate) source: KernelSource,
    /// What is open, with its values; may be given several times
    #[arg(long, value_name = "KEY=V1,V2")]
    pub(crate) vary: Vec<String>,
    /// A CSV table of designs: a column for each macro or placeholder, a row for each design
    #[arg(long, value_name = "FILE", conflicts_with = "vary")]
    pub(crate) space: Option<PathBuf>,
    /// The most of a resource: dsp, bram18, uram, lut or ff, as a number or a share such as 75% [default: what the shell leaves]
    #[arg(long, value_name = "RESOURCE=N")]
    pub(crate) limit: Vec<String>,
    /// How long to search
    #[arg(long, value_name = "N", default_value_t = 10.0, allow_hyphen_values = true)]
    pub(crate) seconds: f64,
    /// Write the directives of the best design as Tcl
    #[arg(long, value_name = "FILE")]
    pub(crate) write: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: ExploreFormat,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
pub(crate) enum ExploreFormat {
    /// For people
    Text,
    /// For machines
    Json,
    /// The front, or the ranking of a table of designs
    Csv,
}
