//! The arguments of `derate kernel`.

use std::path::PathBuf;

use super::{Format, Preprocess};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Nothing is synthesised and nothing measured: the source and its directives are read, and the schedule that Vitis HLS \
        would make is modelled. What cannot be read is listed with its line, and the rest is modelled all the same.\n\
        Includes in quotes are looked for beside the including file, then in each -I; headers of the tool need not be there.\n\n\
        Examples:\n  derate kernel gemv.cpp --top gemv\n  \
        derate kernel gemv.cpp --directives directives.tcl --part xczu9eg-ffvb1156-2-i --clock \"10 ns\" --tool 2022.1\n  \
        derate kernel --directives hls_config.cfg --detail\n  derate kernel gemv.cpp --format json"
)]
pub(crate) struct Kernel {
    #[command(flatten)]
    pub(crate) source: KernelSource,
    /// Show everything, not what fits one screen
    #[arg(long)]
    pub(crate) detail: bool,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// A kernel and what it is built for.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct KernelSource {
    /// C++ sources; without them, those of the `hls_config.cfg` or of the Tcl script
    #[arg(required_unless_present = "directives")]
    pub(crate) files: Vec<PathBuf>,
    /// The top function [default: the only one that nobody calls]
    #[arg(long, value_name = "NAME")]
    pub(crate) top: Option<String>,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
    /// Directives and settings, part, clock and top: a Tcl file, or an `hls_config.cfg`; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) directives: Vec<PathBuf>,
    /// The part, such as xczu9eg-ffvb1156-2-i; its beginning is enough
    #[arg(long, value_name = "PART", conflicts_with = "platform")]
    pub(crate) part: Option<String>,
    /// A card of the catalogue, or a path to your own .toml [default: u280]
    #[arg(long, value_name = "NAME", value_parser = super::offered::card(), hide_possible_values = true)]
    pub(crate) platform: Option<String>,
    /// The clock that is asked for: "3.33 ns" or "300 MHz" [default: 300 MHz]
    #[arg(long, value_name = "CLOCK", allow_hyphen_values = true)]
    pub(crate) clock: Option<String>,
    /// The version of Vitis HLS [default: 2023.2]
    #[arg(long, value_name = "VERSION", allow_hyphen_values = true)]
    pub(crate) tool: Option<String>,
    /// Delays and latencies of operators, instead of the built-in table
    #[arg(long, value_name = "FILE")]
    pub(crate) constants: Option<PathBuf>,
}
