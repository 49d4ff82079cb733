//! ONNX's numbers of element types.

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
