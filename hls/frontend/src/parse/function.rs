//! Functions: their parameters, and what their bodies call and declare.

use super::declarator::{Declarator, take_apart};
use super::loops::place_pragmas;
use super::place::Body;
use super::reader::{Around, Reader};
use crate::header::{Function, Parameter, Scope};
use tree_sitter::Node;

impl Reader<'_> {
    pub(super) fn function_definition(&mut self, node: Node<'_>, around: &Around) {
        let declarator = take_apart(node.child_by_field_name("declarator"), self);
        let element = match node.child_by_field_name("type") {
            Some(kind) => self.read_element(kind, around, None),
            None => String::new(),
        };
        let body = node.child_by_field_name("body");
        if declarator.parameters.is_some() {
            self.add_function(node, &declarator, &element, around, body);
        }
    }

    pub(super) fn add_function(
        &mut self,
        node: Node<'_>,
        declarator: &Declarator<'_>,
        element: &str,
        around: &Around,
        body: Option<Node<'_>>,
    ) {
        let Some(name) = declarator.name else { return };
        let words = self.words_of(name);
        let (path, last) = words.rsplit_once("::").unwrap_or(("", &words));
        let scope = path.split("::").filter(|part| !part.is_empty());
        let scope: Scope =
            around.scope.parts().iter().cloned().chain(scope.map(str::to_owned)).collect();
        let last = last.to_owned();
        let parameters =
            declarator.parameters.map(|list| self.read_parameters(list)).unwrap_or_default();
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
            found = self.read_body(body, &inside, &parameters);
            arrays = std::mem::replace(&mut self.header.arrays, outer);
            pragmas = self.pragmas_within(self.span_of(body));
            place_pragmas(&mut found.loops, &pragmas);
        }
        let span = self.whole_span(node, around);
        self.header.functions.push(Function {
            name: last,
            scope,
            returns: format!("{element}{}", "*".repeat(declarator.pointers)),
            parameters,
            span,
            name_span: self.span_of(name),
            body: body.map(|body| self.span_of(body)),
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
            comment: self.comment_on(crate::Span { end: span.start, ..span }),
            condition: self.condition_at(span),
        });
    }

    fn read_parameters(&self, list: Node<'_>) -> Vec<Parameter> {
        let mut cursor = list.walk();
        let mut parameters = Vec::new();
        for node in list.named_children(&mut cursor) {
            if !node.kind().ends_with("parameter_declaration") {
                continue;
            }
            let Some(kind) = node.child_by_field_name("type") else { continue };
            let declarator = take_apart(node.child_by_field_name("declarator"), self);
            let element = self.words_of(kind);
            if element == "void" && declarator.name.is_none() && declarator.pointers == 0 {
                continue;
            }
            parameters.push(Parameter {
                name: declarator.name.map(|name| self.words_of(name)).unwrap_or_default(),
                element,
                pointer: declarator.pointers > 0,
                reference: declarator.reference,
                constant: self.has_word(node, "const"),
                dims: declarator.dims,
                span: self.span_of(node),
            });
        }
        parameters
    }
}
