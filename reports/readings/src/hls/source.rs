//! The kernels of a source.

use derate_hls::{Function, Header, Parameter, Sources};
use derate_render::{Block, Table};
use serde::Serialize;

use super::cells::{filled_table, unread_blocks};

/// A function as the JSON shows it.
#[derive(Debug, Serialize)]
pub(super) struct FunctionReport {
    name: String,
    line: usize,
    parameters: Vec<ParameterReport>,
    pragmas: Vec<PragmaReport>,
    calls: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ParameterReport {
    name: String,
    element: String,
    pointer: bool,
    reference: bool,
    /// Whether its elements are `const`.
    constant: bool,
    /// Its extents, outermost first.
    dims: Vec<DimReport>,
}

#[derive(Debug, Serialize)]
struct DimReport {
    /// As it is spelt; empty for `[]`.
    expression: String,
    /// The extent, where it could be computed.
    value: Option<u64>,
}

#[derive(Debug, Serialize)]
struct PragmaReport {
    text: String,
    line: usize,
    #[serde(skip)]
    known: bool,
}

impl ParameterReport {
    fn of(parameter: &Parameter) -> Self {
        let dims = parameter.dims.iter();
        Self {
            name: parameter.name.clone(),
            element: parameter.element.clone(),
            pointer: parameter.pointer,
            reference: parameter.reference,
            constant: parameter.constant,
            dims: dims
                .map(|dim| DimReport { expression: dim.expression.clone(), value: dim.value })
                .collect(),
        }
    }

    /// `const float* a`, `data_t tile[ROWS = 64][32]`.
    fn write_declaration(&self) -> String {
        let qualifier = if self.constant { "const " } else { "" };
        let pointer = if self.pointer { "*" } else { "" };
        let reference = if self.reference { "&" } else { "" };
        let extents = self.dims.iter().map(|dim| match dim.value {
            Some(value) if value.to_string() != dim.expression => {
                format!("[{} = {value}]", dim.expression)
            }
            _ => format!("[{}]", dim.expression),
        });
        format!(
            "{qualifier}{}{pointer}{reference} {}{}",
            self.element,
            self.name,
            extents.collect::<String>()
        )
    }
}

/// The functions of a source that have a body.
pub(super) fn list_functions(sources: &Sources, header: &Header) -> Vec<FunctionReport> {
    let report = |function: &Function| FunctionReport {
        name: function.scope.qualify(&function.name),
        line: sources.position(function.name_span).line,
        parameters: function.parameters.iter().map(ParameterReport::of).collect(),
        pragmas: function
            .pragmas
            .iter()
            .map(|p| PragmaReport {
                text: p.text.clone(),
                line: sources.position(p.span).line,
                known: p.directive().is_some(),
            })
            .collect(),
        calls: function.calls.iter().map(|call| call.callee.clone()).collect(),
    };
    header.functions.iter().filter(|function| function.body.is_some()).map(report).collect()
}

/// The kernels of a source.
pub(super) fn source_blocks(sources: &Sources, header: &Header) -> Vec<Block> {
    let parameters = |function: &FunctionReport| {
        let declared = function.parameters.iter().map(ParameterReport::write_declaration);
        declared.collect::<Vec<_>>().join(", ")
    };
    let pragmas = |function: &FunctionReport| {
        let known = function.pragmas.iter().filter(|p| p.known).map(|p| p.text.as_str());
        known.collect::<Vec<_>>().join("; ")
    };
    let table =
        Table::from_items("functions", "Functions with a body", list_functions(sources, header))
            .text("function", "Function", |f| format!("{}:{}", f.name, f.line))
            .text("parameters", "Parameters", parameters)
            .text("pragmas", "HLS pragmas", pragmas)
            .text("calls", "Calls", |f| f.calls.join(", "));
    let mut blocks: Vec<Block> = filled_table(table).into_iter().collect();
    if blocks.is_empty() {
        blocks.push(Block::Prose(
            "No function has a body here; `derate types` says what it declares.".to_owned(),
        ));
    }
    blocks.extend(unread_blocks(sources, &header.unparsed));
    blocks
}
