//! `derate predict`.

use std::path::PathBuf;

use anyhow::{Context, Error};
use clap::{ArgGroup, Subcommand, ValueEnum};
use derate_model::operator::parse_extent;

use super::Format;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Times at the roofline are those of each operation at its own roof, one after another, its operands read once \
        and its result written once: nothing is faster that neither overlaps operations nor keeps operands on the chip from \
        one to the next. derate measures nothing here, and adds no launch or other constant to them. Where streams are known to reach less than the memory's pins carry, or you say what is reached, the time \
        with that is beside it.\n\n\
        For products with weights on a GPU, the expected time is beside it too. It comes from constants fitted to published \
        timings of that GPU in that arithmetic, else of other GPUs; what it rests on and the error on timings that the fit \
        did not see are given. Where there are no such timings, it is unknown, with the reason.\n\n\
        Examples:\n  derate predict gemv --platform gb10 --shape 4096x4096 --precision nvfp4\n  \
        derate predict gemm --platform h100-sxm --m 4096 --n 4096 --k 4096 --precision fp8\n  \
        derate predict attention --platform a100-80 --heads 32 --kv-heads 8 --head-dim 128 --queries 1 --keys 8192\n  \
        derate predict mlp --platform rtx-5060-laptop --width 2048 --layers 4 --batch 512 --precision bf16\n  \
        derate predict llm --model llama-3-8b --platform h100-sxm --prompt 2048 --generate 256 --batch 8"
)]
pub(crate) struct Predict {
    #[command(subcommand)]
    pub(crate) workload: PredictWorkload,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PredictWorkload {
    /// A matrix times a vector: W (N x K) times x (K)
    Gemv(Gemv),
    /// A matrix product: A (M x K) times B (K x N), B the weights
    Gemm(Gemm),
    /// softmax(Q K^T) V, with fewer heads of keys than of queries
    Attention(Attention),
    /// Linear layers of one width, each with GELU, forward and backward
    Mlp(Mlp),
    /// A decoder language model: prefill, decode, cache, and a measured run held against the roofline
    Llm(Llm),
    /// List the language models that are built in
    Models(Models),
}

/// Where it runs and how tensors are stored.
#[derive(Debug, clap::Args)]
pub(crate) struct Setting {
    /// A card or a processor of the catalogue, or a path to your own .toml
    #[arg(long, visible_alias = "on", value_name = "NAME", value_parser = super::offered::target(), hide_possible_values = true)]
    pub(crate) platform: String,
    /// One precision or encoding, such as bf16 or nvfp4, or parts, such as w=int4-g128,a=fp16,kv=fp8,acc=fp32
    /// [default: fp16; of a model, the one that its file names, or the first of the platform's that is as wide where the
    /// platform does not compute in that one]
    #[arg(long, value_name = "NAME")]
    pub(crate) precision: Option<String>,
    /// Of external memory, in place of the platform's, such as "273 GB/s"
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) bandwidth: Option<String>,
    /// Of every arithmetic, in place of the platform's, such as "62 TFLOP/s", or of one, such as fp8="124 TFLOP/s"; may be
    /// given several times
    #[arg(long, value_name = "[NAME=]RATE", allow_hyphen_values = true)]
    pub(crate) peak: Vec<String>,
    /// Of a card's kernels, such as "250 MHz" [default: the card's]
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) clock: Option<String>,
    /// The share of the bandwidth that your runs reach, such as 0.85
    #[arg(long, value_name = "SHARE", value_parser = parse_share, allow_hyphen_values = true)]
    pub(crate) memory_efficiency: Option<f64>,
    /// The share of the peak that your runs reach, such as 0.6
    #[arg(long, value_name = "SHARE", value_parser = parse_share, allow_hyphen_values = true)]
    pub(crate) compute_efficiency: Option<f64>,
    /// The time that one run took, such as "125 us": the rate, the share of the roofline, the error of the prediction
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) measured: Option<String>,
    /// Measured points for the picture of --out: what `derate bench --out` writes, or a CSV file with the columns name, oi,
    /// rate (with its unit), source
    #[arg(long, value_name = "FILE")]
    pub(crate) points: Option<PathBuf>,
    /// What a profiler counted (`ncu --csv`): bytes and times beside those that are modelled
    #[arg(long, value_name = "FILE")]
    pub(crate) counted: Option<PathBuf>,
    /// Of --counted, the kernels whose names have this in them [default: all, one launch of each]
    #[arg(long, value_name = "TEXT", requires = "counted")]
    pub(crate) kernel: Option<String>,
    /// Power while it ran (`nvidia-smi --query-gpu=name,power.draw --format=csv`, `xbutil examine -r electrical -f JSON`):
    /// energy of an operation, with the time of --measured or of --counted
    #[arg(long, value_name = "FILE")]
    pub(crate) power: Option<PathBuf>,
    /// Also write prediction.html, prediction.json, the roofline as a picture and each table as CSV into this folder
    #[arg(long, short, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Show all, not what fits one screen
    #[arg(long)]
    pub(crate) detail: bool,
}

