//! The project file as serde sees it. Unknown keys are refused here.
//!
//! The comments of tables and keys are the book's reference of `derate.toml`: `tests/configuration_page.rs` writes it.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::{Checker, ProjectError};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) model: Option<Model>,
    pub(super) hls: Option<Hls>,
    pub(super) platform: Platform,
    pub(super) claims: Option<Claims>,
    pub(super) claim: Option<Vec<PartClaim>>,
    pub(super) derate: Option<Derate>,
    pub(super) measurements: Option<Measurements>,
    pub(super) design: Option<Design>,
    pub(super) kernel: Option<Vec<Kernel>>,
    pub(super) transfers: Option<Transfers>,
    pub(super) measured: Option<Vec<Measured>>,
    pub(super) audit: Option<Audit>,
}

/// What the model is.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    /// Path of the dump. All commands but `derate validate` need it.
    pub(super) shapes: Option<Spanned<String>>,
    /// `smolvla`: a whole inference of that model; `linear`: every 2-D weight is one matrix product; or a file with the
    /// model's operations: `workload.json` as `derate.trace` records it, `model.onnx`, or the folder that hls4ml wrote, each
    /// of which makes `shapes` needless. Default: `smolvla` if the dump has its layers, else `linear`.
    pub(super) workload: Option<Spanned<String>>,
    /// Camera images per inference, for `smolvla` and a recorded loop `cameras`. Default: 3, or as recorded.
    pub(super) cameras: Option<Spanned<i64>>,
    /// Language tokens per inference, padding included, for `smolvla`. Default: 48.
    pub(super) language_tokens: Option<Spanned<i64>>,
    /// Denoising steps of the action expert, for `smolvla` and a recorded loop `denoise_steps`. Default: 10, or as recorded.
    pub(super) denoise_steps: Option<Spanned<i64>>,
    /// Actions that are denoised at once, for `smolvla`. Default: 50.
    pub(super) chunk: Option<Spanned<i64>>,
    /// Sizes of dimensions that an ONNX file leaves open: `{ batch = 1 }`.
    pub(super) dimensions: Option<BTreeMap<String, Spanned<i64>>>,
}

/// What the code is. Paths may have the wildcards `*`, `?` and `**`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hls {
    /// Headers and kernels, C++ or the Python that Allo reads.
    pub(super) sources: Option<Vec<Spanned<String>>>,
    /// Folders in which includes are looked for, as `-I`.
    pub(super) include: Option<Vec<Spanned<String>>>,
    /// Macros that the build sets, as `-D`: `NAME` (1) or `NAME=VALUE`.
    pub(super) defines: Option<Vec<Spanned<String>>>,
    /// The v++ configuration: compute units, banks, SLRs, clocks.
    pub(super) connectivity: Option<Spanned<String>>,
    /// What Vitis HLS, v++ and co-simulation printed: csynth reports, utilisation, `xclbin.info`.
    pub(super) reports: Option<Vec<Spanned<String>>>,
    /// Tcl, `hls_config.cfg` and Makefiles that say for which part the tools are run.
    pub(super) scripts: Option<Vec<Spanned<String>>>,
}

/// The card. This table is always needed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Platform {
    /// A card of the catalogue (`derate platform` lists them), or the path of your own file. Without it, `derate audit` of a
    /// folder without a model takes what the folder's own files name; where a card is needed, `u280` is assumed, and what
    /// rests on it is said to be assumed.
    pub(super) name: Option<Spanned<String>>,
}

/// What the analysis claims. What is left out is not checked.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claims {
    /// Number format of every element: `fp32`, `bf16`, `int8`, `int4` and so on; or `as-stored`: each tensor as the
    /// dump says.
    pub(super) precision: Option<Spanned<String>>,
    /// Inferences at a time. Default: 1.
    pub(super) batch: Option<Spanned<i64>>,
    /// Tokens that a layer sees.
    pub(super) sequence_length: Option<Spanned<i64>>,
    /// Clock of the kernels, such as `300 MHz`.
    pub(super) clock: Option<Spanned<String>>,
    /// Bandwidth of the external memory, such as `460 GB/s`.
    pub(super) bandwidth: Option<Spanned<String>>,
    /// Peak rate of each arithmetic: `{ fp32 = "1.08 TFLOP/s", int8 = "9.47 TOP/s" }`.
    pub(super) peak: Option<BTreeMap<Spanned<String>, Spanned<String>>>,
    /// Time of one inference, such as `90 ms`, or `unknown`; `20 ms per layer` is the time of one layer.
    pub(super) latency: Option<Spanned<String>>,
    /// Operations of one inference, such as `835 GOP` or `417 GMAC`; or `12 GOP per layer`. A multiply-add is two.
    pub(super) work: Option<Spanned<String>>,
    /// Bytes of the weights, such as `450 MB`, or `7 MB per layer`.
    pub(super) weights: Option<Spanned<String>>,
    /// Bytes of everything else that an inference reads and writes.
    pub(super) activations: Option<Spanned<String>>,
    /// Operational intensity, such as `46 OP/B`.
    pub(super) intensity: Option<Spanned<String>>,
    /// Inferences per second, such as `40 FPS` or `40 inferences/s`. A frame is one inference.
    pub(super) throughput: Option<Spanned<String>>,
    /// Share of the peak rate that work over time is, such as `60 %`.
    pub(super) utilisation: Option<Spanned<String>>,
}

