//! What the code asks of a loop that a report names.

use derate_hls::{
    DirectiveKind, Function, Loop, Sources, base_of, copied_function, is_named_by_line,
    read_line_and_place,
};

use crate::Code;

/// A loop of the source, in its function.
type OwnLoop<'c> = (&'c Function, &'c Loop);

/// The interval that the `pipeline` pragma of a loop asks for, 1 where it names none; `None` where the sources have no such
/// loop or several, where it has no pragma, or where its number is not plain.
#[must_use]
pub fn asked_interval(code: &Code, sources: &Sources, module: &str, name: &str) -> Option<u64> {
    let loops = list_named(code, sources, name);
    let (own, others): (Vec<_>, Vec<_>) =
        loops.into_iter().partition(|(function, _)| is_in_module(function, module));
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

/// The loops of the source that a report names after their line; of several those at this place of their functions.
fn list_by_line<'c>(code: &'c Code, sources: &Sources, name: &str) -> Vec<OwnLoop<'c>> {
    let Some((_, place)) = read_line_and_place(name) else { return Vec::new() };
    let all = list_named(code, sources, name);
    let is_at = |(function, one): &OwnLoop<'c>| {
        let is_it = |other: &Loop| std::ptr::eq(other, *one);
        function.loops.iter().position(is_it).is_some_and(|at| at + 1 == place)
    };
    let at: Vec<OwnLoop<'c>> = all.iter().copied().filter(is_at).collect();
    if at.is_empty() { all } else { at }
}

/// Whether no pragma of the function of a loop asks for a pipeline: the tool makes one by itself. Where several loops are in such a line,
/// of all of them; `false` where there is none.
#[must_use]
pub fn is_pipelined_by_tool(code: &Code, sources: &Sources, name: &str) -> bool {
    let all = list_by_line(code, sources, name);
    let is_free = |(function, _): &OwnLoop<'_>| {
        let mut kinds = function.pragmas.iter().filter_map(derate_hls::Pragma::directive);
        !kinds.any(|one| matches!(one.kind, DirectiveKind::Pipeline(_)))
    };
    !all.is_empty() && all.iter().all(is_free)
}

/// What a loop of the source goes by, whichever copy of a function has it: its line, where the code has one loop alone there, else
/// the function that its module is a copy of, as far as the names show it. `None` where the module is no copy.
#[must_use]
pub fn name_source(code: &Code, sources: &Sources, module: &str, name: &str) -> Option<String> {
    if let [(function, one)] = list_by_line(code, sources, name)[..] {
        return Some(format!("{} {}", sources.name(one.span.file), function.name));
    }
    let source = copied_function(module);
    let has = |name: &str| code.functions().any(|one| one.name == name);
    let is_copy = is_named_by_line(name) || has(source);
    let own = base_of(module);
    (is_copy && (own == source || !has(own))).then(|| source.to_owned())
}

fn list_named<'c>(code: &'c Code, sources: &Sources, name: &str) -> Vec<OwnLoop<'c>> {
    let functions = code.functions();
    let loops =
        functions.flat_map(|function| function.loops.iter().map(move |one| (function, one)));
    loops.filter(|(_, one)| is_called(sources, one, name)).collect()
}

/// A pipelined loop is a module of its own since 2021.1, `gemm_Pipeline_ACC`.
fn is_in_module(function: &Function, module: &str) -> bool {
    let rest = module.strip_prefix(function.name.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("_Pipeline_"))
}

/// Loops without a label are called after their line.
fn is_called(sources: &Sources, one: &Loop, name: &str) -> bool {
    let line = name.strip_prefix("VITIS_LOOP_").and_then(|rest| rest.split('_').next());
    match (&one.label, line) {
        (Some(label), _) => label == name,
        (None, Some(line)) => sources.position(one.span).line.to_string() == line,
        (None, None) => false,
    }
}
