//! Functions: their parameters, and what their bodies call and declare.

use super::body::Body;
use super::declarator::{Declarator, take_apart};
use super::items::{Around, Reader};
use super::loops::place_pragmas;
use crate::header::{Function, Parameter, Scope};
use tree_sitter::Node;

impl Reader<'_> {
    pub(super) fn function_definition(&mut self, node: Node<'_>, around: &Around) {
        let declarator = take_apart(node.child_by_field_name("declarator"), self);
        let element = match node.child_by_field_name("type") {
            Some(kind) => self.element(kind, around, None),
            None => String::new(),
        };
        let body = node.child_by_field_name("body");
        if declarator.parameters.is_some() {
            self.function(node, &declarator, &element, around, body);
        }
    }

    pub(super) fn function(
        &mut self,
        node: Node<'_>,
        declarator: &Declarator<'_>,
        element: &str,
        around: &Around,
        body: Option<Node<'_>>,
    ) {
        let Some(name) = declarator.name else { return };
        let words = self.words(name);
        let (path, last) = words.rsplit_once("::").unwrap_or(("", &words));
        let scope = path.split("::").filter(|part| !part.is_empty());
        let scope: Scope =
            around.scope.parts().iter().cloned().chain(scope.map(str::to_owned)).collect();
        let last = last.to_owned();
        let parameters =
            declarator.parameters.map(|list| self.parameters(list)).unwrap_or_default();
        let (mut found, mut arrays, mut pragmas) = (Body::default(), Vec::new(), Vec::new());
        if let Some(body) = body {
            let inside = Around {
                scope: scope.inner(&last),
                depth: around.depth + 1,
                local: true,
                ..Around::default()
            };
            // A function's own arrays are not the text's.
            let outer = std::mem::take(&mut self.header.arrays);
            found = self.body(body, &inside, &parameters);
            arrays = std::mem::replace(&mut self.header.arrays, outer);
            pragmas = self.pragmas_within(self.span(body));
            place_pragmas(&mut found.loops, &pragmas);
        }
        let span = self.whole(node, around);
        self.header.functions.push(Function {
            name: last,
            scope,
            returns: format!("{element}{}", "*".repeat(declarator.pointers)),
            parameters,
            span,
            name_span: self.span(name),
            body: body.map(|body| self.span(body)),
            calls: found.calls,
            pragmas,
            arrays,
            locals: found.locals,
            loops: found.loops,
            accesses: found.accesses,
            updates: found.updates,
            assigned: found.assigned,
            template: around.template.clone(),
            constexpr: self.has_word(node, "constexpr"),
            comment: self.comment(crate::Span { end: span.start, ..span }),
            condition: self.condition(span),
        });
    }

    fn parameters(&self, list: Node<'_>) -> Vec<Parameter> {
        let mut cursor = list.walk();
        let mut parameters = Vec::new();
        for node in list.named_children(&mut cursor) {
            if !node.kind().ends_with("parameter_declaration") {
                continue;
            }
            let Some(kind) = node.child_by_field_name("type") else { continue };
            let declarator = take_apart(node.child_by_field_name("declarator"), self);
            let element = self.words(kind);
            if element == "void" && declarator.name.is_none() && declarator.pointers == 0 {
                continue;
            }
            parameters.push(Parameter {
                name: declarator.name.map(|name| self.words(name)).unwrap_or_default(),
                element,
                pointer: declarator.pointers > 0,
                reference: declarator.reference,
                constant: self.has_word(node, "const"),
                dims: declarator.dims,
                span: self.span(node),
            });
        }
        parameters
    }
}
