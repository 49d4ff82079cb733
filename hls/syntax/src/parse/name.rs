//! Names in pieces.

use super::fields::ByField as _;
use super::reader::{Reader, children};
use crate::ast::{Path, Piece, TemplateArgument};
use crate::settle::CALL_OPERATOR;
use tree_sitter::Node;

impl Reader<'_> {
    /// `a`, `a::b`, `a<3>::b`
    pub(crate) fn read_path(&mut self, node: Node<'_>) -> Path {
        let mut pieces = Vec::new();
        self.push_pieces(node, &mut pieces);
        Path { pieces }
    }

    fn push_pieces(&mut self, node: Node<'_>, pieces: &mut Vec<Piece>) {
        let done = self.descend(|reader| match node.kind() {
            "qualified_identifier" => {
                if let Some(scope) = node.field("scope") {
                    reader.push_pieces(scope, pieces);
                }
                if let Some(name) = node.field("name") {
                    reader.push_pieces(name, pieces);
                }
            }
            "template_type" | "template_function" | "template_method" => {
                let name = node.field("name").unwrap_or(node);
                reader.push_pieces(name, pieces);
                let arguments = reader.read_template_arguments(node);
                if let Some(last) = pieces.last_mut() {
                    last.arguments = Some(arguments);
                }
            }
            "dependent_name" | "dependent_type" | "dependent_field_identifier" => {
                for child in children(node) {
                    reader.push_pieces(child, pieces);
                }
            }
            _ => {
                let name: String = reader.text(node).split_whitespace().collect();
                let name = if name == CALL_OPERATOR { "operator()".to_owned() } else { name };
                pieces.push(Piece { name, arguments: None });
            }
        });
        if done.is_none() {
            pieces.push(Piece { name: self.quote(node), arguments: None });
        }
    }

    pub(crate) fn read_template_arguments(&mut self, node: Node<'_>) -> Vec<TemplateArgument> {
        let Some(list) = node.field("arguments") else { return Vec::new() };
        children(list).into_iter().map(|child| self.read_template_argument(child)).collect()
    }

    fn read_template_argument(&mut self, node: Node<'_>) -> TemplateArgument {
        if node.kind() != "type_descriptor" {
            return TemplateArgument::Value(self.read_expression(node));
        }
        let plain = node.named_child_count() == 1;
        let inner = node.field("type");
        if let Some(inner) = inner.filter(|_| plain)
            && matches!(inner.kind(), "type_identifier" | "qualified_identifier")
        {
            let path = self.read_path(inner);
            if path.pieces.last().is_some_and(|last| last.arguments.is_none()) {
                let kind = crate::ast::ExprKind::Name(path);
                return TemplateArgument::Value(self.make(inner, kind));
            }
        }
        TemplateArgument::Type(self.read_type_descriptor(node))
    }
}

impl Path {
    pub(crate) fn plain(name: &str) -> Self {
        Self { pieces: vec![Piece { name: name.to_owned(), arguments: None }] }
    }

    /// The names without template arguments, joined.
    pub(crate) fn join(&self) -> String {
        let names: Vec<&str> = self.pieces.iter().map(|piece| piece.name.as_str()).collect();
        names.join("::")
    }
}
