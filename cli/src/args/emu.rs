//! `derate emu ...`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{Format, Preprocess};

#[derive(Debug, clap::Args)]
pub(crate) struct Emu {
    #[command(subcommand)]
    pub(crate) command: EmuCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EmuCommand {
    /// Show what a compiled design says: memories, kernels, compute units
    Inspect(Inspect),
    /// Make a design for software emulation of kernel sources and a v++ configuration
    Xclbin(BuildXclbin),
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Reads what v++ and xclbinutil write, for hardware and for emulation. A damaged file is shown as far as it goes, with\n\
        what is wrong on top, and the exit status is 1.\n\n\
        Examples:\n  derate emu inspect design.xclbin\n  derate emu inspect design.xclbin --format json"
)]
pub(crate) struct Inspect {
    /// The design
    pub(crate) file: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "A kernel is a function with an m_axi or s_axilite pragma, or one that nk= names. Its registers lie where Vitis HLS puts them;\n\
        sources are read as it reads them, with __SYNTHESIS__ defined.\n\
        A kernel without nk= has one compute unit, NAME_1; a buffer without sp= is connected to the first bank.\n\n\
        Examples:\n  derate emu xclbin --output gemm.xclbin gemm.cpp\n  \
        derate emu xclbin --output all.xclbin kernels/*.cpp -I include --config u280.cfg"
)]
pub(crate) struct BuildXclbin {
    /// The kernels' sources
    #[arg(required = true)]
    pub(crate) sources: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// A v++ configuration; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Vec<PathBuf>,
    /// A card of the catalogue, or a path to your own .toml
    #[arg(long, default_value = "u280")]
    pub(crate) platform: String,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
}
