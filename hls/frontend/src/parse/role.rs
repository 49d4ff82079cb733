//! How the place of an expression uses it: read, written or both.

use super::place::{Body, Place, Role};
use super::reader::Reader;
use crate::header::{AccessKind, Arm};
use tree_sitter::Node;

impl Reader<'_> {
    /// The place of a child.
    pub(super) fn place_within(
        &self,
        parent: Node<'_>,
        place: &Place,
        child: Node<'_>,
        field: Option<&str>,
        found: &Body,
    ) -> Place {
        let mut inner = Place { role: Role::Value, ..*place };
        match parent.kind() {
            "compound_statement" => inner.block = self.span_of(parent),
            "for_statement" | "for_range_loop" | "while_statement" | "do_statement" => {
                inner.block = self.span_of(parent);
                // The initialiser runs once, and a range's expression too.
                if !matches!(field, Some("initializer" | "right")) {
                    inner.loop_index = found.own.get(&parent.id()).copied().or(place.loop_index);
                    inner.breakable = inner.loop_index;
                }
            }
            "if_statement" => {
                inner.block = self.span_of(parent);
                if matches!(field, Some("consequence" | "alternative")) {
                    inner.conditional = true;
                    let is_chained = parent.parent().is_some_and(|one| one.kind() == "else_clause");
                    let chain = place.arm.filter(|_| is_chained);
                    let branch = chain.map_or_else(|| self.span_of(parent), |arm| arm.branch);
                    let around = chain.map_or_else(
                        || place.arm.map(|arm| (arm.branch, arm.text)),
                        |arm| arm.around,
                    );
                    inner.arm = Some(Arm { branch, text: self.span_of(child), around });
                }
            }
            "conditional_expression" => {
                inner.conditional |= matches!(field, Some("consequence" | "alternative"));
                inner.role = if field == Some("condition") { Role::Value } else { place.role };
            }
            "switch_statement" => {
                inner.block = self.span_of(parent);
                inner.conditional |= field == Some("body");
                inner.breakable = None;
            }
            "case_statement" if let Some(branch) = parent.parent() => {
                let around = place.arm.map(|arm| (arm.branch, arm.text));
                let text = self.span_of(first_case(parent));
                inner.arm = Some(Arm { branch: self.span_of(branch), text, around });
            }
            "catch_clause" => inner.conditional = true,
            "lambda_expression" => {
                inner.block = self.span_of(parent);
                (inner.conditional, inner.lambda, inner.breakable) = (true, true, None);
            }
            "init_declarator" if field == Some("value") && self.binds_reference(parent) => {
                inner.role = Role::Address;
            }
            _ => inner.role = self.role_of(parent, place, child, field),
        }
        if parent.kind() == "binary_expression"
            && field == Some("right")
            && operator_of(parent).is_some_and(|sign| sign == "&&" || sign == "||")
        {
            inner.conditional = true;
        }
        inner
    }

    fn role_of(
        &self,
        parent: Node<'_>,
        place: &Place,
        child: Node<'_>,
        field: Option<&str>,
    ) -> Role {
        let through = match place.role {
            Role::Stream => Role::Value,
            other => other,
        };
        match (parent.kind(), field) {
            ("parenthesized_expression", _) => through,
            // The name that is declared is not a use of it.
            (_, Some("declarator"))
            | ("subscript_expression", Some("argument"))
            | (
                "pointer_declarator" | "reference_declarator" | "structured_binding_declarator",
                _,
            ) => Role::Base,
            ("assignment_expression", Some("left")) => match operator_of(parent) {
                Some("=") => Role::Target,
                _ => Role::Both,
            },
            ("update_expression", Some("argument")) => Role::Both,
            ("field_expression", Some("argument")) => match child.kind() {
                "subscript_expression" | "identifier" | "parenthesized_expression" => through,
                _ => Role::Value,
            },
            ("call_expression", Some("function")) => match self.stream_method(parent) {
                Some(_) => Role::Base,
                None if through == Role::Target => Role::Both,
                None => through,
            },
            ("call_expression", Some("arguments")) => match self.stream_method(parent) {
                // The element is read into what is between the brackets.
                Some(AccessKind::Read) => Role::Target,
                _ if self.is_copy(parent) => Role::Base,
                _ => Role::Value,
            },
            ("argument_list", _) if place.role == Role::Target => Role::Target,
            ("argument_list", _) if place.role == Role::Base => {
                if self.read_offset(child).is_some() { Role::Base } else { Role::Value }
            }
            ("pointer_expression", Some("argument")) => match operator_of(parent) {
                Some("&") if place.role == Role::Base => Role::Base,
                Some("&") => Role::Address,
                _ if self.read_offset(child).is_some() => Role::Base,
                _ => Role::Value,
            },
            ("expression_statement", _) if is_shift(child) => Role::Stream,
            ("binary_expression", Some("left")) if place.role == Role::Stream => {
                if is_shift(child) { Role::Stream } else { Role::Base }
            }
            ("binary_expression", Some("right")) if place.role == Role::Stream => {
                match operator_of(parent) {
                    Some(">>") => Role::Target,
                    _ => Role::Value,
                }
            }
            ("binary_expression", Some("left")) if place.role == Role::Base => Role::Base,
            _ => Role::Value,
        }
    }

    /// Whether a declaration gives another name to what its initialiser names, and may write there.
    fn binds_reference(&self, declarator: Node<'_>) -> bool {
        let own = declarator.child_by_field_name("declarator");
        own.is_some_and(|own| own.kind() == "reference_declarator")
            && !declarator.parent().is_some_and(|whole| self.has_word(whole, "const"))
    }

    /// What `s.read()` and its like do to `s`.
    pub(super) fn stream_method(&self, call: Node<'_>) -> Option<AccessKind> {
        let function = call.child_by_field_name("function")?;
        if function.kind() != "field_expression" {
            return None;
        }
        match self.words_of(function.child_by_field_name("field")?).as_str() {
            "read" | "read_nb" => Some(AccessKind::Read),
            "write" | "write_nb" => Some(AccessKind::Write),
            _ => None,
        }
    }

    pub(super) fn is_copy(&self, call: Node<'_>) -> bool {
        let Some(function) = call.child_by_field_name("function") else { return false };
        matches!(function.kind(), "identifier" | "qualified_identifier")
            && matches!(self.words_of(function).rsplit("::").next(), Some("memcpy" | "memmove"))
    }
}

/// The operator of an expression. The grammar names its node by its text.
pub(super) fn operator_of<'t>(node: Node<'t>) -> Option<&'t str> {
    node.child_by_field_name("operator").map(|operator: Node<'t>| operator.kind())
}

/// The first of the cases that run into one another up to this one.
fn first_case(case: Node<'_>) -> Node<'_> {
    let before = std::iter::successors(case.prev_named_sibling(), Node::prev_named_sibling);
    let cases = before.filter(|one| one.kind() == "case_statement");
    cases.take_while(|one| !leaves(*one)).last().unwrap_or(case)
}

/// Whether the last statement goes elsewhere.
fn leaves(block: Node<'_>) -> bool {
    let mut cursor = block.walk();
    let mut last = block.named_children(&mut cursor).last();
    while let Some(one) = last.filter(|one| one.kind() == "comment") {
        last = one.prev_named_sibling();
    }
    last.is_some_and(|one| match one.kind() {
        "compound_statement" => leaves(one),
        kind => ["break_statement", "return_statement", "continue_statement"].contains(&kind),
    })
}

fn is_shift(node: Node<'_>) -> bool {
    node.kind() == "binary_expression" && matches!(operator_of(node), Some("<<" | ">>"))
}
