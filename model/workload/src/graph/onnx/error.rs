use prost::DecodeError;
use thiserror::Error;

/// Why an ONNX file is not a graph; a node is named by its operator and its name.
#[derive(Debug, Error)]
pub(super) enum OnnxError {
    #[error("this is not an ONNX file ({0}): save the model again")]
    Decode(#[from] DecodeError),
    #[error("this ONNX file has no graph: save the model again")]
    NoGraph,
    #[error("nothing makes the output `{0}`: save the model again")]
    UnmadeOutput(String),
    #[error("the elements of a tensor of shape {0:?} do not fit 64 bits")]
    TooLarge(Vec<u64>),
    #[error("the tensor `{0}` has a size below zero")]
    NegativeSize(String),
    #[error("the tensor `{tensor}` has the element type {number}, which derate does not know")]
    UnknownElement { tensor: String, number: i32 },
    #[error("the input `{0}` is not a tensor: derate reads tensors alone")]
    NotTensor(String),
    #[error("the input `{0}` has an element type that derate does not know")]
    UnknownInputElement(String),
    #[error("the input `{0}` has no shape: save the model with one")]
    NoShape(String),
    #[error("the input `{0}` has a dimension of unknown size: save the model with fixed sizes")]
    OpenDimension(String),
    #[error(
        "the input `{input}` has the dimension `{dimension}` of unknown size: write dimensions = {{ \"{dimension}\" = 1 }} under [model] of derate.toml, or give derate shapes --dimension \"{dimension}=1\", with your size"
    )]
    OpenNamedDimension { input: String, dimension: String },
    #[error("{node} reads `{name}`, which nothing before it makes: save the model again")]
    UnmadeInput { node: String, name: String },
    #[error(
        "{node} makes {inferred:?} by its inputs and {stated:?} by the file: save the model again"
    )]
    OtherShape { node: String, inferred: Vec<u64>, stated: Vec<u64> },
    #[error(
        "the shape of what {0} makes is not in the file and does not follow from its inputs: run onnx.shape_inference.infer_shapes on it"
    )]
    UnknownShape(String),
    #[error("{0} reads nothing")]
    NoInput(String),
}
