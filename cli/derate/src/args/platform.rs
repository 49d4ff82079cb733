//! The options of `derate platform`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every figure is shown with its provenance and its source. The peaks of a card follow from DSP budget, operator cost \
        and clock; those of a GPU are printed ones, dense, with other printed values beside them; those of `derate platform \
        measure` are this machine's or its GPU's, as memory and products of matrices were measured.\n\n\
        A file of your own, which `--platform mine.toml` takes, is written as those of the catalogue are: begin with what \
        `--format toml` prints of a card, or of a GPU or a CPU (`kind = \"gpu\"` or `\"cpu\"`, at least one [[peak]]).\n\n\
        Examples:\n  derate platform\n  derate platform zcu102\n  derate platform gpus\n  derate platform h100-sxm\n  \
        derate platform h100-sxm --format toml > mine.toml\n  \
        derate platform mine.toml --format json\n  derate platform measure --out cpu.toml",
    args_conflicts_with_subcommands = true
)]
pub(crate) struct Platform {
    #[command(subcommand)]
    pub(crate) command: Option<PlatformCommand>,
    /// A board or a processor of the catalogue, `gpus`, or a path to your own .toml; all boards without it
    #[arg(value_parser = super::offered::target(), hide_possible_values = true)]
    pub(crate) name: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: PlatformFormat,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum PlatformFormat {
    /// For people
    Text,
    /// For machines
    Json,
    /// The file of one platform, to begin your own with
    Toml,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlatformCommand {
    /// Measure this machine, or a GPU in it: a platform file with its bandwidth and its peaks
    Measure(MeasurePlatform),
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The file is what `--platform` of `derate predict` and `derate compare` takes. Bandwidth is the fastest read or copy of \
        arrays of four times the last cache, of a GPU the fastest copy; a peak is the fastest of a few large products in \
        an arithmetic that runs there. Two measurements differ: the file holds no date, and is not the same twice. Measure on \
        an idle machine.\n\n\
        Examples:\n  derate platform measure --out cpu.toml\n  derate platform measure --ports 1 --name one-core\n  \
        derate platform measure --device cuda:0 --name own-gpu --out gpu.toml\n  \
        derate bench gemm --device cpu --sweep --out gemm.json && derate compare gemm.json --platform cpu.toml"
)]
pub(crate) struct MeasurePlatform {
    /// Write the platform to this file, .toml [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// What is measured: cpu, or cuda:0 for the first GPU
    #[arg(long, default_value = "cpu")]
    pub(crate) device: String,
    /// Its short name [default: cpu or gpu]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Threads of a processor [default: as many as this process may use processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) ports: Option<u16>,
    /// Bytes of a stream, such as "512 MiB" [default: four times the last cache, at most 4 GiB; of a GPU 16 times, at least 256 MiB]
    #[arg(long, value_name = "BYTES")]
    pub(crate) size: Option<String>,
    /// Rows, columns and terms of a product to try; repeatable [default: four from 800x800x800 to 1200x2048x1024, of a GPU three
    /// to 8448x8448x8192, none of them in a `--sweep`]
    #[arg(long, value_name = "MxNxK")]
    pub(crate) shape: Vec<String>,
}
