//! Functions.

use super::declarator::Declared;
use super::fields::ByField as _;
use super::reader::{Reader, children};
use super::structure::squeeze;
use crate::ast::{Expr, Function, Item, Path, Piece, TemplateArgument, TemplateParameter, Type};
use std::rc::Rc;
use tree_sitter::Node;

impl Reader<'_> {
    /// A function with its body.
    pub(crate) fn read_function(&mut self, node: Node<'_>) {
        let result = match node.field("type") {
            Some(ty) => self.read_type(ty),
            None => Type::Void,
        };
        let Some(declarator) = node.field("declarator") else {
            self.note(node, format!("`{}` is not understood", self.quote(node)));
            return;
        };
        let declared = self.read_declarator(declarator, result);
        if declared.parameters.is_none() {
            self.note(node, format!("`{}` is not understood", self.quote(node)));
            return;
        }
        let Some(mut function) = self.make_function(node, &declared) else { return };
        self.note_errors(node);
        if let Some(body) = node.field("body").filter(|body| body.kind() == "compound_statement") {
            let list =
                children(node).into_iter().find(|one| one.kind() == "field_initializer_list");
            function.initialisers =
                list.map(|list| self.read_initialisers(list)).unwrap_or_default();
            function.body = Some(self.read_block(body));
        }
        self.items.push(Item::Function(Rc::new(function)));
    }

    /// Errors among the words before the body.
    fn note_errors(&mut self, node: Node<'_>) {
        for child in children(node) {
            if child.is_error() {
                self.note(child, format!("`{}` is not understood", self.quote(child)));
            }
        }
    }

    /// A function without a body.
    pub(crate) fn declare_function(&mut self, node: Node<'_>, declared: &Declared<'_>) {
        if let Some(function) = self.make_function(node, declared) {
            self.items.push(Item::Function(Rc::new(function)));
        }
    }

    fn make_function(&mut self, node: Node<'_>, declared: &Declared<'_>) -> Option<Function> {
        let path = declared.path.as_ref()?;
        let parameters = declared.parameters.map(|list| self.read_parameters(list));
        let name = self.qualify(&path.join());
        let last = path.pieces.len().saturating_sub(1);
        let mut owner = self.owner.clone();
        if let Some(class) = path.pieces[..last].last()
            && (class.arguments.is_some() || self.vocabulary.is_class(&class.name))
        {
            let scope = Path { pieces: path.pieces[..last].to_vec() };
            owner = Some(self.qualify(&scope.join()));
        }
        let specialised = find_specialisation(&path.pieces, &self.template);
        // `void word<8>::read()` is a function of the class that is specialised so.
        if owner.is_some()
            && !specialised.is_empty()
            && let Some((class, _)) = squeeze(self.text(declared.node)).rsplit_once(">::")
        {
            owner = Some(self.qualify(&format!("{class}>")));
        }
        let cast = path.pieces.last().is_some_and(|last| last.name.starts_with("operator "));
        let constructs = node.field("type").is_none() && !cast;
        let result = match &owner {
            Some(_) if constructs && name.contains('~') => Type::Void,
            Some(owner) if constructs => Type::Name(Path::plain(owner)),
            _ => declared.ty.clone(),
        };
        Some(Function {
            name,
            owner,
            template: self.template.clone(),
            specialised,
            result,
            parameters: parameters.unwrap_or_default(),
            body: None,
            initialisers: Vec::new(),
            is_static: self.unnamed || self.has_word(node, &["static"]),
            is_inline: self.has_word(node, &["inline", "__inline", "__forceinline"]),
            place: self.place(declared.node),
        })
    }

    /// `: a(1), b{2}`
    fn read_initialisers(&mut self, list: Node<'_>) -> Vec<(String, Vec<Expr>)> {
        let mut initialisers = Vec::new();
        for one in children(list) {
            let parts = children(one);
            let Some((name, values)) = parts.split_first() else { continue };
            let values = values.iter().flat_map(|&values| children(values));
            let values = values.map(|value| self.read_expression(value)).collect();
            initialisers.push((self.read_path(*name).join(), values));
        }
        initialisers
    }
}

/// The arguments that specialise a function or its class; those that only repeat the parameters
/// of the template do not.
fn find_specialisation(pieces: &[Piece], template: &[TemplateParameter]) -> Vec<TemplateArgument> {
    let repeats = |argument: &TemplateArgument| match argument {
        TemplateArgument::Value(Expr { kind: crate::ast::ExprKind::Name(path), .. }) => {
            template.iter().any(|parameter| parameter.name == path.join())
        }
        _ => false,
    };
    let lists = pieces.iter().filter_map(|piece| piece.arguments.as_ref());
    let special = lists.filter(|list| !list.is_empty() && !list.iter().all(repeats));
    special.flatten().cloned().collect()
}
