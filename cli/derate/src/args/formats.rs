//! The arguments of `derate formats`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Formats: any precision (fp32, tf32, bf16, fp8_e4m3, int8...), mxfp8, mxfp6, mxfp4, nvfp4, nf4, nf4-double, \
        int4-g128, int4-g32, int4-g128-zp, int8-row; or parts: w=nf4,a=bf16,kv=fp8,acc=fp32.\n\
        rho is the operational intensity over the ridge (peak / bandwidth) of the arithmetic that a format runs in.\n\n\
        Examples:\n  derate formats\n  derate formats --platform h100-sxm\n  \
        derate formats --platform rtx-5060-laptop --gemm 4096x4096x4096\n  \
        derate formats --platform a100-80 --mlp 2048,4,512 --precision fp32 --precision bf16\n  \
        derate formats --platform gb10 --gemm 1x4096x4096 --out report    write page, tables and figures\n  \
        derate formats --platform u280 --gemm 50x960x960 --precision fp32 --precision bf16 --precision int8 --claim fp32=\"5.41 TFLOP/s\" \\\n    \
        --claim int8=\"18.6 TOP/s\" --bandwidth \"300 GB/s\"\n  \
        derate formats --platform cpu.toml --gemm 1x4096x4096 --points gemv.json"
)]
pub(crate) struct Formats {
    /// A card or a processor of the catalogue, or a path to your own .toml
    #[arg(long, value_name = "NAME", value_parser = super::offered::target(), hide_possible_values = true)]
    pub(crate) platform: Option<String>,
    /// The workload: a GEMM of M x N, summed over K; M = 1 is a GEMV; M,N,K will do too
    #[arg(long, value_name = "MxNxK", allow_hyphen_values = true)]
    pub(crate) gemm: Option<String>,
    /// The workload: linear layers with GELU, forward and backward
    #[arg(
        long,
        value_name = "WIDTH,LAYERS,BATCH",
        conflicts_with = "gemm",
        allow_hyphen_values = true
    )]
    pub(crate) mlp: Option<String>,
    /// A format, or parts of one; repeatable [default: all that have a name]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) precision: Vec<String>,
    /// Of external memory, in place of the platform's, such as "300 GB/s"
    #[arg(long, allow_hyphen_values = true, requires = "platform")]
    pub(crate) bandwidth: Option<String>,
    /// Of every arithmetic, in place of the platform's, or of one, such as int8="9.5 TOP/s"; may be given several times
    #[arg(long, value_name = "[NAME=]RATE", allow_hyphen_values = true, requires = "platform")]
    pub(crate) peak: Vec<String>,
    /// What somebody claims beside the platform's own, such as fp32="5.41 TFLOP/s": both roofs are drawn, and their ridges
    /// are beside each other; may be given several times
    #[arg(long, value_name = "[NAME=]RATE", allow_hyphen_values = true, requires = "platform")]
    pub(crate) claim: Vec<String>,
    /// Circuit weights of your own for the bit-level intensity: a TOML file with a table [weights], such as fp32 = 1.0,
    /// int8 = 0.08
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// Measured points: what `derate bench --out` writes, or a CSV file with the columns name, oi, rate (with its unit),
    /// source; a name begins with its format
    #[arg(long, value_name = "FILE")]
    pub(crate) points: Option<PathBuf>,
    /// Also write formats.html, formats.md, a picture of each figure and each table as CSV into this folder
    #[arg(long, short, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: super::Format,
}
