//! What the code asks of a loop that a report names.

use derate_hls::{DirectiveKind, Function, Loop};

use crate::AuditInput;

/// The interval that the `pipeline` pragma of a loop asks for, 1 where it names none; `None` where the sources have no such
/// loop or several, where it has no pragma, or where its number is not plain.
pub(super) fn asked_interval(input: &AuditInput<'_>, module: &str, name: &str) -> Option<u64> {
    let functions = input.code.functions();
    let loops = functions
        .flat_map(|function| function.loops.iter().map(move |one| (function, one)))
        .filter(|(_, one)| is_called(input, one, name));
    let (own, others): (Vec<_>, Vec<_>) =
        loops.partition(|(function, _)| is_in_module(function, module));
    // The loop of a function that was inlined is in the module of another one; its line is in its name.
    let found = if own.is_empty() && name.starts_with("VITIS_LOOP_") { others } else { own };
    let [(function, one)] = found[..] else { return None };
    let mut asked = None;
    for pragma in one.pragmas.iter().filter_map(|&at| function.pragmas.get(at)) {
        if let Some(DirectiveKind::Pipeline(it)) =
            pragma.directive().map(|directive| directive.kind)
        {
            let interval = it.ii.map_or(Some(1), |ii| ii.number());
            asked = interval.filter(|_| !it.off);
        }
    }
    asked
}

/// A pipelined loop is a module of its own since 2021.1, `gemm_Pipeline_ACC`.
fn is_in_module(function: &Function, module: &str) -> bool {
    let rest = module.strip_prefix(function.name.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("_Pipeline_"))
}

/// Loops without a label are called after their line.
fn is_called(input: &AuditInput<'_>, one: &Loop, name: &str) -> bool {
    let line = name.strip_prefix("VITIS_LOOP_").and_then(|rest| rest.split('_').next());
    match (&one.label, line) {
        (Some(label), _) => label == name,
        (None, Some(line)) => input.sources.position(one.span).line.to_string() == line,
        (None, None) => false,
    }
}
