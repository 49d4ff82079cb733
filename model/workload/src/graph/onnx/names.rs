//! ONNX's numbers of element types.

use super::proto::{AnnotationProto, NodeProto};
use derate_units::Precision;

/// The number format of an element type.
pub(super) fn read_element(number: i32) -> Option<Precision> {
    Some(match number {
        1 => Precision::FP32,
        2 => Precision::UINT8,
        3 => Precision::INT8,
        4 => Precision::integer(16, false),
        5 => Precision::INT16,
        6 => Precision::INT32,
        7 => Precision::INT64,
        9 => Precision::BOOL,
        10 => Precision::FP16,
        11 => Precision::FP64,
        12 => Precision::integer(32, false),
        13 => Precision::integer(64, false),
        16 => Precision::BF16,
        17 | 18 => Precision::FP8_E4M3,
        19 | 20 => Precision::FP8_E5M2,
        21 => Precision::integer(4, false),
        22 => Precision::INT4,
        23 => Precision::FP4_E2M1,
        _ => return None,
    })
}

/// The annotation of a tensor that QONNX and FINN write beside its element type.
const ANNOTATED: &str = "finn_datatype";

/// The number format of a tensor whose elements are kept as wider floats: `INT2`, `UINT8`, `BIPOLAR`.
pub(super) fn read_annotation(annotation: &AnnotationProto) -> Option<Precision> {
    let entry = annotation.entries.iter().find(|entry| entry.key == ANNOTATED)?;
    let integer = |bits: &str, signed: bool| {
        let bits = bits.parse().ok().filter(|bits| (1..=64).contains(bits))?;
        Some(Precision::integer(bits, signed))
    };
    match entry.value.as_str() {
        "FLOAT32" => Some(Precision::FP32),
        "FLOAT16" => Some(Precision::FP16),
        // -1 and 1.
        "BIPOLAR" | "BINARY" => integer("1", false),
        // -1, 0 and 1.
        "TERNARY" => integer("2", true),
        name => match (name.strip_prefix("INT"), name.strip_prefix("UINT")) {
            (Some(bits), _) => integer(bits, true),
            (_, Some(bits)) => integer(bits, false),
            _ => None,
        },
    }
}

/// The element type of a node's first result where the file does not state it.
pub(super) fn find_dtype(node: &NodeProto, first: Option<Precision>) -> Option<Precision> {
    match node.op_type.as_str() {
        "Cast" => read_element(i32::try_from(node.int("to", 0)).ok()?),
        "Equal" | "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual" | "And" | "Or" | "Not"
        | "IsNaN" | "IsInf" | "Xor" => Some(Precision::BOOL),
        "ArgMax" | "ArgMin" | "NonZero" => Some(Precision::INT64),
        "MatMulInteger" | "ConvInteger" => Some(Precision::INT32),
        "QuantizeLinear" | "DynamicQuantizeLinear" => Some(Precision::UINT8),
        "DequantizeLinear" | "ConstantOfShape" => Some(Precision::FP32),
        _ => first,
    }
}