#[derive(Debug, clap::Args)]
#[command(
    group(ArgGroup::new("extents").args(["shape", "n"]).required(true)),
    after_help = "Examples:\n  derate predict gemv --platform h100-sxm --shape 4096x4096\n  \
        derate predict gemv --platform a100-40 --shape 4096x4096 --counted ncu.csv --kernel gemv2T --power power.csv\n  \
        derate predict gemv --platform gb10 --n 4096 --k 4096 --precision fp8 --bandwidth \"287 GB/s\" --peak fp8=\"124 TFLOP/s\"\n\n\
        Where a platform's peak is not published, time and bound hold under a condition: that the peak is between those of the \
        platform's other arithmetic. --peak takes its place."
)]
pub(crate) struct Gemv {
    /// Rows and columns of the matrix, such as 4096x11008
    #[arg(long, value_name = "NxK", conflicts_with_all = ["n", "k"], allow_hyphen_values = true)]
    pub(crate) shape: Option<String>,
    /// Rows of the matrix
    #[arg(long, value_parser = parse_extent, requires = "k", allow_hyphen_values = true)]
    pub(crate) n: Option<u64>,
    /// Columns of the matrix
    #[arg(long, value_parser = parse_extent, requires = "n", allow_hyphen_values = true)]
    pub(crate) k: Option<u64>,
    #[command(flatten)]
    pub(crate) setting: Setting,
}

#[derive(Debug, clap::Args)]
#[command(
    group(ArgGroup::new("extents").args(["shape", "m"]).required(true)),
    after_help = "Examples:\n  derate predict gemm --platform a100-80 --shape 4096x4096x4096 --precision bf16\n  \
        derate predict gemm --platform u280 --m 50 --n 2560 --k 960 --precision int8 --clock \"250 MHz\""
)]
pub(crate) struct Gemm {
    /// Rows, columns and terms, such as 4096x4096x4096
    #[arg(long, value_name = "MxNxK", conflicts_with_all = ["m", "n", "k"], allow_hyphen_values = true)]
    pub(crate) shape: Option<String>,
    /// Rows of the result
    #[arg(long, value_parser = parse_extent, requires_all = ["n", "k"], allow_hyphen_values = true)]
    pub(crate) m: Option<u64>,
    /// Columns of the result
    #[arg(long, value_parser = parse_extent, requires_all = ["m", "k"], allow_hyphen_values = true)]
    pub(crate) n: Option<u64>,
    /// Terms of each of its elements
    #[arg(long, value_parser = parse_extent, requires_all = ["m", "n"], allow_hyphen_values = true)]
    pub(crate) k: Option<u64>,
    #[command(flatten)]
    pub(crate) setting: Setting,
}

/// Where attention scores are.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum ScoresIn {
    /// Never in memory, as in `FlashAttention`; what a mask hides is not computed
    Fused,
    /// Written by one product and read by the next, computed whole
    Written,
    /// The same with a softmax of its own between them, which reads and writes them once more
    Apart,
}

