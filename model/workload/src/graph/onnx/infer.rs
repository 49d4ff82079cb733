//! Shapes of results, from the operators and the shapes that they read.

use super::constants::wrap;
use super::infer_window::{move_window, spread_window};
use super::proto::NodeProto;

/// What a node reads.
pub(super) struct Known<'a> {
    pub(super) shapes: Vec<Option<&'a [u64]>>,
    pub(super) ints: Vec<Option<&'a [i64]>>,
}

impl Known<'_> {
    pub(super) fn shape(&self, at: usize) -> Option<&[u64]> {
        self.shapes.get(at).copied().flatten()
    }

    /// Whole numbers of an input, or of an attribute of older opsets.
    pub(super) fn ints_or(&self, at: usize, node: &NodeProto, name: &str) -> Option<Vec<i64>> {
        let own = self.ints.get(at).copied().flatten().map(<[i64]>::to_vec);
        own.or_else(|| node.ints(name))
    }
}

/// The shape that several repeat to.
fn broadcast(shapes: &[&[u64]]) -> Option<Vec<u64>> {
    let rank = shapes.iter().map(|shape| shape.len()).max()?;
    let mut made = vec![1; rank];
    for shape in shapes {
        for (at, &size) in made[rank - shape.len()..].iter_mut().zip(*shape) {
            match (*at, size) {
                (own, other) if own == other || other == 1 => {}
                (1, other) => *at = other,
                _ => return None,
            }
        }
    }
    Some(made)
}

/// Whether every element of the result is made of those at its place.
pub(super) const POINTWISE: [&str; 58] = [
    "Abs",
    "Acos",
    "Add",
    "And",
    "Asin",
    "Atan",
    "Ceil",
    "Celu",
    "Clip",
    "Cos",
    "Div",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "Floor",
    "Gelu",
    "Greater",
    "GreaterOrEqual",
    "HardSigmoid",
    "HardSwish",
    "IsInf",
    "IsNaN",
    "LeakyRelu",
    "Less",
    "LessOrEqual",
    "Log",
    "Max",
    "Mean",
    "Min",
    "Mish",
    "Mod",
    "Mul",
    "Neg",
    "Not",
    "Or",
    "PRelu",
    "Pow",
    "Reciprocal",
    "Relu",
    "Round",
    "Selu",
    "Sigmoid",
    "Sign",
    "Sin",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Sub",
    "Sum",
    "Swish",
    "Tan",
    "Tanh",
    "ThresholdedRelu",
    "Where",
    "Xor",
    "BiasGelu",
    "FastGelu",
];

/// Operators whose result has the shape of what they read first.
const SAME: [&str; 30] = [
    "BatchNormalization",
    "InstanceNormalization",
    "LayerNormalization",
    "GroupNormalization",
    "RMSNormalization",
    "SimplifiedLayerNormalization",
    "LpNormalization",
    "MeanVarianceNormalization",
    "LRN",
    "Softmax",
    "LogSoftmax",
    "Hardmax",
    "Identity",
    "Dropout",
    "Cast",
    "CastLike",
    "CumSum",
    "QuantizeLinear",
    "DequantizeLinear",
    "DynamicQuantizeLinear",
    "ScatterND",
    "ScatterElements",
    "Trilu",
    "Quant",
    "BipolarQuant",
    "MultiThreshold",
    "Trunc",
    "IntQuant",
    "FloatQuant",
    "RotaryEmbedding",
];

fn to_shape(numbers: &[i64]) -> Option<Vec<u64>> {
    numbers.iter().map(|&number| u64::try_from(number).ok()).collect()
}

fn count(shape: &[u64]) -> u64 {
    shape.iter().fold(1, |a: u64, &b| a.saturating_mul(b))
}

