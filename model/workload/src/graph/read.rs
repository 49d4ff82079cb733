//! Reads `derate.workload/1`.

use super::find_line::find_line;
use super::raw::{RawGraph, RawKind, RawOperation, RawValue};
use super::{
    Convolution, Graph, GraphError, GraphValue, Loop, Operation, OperationKind, Origin, SCHEMA,
};
use derate_units::Precision;

/// Longer names are no names.
const LONGEST: usize = 1024;

impl Graph {
    /// Reads the text of a file and checks it.
    ///
    /// # Errors
    ///
    /// What is not JSON, not of this form, or has shapes that contradict one another.
    pub fn parse(text: &str) -> Result<Self, GraphError> {
        let raw: RawGraph = serde_json::from_str(text).map_err(|error| GraphError {
            line: Some(error.line()).filter(|line| *line > 0),
            reason: format!(
                "this is not a {SCHEMA} file ({error}): record one with derate.trace, or name an ONNX file"
            ),
        })?;
        if raw.schema != SCHEMA {
            let reason = format!(
                "the schema is `{}` and this derate reads {SCHEMA}: record the model again",
                cut(&raw.schema)
            );
            return Err(GraphError { line: Some(1), reason });
        }
        let at = |key: &str, index: usize, reason: String| GraphError {
            line: find_line(text, key, index),
            reason,
        };
        let loops = raw.loops.into_iter().enumerate().map(|(index, one)| {
            if one.count == 0 {
                return Err(at("loops", index, format!("the loop `{}` runs 0 times", one.name)));
            }
            Ok(Loop { name: one.name, count: one.count })
        });
        let loops = loops.collect::<Result<_, _>>()?;
        let mut values = Vec::with_capacity(raw.values.len());
        for (index, value) in raw.values.into_iter().enumerate() {
            values.push(read_value(value, index).map_err(|reason| at("values", index, reason))?);
        }
        let graph = Self {
            name: raw.name,
            producer: raw.producer,
            loops,
            values,
            operations: raw.operations.into_iter().map(read_operation).collect(),
            outputs: raw.outputs,
        };
        graph.check().map_err(|(index, reason)| match index {
            Some(index) => at("operations", index, reason),
            None => GraphError::new(reason),
        })?;
        Ok(graph)
    }
}

/// A text of the file in a message.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

fn read_value(raw: RawValue, index: usize) -> Result<GraphValue, String> {
    let dtype = Precision::parse(&raw.dtype).or_else(|| complex(&raw.dtype));
    let dtype = dtype.ok_or_else(|| {
        format!("value {index} has the dtype `{}`, which derate does not know", cut(&raw.dtype))
    })?;
    let origin = match (raw.parameter, raw.input, raw.view) {
        (Some(name), None, None) if name.len() <= LONGEST => Origin::Parameter(name),
        (None, Some(name), None) if name.len() <= LONGEST => Origin::Input(name),
        (None, None, Some(base)) if base < index => Origin::View(base),
        (None, None, Some(base)) => {
            return Err(format!(
                "value {index} shows value {base}, which does not come before it: values are in order"
            ));
        }
        (None, None, None) if raw.constant => Origin::Constant,
        (None, None, None) => Origin::Made,
        _ => {
            return Err(format!(
                "value {index} has more than one of parameter, input and view, or a name of more than {LONGEST} bytes: give one"
            ));
        }
    };
    let elements = raw.shape.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
    if elements.is_none() {
        return Err(format!("the elements of value {index} do not fit 64 bits: check its shape"));
    }
    Ok(GraphValue { shape: raw.shape, dtype, origin })
}

/// A complex number is two floats, and only its bits count here.
fn complex(name: &str) -> Option<Precision> {
    let bits = match name {
        "complex32" => 32,
        "complex64" => 64,
        "complex128" => 128,
        _ => return None,
    };
    Some(Precision::integer(bits, true))
}

fn read_operation(raw: RawOperation) -> Operation {
    let kind = match raw.kind {
        RawKind::Product => OperationKind::Product,
        RawKind::Convolution => OperationKind::Convolution(Convolution {
            stride: raw.stride,
            padding: raw.padding,
            dilation: raw.dilation,
            output_padding: raw.output_padding,
            groups: raw.groups.unwrap_or(1),
            transposed: raw.transposed,
        }),
        RawKind::Attention => OperationKind::Attention,
        RawKind::Norm => OperationKind::Norm,
        RawKind::Softmax => OperationKind::Softmax,
        RawKind::Pool => OperationKind::Pool { window: raw.window.unwrap_or(0) },
        RawKind::Embedding => OperationKind::Embedding,
        RawKind::Elementwise => OperationKind::Elementwise,
        RawKind::Reduction => OperationKind::Reduction,
        RawKind::Copy => OperationKind::Copy,
        RawKind::Fill => OperationKind::Fill,
        RawKind::Unknown => OperationKind::Unknown,
    };
    Operation {
        kind,
        function: cut(&raw.function),
        module: raw.module,
        inputs: raw.inputs,
        outputs: raw.outputs,
        around: raw.around,
        folding: None,
    }
}
