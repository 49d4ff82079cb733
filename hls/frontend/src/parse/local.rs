//! The variables of a function's body.

use super::declarator::{Declarator, take_apart};
use super::place::{Body, Place};
use super::reader::Reader;
use crate::Span;
use crate::header::Local;
use tree_sitter::Node;

impl Reader<'_> {
    /// Notes what a declaration declares.
    pub(super) fn note_locals(&self, node: Node<'_>, place: &Place, found: &mut Body) {
        let Some(kind) = node.child_by_field_name("type") else { return };
        let constant = self.has_word(node, "const") || self.has_word(node, "constexpr");
        let mut cursor = node.walk();
        let declarators: Vec<_> = node
            .children_by_field_name("declarator", &mut cursor)
            .map(|declarator| take_apart(Some(declarator), self))
            .collect();
        let element = self.words_of(kind);
        for mut declarator in declarators {
            if declarator.value.is_none() {
                declarator.value = node.child_by_field_name("default_value");
            }
            let own = Shape { element: &element, constant, span: self.span_of(node) };
            self.note_local(&declarator, &own, place, found);
        }
    }

    fn note_local(
        &self,
        declarator: &Declarator<'_>,
        own: &Shape<'_>,
        place: &Place,
        found: &mut Body,
    ) {
        let Some(name) = declarator.name else { return };
        let words = self.words_of(name);
        // The variable of the loop whose head this is is with the loop.
        if let Some(last) = found.loops.last()
            && last.variable.as_deref() == Some(words.as_str())
            && last.declared.is_some()
            && last.span.start <= own.span.start
            && own.span.end <= last.span.end
        {
            return;
        }
        let mark = format!(
            "{}{}",
            "*".repeat(declarator.pointers),
            if declarator.reference { "&" } else { "" }
        );
        let spelling = format!("{}{mark}", own.element);
        if !declarator.dims.is_empty() || declarator.pointers > 0 || spelling.contains("stream") {
            found.wholes.insert(words.clone());
        }
        // `auto [a, b]` declares both.
        let names = words.trim_start_matches('[').trim_end_matches(']');
        for name in names.split(',').map(str::trim) {
            found.locals.push(Local {
                name: name.to_owned(),
                spelling: spelling.clone(),
                dims: declarator.dims.clone(),
                initial: declarator.value.map(|value| self.words_of(value)),
                constant: own.constant && declarator.pointers == 0,
                loop_index: place.loop_index,
                block: place.block,
                span: own.span,
            });
        }
    }

    /// The parameters of a lambda are variables with unknown values.
    pub(super) fn note_lambda(&self, node: Node<'_>, place: &Place, found: &mut Body) {
        let list = node
            .child_by_field_name("declarator")
            .and_then(|declarator| declarator.child_by_field_name("parameters"));
        let inside = Place { block: self.span_of(node), ..*place };
        let Some(list) = list else { return };
        let mut cursor = list.walk();
        for one in list.named_children(&mut cursor) {
            let declarator = take_apart(one.child_by_field_name("declarator"), self);
            let element = one.child_by_field_name("type").map(|kind| self.words_of(kind));
            let element = element.unwrap_or_default();
            let own = Shape { element: &element, constant: false, span: self.span_of(one) };
            self.note_local(&declarator, &own, &inside, found);
        }
    }
}

/// What the declarators of one declaration share.
struct Shape<'s> {
    element: &'s str,
    constant: bool,
    span: Span,
}