/// What the analysis claims of a part, an operation or a kernel. Repeat the table for each.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartClaim {
    /// What the figures are of: a part of the workload such as `vision`, an operation such as `vision.fc1`, or the name of a
    /// `[[kernel]]`.
    pub(super) of: Spanned<String>,
    /// Its time in an inference, such as `12 ms`; `20 ms per layer` is that of one layer, `3 ms per call` that of one call
    /// of a kernel.
    pub(super) latency: Option<Spanned<String>>,
    /// Its operations in an inference, per layer or per call.
    pub(super) work: Option<Spanned<String>>,
    /// Bytes of its weights, in all, per layer or per call.
    pub(super) weights: Option<Spanned<String>>,
    /// Bytes of everything else that it reads and writes.
    pub(super) activations: Option<Spanned<String>>,
    /// Its operational intensity.
    pub(super) intensity: Option<Spanned<String>>,
    /// Inferences per second that it can do.
    pub(super) throughput: Option<Spanned<String>>,
    /// Share of the peak rate that its work over its time is.
    pub(super) utilisation: Option<Spanned<String>>,
}

/// What you expect instead of the claim.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Derate {
    /// Bandwidth that you expect to reach. Default: what sequential streams reach on the card.
    pub(super) bandwidth: Option<Spanned<String>>,
}

/// What was measured. The report shows it beside the claim.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Measurements {
    /// What `derate bench`, `xbutil validate -f JSON` or `xrt-smi validate -f JSON` wrote; wildcards are allowed.
    pub(super) files: Option<Vec<Spanned<String>>>,
    /// A CSV file of kernels on the roofline, with the columns name, oi, rate (such as `120 GOP/s`) and source.
    pub(super) points: Option<Spanned<String>>,
}

/// The hardware that you plan. With `rows` and `columns`, latency is modelled.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Design {
    /// Number format of the design, if it is not the claimed one; or `as-stored`.
    pub(super) precision: Option<Spanned<String>>,
    /// DSP slices per multiply-add of a number format, if they differ from the platform's: `{ bf16 = 2.0 }`. At least
    /// 0.125.
    pub(super) dsp_per_mac: Option<BTreeMap<Spanned<String>, Spanned<f64>>>,
    /// Rows of the array of processing elements. Needs `columns`.
    pub(super) rows: Option<Spanned<i64>>,
    /// Columns of the array. Needs `rows`.
    pub(super) columns: Option<Spanned<i64>>,
    /// Multiply-adds that each element starts per cycle. Default: 1.
    pub(super) unroll: Option<Spanned<i64>>,
    /// Cycles between two additions to one partial sum. Default: 1.
    pub(super) accumulation_ii: Option<Spanned<i64>>,
    /// Cycles to fill and drain the array, per tile. Default: the larger side of the array and 12.
    pub(super) fill: Option<Spanned<i64>>,
    /// Elements per cycle of norms, softmax and other elementwise work. Default: no limit.
    pub(super) lanes: Option<Spanned<i64>>,
    /// Cycles from a request to its first word. Default: the platform's.
    pub(super) memory_latency: Option<Spanned<i64>>,
    /// Time of one kernel call of the host, such as `265 us`. Default: the platform's.
    pub(super) launch: Option<Spanned<String>>,
    /// What one call of the host runs: `kernel`, `block`, `part` or `inference`. Default: `block`.
    pub(super) launches: Option<Spanned<String>>,
    /// Clock that the bitstream reached. Default: the link report's, else the one that v++ is asked for, else the
    /// claimed one.
    pub(super) clock: Option<Spanned<String>>,
    /// What is fused: `unfused`, `epilogue`, `attention` or `block`. Default: `unfused`.
    pub(super) schedule: Option<Spanned<String>>,
    /// On-chip memory for operands, such as `24 MiB`. Default: what the shell leaves.
    pub(super) buffer: Option<Spanned<String>>,
    /// Ports to external memory, up to 4096. Needs `port_bits`. Default: those of the v++ configuration.
    pub(super) ports: Option<Spanned<i64>>,
    /// Width of each port in bits. Needs `ports`.
    pub(super) port_bits: Option<Spanned<i64>>,
    /// Parts whose weights stay on the chip between inferences, such as `connector`.
    pub(super) hold: Option<Vec<Spanned<String>>>,
    /// `true`: keys and values of cross-attention are computed once, not in every denoising step. Default: `false`.
    pub(super) hoist_cross_kv: Option<Spanned<bool>>,
    /// `true`: results of the last text layer that nobody reads are not computed. Default: `false`.
    pub(super) drop_dead_work: Option<Spanned<bool>>,
}

