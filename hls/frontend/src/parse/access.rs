//! Reads, writes and accumulations.

use super::place::Role;
use super::place::{Body, Place};
use super::reader::Reader;
use super::role::operator_of;
use crate::header::{Access, AccessForm, AccessKind, Update};
use tree_sitter::Node;

/// Subscripts and sums longer than this are not written by people.
const CHAIN: usize = 32;

impl Reader<'_> {
    /// Notes what one node does, its children left out.
    pub(super) fn note_statement(&mut self, node: Node<'_>, place: &Place, found: &mut Body) {
        match node.kind() {
            "for_statement" | "for_range_loop" | "while_statement" | "do_statement" => {
                self.note_loop(node, place, found);
            }
            "break_statement" | "return_statement" | "throw_statement" | "continue_statement"
            | "goto_statement" => self.note_exit(node, place, found),
            "lambda_expression" => self.note_lambda(node, place, found),
            "identifier" => self.note_mention(node, place, found),
            "subscript_expression" if place.role != Role::Base => {
                if let Some((array, index)) = self.element_of(node) {
                    let form = if place.role == Role::Address {
                        AccessForm::Address
                    } else {
                        AccessForm::Subscript
                    };
                    self.note_access(
                        node,
                        place,
                        found,
                        (array, index),
                        form,
                        place.role.access_kind(),
                    );
                }
            }
            "pointer_expression" if place.role != Role::Base => {
                let argument = node.child_by_field_name("argument");
                if operator_of(node) == Some("*")
                    && let Some(target) = argument.and_then(|argument| self.read_offset(argument))
                {
                    let kind = place.role.access_kind();
                    self.note_access(node, place, found, target, AccessForm::Dereference, kind);
                }
            }
            "binary_expression" if place.role == Role::Stream => {
                self.note_shift(node, place, found);
            }
            "call_expression" => self.note_call(node, place, found),
            "assignment_expression" => self.note_update(node, place, found),
            _ => {}
        }
    }

    fn note_access(
        &self,
        node: Node<'_>,
        place: &Place,
        found: &mut Body,
        (array, index): (String, Vec<String>),
        form: AccessForm,
        kind: AccessKind,
    ) {
        found.accesses.push(Access {
            array,
            index,
            kind,
            form,
            bytes: None,
            loop_index: place.loop_index,
            conditional: place.conditional,
            arm: place.arm,
            span: self.span_of(node),
        });
    }

    fn note_mention(&self, node: Node<'_>, place: &Place, found: &mut Body) {
        if place.role == Role::Base {
            return;
        }
        let name = self.words_of(node);
        if place.role.sets() {
            found.assigned.push((name.clone(), self.span_of(node).start));
        }
        if found.wholes.contains(&name) {
            let kind = AccessKind::ReadWrite;
            self.note_access(node, place, found, (name, Vec::new()), AccessForm::Whole, kind);
        }
    }

    /// `x[i][j]`: what is subscripted, and the subscripts.
    fn element_of(&self, node: Node<'_>) -> Option<(String, Vec<String>)> {
        let mut groups = Vec::new();
        let mut next = node;
        for _ in 0..CHAIN {
            if next.kind() != "subscript_expression" {
                break;
            }
            let indices = next.child_by_field_name("indices")?;
            let mut cursor = indices.walk();
            let group: Vec<String> =
                indices.named_children(&mut cursor).map(|one| self.words_of(one)).collect();
            groups.push(group);
            next = next.child_by_field_name("argument")?;
        }
        groups.reverse();
        Some((self.object_name(next)?, groups.concat()))
    }

    /// Something that has a name: `x`, `a::x`, `this->x`.
    fn object_name(&self, node: Node<'_>) -> Option<String> {
        let named = ["identifier", "qualified_identifier", "field_expression"];
        named.contains(&node.kind()).then(|| self.words_of(node))
    }

    /// A pointer with what is added to it: `x`, `x + i`, `&x[i]`, `x[i]` for a row.
    pub(super) fn read_offset(&self, node: Node<'_>) -> Option<(String, Vec<String>)> {
        let mut sum: Vec<(String, String)> = Vec::new();
        let mut next = node;
        for _ in 0..CHAIN {
            match next.kind() {
                "parenthesized_expression" => next = next.named_child(0)?,
                "binary_expression" => {
                    let sign = operator_of(next).filter(|sign| matches!(*sign, "+" | "-"))?;
                    let right = next.child_by_field_name("right")?;
                    sum.push((sign.to_owned(), self.words_of(right)));
                    next = next.child_by_field_name("left")?;
                }
                "pointer_expression" if operator_of(next) == Some("&") && sum.is_empty() => {
                    let inner = next.child_by_field_name("argument")?;
                    return self.element_of(inner).filter(|(_, index)| !index.is_empty());
                }
                "subscript_expression" if sum.is_empty() && node.kind() == next.kind() => {
                    return self.element_of(next);
                }
                _ => break,
            }
        }
        let name = self.object_name(next)?;
        let mut index = String::new();
        for (sign, term) in sum.into_iter().rev() {
            match (index.is_empty(), sign.as_str()) {
                (true, "+") => index = term,
                (true, _) => index = format!("-{term}"),
                (false, _) => index = format!("{index} {sign} {term}"),
            }
        }
        Some((name, vec![if index.is_empty() { "0".to_owned() } else { index }]))
    }

    fn note_call(&self, node: Node<'_>, place: &Place, found: &mut Body) {
        if let Some(kind) = self.stream_method(node) {
            let function = node.child_by_field_name("function");
            let base = function.and_then(|function| function.child_by_field_name("argument"));
            if let Some(target) = base.and_then(|base| self.element_of(base)) {
                self.note_access(node, place, found, target, AccessForm::Stream, kind);
            }
        } else if self.is_copy(node) {
            let Some(arguments) = node.child_by_field_name("arguments") else { return };
            let mut cursor = arguments.walk();
            let all: Vec<_> = arguments.named_children(&mut cursor).collect();
            let [to, from, bytes] = all[..] else { return };
            for (side, kind) in [(to, AccessKind::Write), (from, AccessKind::Read)] {
                if let Some(target) = self.read_offset(side) {
                    self.note_access(side, place, found, target, AccessForm::Copy, kind);
                    if let Some(access) = found.accesses.last_mut() {
                        access.bytes = Some(self.words_of(bytes));
                    }
                }
            }
        }
    }

    /// `s << v;` and `s >> v;`
    fn note_shift(&self, node: Node<'_>, place: &Place, found: &mut Body) {
        let mut base = node;
        for _ in 0..CHAIN {
            match base.child_by_field_name("left") {
                Some(left) if base.kind() == "binary_expression" => base = left,
                _ => break,
            }
        }
        let kind = match operator_of(node) {
            Some(">>") => AccessKind::Read,
            _ => AccessKind::Write,
        };
        if let Some(target) = self.element_of(base) {
            self.note_access(node, place, found, target, AccessForm::Stream, kind);
        }
    }

    fn note_update(&self, node: Node<'_>, place: &Place, found: &mut Body) {
        let (Some(left), Some(right), Some(sign)) = (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
            operator_of(node),
        ) else {
            return;
        };
        let target = self.words_of(left);
        let (operator, spelt_out) = match sign.strip_suffix('=') {
            Some("") => match self.own_operator(&target, right) {
                Some(operator) => (operator, true),
                None => return,
            },
            Some(operator) => (operator.to_owned(), false),
            None => return,
        };
        let Some((name, _)) = self.element_of(left).or_else(|| {
            let inner = left.child_by_field_name("argument")?;
            (left.kind() == "pointer_expression").then(|| self.read_offset(inner))?
        }) else {
            return;
        };
        found.updates.push(Update {
            target,
            name,
            operator,
            spelt_out,
            loop_index: place.loop_index,
            conditional: place.conditional,
            span: self.span_of(node),
        });
    }

    /// The operator of `x = x + y` or `x = y + x`.
    fn own_operator(&self, target: &str, right: Node<'_>) -> Option<String> {
        let bare = |mut node: Node<'_>| {
            for _ in 0..CHAIN {
                match node.named_child(0) {
                    Some(inner) if node.kind() == "parenthesized_expression" => node = inner,
                    _ => break,
                }
            }
            self.words_of(node)
        };
        let mut next = right;
        while next.kind() == "parenthesized_expression" {
            next = next.named_child(0)?;
        }
        let sign = operator_of(next).filter(|_| next.kind() == "binary_expression")?;
        let alike = |node: Node<'_>| match sign {
            "+" | "-" => matches!(operator_of(node), Some("+" | "-")),
            other => operator_of(node) == Some(other),
        };
        for _ in 0..CHAIN {
            let (left, other) =
                (next.child_by_field_name("left")?, next.child_by_field_name("right")?);
            if bare(left) == target {
                return operator_of(next).map(str::to_owned);
            }
            if matches!(operator_of(next), Some("+" | "*" | "&" | "|" | "^"))
                && bare(other) == target
            {
                return operator_of(next).map(str::to_owned);
            }
            if left.kind() != "binary_expression" || !alike(left) {
                return None;
            }
            next = left;
        }
        None
    }
}
