//! From the calls of the top function to a graph.

use std::collections::{BTreeMap, BTreeSet};

use super::call::{LayerCall, list_calls};
use super::error::ProjectError;
use super::folding::Flow;
use super::settings::{Element, Settings};
use super::shapes::Layer;
use crate::graph::{Folding, Graph, GraphValue, Operation, OperationKind, Origin};
use derate_hls::{FileId, Function, Resolver, Sources, parse_all};
use derate_units::Precision;

/// Functions of a single element, with how the schema calls them.
const POINTWISE: [(&str, &str); 24] = [
    ("linear", "linear"),
    ("relu", "relu"),
    ("relu1", "clamp"),
    ("relu6", "relu6"),
    ("relu_max", "clamp"),
    ("sigmoid", "sigmoid"),
    ("dense_sigmoid", "sigmoid"),
    ("tanh", "tanh"),
    ("dense_tanh", "tanh"),
    ("hard_sigmoid", "hardsigmoid"),
    ("hard_tanh", "hardtanh"),
    ("leaky_relu", "leaky_relu"),
    ("thresholded_relu", "threshold"),
    ("elu", "elu"),
    ("selu", "selu"),
    ("prelu", "prelu"),
    ("softplus", "softplus"),
    ("softsign", "softsign"),
    ("silu", "silu"),
    ("gelu", "gelu"),
    ("binary_tanh", "binary_tanh"),
    ("ternary_tanh", "ternary_tanh"),
    ("clip", "clamp"),
    ("unary_lut", "unary_lut"),
];

/// Functions of two layers, with how the schema calls them.
const MERGES: [(&str, &str); 6] = [
    ("add", "add"),
    ("subtract", "sub"),
    ("multiply", "mul"),
    ("average", "mean_of_two"),
    ("maximum", "maximum"),
    ("minimum", "minimum"),
];

fn find(list: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    list.iter().find(|(own, _)| *own == name).map(|(_, known)| *known)
}

fn multiply(sizes: &[u64]) -> u64 {
    sizes.iter().fold(1, |a: u64, &b| a.saturating_mul(b))
}

struct Reader<'a> {
    graph: Graph,
    settings: &'a Settings<'a>,
    /// Values by the names of variables.
    entries: BTreeMap<String, usize>,
    /// Values whose sizes the next layer says.
    open: BTreeSet<usize>,
    is_stream: bool,
    /// Whether the code is for a tool whose loops are those of the closed forms.
    is_folded: bool,
}

/// One call, with what it is looked up by.
struct Step<'a> {
    call: &'a LayerCall<'a>,
    layer: Layer<'a>,
    read: Element,
    written: Element,
}

/// The graph of a project.
pub(super) fn read_project(
    name: &str,
    sources: &Sources,
    files: &[FileId],
) -> Result<Graph, ProjectError> {
    let headers = parse_all(sources, files);
    let functions = headers.iter().flat_map(|header| &header.functions);
    let calls = functions.map(|function| (function, list_calls(function, sources)));
    let top = calls.max_by_key(|(_, calls)| calls.len()).filter(|(_, calls)| !calls.is_empty());
    let (function, calls) = top.ok_or(ProjectError::NoLayers)?;
    let settings = Settings::new(&headers, Resolver::new(&headers, sources));
    let is_other = |file: &FileId| {
        let text = sources.text(*file);
        ["ac_fixed", "ac_int", "ihc::", "sycl"].iter().any(|word| text.contains(word))
    };
    let mut reader = Reader {
        graph: Graph {
            name: name.chars().take(80).collect(),
            producer: Some("hls4ml".to_owned()),
            loops: Vec::new(),
            values: Vec::new(),
            operations: Vec::new(),
            outputs: Vec::new(),
        },
        settings: &settings,
        entries: BTreeMap::new(),
        open: BTreeSet::new(),
        is_stream: function.parameters.iter().any(|one| one.element.contains("stream")),
        is_folded: !files.iter().any(is_other),
    };
    reader.add_inputs(function, &calls);
    for call in &calls {
        let place = format!("{}:{}", sources.name(call.span.file), sources.line(call.span));
        reader.add_call(call, &format!("{place}: nnet::{} (`{}`)", call.function, call.name))?;
    }
    reader.finish(function)
}

