//! From ONNX's messages to a graph.

use std::collections::BTreeMap;

use prost::Message;
use prost::bytes::Bytes;

use super::Dimensions;
use super::classify::{classify, name_function};
use super::constants::{compute_ints, read_ints};
use super::error::OnnxError;
use super::finn::Layer;
use super::infer::{Known, infer_shapes};
use super::meaning::Meaning;
use super::module::find_module;
use super::names::{find_dtype, read_element};
use super::proto::{ModelProto, NodeProto, TensorProto, ValueInfoProto};
use super::stated::{Stated, find_open, list_annotated, list_stated};
use crate::graph::{Graph, GraphValue, Operation, OperationKind, Origin};
use derate_units::Precision;

/// A name of the file.
#[derive(Clone)]
struct Entry {
    value: usize,
    ints: Option<Vec<i64>>,
}

/// Shape and number format.
type Typed = (Vec<u64>, Precision);

struct Reader<'a> {
    graph: Graph,
    entries: BTreeMap<String, Entry>,
    stated: BTreeMap<&'a str, Stated>,
    /// The number formats of tensors whose elements are kept as wider floats.
    annotated: BTreeMap<&'a str, Precision>,
}

/// The graph of a file.
pub(super) fn read_model(
    name: &str,
    bytes: Vec<u8>,
    dimensions: &Dimensions,
) -> Result<Graph, OnnxError> {
    let model = ModelProto::decode(Bytes::from(bytes))?;
    let graph = model.graph.as_ref().ok_or(OnnxError::NoGraph)?;
    let producer = [model.producer_name.trim(), model.producer_version.trim()];
    let producer = producer.iter().filter(|part| !part.is_empty());
    let producer = std::iter::once(&"ONNX,").chain(producer).copied().collect::<Vec<_>>().join(" ");
    let title = if graph.name.is_empty() { name } else { &graph.name };
    let mut reader = Reader {
        graph: Graph {
            name: title.chars().take(80).collect(),
            producer: Some(producer.trim_end_matches(',').to_owned()),
            loops: Vec::new(),
            values: Vec::new(),
            operations: Vec::new(),
            outputs: Vec::new(),
        },
        entries: BTreeMap::new(),
        stated: list_stated(graph, dimensions),
        annotated: list_annotated(graph),
    };
    for tensor in &graph.initializer {
        reader.add_stored(&tensor.name, tensor)?;
    }
    for input in &graph.input {
        reader.add_input(input)?;
    }
    for node in &graph.node {
        reader.add_node(node)?;
    }
    for output in &graph.output {
        let made = reader.entries.get(&output.name);
        let made = made.ok_or_else(|| OnnxError::UnmadeOutput(output.name.clone()))?;
        reader.graph.outputs.push(made.value);
    }
    Ok(reader.graph)
}

