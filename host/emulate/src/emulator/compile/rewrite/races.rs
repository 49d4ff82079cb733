//! Races between the stages of a dataflow region: memory that one stage writes and another one uses, with no channel between them
//! that orders the two. On a card the stages run at once; here one runs after the other, and the race does not show.

use std::collections::BTreeSet;

use tree_sitter::{Node, Parser};

use super::accesses::{Use, classify};
use super::functions::{
    Declared, Shape, declared_name, list_functions, plain_name, root_of, visit,
};
use super::text::keep_own_text;

/// Calls that are followed into each other.
const DEEPEST: usize = 8;

/// What a stage does with an argument.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Used {
    reads: bool,
    writes: bool,
}

/// A call in a dataflow region.
#[derive(Debug)]
struct Stage {
    name: String,
    arguments: Vec<Argument>,
}

/// A variable that a stage is given.
#[derive(Debug)]
struct Argument {
    root: String,
    /// As it is spelt: `p + n` is another place than `p`.
    spelt: String,
    used: Used,
    /// Whether the stage takes it as a stream, a pointer or a reference.
    is_by_place: bool,
    is_memory: bool,
}

/// The races of all dataflow regions, each a clause.
pub(in super::super) fn find_races(preprocessed: &str) -> Vec<String> {
    let own = keep_own_text(preprocessed);
    let mut parser = Parser::new();
    if !own.to_ascii_lowercase().contains("dataflow")
        || parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).is_err()
    {
        return Vec::new();
    }
    let Some(tree) = parser.parse(&own, None) else { return Vec::new() };
    let functions = list_functions(tree.root_node(), &own);
    let mut found = Vec::new();
    for function in &functions {
        let Some(body) = function.body else { continue };
        visit(body, &mut |node| {
            if node.kind() == "compound_statement" && is_dataflow(node, &own) {
                let stages = list_stages(node, &functions, &own);
                let locals = list_locals(body, &own);
                found.extend(find_in_region(&stages, &locals, &function.name));
            }
        });
    }
    found
}

/// Whether the pragma is directly in a block.
fn is_dataflow(block: Node<'_>, own: &str) -> bool {
    let mut cursor = block.walk();
    block.named_children(&mut cursor).any(|one| {
        let text = own.get(one.byte_range()).unwrap_or_default().to_ascii_lowercase();
        let mut words = text.split_whitespace();
        one.kind() == "preproc_call"
            && words.next() == Some("#pragma")
            && words.next() == Some("hls")
            && words.next() == Some("dataflow")
    })
}

/// The calls of a block, in their order.
fn list_stages(block: Node<'_>, functions: &[Declared<'_>], own: &str) -> Vec<Stage> {
    let mut cursor = block.walk();
    let statements =
        block.named_children(&mut cursor).filter(|one| one.kind() == "expression_statement");
    let calls = statements
        .filter_map(|one| one.named_child(0))
        .filter(|one| one.kind() == "call_expression");
    let read = |call: Node<'_>| {
        let name = plain_name(call.child_by_field_name("function")?, own)?;
        let callee = functions.iter().find(|one| one.name == name && one.body.is_some())?;
        let list = call.child_by_field_name("arguments")?;
        let mut cursor = list.walk();
        let given = list.named_children(&mut cursor).enumerate();
        let arguments = given.filter_map(|(at, argument)| {
            let root = root_of(argument, own)?;
            let parameter = callee.parameters.get(at)?;
            let spelt = own.get(parameter.range.clone()).unwrap_or_default();
            let is_stream = spelt.contains("stream");
            Some(Argument {
                root: root.to_owned(),
                spelt: own.get(argument.byte_range()).unwrap_or_default().to_owned(),
                used: use_of(callee, at, functions, own, 0),
                is_by_place: is_stream || parameter.is_written || parameter.shape == Shape::Pointer,
                is_memory: !is_stream && parameter.shape == Shape::Pointer,
            })
        });
        Some(Stage { name: name.to_owned(), arguments: arguments.collect() })
    };
    calls.filter_map(read).collect()
}

/// What a function does with the memory of a parameter, also in the functions that it calls.
fn use_of(
    function: &Declared<'_>,
    at: usize,
    functions: &[Declared<'_>],
    own: &str,
    depth: usize,
) -> Used {
    let mut used = Used::default();
    let (Some(body), Some(parameter)) = (function.body, function.parameters.get(at)) else {
        return used;
    };
    let is_it = |node: Option<Node<'_>>| {
        node.and_then(|node| root_of(node, own)).is_some_and(|root| root == parameter.name)
    };
    visit(body, &mut |node| {
        let place = match node.kind() {
            "subscript_expression" => node.child_by_field_name("argument"),
            "pointer_expression"
                if own.get(node.byte_range()).is_some_and(|text| text.starts_with('*')) =>
            {
                node.child_by_field_name("argument")
            }
            _ => None,
        };
        if is_it(place) {
            let how = classify(node, functions, own);
            used.reads |= how != Use::Write;
            used.writes |= how != Use::Read;
        }
    });
    for (callee, position) in function.passes(at, own) {
        if callee == "memcpy" {
            used.writes |= position == 0;
            used.reads |= position == 1;
        } else if depth < DEEPEST
            && let Some(callee) =
                functions.iter().find(|one| one.name == callee && one.body.is_some())
        {
            let inner = use_of(callee, position, functions, own, depth + 1);
            used.reads |= inner.reads;
            used.writes |= inner.writes;
        }
    }
    used
}