impl Reader<'_> {
    fn push(&mut self, shape: Vec<u64>, dtype: Precision, origin: Origin) -> usize {
        self.graph.values.push(GraphValue { shape, dtype, origin });
        self.graph.values.len() - 1
    }

    /// The parameters of the top function that a layer reads before any writes them.
    fn add_inputs(&mut self, function: &Function, calls: &[LayerCall<'_>]) {
        for parameter in &function.parameters {
            let names = |call: &&LayerCall<'_>| call.arguments.contains(&parameter.name.as_str());
            let Some(first) = calls.iter().find(names) else { continue };
            if first.arguments.first() != Some(&parameter.name.as_str())
                && !(find(&MERGES, first.function).is_some()
                    && first.arguments.get(1) == Some(&parameter.name.as_str()))
            {
                continue;
            }
            let sizes: Option<Vec<u64>> = parameter.dims.iter().map(|dim| dim.value).collect();
            // An array of streams says nothing of how much passes.
            let shape = sizes.filter(|sizes| !sizes.is_empty() && !self.is_stream);
            let shape = shape.map(|sizes| vec![1, multiply(&sizes)]);
            let is_open = shape.is_none();
            let origin = Origin::Input(parameter.name.clone());
            let at = self.push(shape.unwrap_or_default(), Precision::FP32, origin);
            if is_open {
                self.open.insert(at);
            }
            self.entries.insert(parameter.name.clone(), at);
        }
    }

    /// The value of a variable in the shape in which a layer reads it; in its own where the layer asks for none.
    fn read(
        &mut self,
        step: &Step<'_>,
        at: usize,
        wanted: Option<&[u64]>,
    ) -> Result<usize, ProjectError> {
        let layer = || step.layer.title.to_owned();
        let name = *step
            .call
            .arguments
            .get(at)
            .ok_or_else(|| ProjectError::FewArguments { layer: layer() })?;
        let value = self.entries.get(name).copied();
        let value =
            value.ok_or_else(|| ProjectError::Unmade { layer: layer(), name: name.to_owned() })?;
        if let Origin::Input(_) = self.graph.values[value].origin {
            self.graph.values[value].dtype = step.read.precision;
        }
        if self.open.contains(&value) {
            let wanted = wanted.ok_or_else(|| ProjectError::UnknownSize {
                layer: layer(),
                name: name.to_owned(),
            })?;
            self.graph.values[value].shape = wanted.to_vec();
            self.open.remove(&value);
        }
        let own = &self.graph.values[value];
        let Some(wanted) = wanted.filter(|wanted| *wanted != own.shape) else { return Ok(value) };
        let (expected, found) = (multiply(wanted), own.elements());
        if expected != found {
            let name = name.to_owned();
            return Err(ProjectError::OtherSize { layer: layer(), name, expected, found });
        }
        let dtype = own.dtype;
        Ok(self.push(wanted.to_vec(), dtype, Origin::View(value)))
    }

    /// A parameter of a layer, in the format that its settings name.
    fn store(
        &mut self,
        step: &Step<'_>,
        key: &str,
        name: &str,
        shape: Vec<u64>,
    ) -> Result<usize, ProjectError> {
        let config = step.layer.config;
        let spelling = self.settings.alias(config, key).ok_or_else(|| ProjectError::NoSetting {
            layer: step.layer.title.to_owned(),
            config: config.to_owned(),
            key: key.to_owned(),
        })?;
        let element = find_element(self.settings, spelling, step.call, step.layer.title)?;
        let origin = Origin::Parameter(format!("{}.{name}", step.call.name));
        Ok(self.push(shape, element.precision, origin))
    }

    /// Records an operation whose result has `shape`, under the variable at `output` of the call.
    fn write(
        &mut self,
        step: &Step<'_>,
        output: usize,
        shape: Vec<u64>,
        (kind, function): (OperationKind, &str),
        inputs: Vec<usize>,
        folding: Option<Folding>,
    ) -> Result<usize, ProjectError> {
        let made = self.push(shape, step.written.precision, Origin::Made);
        let name = step.call.arguments.get(output);
        let name =
            name.ok_or_else(|| ProjectError::FewArguments { layer: step.layer.title.to_owned() })?;
        self.entries.insert((*name).to_owned(), made);
        self.graph.operations.push(Operation {
            kind,
            function: function.to_owned(),
            module: step.call.name.clone(),
            inputs,
            outputs: vec![made],
            around: None,
            folding: Some(self.check_folding(folding.unwrap_or_default())),
        });
        Ok(made)
    }

    /// The loops of another tool's code are others.
    fn check_folding(&self, folding: Folding) -> Folding {
        if self.is_folded { folding } else { Folding { cycles: None, ..folding } }
    }

    fn flow(&self, step: &Step<'_>) -> Flow {
        match (self.is_stream, step.read.packet, step.written.packet) {
            (true, Some(read), Some(written)) => Flow::Stream { read, written },
            (false, None, None) => Flow::Parallel,
            _ => Flow::Unknown,
        }
    }

    fn add_call(&mut self, call: &LayerCall<'_>, title: &str) -> Result<(), ProjectError> {
        if call.in_loop {
            return Err(ProjectError::InLoop(title.to_owned()));
        }
        // Copies of a stream, and the same elements in packets of another size.
        if matches!(call.function, "clone_stream" | "repack_stream") {
            return self.add_names(call, title);
        }
        let [types @ .., config] = call.template.as_slice() else {
            return Err(ProjectError::FewArguments { layer: title.to_owned() });
        };
        let (Some(first), Some(last)) = (types.first(), types.last()) else {
            return Err(ProjectError::FewArguments { layer: title.to_owned() });
        };
        if !self.settings.has(config) {
            let config = (*config).to_owned();
            return Err(ProjectError::NoConfig { layer: title.to_owned(), config });
        }
        let step = Step {
            call,
            layer: Layer { settings: self.settings, config, title },
            read: find_element(self.settings, first, call, title)?,
            written: find_element(self.settings, last, call, title)?,
        };
        self.add_layer(&step)
    }

    fn add_names(&mut self, call: &LayerCall<'_>, title: &str) -> Result<(), ProjectError> {
        let [from, to @ ..] = call.arguments.as_slice() else {
            return Err(ProjectError::FewArguments { layer: title.to_owned() });
        };
        let value = self.entries.get(*from).copied();
        let value = value.ok_or_else(|| ProjectError::Unmade {
            layer: title.to_owned(),
            name: (*from).to_owned(),
        })?;
        self.entries.extend(to.iter().map(|name| ((*name).to_owned(), value)));
        Ok(())
    }

    fn finish(mut self, function: &Function) -> Result<Graph, ProjectError> {
        let names = || self.entries.iter().map(|(name, at)| (name.clone(), *at));
        if let Some((name, _)) = names().find(|(_, at)| self.open.contains(at)) {
            return Err(ProjectError::UnknownSize { layer: "the last layer".to_owned(), name });
        }
        let made =
            function.parameters.iter().filter_map(|one| self.entries.get(&one.name).copied());
        let is_made = |at: &usize| !matches!(self.graph.values[*at].origin, Origin::Input(_));
        self.graph.outputs = made.filter(is_made).collect();
        Ok(self.graph)
    }
}

/// The number format of a type that a call or a struct names.
fn find_element(
    settings: &Settings<'_>,
    spelling: &str,
    call: &LayerCall<'_>,
    title: &str,
) -> Result<Element, ProjectError> {
    settings.element(spelling, call.span).map_err(|reason| ProjectError::UnknownType {
        layer: title.to_owned(),
        spelling: spelling.to_owned(),
        reason,
    })
}

mod layers;