impl Reader<'_> {
    fn push(
        &mut self,
        shape: Vec<u64>,
        dtype: Precision,
        origin: Origin,
    ) -> Result<usize, OnnxError> {
        let elements = shape.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
        if elements.is_none() {
            return Err(OnnxError::TooLarge(shape));
        }
        self.graph.values.push(GraphValue { shape, dtype, origin });
        Ok(self.graph.values.len() - 1)
    }

    fn name_value(&mut self, name: &str, value: usize, ints: Option<Vec<i64>>) {
        self.entries.insert(name.to_owned(), Entry { value, ints });
    }

    /// An initializer, or the tensor of a node `Constant`.
    fn add_stored(&mut self, name: &str, tensor: &TensorProto) -> Result<(), OnnxError> {
        let sizes: Option<Vec<u64>> =
            tensor.dims.iter().map(|&size| u64::try_from(size).ok()).collect();
        let shape = sizes.ok_or_else(|| OnnxError::NegativeSize(name.to_owned()))?;
        let dtype = read_element(tensor.data_type).ok_or_else(|| OnnxError::UnknownElement {
            tensor: name.to_owned(),
            number: tensor.data_type,
        })?;
        // Whole numbers of 32 and 64 bits are shapes, axes and places.
        let is_data = dtype.is_float() || dtype.bits() < 32;
        let is_parameter = is_data && !shape.is_empty();
        let origin =
            if is_parameter { Origin::Parameter(name.to_owned()) } else { Origin::Constant };
        let dtype = self.annotated.get(name).copied().unwrap_or(dtype);
        let value = self.push(shape, dtype, origin)?;
        self.name_value(name, value, read_ints(tensor));
        Ok(())
    }

    fn add_input(&mut self, info: &ValueInfoProto) -> Result<(), OnnxError> {
        // Files of older versions list the initializers among the inputs.
        if self.entries.contains_key(&info.name) {
            return Ok(());
        }
        let name = &info.name;
        let Some(stated) = self.stated.get(name.as_str()) else {
            return Err(OnnxError::NotTensor(name.clone()));
        };
        let dtype = self.annotated.get(name.as_str()).copied().or(stated.dtype);
        let dtype = dtype.ok_or_else(|| OnnxError::UnknownInputElement(name.clone()))?;
        let sizes = stated.shape.clone().ok_or_else(|| OnnxError::NoShape(name.clone()))?;
        if let Some(dimension) = find_open(info, &sizes) {
            let input = name.clone();
            return Err(if dimension.is_empty() {
                OnnxError::OpenDimension(input)
            } else {
                OnnxError::OpenNamedDimension { input, dimension }
            });
        }
        let shape = sizes.into_iter().flatten().collect();
        let value = self.push(shape, dtype, Origin::Input(name.clone()))?;
        self.name_value(name, value, None);
        Ok(())
    }

    fn find_inputs(&self, node: &NodeProto) -> Result<Vec<Option<Entry>>, OnnxError> {
        let find = |name: &String| match self.entries.get(name) {
            _ if name.is_empty() => Ok(None),
            Some(entry) => Ok(Some(entry.clone())),
            None => Err(OnnxError::UnmadeInput { node: describe(node), name: name.clone() }),
        };
        node.input.iter().map(find).collect()
    }

    /// The types of the results of a node: as the file states them, else as they follow.
    fn find_types(
        &self,
        node: &NodeProto,
        inferred: Option<&Vec<Vec<u64>>>,
        first: Option<Precision>,
    ) -> Result<Vec<Option<Typed>>, OnnxError> {
        let mut types = Vec::with_capacity(node.output.len());
        for (at, name) in node.output.iter().enumerate() {
            let stated = self.stated.get(name.as_str());
            let whole: Option<Vec<u64>> =
                stated.and_then(|own| own.shape.as_ref()?.iter().copied().collect());
            let own = inferred.and_then(|all| all.get(at).cloned());
            if let (Some(stated), Some(own)) = (&whole, &own)
                && stated != own
            {
                return Err(OnnxError::OtherShape {
                    node: describe(node),
                    inferred: own.clone(),
                    stated: stated.clone(),
                });
            }
            let shape = whole.or(own);
            let dtype = self.annotated.get(name.as_str()).copied();
            let dtype = dtype.or_else(|| stated.and_then(|own| own.dtype));
            let dtype = dtype.or_else(|| find_dtype(node, first));
            types.push(match (shape, dtype) {
                (Some(shape), Some(dtype)) => Some((shape, dtype)),
                _ if name.is_empty() || at > 0 => None,
                _ => return Err(OnnxError::UnknownShape(describe(node))),
            });
        }
        Ok(types)
    }

    fn add_node(&mut self, node: &NodeProto) -> Result<(), OnnxError> {
        if node.op_type == "Constant" {
            return self.add_constant(node);
        }
        let inputs = self.find_inputs(node)?;
        let shape = |entry: &Option<Entry>| {
            entry.as_ref().map(|entry| self.graph.values[entry.value].shape.as_slice())
        };
        let known = Known {
            shapes: inputs.iter().map(shape).collect(),
            ints: inputs.iter().map(|entry| entry.as_ref()?.ints.as_deref()).collect(),
        };
        let inferred = infer_shapes(node, &known);
        if let Some((ints, shape)) = find_sizes(node, &known, inferred.as_ref()) {
            let value = self.push(shape, Precision::INT64, Origin::Constant)?;
            let name = node.output.first().cloned().unwrap_or_default();
            self.name_value(&name, value, Some(ints));
            return Ok(());
        }
        let first =
            inputs.first().and_then(|entry| Some(self.graph.values[entry.as_ref()?.value].dtype));
        let types = self.find_types(node, inferred.as_ref(), first)?;
        let written = types
            .first()
            .cloned()
            .flatten()
            .map_or(0, |(shape, _)| shape.iter().fold(1, |a: u64, &b| a.saturating_mul(b)));
        let meaning = classify(node, &known.shapes, written);
        let layer = Layer::of(node, &known.shapes, written);
        let (function, folding) =
            layer.map_or((None, None), |layer| (layer.name_function(), layer.read_folding()));
        let at = self.graph.operations.len();
        self.add_meaning(node, meaning, &inputs, types)?;
        if let Some(operation) = self.graph.operations.get_mut(at) {
            operation.folding = folding;
            if let (Some(function), true) = (function, operation.kind != OperationKind::Unknown) {
                function.clone_into(&mut operation.function);
            }
        }
        Ok(())
    }

    fn add_meaning(
        &mut self,
        node: &NodeProto,
        meaning: Meaning,
        inputs: &[Option<Entry>],
        types: Vec<Option<(Vec<u64>, Precision)>>,
    ) -> Result<(), OnnxError> {
        let first = inputs.first().and_then(|entry| entry.as_ref().map(|entry| entry.value));
        let is_parameter = |graph: &Graph, at: usize| {
            matches!(graph.values[graph.find_base(at).0].origin, Origin::Parameter(_))
        };
        let mut reshaped = Vec::new();
        let (kind, places) = match meaning {
            Meaning::Shaped(left, right) => {
                reshaped = vec![left, right];
                (OperationKind::Product, Vec::new())
            }
            Meaning::View => return self.add_view(node, first, types),
            // A stored tensor is converted before anything runs.
            Meaning::Conversion if first.is_some_and(|at| is_parameter(&self.graph, at)) => {
                return self.add_view(node, first, types);
            }
            Meaning::Conversion => (OperationKind::Elementwise, vec![0]),
            Meaning::Sizes => (OperationKind::Fill, Vec::new()),
            Meaning::Operation(kind, places) => (kind, places),
        };
        let places = if places.is_empty() { (0..inputs.len()).collect() } else { places };
        let mut read: Vec<usize> = places
            .iter()
            .filter_map(|&at| inputs.get(at).and_then(|entry| Some(entry.as_ref()?.value)))
            .collect();
        if node.op_type == "Gemm" {
            self.transpose(node, &mut read)?;
        }
        for (value, shape) in read.iter_mut().zip(reshaped) {
            let dtype = self.graph.values[*value].dtype;
            *value = self.push(shape, dtype, Origin::View(*value))?;
        }
        if kind == OperationKind::Fill {
            read.clear();
        }
        let mut outputs = Vec::new();
        for (name, of) in node.output.iter().zip(types) {
            if let Some((shape, dtype)) = of {
                let value = self.push(shape, dtype, Origin::Made)?;
                self.name_value(name, value, None);
                outputs.push(value);
            }
        }
        // Means, deviations and places are made beside and read by nobody.
        if !matches!(kind, OperationKind::Copy | OperationKind::Unknown) {
            outputs.truncate(1);
        }
        let function = match kind {
            OperationKind::Unknown => node.op_type.clone(),
            _ => name_function(node),
        };
        let module = find_module(node);
        let operation = Operation {
            kind,
            function,
            module,
            inputs: read,
            outputs,
            around: None,
            folding: None,
        };
        self.graph.operations.push(operation);
        Ok(())
    }

    fn add_constant(&mut self, node: &NodeProto) -> Result<(), OnnxError> {
        let Some(name) = node.output.first() else { return Ok(()) };
        if let Some(tensor) = node.attribute("value").and_then(|one| one.t.as_ref()) {
            return self.add_stored(name, tensor);
        }
        let ints = node.ints("value_ints");
        let ints = ints.or_else(|| node.attribute("value_int").map(|one| vec![one.i]));
        let is_list = node.attribute("value_ints").is_some();
        let size = ints.as_ref().map_or(0, Vec::len) as u64;
        let shape = if is_list { vec![size] } else { Vec::new() };
        let dtype = if ints.is_some() { Precision::INT64 } else { Precision::FP32 };
        let value = self.push(shape, dtype, Origin::Constant)?;
        self.name_value(name, value, ints);
        Ok(())
    }

    fn add_view(
        &mut self,
        node: &NodeProto,
        base: Option<usize>,
        types: Vec<Option<(Vec<u64>, Precision)>>,
    ) -> Result<(), OnnxError> {
        let Some(base) = base else { return Err(OnnxError::NoInput(describe(node))) };
        let Some(Some((shape, _))) = types.into_iter().next() else { return Ok(()) };
        let dtype = self.graph.values[base].dtype;
        let value = self.push(shape, dtype, Origin::View(base))?;
        let name = node.output.first().cloned().unwrap_or_default();
        self.name_value(&name, value, None);
        Ok(())
    }

    /// The operands of a `Gemm` as it multiplies them.
    fn transpose(&mut self, node: &NodeProto, read: &mut [usize]) -> Result<(), OnnxError> {
        for (value, attribute) in read.iter_mut().zip(["transA", "transB"]) {
            if node.int(attribute, 0) == 1 {
                let own = &self.graph.values[*value];
                let (shape, dtype) = (own.shape.iter().rev().copied().collect(), own.dtype);
                *value = self.push(shape, dtype, Origin::View(*value))?;
            }
        }
        Ok(())
    }
}