/// The variables that a function declares itself.
fn list_locals(body: Node<'_>, own: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    visit(body, &mut |node| {
        if node.kind() == "declaration" {
            let mut cursor = node.walk();
            for declarator in node.children_by_field_name("declarator", &mut cursor) {
                names.extend(declared_name(Some(declarator), own).map(str::to_owned));
            }
        }
    });
    names
}

fn find_in_region(stages: &[Stage], locals: &BTreeSet<String>, region: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, first) in stages.iter().enumerate() {
        for (later, second) in stages.iter().enumerate().skip(at + 1) {
            for one in first.arguments.iter().filter(|one| one.is_memory) {
                let same = |other: &&Argument| other.is_memory && other.spelt == one.spelt;
                let Some(other) = second.arguments.iter().find(same) else { continue };
                // The producer of an array that comes first is what a channel is made of.
                let is_channel = locals.contains(&one.root) && !other.used.writes;
                if is_channel
                    || !(one.used.writes && (other.used.writes || other.used.reads)
                        || one.used.reads && other.used.writes)
                    || are_connected(stages, (at, later), &one.root, locals)
                {
                    continue;
                }
                let verb = |used: Used| if used.writes { "writes" } else { "reads" };
                let clause = format!(
                    "in the dataflow of {region}, {} {} `{}` and {} {} it, and no channel leads from one to the other",
                    first.name,
                    verb(one.used),
                    one.root,
                    second.name,
                    verb(other.used)
                );
                if !found.contains(&clause) {
                    found.push(clause);
                }
            }
        }
    }
    found
}

/// Whether a way of channels leads from one stage to another, but for the memory in question.
fn are_connected(
    stages: &[Stage],
    (from, to): (usize, usize),
    but: &str,
    locals: &BTreeSet<String>,
) -> bool {
    let channels = |stage: &Stage| -> BTreeSet<String> {
        let is_channel = |one: &&Argument| {
            one.root != but && (locals.contains(&one.root) || !one.is_memory && one.is_by_place)
        };
        stage.arguments.iter().filter(is_channel).map(|one| one.root.clone()).collect()
    };
    let by_place = |stage: &Stage, name: &str| {
        stage.arguments.iter().any(|one| one.root == name && one.is_by_place)
    };
    let mut reached = BTreeSet::from([from]);
    let mut waiting = vec![from];
    while let Some(stage) = waiting.pop().and_then(|at| stages.get(at)) {
        for name in channels(stage) {
            for (next, other) in stages.iter().enumerate() {
                let is_shared = channels(other).contains(&name)
                    && (by_place(stage, &name) || by_place(other, &name));
                if is_shared && reached.insert(next) {
                    waiting.push(next);
                }
            }
        }
    }
    reached.contains(&to)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGES: &str = "void copy(const int *from, int *to, int n) { for (int i = 0; i < n; ++i) to[i] = from[i]; }\n\
        void put(int *to, int n) { memcpy(to, rom, n); }\n\
        void pass(hls::stream<int> &to, int *from) { to.write(*from); }\n\
        void take(hls::stream<int> &from, int *to) { to[0] = from.read(); }\n";

    fn races(body: &str) -> Vec<String> {
        let top = format!(
            "{STAGES}void top(int *a, int *b, int *c, int n) {{\n#pragma HLS dataflow\n{body}\n}}\n"
        );
        find_races(&top)
    }

    #[test]
    fn memory_that_two_stages_use_with_no_channel_between_them_is_a_race() {
        let found = races("copy(a, b, n);\ncopy(b, c, n);");
        assert_eq!(
            found,
            [
                "in the dataflow of top, copy writes `b` and copy reads it, and no channel leads from one to the other"
            ]
        );
        assert_eq!(races("copy(a, c, n);\nput(c, n);").len(), 1, "two writers");
        assert_eq!(races("copy(b, a, n);\nput(b, n);").len(), 1, "the reader comes first");
        assert_eq!(
            races("int t[8];\ncopy(t, a, n);\nput(t, n);").len(),
            1,
            "an array that is fed back"
        );
    }

    #[test]
    fn what_channels_order_is_none() {
        for body in [
            "int t[8];\ncopy(a, t, n);\ncopy(t, b, n);",
            "copy(a, b, n);\ncopy(a, c, n);",
            "copy(a, b, n);\ncopy(a, b + n, n);",
            "hls::stream<int> s;\npass(s, a);\ntake(s, a);",
        ] {
            assert_eq!(races(body), Vec::<String>::new(), "{body}");
        }
        let plain = format!(
            "{STAGES}void top(int *a, int *b, int *c, int n) {{ copy(a, b, n); copy(b, c, n); }}\n"
        );
        assert!(find_races(&plain).is_empty(), "no dataflow");
    }
}
