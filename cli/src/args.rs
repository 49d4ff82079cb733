//! The command line.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use derate_model::DumpFormat;
use derate_model::measurement::Verdict;

use crate::includes::seen_from;

mod bench;
mod emu;
mod formats;
mod predict;
mod report;
#[cfg(feature = "serve")]
mod serve;

pub(crate) use bench::{Bench, BenchKind};
pub(crate) use emu::{BuildXclbin, Device, Emu, EmuCommand, Env, Inspect, Program, Run};
pub(crate) use formats::Formats;
pub(crate) use predict::{
    Attention, Gemm, Gemv, Llm, Mlp, Models, Predict, PredictWorkload, ScoresIn,
    Setting as PredictSetting,
};
pub(crate) use report::{Report, ReportFormat};
#[cfg(feature = "serve")]
pub(crate) use serve::Serve;

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
    /// Hold the claims of derate.toml against the code and the model
    Audit(Audit),
    /// Model the kernels: work, bytes, operational intensity, bound, time
    Estimate(Estimate),
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
    /// List the rules of the audit with their default levels
    Rules(Rules),
    /// Explain one rule
    Rule(Rule),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page
    Man,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For machines
    Json,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum AuditFormat {
    /// For people
    Text,
    /// For machines
    Json,
    /// SARIF 2.1.0, for code-scanning services and editors
    Sarif,
    /// Annotations for a GitHub Actions workflow; run it in the repository's root
    Github,
}

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
    after_help = "Examples:\n  derate shapes model_shape.txt\n  derate shapes model_shape.txt --format json"
)]
pub(crate) struct Shapes {
    /// The dump
    pub(crate) file: PathBuf,
    /// Read it as this form, instead of finding out by its content
    #[arg(long = "as", value_name = "FORM", value_parser = forms())]
    pub(crate) read_as: Option<DumpFormat>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// How the sources are preprocessed.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Preprocess {
    /// Look for includes in this folder too, after the including file's own; repeatable
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// Define a macro, as 1 where no value is given; repeatable
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,
}

