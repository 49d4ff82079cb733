//! What a Python text binds, by scope: the ground that annotations are resolved on.

use std::collections::BTreeMap;

use super::expression::Expression;
use derate_source::Span;

/// The most names of a path that a message gives, the innermost ones.
const LONGEST_PATH: usize = 16;

/// A module, class or function.
#[derive(Debug)]
pub(super) struct Scope {
    /// The class's or function's name; empty for the module.
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    /// The names of a class are not visible in its methods.
    pub(super) class: bool,
    pub(super) bindings: BTreeMap<String, Vec<Binding>>,
    /// `from x import *`: the module, and where.
    pub(super) stars: Vec<(String, Span)>,
}

/// One place that gives a name its meaning.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) meaning: Meaning,
    /// The statement.
    pub(super) span: Span,
    pub(super) name_span: Span,
}

/// What a name is bound to.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// `name = expression`.
    Value(Expression),
    /// An import, by its whole path.
    Import(String),
    /// A function, by its number.
    Function(usize),
    /// A type parameter: its function, and its place among that one's.
    TypeParameter(usize, usize),
    /// An argument of the function of this name.
    Argument(String),
    /// A loop, a `with`, a `global`... that is not followed.
    Unread,
}

/// A function.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    /// The scope of its type parameters, in which its head is read.
    pub(super) head: usize,
    pub(super) scope: usize,
    pub(super) type_parameters: Vec<TypeParameter>,
    pub(super) decorators: Vec<Expression>,
    pub(super) annotations: Vec<Annotation>,
}

/// `T: (int32, float32)`.
#[derive(Debug)]
pub(super) struct TypeParameter {
    pub(super) bound: Option<Expression>,
}

/// What an annotation speaks of.
#[derive(Copy, Clone, Eq, PartialEq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// An argument of a function.
    Argument,
    /// What a function returns.
    Return,
    /// A variable of a body.
    Local,
}

/// `name: type`.
#[derive(Debug)]
pub(super) struct Annotation {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) expression: Expression,
    pub(super) span: Span,
    pub(super) name_span: Span,
}

/// A place where a function is given to `customize`, `compose` or `build`, or called with its type arguments.
#[derive(Debug)]
pub(super) struct Use {
    /// The scope around it.
    pub(super) scope: usize,
    pub(super) function: String,
    /// Its type arguments, if it has some; [`super::expression::Kind::Other`] if they are not literal.
    pub(super) arguments: Option<Expression>,
    pub(super) span: Span,
}

/// A whole text.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) scopes: Vec<Scope>,
    pub(super) functions: Vec<Function>,
    pub(super) uses: Vec<Use>,
}

impl Program {
    pub(super) fn add_binding(&mut self, scope: usize, name: &str, binding: Binding) {
        if let Some(scope) = self.scopes.get_mut(scope) {
            scope.bindings.entry(name.to_owned()).or_default().push(binding);
        }
    }

    /// The scopes from one outward, as names are looked up from there: a class is seen from its own statements and
    /// from the heads of its methods.
    pub(super) fn outer_scopes(&self, from: usize) -> impl Iterator<Item = (usize, &Scope)> {
        let mut next = Some(from);
        let mut in_head = true;
        std::iter::from_fn(move || {
            let at = next?;
            let scope = self.scopes.get(at)?;
            next = scope.parent;
            let seen = in_head || !scope.class;
            in_head = at == from && scope.name.is_empty();
            Some((seen, at, scope))
        })
        .filter_map(|(seen, at, scope)| seen.then_some((at, scope)))
    }

    /// The names of a scope and of those around it, outermost first.
    pub(super) fn scope_path(&self, scope: usize) -> Vec<String> {
        let mut next = self.scopes.get(scope);
        let mut path = Vec::new();
        while let Some(scope) = next.filter(|_| path.len() < LONGEST_PATH) {
            path.extend(Some(scope.name.clone()).filter(|name| !name.is_empty()));
            next = scope.parent.and_then(|parent| self.scopes.get(parent));
        }
        path.reverse();
        path
    }

    /// All that the innermost scope which binds a name binds it to.
    pub(super) fn bindings_of(&self, from: usize, name: &str) -> &[Binding] {
        self.look_up_name(from, name).map_or(&[], |(_, all)| all)
    }

    /// The same with the scope that binds it.
    pub(super) fn look_up_name(&self, from: usize, name: &str) -> Option<(usize, &[Binding])> {
        self.outer_scopes(from)
            .find_map(|(at, scope)| Some((at, scope.bindings.get(name)?.as_slice())))
    }

    /// The `from x import *` that are seen from a scope.
    pub(super) fn star_imports(&self, from: usize) -> impl Iterator<Item = &(String, Span)> {
        self.outer_scopes(from).flat_map(|(_, scope)| &scope.stars)
    }

    /// The function that a name is bound to, where that is all that it is bound to.
    pub(super) fn find_function(&self, from: usize, name: &str) -> Option<usize> {
        match self.bindings_of(from, name) {
            [Binding { meaning: Meaning::Function(function), .. }] => Some(*function),
            _ => None,
        }
    }
}
