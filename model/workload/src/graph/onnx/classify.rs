//! What an operator of ONNX is in the words of `derate.workload/1`.

use super::finn::Layer;
use super::infer::POINTWISE;
use super::infer_window::find_padding;
use super::meaning::Meaning;
use super::proto::NodeProto;
use crate::graph::{Convolution, OperationKind};

/// Operators whose name in the schema is not theirs with underscores.
const FUNCTIONS: [(&str, &str); 24] = [
    ("Clip", "clamp"),
    ("HardSwish", "hardswish"),
    ("HardSigmoid", "hardsigmoid"),
    ("PRelu", "prelu"),
    ("Swish", "silu"),
    ("FastGelu", "gelu"),
    ("BiasGelu", "gelu"),
    ("LayerNormalization", "layer_norm"),
    ("BatchNormalization", "batch_norm"),
    ("InstanceNormalization", "group_norm"),
    ("GroupNormalization", "group_norm"),
    ("RMSNormalization", "rms_norm"),
    ("SimplifiedLayerNormalization", "rms_norm"),
    ("MatMul", "matmul"),
    ("MatMulInteger", "matmul"),
    ("QLinearMatMul", "matmul"),
    ("Gemm", "matmul"),
    ("Conv", "convolution"),
    ("ConvInteger", "convolution"),
    ("QLinearConv", "convolution"),
    ("ConvTranspose", "convolution"),
    ("Max", "maximum"),
    ("Min", "minimum"),
    ("Attention", "scaled_dot_product_attention"),
];

