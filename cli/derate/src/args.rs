//! The command line.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use derate_model::DumpFormat;

mod audit;
mod bench;
mod compare;
mod emu;
mod estimate;
mod explore;
mod formats;
mod kernel;
mod offered;
mod platform;
mod predict;
mod report;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "parquet")]
mod shard;
mod validate;

pub(crate) use audit::{Audit, AuditFormat, Fix};
pub(crate) use bench::{Bench, BenchKind};
pub(crate) use compare::Compare;
pub(crate) use emu::{
    BuildXclbin, Device, Emu, EmuCommand, Env, Inspect, OnlyDevice, Profile, Program, Python, Run,
    Tool, Toolchain,
};
pub(crate) use estimate::{Estimate, EstimateFormat};
pub(crate) use explore::{Explore, ExploreFormat};
pub(crate) use formats::Formats;
pub(crate) use kernel::{Kernel, KernelSource};
pub(crate) use platform::{MeasurePlatform, Platform, PlatformCommand, PlatformFormat};
pub(crate) use predict::{
    Attention, Gemm, Gemv, Llm, Mlp, Models, Predict, PredictWorkload, ScoresIn,
    Setting as PredictSetting,
};
pub(crate) use report::{Report, ReportFormat};
#[cfg(feature = "serve")]
pub(crate) use serve::Serve;
#[cfg(feature = "parquet")]
pub(crate) use shard::{DesignsFile, Merge, PointsFile};
pub(crate) use validate::Validate;

/// Says where an accelerator's roofline and its code disagree, and models the design honestly.
#[derive(Debug, Parser)]
#[command(
    version,
    propagate_version = true,
    after_help = "Exit status: 0 clean, 1 a finding at level error (of `audit`; `report` writes it and exits with 0), 2 could not run.\n\
        Results go to stdout, everything else to stderr. NO_COLOR and CLICOLOR_FORCE are honoured.\n\n\
        Examples:\n  \
        derate init                   write a derate.toml for the sources in this folder\n  \
        derate audit                  check the claims in derate.toml against the code\n  \
        derate estimate               model the kernels, claimed and corrected\n  \
        derate report --out report    write workbook, page, paper and figures\n  \
        derate validate run.json      hold a measured bandwidth against the claim"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a commented derate.toml beside your own sources
    Init(Init),
    /// Read a model dump: tensors, parameters, bytes
    Shapes(Shapes),
    /// Say what each alias really is, and whether its name lies
    Types(Types),
    /// Say what a Vitis report, a v++ configuration or a kernel says
    Hls(Hls),
    /// Model an HLS kernel from its source: cycles, intervals and what holds them, resources
    Kernel(Kernel),
    /// Hold the claims of derate.toml against the code and the model
    Audit(Audit),
    /// Model the kernels: work, bytes, operational intensity, bound, time
    Estimate(Estimate),
    /// Search for a better design of a kernel within the card's resources
    Explore(Explore),
    /// Join the files of parts of a search, which --shard wrote
    #[cfg(feature = "parquet")]
    Merge(Merge),
    /// Write the report: workbook, page, paper, figures, tables, and files for other programs
    Report(Report),
    /// Run a kernel on the emulator or measure this machine: memcpy, read, write, gemm, gemv, attention, mlp
    Bench(Bench),
    /// Hold measurements against the claimed bandwidth
    Validate(Validate),
    /// List cards and processors, or show one: figures, peaks, ridges, bandwidth by port
    Platform(Platform),
    /// Compare number formats: bits, operational intensity, distance to the ridge, bit-level intensity
    Formats(Formats),
    /// Predict an operator or a language model on a card or a processor, at the roofline
    Predict(Predict),
    /// Hold measured operators against their prediction, with efficiencies fitted apart
    Compare(Compare),
    /// Serve the local page: roofline, spot checks and sweeps measured on this machine; and a JSON API
    #[cfg(feature = "serve")]
    Serve(Serve),
    /// Run XRT programs without a card: compiled designs and the device of XRT's software emulation
    Emu(Emu),
    /// Serve an editor by the language server protocol: findings, resolved widths, fixes
    #[cfg(feature = "lsp")]
    Lsp(Lsp),
    /// List the rules of the audit with their default levels
    Rules(Rules),
    /// Explain one rule
    Rule(Rule),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page
    Man,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For machines
    Json,
}

