//! `derate bench`.

use std::path::PathBuf;

use anyhow::{Context, Error};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{Format, Preprocess};

/// Which kernel to run.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum BenchKind {
    /// As many bytes read as written
    Memcpy,
    /// Reads and sums
    Read,
    /// Writes
    Write,
    /// Multiplies matrices
    Gemm,
    /// Multiplies a matrix by a vector; on a processor or a GPU
    Gemv,
    /// softmax(Q K^T) V of all heads; on a processor, scores never in memory, or on a GPU, where they are written
    Attention,
    /// Layers of one width with GELU, forward or with --backward; on a processor, or forward on a GPU
    Mlp,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Bandwidth is (bytes read + bytes written) / median time; 1 GB/s is 1e9 B/s. Every repetition is checked.\n\
        emu runs the compiled HLS kernels; its bytes are counted at their accesses, its time is modelled and says so.\n\
        cpu is this machine, measured: --ports are threads there. gemv, gemm, attention and mlp run in vectorised loops of \
        derate's own: fp32, fp16 and bf16 are multiplied in FP32 whatever they are stored in, int8 (gemv, gemm) in 16 bits.\n\
        Packed weights (fp8, nvfp4, nf4, int4-g128 and others) are expanded in registers and multiplied with FP32: their bytes \
        are those of the packed format.\n\
        With --out the file is written after each shape: what is finished when you press Ctrl-C is kept. `derate compare` \
        holds it against a roofline, `derate platform measure` makes that of this machine.\n\
        cuda:N is a GPU: gemv and gemm by cuBLAS (fp32, tf32, fp16, bf16, int8) or cuBLASLt (fp8, fp8-e5m2), memcpy by the \
        driver, all found at run time; attention and mlp (in the floats, with --backward too) are cuBLAS' products with a \
        softmax or a GELU of derate's own, and products with packed weights are kernels of derate's own, which NVRTC compiles \
        there: scores are written, read and written by the softmax, and read, and each activation is an operation of its own.\n\
        Results are wiped before each repetition, and entries of the last launch's are checked after it; of the launches before \
        it in a repetition, the time alone tells.\n\
        xrt:N is a card behind XRT, with a design of derate's kernels; under `derate emu run` it is emulated, and says so.\n\
        Whatever a kernel of --source starts ends with it.\n\
        A kernel of --source is called by position, whatever it and its arguments are called; words are of --port-bits:\n  \
        memcpy  void NAME(port<const ap_uint<512>> src, port<ap_uint<512>> dst, uint32_t words)\n  \
        read    void NAME(port<const ap_uint<512>> src, port<ap_uint<512>> sum, uint32_t words)\n  \
        write   void NAME(port<ap_uint<512>> dst, uint32_t words, uint32_t seed)\n  \
        gemm    void NAME(port<const ap_uint<512>> a, port<const ap_uint<512>> b, port<ap_uint<512>> c,\n                    \
        uint32_t m, uint32_t n, uint32_t k)\n\
        What each must do, and how a kernel that exists becomes one of these: docs/book/src/kernels.md.\n\
        Exits with 1 if a result is wrong, or if a kernel moves other bytes than the model says.\n\n\
        Examples:\n  derate bench read\n  derate bench read --port-bits 256 --clock \"250 MHz\"\n  \
        derate bench memcpy --ports 2 --banks HBM[0]       both ways through one channel\n  \
        derate bench gemm --shape 512x512x512 --shape 50x960x960 --precision bf16\n  \
        derate bench gemm --device cpu --sweep --precision fp32,bf16,int8 --out gemm.json\n  \
        derate bench gemv --precision all --repetitions 30      predicted, measured, error\n  \
        derate bench mlp --shape 8x512x2 --precision nvfp4,nf4,int4-g128\n  \
        derate bench attention --device cpu --shape 1x32x8x128x1x4096 --precision bf16\n  \
        derate bench attention --device cuda:0 --sweep --precision fp16,bf16 --out attention.json\n  \
        derate bench memcpy --source vcopy.cpp --kernel vcopy -I include\n  \
        derate bench read --device xrt:0 --xclbin u280-read.xclbin --out read.json\n  \
        derate bench memcpy --device cpu --size \"256 MiB\" --out machine.json"
)]
pub(crate) struct Bench {
    /// The kernel
    pub(crate) kind: BenchKind,
    /// Where: emu, cpu, cuda:0 for the first GPU, or xrt:0 for the first card [default: emu; cpu for gemv, attention and mlp]
    #[arg(long)]
    device: Option<String>,
    /// Bytes that a repetition reads, writes or copies in all units together, such as "64 MiB"; a copy reads and writes each
    /// of them; repeatable [default: 64 MiB]
    #[arg(long, value_name = "BYTES")]
    pub(crate) size: Vec<String>,
    /// Extents of an operator with an x between: rows, columns and terms of gemm, rows and columns of gemv; batch, heads,
    /// heads of keys, width of a head, queries and keys of attention; batch, width and layers of mlp; repeatable [default:
    /// 512x512x512, 4096x4096, 1x8x8x64x256x256, 64x512x2]
    #[arg(long, value_name = "EXTENTS", allow_hyphen_values = true)]
    pub(crate) shape: Vec<String>,
    /// Run a ladder of shapes instead, from what caches hold to what none does, but those that the device cannot run; on a
    /// processor or a GPU
    #[arg(long, conflicts_with = "shape")]
    pub(crate) sweep: bool,
    /// No query of an attention sees a later key
    #[arg(long)]
    pub(crate) causal: bool,
    /// The gradients of an mlp's input and weights, too
    #[arg(long)]
    pub(crate) backward: bool,
    /// What an operator's operands are stored in: fp32, bf16 or int8; on a processor fp16, too, and on a GPU fp16 and tf32;
    /// there several with commas between. On a processor weights of gemv, gemm and mlp in fp8, fp8-e5m2, mxfp8, mxfp4, nvfp4,
    /// nf4, int8-row and int4-g128, too, beside activations in fp32; `all` is fp16, fp8, nvfp4, int8 and int4-g128, with
    /// what the machine's own roofs predict [default: fp32]
    #[arg(long, value_name = "PRECISION", value_delimiter = ',')]
    pub(crate) precision: Vec<String>,
    /// Ports in all compute units together; a copy takes two each, a product three; threads of a processor [default: 32, a
    /// product 3, a processor 1, for its operators as many as it has]
    #[arg(long)]
    pub(crate) ports: Option<usize>,
    /// Bits of a stream's port; those of a product have 512 [default: 512]
    #[arg(long, value_name = "BITS", value_parser = port_widths())]
    pub(crate) port_bits: Option<u32>,
    /// The banks that the ports reach, one after another, as v++ names them [default: the card's main memory]
    #[arg(long, value_name = "BANKS")]
    pub(crate) banks: Option<String>,
    /// Compile the kernel from this HLS source instead, its pointers as `port<T>`; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Vec<PathBuf>,
    /// The kernel of --source to run [default: the name of derate's own, such as `krnl_memcpy`]
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
    /// Seconds that one run of a kernel of --source may take on this machine
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = parse_seconds)]
    pub(crate) limit: u32,
    /// The card that is emulated or behind XRT, from the catalogue or a file [default: u280]
    #[arg(long, value_parser = super::offered::card(), hide_possible_values = true)]
    pub(crate) platform: Option<String>,
    /// The kernels' clock, such as "300 MHz", at most the fastest of the card [default: the platform's]
    #[arg(long)]
    pub(crate) clock: Option<String>,
    /// The design that xrt:N loads
    #[arg(long, value_name = "FILE")]
    pub(crate) xclbin: Option<PathBuf>,
    /// Repetitions that count
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) repetitions: u16,
    /// Repetitions before them
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) warm_up: u16,
    /// Write the measurement to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// How to print it; json is the measurement itself
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// A limit in whole seconds.
pub(super) fn parse_seconds(text: &str) -> Result<u32, Error> {
    let whole = text.parse().ok().filter(|&seconds| seconds > 0);
    whole.context("give whole seconds, 1 or more, such as 300")
}

/// Widths that there are kernels for.
fn port_widths() -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(["256", "512"]).try_map(|word| word.parse::<u32>())
}

impl Bench {
    /// Where: what no card has a kernel for runs on the processor.
    pub(crate) fn device_name(&self) -> &str {
        let usual = match self.kind {
            BenchKind::Memcpy | BenchKind::Read | BenchKind::Write | BenchKind::Gemm => "emu",
            BenchKind::Gemv | BenchKind::Attention | BenchKind::Mlp => "cpu",
        };
        self.device.as_deref().unwrap_or(usual)
    }
}