/// The name of what a node computes.
pub(super) fn name_function(node: &NodeProto) -> String {
    let op = node.op_type.as_str();
    if matches!(op, "Resize" | "Upsample") {
        let mode = node.text("mode");
        let name = match mode.as_str() {
            "linear" | "bilinear" => "upsample_bilinear2d",
            "cubic" => "upsample_bicubic2d",
            _ => "upsample_nearest2d",
        };
        return name.to_owned();
    }
    if let Some((_, name)) = FUNCTIONS.iter().find(|(known, _)| *known == op) {
        return (*name).to_owned();
    }
    let mut name = String::new();
    for letter in op.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// The convolution of a node; `spatial` and `window` are extents of its input and weight.
fn read_convolution(node: &NodeProto, spatial: &[u64], window: &[u64]) -> Convolution {
    let is_stated = node.attribute("output_shape").is_none();
    Convolution {
        stride: node.counts("strides"),
        padding: if is_stated { find_padding(node, spatial, window) } else { Vec::new() },
        dilation: node.counts("dilations"),
        output_padding: node.counts("output_padding"),
        groups: u64::try_from(node.int("group", 1)).unwrap_or(0),
        transposed: node.op_type == "ConvTranspose",
    }
}

/// The product of sizes; saturates.
fn multiply(sizes: &[u64]) -> u64 {
    sizes.iter().fold(1, |a: u64, &b| a.saturating_mul(b))
}

/// What a node is, by its operator and the shapes of its inputs.
pub(super) fn classify(node: &NodeProto, shapes: &[Option<&[u64]>], written: u64) -> Meaning {
    let op = node.op_type.as_str();
    let shape = |at: usize| shapes.get(at).copied().flatten().unwrap_or_default();
    let all = |kind: OperationKind| Meaning::Operation(kind, Vec::new());
    let first = |kind: OperationKind| Meaning::Operation(kind, vec![0]);
    if let Some(meaning) = Layer::of(node, shapes, written).and_then(|layer| layer.classify()) {
        return meaning;
    }
    let is_custom = !matches!(node.domain.as_str(), "" | "ai.onnx" | "com.microsoft");
    if is_custom
        && !matches!(
            op,
            "Quant" | "IntQuant" | "FloatQuant" | "BipolarQuant" | "MultiThreshold" | "Trunc"
        )
    {
        return all(OperationKind::Unknown);
    }
    let spatial = |at: usize| shape(at).get(2..).unwrap_or_default();
    match op {
        "MatMul" | "MatMulInteger" => Meaning::Operation(OperationKind::Product, vec![0, 1]),
        "Gemm" => Meaning::Operation(OperationKind::Product, vec![0, 1, 2]),
        "QLinearMatMul" => Meaning::Operation(OperationKind::Product, vec![0, 3]),
        "Conv" | "ConvTranspose" => {
            let own = read_convolution(node, spatial(0), spatial(1));
            Meaning::Operation(OperationKind::Convolution(own), vec![0, 1, 2])
        }
        "ConvInteger" => {
            let own = read_convolution(node, spatial(0), spatial(1));
            Meaning::Operation(OperationKind::Convolution(own), vec![0, 1])
        }
        "QLinearConv" => {
            let own = read_convolution(node, spatial(0), spatial(3));
            Meaning::Operation(OperationKind::Convolution(own), vec![0, 3, 8])
        }
        "Attention" if node.domain != "com.microsoft" && shape(0).len() == 4 => {
            Meaning::Operation(OperationKind::Attention, vec![0, 1, 2, 3])
        }
        "BatchNormalization"
        | "InstanceNormalization"
        | "LayerNormalization"
        | "GroupNormalization"
        | "RMSNormalization"
        | "SimplifiedLayerNormalization" => all(OperationKind::Norm),
        "Softmax" | "LogSoftmax" => all(OperationKind::Softmax),
        "MaxPool" | "AveragePool" | "LpPool" => {
            let window = multiply(&node.counts("kernel_shape"));
            first(OperationKind::Pool { window })
        }
        "GlobalAveragePool" | "GlobalMaxPool" | "GlobalLpPool" => {
            let window = multiply(spatial(0));
            first(OperationKind::Pool { window })
        }
        "Gather" => {
            let is_table = shape(0).len() > 1 && node.int("axis", 0) == 0;
            let rows = multiply(shape(1));
            let width = multiply(shape(0).get(1..).unwrap_or_default());
            let fits = rows.checked_mul(width) == Some(written);
            let kind =
                if is_table && fits { OperationKind::Embedding } else { OperationKind::Copy };
            Meaning::Operation(kind, vec![0, 1])
        }
        "Reshape" | "Flatten" | "Squeeze" | "Unsqueeze" | "Identity" | "Dropout" => Meaning::View,
        "DequantizeLinear" | "Quant" | "IntQuant" | "FloatQuant" | "BipolarQuant" => {
            Meaning::Conversion
        }
        "QuantizeLinear" | "DynamicQuantizeLinear" | "Trunc" | "RotaryEmbedding" => {
            all(OperationKind::Elementwise)
        }
        "ReduceMean" | "ReduceSum" | "ReduceMax" | "ReduceMin" | "ReduceProd" | "ReduceL1"
        | "ReduceL2" | "ReduceSumSquare" | "ReduceLogSumExp" | "ReduceLogSum" | "ArgMax"
        | "ArgMin" | "CumSum" => first(OperationKind::Reduction),
        "Transpose" | "Cast" | "CastLike" | "Expand" | "Tile" | "Pad" | "DepthToSpace"
        | "SpaceToDepth" | "Slice" | "Split" | "Trilu" => first(OperationKind::Copy),
        "Concat" | "GatherElements" | "GatherND" | "ScatterND" | "ScatterElements" => {
            all(OperationKind::Copy)
        }
        "Resize" | "Upsample"
            if !node.text("mode").contains("linear") && node.text("mode") != "cubic" =>
        {
            first(OperationKind::Copy)
        }
        "Resize" | "Upsample" => first(OperationKind::Elementwise),
        "ConstantOfShape" | "Range" | "RandomNormal" | "RandomUniform" | "RandomNormalLike"
        | "RandomUniformLike" | "EyeLike" => all(OperationKind::Fill),
        "Shape" | "Size" => Meaning::Sizes,
        "MultiThreshold" => all(OperationKind::Unknown),
        _ if POINTWISE.contains(&op) => all(OperationKind::Elementwise),
        _ => all(OperationKind::Unknown),
    }
}
