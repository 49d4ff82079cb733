//! The directives of a design in the two forms that tools read: Tcl, and the settings of an `hls_config.cfg`.

use derate_hls::{Count, DirectiveKind, Interface, TclDirective};

/// A directive in words.
pub(super) struct DirectiveWords {
    /// `unroll`
    pub(super) kind: &'static str,
    /// `factor` and `8`; a flag has no value.
    pub(super) options: Vec<(&'static str, Option<String>)>,
    /// `top/loop`
    pub(super) place: String,
    /// The array or the port.
    pub(super) variable: Option<String>,
}

/// The words of a directive; `None` for kinds that no design has.
pub(super) fn list_words(one: &TclDirective) -> Option<DirectiveWords> {
    let number =
        |count: &Option<Count>| count.as_ref().and_then(Count::number).map(|n| n.to_string());
    let given = |name, count: &Option<Count>| number(count).map(|value| (name, Some(value)));
    let (kind, options, variable) = match &one.kind {
        DirectiveKind::Unroll { factor } => {
            ("unroll", given("factor", factor).into_iter().collect(), None)
        }
        DirectiveKind::Pipeline(pipeline) if pipeline.off => {
            ("pipeline", vec![("off", None)], None)
        }
        DirectiveKind::Pipeline(pipeline) => {
            ("pipeline", given("II", &pipeline.ii).into_iter().collect(), None)
        }
        DirectiveKind::ArrayPartition(cut) => {
            let or_one = |count| Some(number(count).unwrap_or_else(|| "1".to_owned()));
            let options = vec![
                ("type", Some("cyclic".to_owned())),
                ("factor", or_one(&cut.factor)),
                ("dim", or_one(&cut.dim)),
            ];
            ("array_partition", options, Some(cut.variable.clone().unwrap_or_default()))
        }
        DirectiveKind::Dataflow => ("dataflow", Vec::new(), None),
        DirectiveKind::Interface(interface) => {
            let port = interface.port.clone().unwrap_or_default();
            ("interface", list_options(interface), Some(port))
        }
        _ => return None,
    };
    let place = match &one.label {
        Some(label) => format!("{}/{label}", one.function),
        None => one.function.clone(),
    };
    Some(DirectiveWords { kind, options, place, variable })
}

/// The bytes that pointers are to be aligned to: the tool widens ports where it knows them to be aligned (UG1399); kernels of the Vitis
/// flow are by default.
pub(super) fn find_alignment(directives: &[TclDirective]) -> Option<u32> {
    let widens = |one: &TclDirective| matches!(&one.kind, DirectiveKind::Interface(port) if port.max_widen_bitwidth.is_some());
    directives.iter().any(widens).then_some(64)
}

/// The options of an interface that are given.
fn list_options(interface: &Interface) -> Vec<(&'static str, Option<String>)> {
    let number = |count: &Option<Count>| {
        count.as_ref().and_then(Count::number).map(|number| number.to_string())
    };
    let options = [
        ("mode", interface.mode.clone()),
        ("bundle", interface.bundle.clone()),
        ("depth", number(&interface.depth)),
        ("offset", interface.offset.clone()),
        ("latency", number(&interface.latency)),
        ("num_read_outstanding", number(&interface.num_read_outstanding)),
        ("num_write_outstanding", number(&interface.num_write_outstanding)),
        ("max_read_burst_length", number(&interface.max_read_burst_length)),
        ("max_write_burst_length", number(&interface.max_write_burst_length)),
        ("max_widen_bitwidth", number(&interface.max_widen_bitwidth)),
    ];
    options.into_iter().filter(|(_, value)| value.is_some()).collect()
}
