//! The external-memory ports that a function's pragmas ask for.

mod swaps;

pub use swaps::list_swapped;

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{DirectiveKind, Function, HlsType, Parameter, Span, VectorForm, split_words};

/// The bundle of ports that name none, beside those that others name: they do not join a bundle `gmem` of these, as the
/// reports of Vitis HLS 2022.1 have it.
pub fn name_default_bundle<'a>(mut named: impl Iterator<Item = &'a str>) -> &'static str {
    if named.any(|bundle| bundle == "gmem") { "gmem0" } else { "gmem" }
}

/// A parameter with an `m_axi` interface.
#[derive(Clone, Debug)]
pub struct Port<'a> {
    /// The parameter.
    pub parameter: &'a Parameter,
    /// Its bundle; `None` where two pragmas disagree about it.
    pub bundle: Option<String>,
    /// The widest that a pragma lets the tool make the port, in bits.
    pub(crate) max_widen: Option<u64>,
    /// The pragma.
    pub pragma: Span,
}

/// The words that a number's type begins with.
const NUMBERS: [&str; 13] = [
    "float", "double", "half", "bool", "char", "short", "int", "long", "signed", "unsigned",
    "ap_int", "ap_uint", "size_t",
];

/// Whether a parameter is a number: the tool ignores an `m_axi` pragma for it. A name of the project's may be that of an array.
pub fn is_scalar(parameter: &Parameter) -> bool {
    let first = split_words(&parameter.element).next();
    !parameter.pointer
        && !parameter.reference
        && parameter.dims.is_empty()
        && first.is_some_and(|first| NUMBERS.contains(&first))
}

/// The `m_axi` ports of a function, in the order of its pragmas. A pragma for an unknown parameter or a number makes none. Ports
/// without a bundle share one of their own: they do not join a bundle that others name.
pub fn m_axi_ports(function: &Function) -> Vec<Port<'_>> {
    let interfaces = function.pragmas.iter().filter_map(|pragma| {
        let DirectiveKind::Interface(interface) = pragma.directive()?.kind else { return None };
        let is_m_axi = interface.mode.as_ref()?.eq_ignore_ascii_case("m_axi");
        is_m_axi.then_some((pragma.span, interface))
    });
    let interfaces: Vec<_> = interfaces.collect();
    let named = interfaces.iter().filter_map(|(_, interface)| interface.bundle.as_deref());
    let default = name_default_bundle(named);
    let mut ports: Vec<Port<'_>> = Vec::new();
    for (pragma, interface) in interfaces {
        let parameter =
            function.parameters.iter().find(|p| interface.port.as_ref() == Some(&p.name));
        let Some(parameter) = parameter.filter(|one| !is_scalar(one)) else { continue };
        let bundle = interface.bundle.unwrap_or_else(|| default.to_owned());
        let max_widen = interface.max_widen_bitwidth.and_then(|count| count.number());
        match ports.iter_mut().find(|port| port.parameter.name == parameter.name) {
            Some(known) if known.bundle.as_ref() == Some(&bundle) => {}
            Some(known) => known.bundle = None,
            None => ports.push(Port { parameter, bundle: Some(bundle), max_widen, pragma }),
        }
    }
    ports
}

/// The names of the functions with ports of their own that call a name.
pub struct PortCallers<'a>(BTreeMap<&'a str, BTreeSet<&'a str>>);

impl<'a> PortCallers<'a> {
    /// Those among some functions.
    pub fn list(functions: &[&'a Function]) -> Self {
        let mut callers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let has_calls = |one: &&&Function| !one.calls.is_empty() && !m_axi_ports(one).is_empty();
        for one in functions.iter().filter(has_calls) {
            for call in &one.calls {
                callers.entry(&call.callee).or_default().insert(&one.name);
            }
        }
        Self(callers)
    }

    /// Whether one of them calls a function: the tool ignores interfaces below the top.
    pub fn call(&self, function: &Function) -> bool {
        let mut own = self.0.get(function.name.as_str()).into_iter().flatten();
        own.any(|caller| *caller != function.name)
    }
}

/// The widest word of a port.
const WIDEST: u64 = 1024;

/// The bits of a type that is made of several numbers; an `hls::vector` that fills a word of a port is one.
pub fn compound_bits(kind: &HlsType) -> Option<u64> {
    match kind {
        HlsType::Vector { form: VectorForm::Hls, .. } if is_word(kind) => None,
        HlsType::Struct { .. } | HlsType::Vector { .. } => {
            kind.bits().filter(|_| kind.lanes().is_none_or(|lanes| lanes > 1))
        }
        HlsType::Pointer(element) | HlsType::Array { element, .. } => compound_bits(element),
        _ => None,
    }
}

/// Whether a vector fills one word of a port.
fn is_word(kind: &HlsType) -> bool {
    kind.bits().is_some_and(|bits| bits.is_power_of_two() && bits <= WIDEST)
}

/// The type behind pointers and extents.
pub fn innermost_element(kind: &HlsType) -> &HlsType {
    match kind {
        HlsType::Pointer(inner) | HlsType::Array { element: inner, .. } => innermost_element(inner),
        other => other,
    }
}