#[cfg(feature = "lsp")]
#[derive(Debug, clap::Args)]
#[command(
    after_help = "An editor starts it and speaks over standard input and output. It audits the folder that the editor has open, without a \
        derate.toml too: findings as diagnostics, widths and manual pages on hover, the edits of `audit --fix` as code actions.\n\n\
        Examples:\n  \
        vim.lsp.config('derate', { cmd = { 'derate', 'lsp' }, filetypes = { 'c', 'cpp' } })      Neovim\n  \
        [language-server.derate]  command = \"derate\"  args = [\"lsp\"]                       Helix"
)]
pub(crate) struct Lsp {}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  derate init\n  derate init ~/my-accelerator")]
pub(crate) struct Init {
    /// The folder of the sources
    #[arg(default_value = ".")]
    pub(crate) dir: PathBuf,
    /// Overwrite a derate.toml that is there
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  derate shapes model_shape.txt\n  derate shapes model_shape.txt --format json\n  derate shapes model.onnx --dimension batch=1"
)]
pub(crate) struct Shapes {
    /// The dump, or a workload: an ONNX file, or what derate.trace records
    pub(crate) file: PathBuf,
    /// Read it as this form, instead of finding out by its content
    #[arg(long = "as", value_name = "FORM", value_parser = dump_forms())]
    pub(crate) read_as: Option<DumpFormat>,
    /// Size of a dimension that an ONNX file leaves open; repeatable
    #[arg(long, value_name = "NAME=SIZE", value_parser = parse_dimension)]
    pub(crate) dimension: Vec<(String, u64)>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// `batch=1`.
fn parse_dimension(text: &str) -> Result<(String, u64), String> {
    let size = |size: &str| size.parse().ok().filter(|size| *size > 0);
    text.split_once('=')
        .and_then(|(name, number)| Some((name.to_owned(), size(number)?)))
        .ok_or_else(|| "write a name and a size: batch=1".to_owned())
}

/// How the sources are preprocessed.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Preprocess {
    /// Look for includes in this folder too, after the including file's own; repeatable
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// Define a macro, as 1 where no value is given; repeatable
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,
}

impl Preprocess {
    /// As the library takes it.
    pub(crate) fn options(&self) -> derate_model::load::Preprocess {
        let (include, define) = (self.include.clone(), self.define.clone());
        derate_model::load::Preprocess { include, define }
    }
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Includes are followed: beside the including file, then in each -I, then among the files named here. Without -I \
        the only header of that name in the project is taken. \
        Their aliases are listed too. Vendors' headers (ap_int.h, hls_stream.h) need not be there; if an -I has them, \
        their macros count. A macro that nothing defines counts as undefined; where that chooses between two types, the \
        row shows both: `ap_fixed<9, 3>; under CSIM_DEBUG: float`.\n\n\
        Examples:\n  derate types model_weights.h\n  derate types src/top.cpp -I include -D USE_FIXED -D WIDTH=16\n  \
        derate types include/*.h --format json"
)]
pub(crate) struct Types {
    /// C++ headers and sources, and Python that Allo reads
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Reads csynth XML and text, logs of HLS, cosim reports, system_estimate, xclbin.info and kernel_util (Vivado HLS 2018.2 to \
        Vitis 2025.1), v++ .cfg files, and C++ kernels.\n\n\
        Of a folder, all reports below it are read, and those of one synthesis become one tree of loops as `derate kernel` prints it.\n\
        With the sources (--source, else those that the project's hls.app or hls_config.cfg names), the modelled figures are \
        beside the synthesised ones. Reports of another version of the source are named as stale.\n\n\
        Examples:\n  derate hls solution1/syn/report/csynth.xml\n  derate hls u280.cfg kernels/*.cpp --format json\n  \
        derate hls solution1/syn/report\n  derate hls solution1 --source gemv.cpp --directives solution1/directives.tcl"
)]
pub(crate) struct Hls {
    /// Reports, configurations, kernels, Python that Allo reads, and folders of reports
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// A C++ source of the synthesised kernel, for the model; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Vec<PathBuf>,
    /// The top function, where the folder has reports of several
    #[arg(long, value_name = "NAME")]
    pub(crate) top: Option<String>,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
    /// The directives and settings of the synthesis: a Tcl file, or an `hls_config.cfg`
    #[arg(long, value_name = "FILE")]
    pub(crate) directives: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Show every table in full, not what fits one screen
    #[arg(long)]
    pub(crate) detail: bool,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The level is the default one; [audit.levels] in derate.toml sets another.\n\n\
        Examples:\n  derate rules\n  derate rules --format json"
)]
pub(crate) struct Rules {
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  derate rule precision/alias-width")]
pub(crate) struct Rule {
    /// Its code, as a finding shows it
    #[arg(value_parser = offered::rule(clap::builder::StringValueParser::new()), hide_possible_values = true)]
    pub(crate) code: String,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  derate completions bash > ~/.local/share/bash-completion/completions/derate"
)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// The dump forms, listed in the help.
fn dump_forms() -> impl TypedValueParser<Value = DumpFormat> {
    PossibleValuesParser::new(DumpFormat::ALL.map(DumpFormat::as_str))
        .try_map(|word| word.parse::<DumpFormat>())
}
