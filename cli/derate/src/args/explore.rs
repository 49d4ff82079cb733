//! The arguments of `derate explore`.

use std::path::PathBuf;

use super::KernelSource;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "A kernel: without --vary and --space, its loops are open: innermost loops are unrolled by powers of two, loops around \
        short ones and functions of short loops are pipelined. Arrays are cut as the unrolled loops need.\n\
        A project: its [[kernel]]s are searched together, within one card; without them, the array that the whole model runs on.\n\
        Every figure is modelled, none is synthesised. The diff of the best design makes what was promised.\n\n\
        What may be varied of a kernel, in a project as KERNEL.KEY=V1,V2:\n  \
        unroll:FUNCTION/LOOP=1,2,4           how often a loop is unrolled\n  \
        pipeline:FUNCTION/LOOP=as-written,1  whether it is pipelined, and at which interval\n  \
        pipeline:FUNCTION=as-written,1       whether a whole function is, which unrolls the loops in it\n  \
        partition:FUNCTION/ARRAY@DIM=1,8     into how many banks an array is cut\n  \
        dataflow:FUNCTION=as-written,on      whether what it calls runs at the same time\n  \
        port:PORT=8,64,512                   how many bits the tool makes an m_axi port of plain numbers\n  \
        NAME=8,16,32                         a #define, a const, a typedef, a placeholder auto{NAME}, or a macro\n\n\
        Of the array of a project: precision, schedule, buffer, rows, columns, unroll\n\n\
        Examples:\n  derate explore attention.cpp --top attention\n  \
        derate explore gemm.cpp --vary TILE=8,16,32 --vary unroll:gemm/terms=1,2,4,8 --limit dsp=50%\n  \
        derate explore gemm.cpp --limit lut=75% --write best.tcl && derate kernel gemm.cpp --directives best.tcl\n  \
        derate explore gesummv.cpp --space designs.csv --format csv\n  \
        derate explore my-project --objective latency:vision --limit dsp=75% --out found\n  \
        derate explore my-project --objective dsp --limit latency=25ms\n  \
        derate explore my-project --format diff | git apply -p0\n  \
        derate explore my-project --seconds 600 --resume search.json\n  \
        derate explore gemm.cpp --shard 3/64 --parquet part-3.parquet"
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
    /// The most of a resource: dsp, bram18, uram, lut or ff, as a number or a share such as 75% [default: what the shell leaves];
    /// the longest time as latency=25ms, of a kernel also as cycles=N
    #[arg(long, value_name = "RESOURCE=N")]
    pub(crate) limit: Vec<String>,
    /// How long to search
    #[arg(long, value_name = "N", default_value_t = 10.0, allow_hyphen_values = true)]
    pub(crate) seconds: f64,
    /// Go on where the search of this file ended, and write there how far it is; the file need not be there yet
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// What is to be small: latency, of a project also latency:PART or throughput; or dsp, bram18, uram, lut or ff within
    /// --limit latency=T [default: latency]
    #[arg(long, value_name = "WHAT")]
    pub(crate) objective: Option<String>,
    /// Every kernel of a project has to be in one SLR of the chip
    #[arg(long)]
    pub(crate) per_slr: bool,
    /// Write page, workbook, charts and tables into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write the best design: of a kernel its directives as Tcl, or as a .cfg file where one is given, of a project its diff
    #[arg(long, value_name = "FILE")]
    pub(crate) write: Option<PathBuf>,
    #[cfg(feature = "parquet")]
    #[command(flatten)]
    pub(crate) designs: super::DesignsFile,
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
    /// The best design as changes of files, which `git apply` takes
    Diff,
}
