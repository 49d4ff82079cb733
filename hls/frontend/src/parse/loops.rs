//! Loops: their heads, and the ways out of them.

use super::declarator::take_apart;
use super::place::{Body, Place};
use super::reader::Reader;
use super::role::operator_of;
use crate::Span;
use crate::header::{Comparison, Local, Loop, LoopKind};
use crate::preprocess::Pragma;
use tree_sitter::Node;

/// What the head of a `for` says.
#[derive(Default)]
struct Head {
    variable: Option<String>,
    declared: Option<String>,
    start: Option<String>,
    bound: Option<String>,
    comparison: Option<Comparison>,
    step: Option<String>,
}

impl Reader<'_> {
    pub(super) fn note_loop(&mut self, node: Node<'_>, place: &Place, found: &mut Body) {
        let Some(body) = node.child_by_field_name("body") else { return };
        let head_end = self.end_of_head(node, body);
        let body = self.span_of(body);
        let (kind, head) = match node.kind() {
            "for_statement" => (LoopKind::For, self.read_head(node)),
            "for_range_loop" => (LoopKind::Range, Head::default()),
            "while_statement" => (LoopKind::While, Head::default()),
            _ => (LoopKind::Do, Head::default()),
        };
        let span = self.span_of(node);
        let label = node.parent().filter(|parent| parent.kind() == "labeled_statement");
        let label = label.and_then(|parent| parent.child_by_field_name("label"));
        let parent = place.loop_index;
        let depth =
            parent.and_then(|parent| found.loops.get(parent)).map_or(0, |one| one.depth + 1);
        found.own.insert(node.id(), found.loops.len());
        let mut this = Loop {
            kind,
            label: label.map(|label| self.words_of(label)),
            variable: head.variable,
            declared: head.declared,
            start: head.start,
            bound: head.bound,
            comparison: head.comparison,
            step: head.step,
            trip_count: None,
            exits: false,
            conditional: place.conditional,
            depth,
            parent,
            span: match kind {
                // `do` has its head behind its body.
                LoopKind::Do => Span { end: (span.start + 2).min(span.end), ..span },
                _ => Span { end: head_end, ..span },
            },
            body,
            pragmas: Vec::new(),
        };
        if kind == LoopKind::Range {
            this.variable = self.note_range(node, place, found, span);
        }
        found.loops.push(this);
    }

    /// The names that a range gives its elements: variables with unknown values.
    fn note_range(
        &self,
        node: Node<'_>,
        place: &Place,
        found: &mut Body,
        block: Span,
    ) -> Option<String> {
        let declarator = node.child_by_field_name("declarator")?;
        let words = self.words_of(declarator);
        let plain = words.trim_start_matches(['&', '*', ' ']);
        let names = plain.trim_start_matches('[').trim_end_matches(']');
        for name in names.split(',').map(str::trim) {
            found.locals.push(Local {
                name: name.to_owned(),
                spelling: node
                    .child_by_field_name("type")
                    .map(|kind| self.words_of(kind))
                    .unwrap_or_default(),
                dims: Vec::new(),
                initial: None,
                constant: false,
                loop_index: place.loop_index,
                block,
                span: self.span_of(declarator),
            });
        }
        (!plain.starts_with('[')).then(|| plain.to_owned())
    }

    /// Where the head of a loop ends: a pragma or a comment before the body is not part of it.
    fn end_of_head(&self, node: Node<'_>, body: Node<'_>) -> usize {
        let mut cursor = node.walk();
        let before = node.children(&mut cursor).take_while(|one| one.id() != body.id());
        let last = before.filter(|one| one.kind() != "comment").last();
        last.map_or(self.span_of(body).start, |last| self.span_of(last).end)
    }

    fn read_head(&self, node: Node<'_>) -> Head {
        let mut head = Head::default();
        let Some(condition) = node.child_by_field_name("condition") else { return head };
        let condition = strip_brackets(condition);
        let (Some(left), Some(right), Some(sign)) = (
            condition.child_by_field_name("left"),
            condition.child_by_field_name("right"),
            operator_of(condition),
        ) else {
            return head;
        };
        let (left, right) = (strip_brackets(left), strip_brackets(right));
        let Some(initial) = node.child_by_field_name("initializer") else { return head };
        for (variable, bound, turned) in [(left, right, false), (right, left, true)] {
            if variable.kind() != "identifier" {
                continue;
            }
            let name = self.words_of(variable);
            let Some((declared, start)) = self.read_start(initial, &name) else { continue };
            head.comparison = comparison_of(sign, turned);
            if head.comparison.is_none() {
                return Head::default();
            }
            head.bound = Some(self.words_of(bound));
            (head.declared, head.start) = (declared, Some(start));
            head.step =
                node.child_by_field_name("update").and_then(|update| self.read_step(update, &name));
            head.variable = Some(name);
            return head;
        }
        head
    }

    /// Where a `for` starts a variable: its type if that is declared there, and its value.
    fn read_start(&self, initial: Node<'_>, name: &str) -> Option<(Option<String>, String)> {
        if initial.kind() == "declaration" {
            let mut cursor = initial.walk();
            let declarators = initial.children_by_field_name("declarator", &mut cursor);
            for declarator in declarators {
                let parts = take_apart(Some(declarator), self);
                let own = parts.name.map(|own| self.words_of(own));
                if own.as_deref() == Some(name) && parts.pointers == 0 && !parts.reference {
                    let value = parts.value.or_else(|| initial.child_by_field_name("value"))?;
                    let kind = initial.child_by_field_name("type").map(|kind| self.words_of(kind));
                    return Some((kind, self.words_of(value)));
                }
            }
            return None;
        }
        for part in comma_parts(initial) {
            let left = part.child_by_field_name("left").map(|left| self.words_of(left));
            if part.kind() == "assignment_expression"
                && left.as_deref() == Some(name)
                && operator_of(part) == Some("=")
            {
                return Some((None, self.words_of(part.child_by_field_name("right")?)));
            }
        }
        None
    }

    /// What one iteration adds to a variable.
    fn read_step(&self, update: Node<'_>, name: &str) -> Option<String> {
        let mut steps = Vec::new();
        for part in comma_parts(update) {
            let target = part
                .child_by_field_name("argument")
                .or_else(|| part.child_by_field_name("left"))
                .map(|target| self.words_of(target));
            if target.as_deref() == Some(name) {
                steps.push(part);
            }
        }
        let [part] = steps[..] else { return None };
        if part.kind() == "update_expression" {
            return match operator_of(part)? {
                "++" => Some("1".to_owned()),
                _ => Some("-1".to_owned()),
            };
        }
        let right = part.child_by_field_name("right")?;
        match operator_of(part)? {
            "+=" => Some(self.words_of(right)),
            "-=" => Some(format!("-({})", self.words_of(right))),
            "=" => {
                let sum = strip_brackets(right);
                let (left, other) =
                    (sum.child_by_field_name("left")?, sum.child_by_field_name("right")?);
                match operator_of(sum)? {
                    "+" if self.words_of(left) == name => Some(self.words_of(other)),
                    "+" if self.words_of(other) == name => Some(self.words_of(left)),
                    "-" if self.words_of(left) == name => {
                        Some(format!("-({})", self.words_of(other)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn note_exit(&self, node: Node<'_>, place: &Place, found: &mut Body) {
        let here = self.span_of(node);
        let mut skip = |loop_index: Option<usize>, loops: &[Loop]| {
            let to = loop_index.and_then(|at| loops.get(at)).map_or(usize::MAX, |one| one.body.end);
            found.skips.push((here.end, to));
        };
        match node.kind() {
            "break_statement" => {
                // Inside a `switch` it ends a case.
                if let Some(own) = place.breakable {
                    skip(Some(own), &found.loops);
                    found.loops[own].exits = true;
                }
            }
            "continue_statement" => skip(place.loop_index, &found.loops),
            "goto_statement" => found.jumps = true,
            _ if place.lambda => {}
            _ => {
                skip(None, &found.loops);
                let mut next = place.loop_index;
                while let Some(one) = next.and_then(|at| found.loops.get_mut(at)) {
                    one.exits = true;
                    next = one.parent;
                }
            }
        }
    }
}

fn comparison_of(sign: &str, turned: bool) -> Option<Comparison> {
    Some(match (sign, turned) {
        ("<", false) | (">", true) => Comparison::Less,
        ("<=", false) | (">=", true) => Comparison::LessOrEqual,
        (">", false) | ("<", true) => Comparison::Greater,
        (">=", false) | ("<=", true) => Comparison::GreaterOrEqual,
        ("!=", _) => Comparison::NotEqual,
        _ => return None,
    })
}

/// Without the brackets around it.
fn strip_brackets(mut node: Node<'_>) -> Node<'_> {
    for _ in 0..8 {
        match node.named_child(0) {
            Some(inner) if node.kind() == "parenthesized_expression" => node = inner,
            _ => break,
        }
    }
    node
}

/// The parts of `a, b, c`.
fn comma_parts(node: Node<'_>) -> Vec<Node<'_>> {
    let (mut all, mut next) = (Vec::new(), node);
    for _ in 0..8 {
        match (next.child_by_field_name("left"), next.child_by_field_name("right")) {
            (Some(left), Some(right)) if next.kind() == "comma_expression" => {
                all.push(left);
                next = right;
            }
            _ => break,
        }
    }
    all.push(next);
    all
}

/// Gives each pragma to the loop directly around it; one between the head of a loop and its body is the loop's. Both are in
/// the order of the text.
pub(super) fn place_pragmas(loops: &mut [Loop], pragmas: &[Pragma]) {
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    for (index, pragma) in pragmas.iter().enumerate() {
        let at = pragma.span.start;
        while loops.get(next).is_some_and(|one| one.span.start < at) {
            open.push(next);
            next += 1;
        }
        while open.last().is_some_and(|&last| loops[last].body.end <= at) {
            open.pop();
        }
        // A loop that ended before its outer one may still lie below the top.
        if let Some(&last) = open.last()
            && loops[last].span.end <= at
        {
            loops[last].pragmas.push(index);
        }
    }
}