#[derive(Debug, clap::Args)]
#[command(
    group(ArgGroup::new("extents").args(["shape", "heads"]).required(true)),
    after_help = "The queries are the last of the keys' tokens: one query and 8192 keys are a decode step.\n\n\
        Examples:\n  derate predict attention --platform a100-80 --shape 1x32x8x128x1x8192\n  derate predict attention --platform h100-sxm --heads 32 --kv-heads 8 --head-dim 128 --queries 4096 --causal\n  \
        derate predict attention --platform t4 --heads 15 --kv-heads 5 --head-dim 64 --queries 50 --scores written"
)]
pub(crate) struct Attention {
    /// Sequences, heads of queries, heads of keys, width of a head, queries and keys, such as 1x32x8x128x1x8192
    #[arg(
        long,
        value_name = "BxHxGxDxQxK",
        conflicts_with_all = ["batch", "heads", "kv_heads", "head_dim", "queries", "keys"],
        allow_hyphen_values = true
    )]
    pub(crate) shape: Option<String>,
    /// Sequences
    #[arg(long, value_parser = parse_extent, default_value = "1", allow_hyphen_values = true)]
    pub(crate) batch: u64,
    /// Heads of queries
    #[arg(
        long,
        value_parser = parse_extent,
        requires_all = ["head_dim", "queries"],
        allow_hyphen_values = true
    )]
    pub(crate) heads: Option<u64>,
    /// Heads of keys and of values [default: as many]
    #[arg(long, value_parser = parse_extent, allow_hyphen_values = true)]
    pub(crate) kv_heads: Option<u64>,
    /// Width of a head
    #[arg(long, value_parser = parse_extent, allow_hyphen_values = true)]
    pub(crate) head_dim: Option<u64>,
    /// Queries of a sequence
    #[arg(long, value_parser = parse_extent, allow_hyphen_values = true)]
    pub(crate) queries: Option<u64>,
    /// Keys of a sequence [default: as many as queries]
    #[arg(long, value_parser = parse_extent, allow_hyphen_values = true)]
    pub(crate) keys: Option<u64>,
    /// No query sees a later key
    #[arg(long)]
    pub(crate) causal: bool,
    /// Keys that a query sees at most, the last ones; for --causal
    #[arg(long, value_parser = parse_extent, requires = "causal", allow_hyphen_values = true)]
    pub(crate) window: Option<u64>,
    /// Where the scores are
    #[arg(long, value_enum, default_value = "fused")]
    pub(crate) scores: ScoresIn,
    #[command(flatten)]
    pub(crate) setting: Setting,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Backward, each layer makes the gradients of what it read and of its weights: 4 b d^2 beside the 2 b d^2 forward.\n\n\
        Examples:\n  derate predict mlp --platform rtx-5060-laptop --width 2048 --layers 4 --batch 512 --precision fp16\n  \
        derate predict mlp --platform a100-40 --width 2048 --batch 512 --measured \"90 us\" --out mlp"
)]
pub(crate) struct Mlp {
    /// Rows, width and layers, such as 512x2048x4
    #[arg(long, value_name = "BxWxL", conflicts_with_all = ["batch", "width", "layers"], allow_hyphen_values = true)]
    pub(crate) shape: Option<String>,
    /// Inputs and outputs of each layer
    #[arg(long, value_parser = parse_extent, requires = "batch", allow_hyphen_values = true)]
    pub(crate) width: Option<u64>,
    /// Layers
    #[arg(long, value_parser = parse_extent, default_value = "1", allow_hyphen_values = true)]
    pub(crate) layers: u64,
    /// Rows
    #[arg(long, value_parser = parse_extent, requires = "width", allow_hyphen_values = true)]
    pub(crate) batch: Option<u64>,
    /// Without the backward pass
    #[arg(long)]
    pub(crate) forward: bool,
    /// GELU as an operation of its own that reads and writes memory, as an eager framework runs it
    #[arg(long)]
    pub(crate) eager: bool,
    #[command(flatten)]
    pub(crate) setting: Setting,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "A run is the prompts' pass, out of which the first token comes, and a decode step for each further one, its context \
        growing. With --measured, what the run achieved and which roof held it; with --sweep, the same under other batches \
        and lengths: every combination is computed.\n\n\
        Examples:\n  derate predict models\n  \
        derate predict llm --model mistral-7b --platform t4 --prompt 100 --generate 100 --measured \"9 s\"\n  \
        derate predict llm --model llama-3-70b --platform h200 --precision w=int4-g128,a=fp16,kv=fp8 --prompt 8192 --batch 32\n  \
        derate predict llm --model qwen/config.json --platform u280 --context 4096 --sweep batch=1,2,4,8"
)]
pub(crate) struct Llm {
    /// A model of `derate predict models`, or the path of a Hugging Face config.json
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: String,
    /// Tokens of each prompt
    #[arg(long, value_name = "N", value_parser = parse_extent, default_value = "512", allow_hyphen_values = true)]
    pub(crate) prompt: u64,
    /// Tokens that each sequence gets
    #[arg(long, value_name = "N", value_parser = parse_extent, default_value = "128", allow_hyphen_values = true)]
    pub(crate) generate: u64,
    /// Sequences
    #[arg(long, value_name = "N", value_parser = parse_extent, default_value = "1", allow_hyphen_values = true)]
    pub(crate) batch: u64,
    /// Tokens that the decode step shown sees, its own included [default: those of the run's last step]
    #[arg(long, value_name = "N", value_parser = parse_extent, allow_hyphen_values = true)]
    pub(crate) context: Option<u64>,
    /// Vary batch, prompt, generate or context; may be given several times
    #[arg(long, value_name = "KEY=V1,V2..", allow_hyphen_values = true)]
    pub(crate) sweep: Vec<String>,
    #[cfg(feature = "parquet")]
    #[command(flatten)]
    pub(crate) points: super::PointsFile,
    /// Where attention scores are
    #[arg(long, value_enum, default_value = "fused")]
    pub(crate) scores: ScoresIn,
    /// Pass all positions of the prompts through the head, not the last alone
    #[arg(long)]
    pub(crate) all_logits: bool,
    /// How the embedding table and the head are stored [default: as the weights]
    #[arg(long, value_name = "NAME")]
    pub(crate) head_precision: Option<String>,
    #[command(flatten)]
    pub(crate) setting: Setting,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  derate predict models\n  derate predict models --format json")]
pub(crate) struct Models {
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Show all, not what fits one screen
    #[arg(long)]
    pub(crate) detail: bool,
}

/// A share above zero and at most one.
fn parse_share(text: &str) -> Result<f64, Error> {
    let read = text.parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    read.with_context(|| format!("`{text}` is not a share: write a number above 0 and at most 1"))
}