impl Preprocess {
    /// As words of a command line that is run in this folder.
    pub(crate) fn words(&self, dir: &Path) -> Vec<String> {
        let folders = self.include.iter().map(|folder| ("-I", seen_from(dir, folder)));
        let macros = self.define.iter().map(|define| ("-D", define.clone()));
        folders.chain(macros).flat_map(|(flag, value)| [flag.to_owned(), value]).collect()
    }
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Includes are followed: beside the including file, then in each -I, then among the files named here. \
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
    after_help = "Reads csynth XML and text, cosim reports, system_estimate, xclbin.info and kernel_util (Vivado HLS 2018.2 to \
        Vitis 2025.1), v++ .cfg files, and C++ kernels.\n\n\
        Examples:\n  derate hls solution1/syn/report/csynth.xml\n  derate hls u280.cfg kernels/*.cpp --format json"
)]
pub(crate) struct Hls {
    /// Reports, configurations, kernels, and Python that Allo reads
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// Which side of a disagreement `audit --fix` mends.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Fix {
    /// derate.toml, to what the code and the card do; and a constant of the code that no tensor has
    Claim,
    /// The source: an alias becomes the type that its name promises; and such a constant
    Code,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exits with 1 if a finding is at level error; after --write, if one is left.\n\n\
        A rule's level is set in derate.toml: [audit.levels] \"shape/mismatch\" = \"error\", \"warning\", \"note\" or \"off\".\n\
        A comment beside a finding, or alone on the line above it, allows it; it must say why:\n  \
        using bfloat16_t = float; // derate: allow(precision/alias-width): C simulation only\n\n\
        Examples:\n  derate audit\n  derate audit fixtures/smolvla --format json\n  \
        derate audit --format sarif > derate.sarif\n  derate audit hw/accelerator --format github\n  \
        derate audit --fix                  show how derate.toml would become true\n  \
        derate audit --fix=code             show how the source would\n  \
        derate audit --fix=claim --write    write it; every other byte stays"
)]
pub(crate) struct Audit {
    /// The project: a folder with a derate.toml, or that file
    #[arg(default_value = ".")]
    pub(crate) project: PathBuf,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: AuditFormat,
    /// Show the diff that mends what can be mended [default: claim]
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "claim"
    )]
    pub(crate) fix: Option<Fix>,
    /// Write what --fix shows, all files or none
    #[arg(long)]
    pub(crate) write: bool,
}

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
        Examples:\n  derate estimate\n  derate estimate --scenario as-built --schedule block\n  \
        derate estimate --precision int8 --bandwidth \"300 GB/s\" --peak derived\n  \
        derate estimate --sweep cameras=1,2,3 --sweep \"bandwidth=300 GB/s,420 GB/s\" --format csv > sweep.csv"
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
    /// How to print it; csv is for --sweep, and its default
    #[arg(long, value_enum)]
    pub(crate) format: Option<EstimateFormat>,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Reads what `derate bench` writes (derate.measurement/1) and what `xbutil validate -f JSON` or `xrt-smi validate\n\
        -f JSON` prints. A verdict is one of\n  \
        supported     at least 93 % of the claim was reached\n  \
        refuted       less was; why, by the bandwidth model\n  \
        implausible   more than the ports and channels could carry, other bytes than the kernel moves, wrong results,\n                \
                      more kernel calls than the time has room for, more arithmetic than the card has\n  \
        inconclusive  a field is missing or is nothing that the card has, there is too little work, or one bank was used,\n                \
                      which is never multiplied\n  \
        not-evidence  emulated, modelled, or measured on something else than the claim is about\n\n\
        The claim is --bandwidth, about whatever was measured: of a processor, too, whose peak is not known, so that nothing\n\
        is implausible there but wrong results and other bytes; else [derate] bandwidth of the project, else [claims]\n\
        bandwidth, about its card; else 300 GB/s on a U280.\n\n\
        Exits with 0 if every file supports the claim, else with 1; with --expect, if every file gets that verdict.\n\n\
        Examples:\n  derate validate memcpy.json read.json\n  derate validate read.json --project hw/accelerator\n  \
        derate validate read.json --bandwidth \"420 GB/s\"\n  derate validate u280.json --format json\n  \
        derate validate --expect refuted narrow.json"
)]
pub(crate) struct Validate {
    /// Measurements; without any, those that derate.toml names under measurements
    pub(crate) files: Vec<PathBuf>,
    /// The project whose claim counts: a folder with a derate.toml, or that file [default: this folder, if it has one]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// The bandwidth that is claimed, such as "300 GB/s" [default: the project's]
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) bandwidth: Option<String>,
    /// Exit with 0 if every file gets this verdict, with 1 if not
    #[arg(long, value_name = "VERDICT", value_parser = verdicts())]
    pub(crate) expect: Option<Verdict>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every figure stands with its provenance and its source. The peaks of a card follow from DSP budget, operator cost\n\
        and clock; those of a GPU are printed ones, dense, with other printed values beside them; those of `derate platform\n\
        measure` are this machine's, as its memory and products of matrices were measured.\n\n\
        Examples:\n  derate platform\n  derate platform u280\n  derate platform h100-sxm\n  \
        derate platform mine.toml --format json\n  derate platform measure --out cpu.toml",
    args_conflicts_with_subcommands = true
)]
pub(crate) struct Platform {
    #[command(subcommand)]
    pub(crate) command: Option<PlatformCommand>,
    /// A card or a processor of the catalogue, or a path to your own .toml; all of them without it
    pub(crate) name: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlatformCommand {
    /// Measure this machine: a platform file with its bandwidth and its peaks
    Measure(MeasurePlatform),
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The file is what `--on` of `derate predict` and `derate compare` takes. Bandwidth is the fastest read of arrays of\n\
        four times the last cache; a peak is the fastest of a few large products in an arithmetic that runs here. Two\n\
        measurements differ: the file holds no date, and is not the same twice. Measure on an idle machine.\n\n\
        Examples:\n  derate platform measure --out cpu.toml\n  derate platform measure --ports 1 --name one-core\n  \
        derate bench gemm --device cpu --sweep --out gemm.json && derate compare gemm.json --platform cpu.toml"
)]
pub(crate) struct MeasurePlatform {
    /// Write the platform to this file, .toml [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Its short name
    #[arg(long, default_value = "cpu")]
    pub(crate) name: String,
    /// Threads [default: as many as this process may use processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) ports: Option<u16>,
    /// Bytes of a stream, such as "512 MiB" [default: four times the last cache, at most 4 GiB]
    #[arg(long, value_name = "BYTES")]
    pub(crate) size: Option<String>,
    /// Rows, columns and terms of a product to try; repeatable [default: four from 768x768x768 to 1200x2048x1024]
    #[arg(long, value_name = "MxNxK")]
    pub(crate) shape: Vec<String>,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Reads what `derate bench gemv|gemm|attention|mlp` writes (derate.measurement/1), of any device. A prediction is the\n\
        roofline of the arithmetic that ran: max(operations / peak, bytes / bandwidth). Apart from it, shares of peak and\n\
        bandwidth, and a launch and a share of its own for operands that fit the last cache where they pay, are fitted on\n\
        every other shape and tried on the rest; they change no prediction and no platform.\n\n\
        Examples:\n  derate compare gemm.json gemv.json --platform cpu.toml\n  \
        derate compare card.json                       on the card that the file names\n  \
        derate compare gemm.json --platform cpu.toml --out accuracy.json"
)]
pub(crate) struct Compare {
    /// Measurements of operators
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What the prediction is for: a name of `derate platform` or a path to a .toml [default: the card that the files name]
    #[arg(long, visible_alias = "on", value_name = "NAME")]
    pub(crate) platform: Option<String>,
    /// Write the comparison with the fitted efficiencies to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
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

/// The verdicts, listed in the help.
fn verdicts() -> impl TypedValueParser<Value = Verdict> {
    PossibleValuesParser::new(Verdict::ALL.map(Verdict::as_str)).try_map(|word| {
        let known = Verdict::ALL.into_iter().find(|verdict| verdict.as_str() == word);
        known.ok_or("no such verdict")
    })
}

/// The dump forms, listed in the help.
fn forms() -> impl TypedValueParser<Value = DumpFormat> {
    PossibleValuesParser::new(DumpFormat::ALL.map(DumpFormat::as_str))
        .try_map(|word| word.parse::<DumpFormat>())
}
