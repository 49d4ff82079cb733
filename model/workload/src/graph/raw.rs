//! The file `derate.workload/1` as it is written.

use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct RawGraph {
    pub(super) schema: String,
    pub(super) name: String,
    pub(super) producer: Option<String>,
    #[serde(default)]
    pub(super) loops: Vec<RawLoop>,
    pub(super) values: Vec<RawValue>,
    pub(super) operations: Vec<RawOperation>,
    #[serde(default)]
    pub(super) outputs: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct RawLoop {
    pub(super) name: String,
    pub(super) count: u64,
}

#[derive(Deserialize)]
pub(super) struct RawValue {
    pub(super) shape: Vec<u64>,
    pub(super) dtype: String,
    pub(super) parameter: Option<String>,
    pub(super) input: Option<String>,
    pub(super) view: Option<usize>,
    #[serde(default)]
    pub(super) constant: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RawKind {
    Product,
    Convolution,
    Attention,
    Norm,
    Softmax,
    Pool,
    Embedding,
    Elementwise,
    Reduction,
    Copy,
    Fill,
    Unknown,
}

#[derive(Deserialize)]
pub(super) struct RawOperation {
    pub(super) kind: RawKind,
    pub(super) function: String,
    #[serde(default)]
    pub(super) module: String,
    pub(super) inputs: Vec<usize>,
    pub(super) outputs: Vec<usize>,
    #[serde(rename = "loop")]
    pub(super) around: Option<usize>,
    #[serde(default)]
    pub(super) stride: Vec<u64>,
    #[serde(default)]
    pub(super) padding: Vec<u64>,
    #[serde(default)]
    pub(super) dilation: Vec<u64>,
    #[serde(default)]
    pub(super) output_padding: Vec<u64>,
    pub(super) groups: Option<u64>,
    #[serde(default)]
    pub(super) transposed: bool,
    pub(super) window: Option<u64>,
}