/// A kernel of the design: what it computes of the model, and how long it takes. One of `source`, `report` and
/// `[[kernel.stage]]` says how long. Repeat the table for each kernel.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kernel {
    /// What the kernel is called.
    pub(super) name: Spanned<String>,
    /// Parts of the workload that it computes, such as `vision`, or operations of one, such as `vision.attention` and
    /// `vision.fc1`. An operation's name may be its beginning: `attention` is `attention_qk` and `attention_pv`.
    pub(super) serves: Option<Vec<Spanned<String>>>,
    /// Calls per inference. Default: one for each layer that has what it serves, as often as the layer runs.
    pub(super) calls: Option<Spanned<i64>>,
    /// Compute units of the kernel. They share the calls of a layer, which must not depend on each other, and the memory; layers
    /// run one after another. Stated resources are those of one unit. Default: what `nk=` of `[hls] connectivity` makes, else 1.
    pub(super) units: Option<Spanned<i64>>,
    /// Share of what it serves that it computes, above 0 and at most 1, where other kernels serve that too. Default: what
    /// the shares of the others leave, divided by calls.
    pub(super) share: Option<Spanned<f64>>,
    /// C++ sources that its cycles are modelled from.
    pub(super) source: Option<Vec<Spanned<String>>>,
    /// The top function in them. Default: the only one that nobody calls.
    pub(super) top: Option<Spanned<String>>,
    /// Macros that its build sets: `NAME` or `NAME=VALUE`.
    pub(super) defines: Option<Vec<Spanned<String>>>,
    /// What each call passes for numbers among the arguments of the top function: `{ rows = 32000, columns = 288 }`. Loops whose
    /// ends follow from them are counted by them, whatever their `loop_tripcount` says.
    pub(super) arguments: Option<BTreeMap<Spanned<String>, Spanned<i64>>>,
    /// A Tcl file or an `hls_config.cfg` with directives.
    pub(super) directives: Option<Spanned<String>>,
    /// The version of Vitis HLS that builds it. Default: 2023.2.
    pub(super) tool: Option<Spanned<String>>,
    /// A synthesis report that its cycles and resources are read from. With `source` beside it, the audit says where the
    /// report is of another version of the source.
    pub(super) report: Option<Spanned<String>>,
    /// `sequential`: stages run one after another; or `dataflow`: they run at the same time. Default: `sequential`.
    pub(super) schedule: Option<Spanned<String>>,
    /// Clock that the kernel reaches. Default: that of the design.
    pub(super) clock: Option<Spanned<String>>,
    /// Number format that it computes in. Default: that of the source.
    pub(super) precision: Option<Spanned<String>>,
    /// Bits of each port of external memory: `{ q = 8, k = 512 }`.
    pub(super) port_bits: Option<BTreeMap<Spanned<String>, Spanned<i64>>>,
    /// Bytes from the host to the card before each call, such as `768 KiB`. Default: none.
    pub(super) to_card: Option<Spanned<String>>,
    /// Bytes from the card to the host after each call. Default: none.
    pub(super) from_card: Option<Spanned<String>>,
    /// The region of the chip that it is placed in, such as `SLR1`. Default: what the v++ configuration says.
    pub(super) slr: Option<Spanned<String>>,
    /// DSP slices that it takes. Default: those of the source or the report.
    pub(super) dsp: Option<Spanned<i64>>,
    /// Halves of block memories, 18 Kb each, that it takes.
    pub(super) bram18: Option<Spanned<i64>>,
    /// `UltraRAM` blocks that it takes.
    pub(super) uram: Option<Spanned<i64>>,
    /// Look-up tables that it takes.
    pub(super) lut: Option<Spanned<i64>>,
    /// Flip-flops that it takes.
    pub(super) ff: Option<Spanned<i64>>,
    /// Its loops, for those who have no C++.
    pub(super) stage: Option<Vec<Stage>>,
}

