//! Walks a function's body: what it calls, declares, repeats, reads and writes.

use super::place::{Body, Place, Role};
use super::reader::{Around, Reader};
use crate::Span;
use crate::header::{Call, Parameter};
use tree_sitter::Node;

/// Bodies are read this deep.
const DEPTH: usize = 400;

impl Reader<'_> {
    /// Looks through a body without recursion: a generated one nests without limit.
    pub(super) fn read_body(&mut self, body: Node<'_>, around: &Around, own: &[Parameter]) -> Body {
        let mut found = Body::default();
        let marked = |one: &&Parameter| {
            one.pointer || !one.dims.is_empty() || one.element.contains("stream")
        };
        found.wholes.extend(own.iter().filter(marked).map(|one| one.name.clone()));
        let mut cursor = body.walk();
        let block = self.span_of(body);
        let mut stack = vec![(
            body,
            Place {
                loop_index: None,
                breakable: None,
                conditional: false,
                arm: None,
                lambda: false,
                role: Role::Value,
                block,
            },
        )];
        loop {
            let node = cursor.node();
            let Some(&(_, place)) = stack.last() else { break };
            let mut enter = stack.len() <= DEPTH;
            match node.kind() {
                // Its initialiser may call something, so it is entered as well.
                "declaration" => {
                    self.read_item(node, around);
                    self.note_locals(node, &place, &mut found);
                }
                "type_definition" | "alias_declaration" | "using_declaration"
                | "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
                    self.read_item(node, around);
                    enter = false;
                }
                "call_expression" => {
                    found.calls.extend(self.read_call(node, &place));
                    self.note_statement(node, &place, &mut found);
                }
                _ => self.note_statement(node, &place, &mut found),
            }
            if enter && cursor.goto_first_child() {
                let inner =
                    self.place_within(node, &place, cursor.node(), cursor.field_name(), &found);
                stack.push((cursor.node(), inner));
                continue;
            }
            loop {
                stack.pop();
                if stack.is_empty() {
                    break;
                }
                if cursor.goto_next_sibling() {
                    let Some(&(parent, place)) = stack.last() else { break };
                    let inner = self.place_within(
                        parent,
                        &place,
                        cursor.node(),
                        cursor.field_name(),
                        &found,
                    );
                    stack.push((cursor.node(), inner));
                    break;
                }
                cursor.goto_parent();
            }
        }
        self.finish_body(&mut found);
        found
    }

    fn read_call(&self, node: Node<'_>, place: &Place) -> Option<Call> {
        let callee = node.child_by_field_name("function")?;
        let arguments = node.child_by_field_name("arguments")?;
        let mut cursor = arguments.walk();
        let arguments =
            arguments.named_children(&mut cursor).map(|one| self.words_of(one)).collect();
        let (callee, span) = (self.words_of(callee), self.span_of(node));
        Some(Call { callee, arguments, arm: place.arm, span })
    }

    /// What only the whole body says: which accesses an early way out may skip.
    fn finish_body(&self, found: &mut Body) {
        let jumps = found.jumps;
        // Sorted by their start; each stretch reaches from one place to another.
        found.skips.sort_unstable();
        let mut reach: Vec<(usize, usize)> = Vec::new();
        for &(from, to) in &found.skips {
            match reach.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => reach.push((from, to)),
            }
        }
        let skipped = |at: usize| {
            let index = reach.partition_point(|&(_, to)| to <= at);
            reach.get(index).is_some_and(|&(from, _)| from <= at)
        };
        for access in &mut found.accesses {
            access.conditional |=
                jumps || skipped(access.span.start) || self.is_undecided(access.span);
        }
        for update in &mut found.updates {
            update.conditional |= jumps || skipped(update.span.start);
        }
        for one in &mut found.loops {
            one.exits |= jumps;
            one.conditional |= jumps || skipped(one.span.start) || self.is_undecided(one.span);
        }
        found.accesses.sort_by_key(|access| access.span.start);
        found.updates.sort_by_key(|update| update.span.start);
    }

    fn is_undecided(&self, span: Span) -> bool {
        self.header.outlook.is_undecided(span.start)
    }
}