/// The shape of the first result, and for a split of all; `None` where it does not follow.
#[expect(clippy::too_many_lines, reason = "one row an operator")]
pub(super) fn infer_shapes(node: &NodeProto, known: &Known<'_>) -> Option<Vec<Vec<u64>>> {
    let op = node.op_type.as_str();
    let first = || known.shape(0).map(<[u64]>::to_vec);
    if POINTWISE.contains(&op) {
        let all: Vec<&[u64]> = known.shapes.iter().copied().flatten().collect();
        // The bounds of a clip are scalars.
        return Some(vec![broadcast(&all)?]);
    }
    if SAME.contains(&op) {
        return Some(vec![first()?; node.output.len().max(1)]);
    }
    if op == "Split" || op == "SplitToSequence" {
        return split(node, known);
    }
    let one = match op {
        "Conv" | "ConvInteger" | "QLinearConv" => {
            let weight = known.shape(if op == "QLinearConv" { 3 } else { 1 })?;
            let (&[images, _, ref spatial @ ..], &[outputs, _, ref window @ ..]) =
                (known.shape(0)?, weight)
            else {
                return None;
            };
            [vec![images, outputs], move_window(node, spatial, window)?].concat()
        }
        "ConvTranspose" => {
            let (&[images, _, ref spatial @ ..], &[_, outputs, ref window @ ..]) =
                (known.shape(0)?, known.shape(1)?)
            else {
                return None;
            };
            let groups = u64::try_from(node.int("group", 1)).ok()?;
            [vec![images, outputs.checked_mul(groups)?], spread_window(node, spatial, window)?]
                .concat()
        }
        "MaxPool" | "AveragePool" | "LpPool" => {
            let &[images, channels, ref spatial @ ..] = known.shape(0)? else { return None };
            [vec![images, channels], move_window(node, spatial, &node.counts("kernel_shape"))?]
                .concat()
        }
        "GlobalAveragePool" | "GlobalMaxPool" | "GlobalLpPool" => {
            let &[images, channels, ref spatial @ ..] = known.shape(0)? else { return None };
            [vec![images, channels], vec![1; spatial.len()]].concat()
        }
        "MatMul" | "MatMulInteger" | "QLinearMatMul" => {
            multiply(known.shape(0)?, known.shape(if op == "QLinearMatMul" { 3 } else { 1 })?)?
        }
        "Gemm" => {
            let (&[a, b], &[c, d]) = (known.shape(0)?, known.shape(1)?) else { return None };
            let rows = if node.int("transA", 0) == 1 { b } else { a };
            vec![rows, if node.int("transB", 0) == 1 { c } else { d }]
        }
        "Reshape" => reshape(node, known)?,
        "Flatten" => {
            let shape = known.shape(0)?;
            let axis = node.int("axis", 1);
            let at = if axis == i64::try_from(shape.len()).ok()? {
                shape.len()
            } else {
                wrap(axis, shape.len())?
            };
            vec![count(&shape[..at]), count(&shape[at..])]
        }
        "Transpose" => {
            let shape = known.shape(0)?;
            match node.ints("perm") {
                None => shape.iter().rev().copied().collect(),
                Some(perm) => perm
                    .iter()
                    .map(|&at| Some(shape[wrap(at, shape.len())?]))
                    .collect::<Option<_>>()?,
            }
        }
        "Squeeze" => squeeze(node, known)?,
        "Unsqueeze" => unsqueeze(node, known)?,
        "Concat" => concat(node, known)?,
        "Gather" => {
            let (shape, places) = (known.shape(0)?, known.shape(1)?);
            let axis = wrap(node.int("axis", 0), shape.len())?;
            [&shape[..axis], places, &shape[axis + 1..]].concat()
        }
        "GatherElements" => known.shape(1)?.to_vec(),
        "Slice" => slice(node, known)?,
        "Expand" => {
            let to = to_shape(known.ints.get(1).copied().flatten()?)?;
            broadcast(&[known.shape(0)?, &to])?
        }
        "Tile" => {
            let times = to_shape(known.ints.get(1).copied().flatten()?)?;
            let shape = known.shape(0)?;
            (times.len() == shape.len()).then_some(())?;
            shape.iter().zip(times).map(|(a, b)| a.saturating_mul(b)).collect()
        }
        "Pad" => {
            let pads = known.ints_or(1, node, "pads")?;
            let shape = known.shape(0)?;
            (pads.len() == 2 * shape.len()).then_some(())?;
            let size = |(at, &size): (usize, &u64)| {
                i64::try_from(size).ok().and_then(|size| {
                    u64::try_from(size.checked_add(pads[at])?.checked_add(pads[shape.len() + at])?)
                        .ok()
                })
            };
            shape.iter().enumerate().map(size).collect::<Option<_>>()?
        }
        "ConstantOfShape" => to_shape(known.ints.first().copied().flatten()?)?,
        "DepthToSpace" | "SpaceToDepth" => {
            let &[images, channels, height, width] = known.shape(0)? else { return None };
            let by = u64::try_from(node.int("blocksize", 0))
                .ok()
                .filter(|by| (1..=1 << 16).contains(by))?;
            if op == "DepthToSpace" {
                vec![images, channels / (by * by), height.checked_mul(by)?, width.checked_mul(by)?]
            } else {
                vec![images, channels.checked_mul(by * by)?, height / by, width / by]
            }
        }
        "ArgMax" | "ArgMin" => reduce(known.shape(0)?, Some(vec![node.int("axis", 0)]), node)?,
        _ if op.starts_with("Reduce") => {
            reduce(known.shape(0)?, known.ints_or(1, node, "axes"), node)?
        }
        "Attention" => {
            let (query, value) = (known.shape(0)?, known.shape(2)?);
            let (last, before) = (query.len().checked_sub(1)?, query.get(..query.len() - 1)?);
            (value.len() > last).then_some(())?;
            [before, &value[last..]].concat()
        }
        _ => return None,
    };
    Some(vec![one])
}

fn multiply(left: &[u64], right: &[u64]) -> Option<Vec<u64>> {
    match (left, right) {
        ([_], [_]) => Some(Vec::new()),
        ([_], [lead @ .., _, n]) => Some([lead, &[*n]].concat()),
        ([lead @ .., m, _], [_]) => Some([lead, &[*m]].concat()),
        ([a @ .., m, _], [b @ .., _, n]) => Some([broadcast(&[a, b])?, vec![*m, *n]].concat()),
        _ => None,
    }
}