/// The numbers that a node makes where all that it reads is known, with their shape.
fn find_sizes(
    node: &NodeProto,
    known: &Known<'_>,
    inferred: Option<&Vec<Vec<u64>>>,
) -> Option<(Vec<i64>, Vec<u64>)> {
    let to_ints = |sizes: &[u64]| -> Option<Vec<i64>> {
        sizes.iter().map(|&size| i64::try_from(size).ok()).collect()
    };
    match node.op_type.as_str() {
        "Shape" => {
            let shape = known.shape(0)?;
            let length = i64::try_from(shape.len()).ok()?;
            let clip =
                |at: i64| usize::try_from(if at < 0 { at + length } else { at }.clamp(0, length));
            let (start, end) =
                (clip(node.int("start", 0)).ok()?, clip(node.int("end", length)).ok()?);
            let sizes = to_ints(shape.get(start..end).unwrap_or_default())?;
            let count = sizes.len() as u64;
            Some((sizes, vec![count]))
        }
        "Size" => {
            let all = known.shape(0)?.iter().fold(1_u64, |a, &b| a.saturating_mul(b));
            Some((to_ints(&[all])?, Vec::new()))
        }
        _ => {
            let ints = compute_ints(node, &known.ints)?;
            let shape = inferred.and_then(|all| all.first().cloned());
            let count = ints.len() as u64;
            let fits = |shape: &Vec<u64>| {
                shape.iter().try_fold(1_u64, |a, &b| a.checked_mul(b)) == Some(count)
            };
            Some((ints, shape.filter(fits).unwrap_or_else(|| vec![count])))
        }
    }
}

/// A node for people.
fn describe(node: &NodeProto) -> String {
    let name = if node.name.is_empty() { node.output.first() } else { Some(&node.name) };
    name.map_or_else(|| node.op_type.clone(), |name| format!("{} `{name}`", node.op_type))
}
