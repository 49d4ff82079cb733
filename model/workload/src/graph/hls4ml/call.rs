//! The call of a layer in the top function.

use derate_hls::{Function, Local, Sources, Span};

/// The namespace of hls4ml's layers.
const NAMESPACE: &str = "nnet::";

/// Calls that compute nothing of the model: they load weights and save results in a simulation.
const BESIDE: [&str; 4] = [
    "load_weights_from_txt",
    "load_exponent_weights_from_txt",
    "load_compressed_weights_from_txt",
    "save_layer_output",
];

/// A call such as `nnet::dense<input_t, layer2_t, config2>(x, layer2_out, w2, b2); // fc1`.
pub(super) struct LayerCall<'a> {
    /// `dense`
    pub(super) function: &'a str,
    /// `input_t`, `layer2_t`, `config2`
    pub(super) template: Vec<&'a str>,
    /// `x`, `layer2_out`, `w2`, `b2`
    pub(super) arguments: Vec<&'a str>,
    /// What the model calls it: `fc1`.
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) in_loop: bool,
}

/// Splits at commas that are in no brackets.
pub(super) fn split_arguments(list: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut all) = (0_usize, 0, Vec::new());
    for (at, letter) in list.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push(list[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    all.push(list[begin..].trim());
    all.retain(|one| !one.is_empty());
    all
}

/// The words after `//` on the line in which a call ends.
fn find_comment(sources: &Sources, span: Span) -> Option<&str> {
    let rest = sources.text(span.file).get(span.end..)?.lines().next()?;
    let words = rest.split_once("//")?.1.trim();
    (!words.is_empty()).then_some(words)
}

/// The variable that a name is of: hls4ml writes a reshape as `auto& layer4_out = layer3_out;` or as a pointer.
fn find_named<'a>(function: &'a Function, name: &'a str) -> &'a str {
    let mut name = name;
    // No chain is longer than the variables are.
    for _ in &function.locals {
        let local = function.locals.iter().find(|local| local.name == name);
        let refers = |local: &&Local| local.spelling.ends_with(['&', '*']);
        match local.filter(refers).and_then(|local| local.initial.as_deref()) {
            Some(other) => name = other.trim(),
            None => break,
        }
    }
    name
}

/// The layers that a function calls, in order.
pub(super) fn list_calls<'a>(function: &'a Function, sources: &'a Sources) -> Vec<LayerCall<'a>> {
    let layers = function.calls.iter().filter_map(|call| {
        let callee = call.callee.strip_prefix(NAMESPACE)?;
        let (name, template) = callee.split_once('<').unwrap_or((callee, ""));
        let template = template.trim_end().strip_suffix('>').unwrap_or(template);
        let in_loop = |span: Span| span.start <= call.span.start && call.span.end <= span.end;
        // Where the top function takes structs, their member is the array.
        let plain = |one: &'a String| one.trim().trim_end_matches(".data");
        let arguments: Vec<&str> =
            call.arguments.iter().map(plain).map(|name| find_named(function, name)).collect();
        let words = find_comment(sources, call.span);
        let made = arguments.get(1).or(arguments.first());
        let title = words.or(made.copied()).unwrap_or(name);
        (!BESIDE.contains(&name.trim())).then(|| LayerCall {
            function: name.trim(),
            template: split_arguments(template),
            arguments,
            name: title.chars().take(80).collect(),
            span: call.span,
            in_loop: function.loops.iter().any(|one| in_loop(one.body)),
        })
    });
    layers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_in_brackets_stay_together() {
        assert_eq!(split_arguments("a, nnet::array<b, 2>, c"), ["a", "nnet::array<b, 2>", "c"]);
        assert!(split_arguments(" ").is_empty());
    }
}