fn reshape(node: &NodeProto, known: &Known<'_>) -> Option<Vec<u64>> {
    let (shape, to) = (known.shape(0)?, known.ints_or(1, node, "shape")?);
    let keeps_zero = node.int("allowzero", 0) == 1;
    let mut made = Vec::with_capacity(to.len());
    for (at, &size) in to.iter().enumerate() {
        made.push(match size {
            -1 => None,
            0 if !keeps_zero => Some(*shape.get(at)?),
            size => Some(u64::try_from(size).ok()?),
        });
    }
    let rest: u64 = made.iter().flatten().fold(1, |a: u64, &b| a.saturating_mul(b));
    let left = count(shape).checked_div(rest);
    made.into_iter().map(|size| size.or(left)).collect()
}

fn squeeze(node: &NodeProto, known: &Known<'_>) -> Option<Vec<u64>> {
    let shape = known.shape(0)?;
    let axes = known.ints_or(1, node, "axes");
    let axes: Option<Vec<usize>> = match axes {
        Some(axes) => Some(axes.iter().map(|&at| wrap(at, shape.len())).collect::<Option<_>>()?),
        None => None,
    };
    let keeps = |&(at, &size): &(usize, &u64)| match &axes {
        Some(axes) => !axes.contains(&at),
        None => size != 1,
    };
    Some(shape.iter().enumerate().filter(keeps).map(|(_, &size)| size).collect())
}

fn unsqueeze(node: &NodeProto, known: &Known<'_>) -> Option<Vec<u64>> {
    let (shape, axes) = (known.shape(0)?, known.ints_or(1, node, "axes")?);
    let rank = shape.len() + axes.len();
    let axes: Vec<usize> = axes.iter().map(|&at| wrap(at, rank)).collect::<Option<_>>()?;
    let mut own = shape.iter();
    (0..rank).map(|at| if axes.contains(&at) { Some(1) } else { own.next().copied() }).collect()
}

fn concat(node: &NodeProto, known: &Known<'_>) -> Option<Vec<u64>> {
    let mut made = known.shape(0)?.to_vec();
    let axis = wrap(node.int("axis", 0), made.len())?;
    for at in 1..known.shapes.len() {
        let other = known.shape(at)?;
        made[axis] = made[axis].checked_add(*other.get(axis)?)?;
    }
    Some(made)
}

fn split(node: &NodeProto, known: &Known<'_>) -> Option<Vec<Vec<u64>>> {
    let shape = known.shape(0)?;
    let axis = wrap(node.int("axis", 0), shape.len())?;
    let parts = u64::try_from(node.output.len()).ok().filter(|&parts| parts > 0)?;
    let stated = known.ints_or(1, node, "split").filter(|sizes| !sizes.is_empty());
    let sizes: Vec<u64> = if let Some(sizes) = stated {
        to_shape(&sizes)?
    } else {
        let one = shape[axis].div_ceil(parts);
        (0..parts).map(|at| one.min(shape[axis].saturating_sub(at.saturating_mul(one)))).collect()
    };
    let sized = |size: u64| {
        let mut own = shape.to_vec();
        own[axis] = size;
        own
    };
    Some(sizes.into_iter().map(sized).collect())
}

fn slice(node: &NodeProto, known: &Known<'_>) -> Option<Vec<u64>> {
    let mut made = known.shape(0)?.to_vec();
    let (starts, ends) = (known.ints_or(1, node, "starts")?, known.ints_or(2, node, "ends")?);
    let axes = known.ints_or(3, node, "axes");
    let steps = known.ints_or(4, node, "steps");
    for (index, (&start, &end)) in starts.iter().zip(&ends).enumerate() {
        let axis =
            axes.as_ref().map_or(i64::try_from(index).ok(), |axes| axes.get(index).copied())?;
        let at = wrap(axis, made.len())?;
        let step = steps.as_ref().map_or(Some(1), |steps| steps.get(index).copied())?;
        let size = i64::try_from(made[at]).ok()?;
        let wrapped = |place: i64| if place < 0 { place.saturating_add(size) } else { place };
        let (start, end) = (wrapped(start), wrapped(end));
        let length = if step > 0 {
            end.clamp(0, size) - start.clamp(0, size)
        } else {
            start.clamp(-1, size - 1) - end.clamp(-1, size - 1)
        };
        made[at] = u64::try_from(length.max(0)).ok()?.div_ceil(step.unsigned_abs().max(1));
    }
    Some(made)
}

fn reduce(shape: &[u64], axes: Option<Vec<i64>>, node: &NodeProto) -> Option<Vec<u64>> {
    let axes: Vec<usize> = match axes {
        Some(axes) if !axes.is_empty() => {
            axes.iter().map(|&at| wrap(at, shape.len())).collect::<Option<_>>()?
        }
        _ => (0..shape.len()).collect(),
    };
    let keeps = node.int("keepdims", 1) == 1;
    let sizes = shape
        .iter()
        .enumerate()
        .filter_map(|(at, &size)| if axes.contains(&at) { keeps.then_some(1) } else { Some(size) });
    Some(sizes.collect())
}