/// A pipelined loop of a kernel, under `[[kernel]]`. Repeat the table for each stage, in their order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stage {
    /// What the stage is called.
    pub(super) name: Spanned<String>,
    /// Iterations of the pipelined loop, those of flattened loops around it included.
    pub(super) trips: Spanned<i64>,
    /// How often the loop is entered in one call. Default: 1.
    pub(super) repeats: Option<Spanned<i64>>,
    /// Cycles between the starts of two iterations. Default: 1.
    pub(super) ii: Option<Spanned<i64>>,
    /// Cycles of one iteration from its start to its end.
    pub(super) depth: Spanned<i64>,
    /// Multiply-adds in one iteration. Default: 0.
    pub(super) multiply_adds: Option<Spanned<f64>>,
    /// Bytes that one iteration moves through each port of the kernel: `{ q = 1, k = 64 }`.
    pub(super) bytes: Option<BTreeMap<Spanned<String>, Spanned<f64>>>,
}

/// What host and card exchange in one inference, beside what each `[[kernel]]` says.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Transfers {
    /// Bytes to the card, such as `2.4 MB`; `0 B` for none. Default: the model's inputs, and the weights for which the
    /// card's memory has no room.
    pub(super) to_card: Option<Spanned<String>>,
    /// Bytes from the card. Default: the model's outputs.
    pub(super) from_card: Option<Spanned<String>>,
    /// Rate of a transfer to the card, such as `10 GB/s`. Default: the platform's.
    pub(super) to_card_rate: Option<Spanned<String>>,
    /// Rate of a transfer from the card. Default: the platform's.
    pub(super) from_card_rate: Option<Spanned<String>>,
}

/// A time that was measured, of a kernel or of the whole inference. One of `time`, `summary` and `timestamps` says it.
/// Repeat the table for each.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Measured {
    /// The kernel of `[[kernel]]`. Default: the whole inference for `time`, all kernels that a file names.
    pub(super) kernel: Option<Spanned<String>>,
    /// The time of one call or of one inference, such as `25.05 ms`.
    pub(super) time: Option<Spanned<String>>,
    /// Who measured `time`, on what. Needed with `time`.
    pub(super) source: Option<Spanned<String>>,
    /// What took `time`: `card` (without the host's calls) or `host`. Default: `card` for a kernel, `host` for the
    /// inference.
    pub(super) timed_by: Option<Spanned<String>>,
    /// Path of XRT's `summary.csv`.
    pub(super) summary: Option<Spanned<String>>,
    /// Path of a CSV file of the host's timestamps with the columns name, start and end, such as `start (ns)`.
    pub(super) timestamps: Option<Spanned<String>>,
}

/// How findings are reported.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Audit {
    /// Level of all findings of a rule, by its code: `error`, `warning`, `note` or `off`. `derate rules` lists the
    /// rules.
    pub(super) levels: Option<BTreeMap<Spanned<String>, Spanned<String>>>,
}

/// The parser's words and ours.
const WORDS: [(&str, &str); 8] = [
    ("unknown field", "unknown key"),
    ("missing field", "missing key or table"),
    ("expected a string", "expected a text in quotes"),
    ("expected i64", "expected a whole number"),
    ("expected f64", "expected a number"),
    ("expected a map", "expected a table, such as { fp32 = ... }"),
    ("expected a sequence", "expected a list in brackets"),
    (" as i128", ""),
];

/// The parser's error as one sentence with file and line.
pub(super) fn sentence(check: &Checker<'_>, error: &toml::de::Error) -> ProjectError {
    let reason = WORDS
        .iter()
        .fold(error.message().to_owned(), |text, (theirs, ours)| text.replace(theirs, ours));
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let span = check.span(error.span().unwrap_or(0..0));
    let before = check.sources.text(span.file).get(..span.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    // The parser says what it found, not under which key.
    let key = line.split_once('=').map(|(key, _)| key.trim()).filter(|key| !key.is_empty());
    let reason = key.map_or_else(|| reason.clone(), |key| format!("{key}: {reason}"));
    ProjectError::at(check.sources, span, reason)
}
