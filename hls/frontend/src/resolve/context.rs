use super::Resolver;
use super::trail::Trail;
use crate::header::{Header, Scope, TemplateParameter};
use crate::preprocess::Branch;
use crate::token::Token;
use crate::{Reason, Span};
use std::rc::Rc;

/// The place of a name: it decides what the name means.
#[derive(Clone)]
pub(super) struct Context {
    /// The header, by index; `None` sees all.
    pub(super) header: Option<usize>,
    /// Where the declaration is.
    pub(super) at: usize,
    /// How far the macros have come; `usize::MAX` is the end.
    pub(super) point: usize,
    pub(super) branch: Branch,
    pub(super) scope: Scope,
    /// Shared by all contexts of one resolution.
    pub(super) trail: Rc<Trail>,
    bindings: Option<Rc<Binding>>,
}

/// What a template parameter means.
#[derive(Clone)]
pub(super) enum Bound {
    /// A type, spelt elsewhere.
    Type(Vec<Token>, Context),
    Value(i128),
    /// Nothing that is known, and why.
    Open(Reason),
    /// The parameter of a template around the place: each instantiation gives it its own meaning.
    Dependent,
}

struct Binding {
    name: String,
    bound: Bound,
    next: Option<Rc<Binding>>,
}

impl Context {
    pub(super) fn everywhere(scope: Scope) -> Self {
        Self {
            header: None,
            at: 0,
            point: usize::MAX,
            branch: Branch::default(),
            scope,
            trail: Rc::default(),
            bindings: None,
        }
    }

    pub(super) fn bind_parameter(&mut self, name: &str, bound: Bound) {
        let next = self.bindings.take();
        self.bindings = Some(Rc::new(Binding { name: name.to_owned(), bound, next }));
    }

    /// Template parameters that nothing has given a value yet.
    pub(super) fn bind_dependent<'t>(
        &mut self,
        template: impl IntoIterator<Item = &'t TemplateParameter>,
    ) {
        for parameter in template {
            self.bind_parameter(&parameter.name, Bound::Dependent);
        }
    }

    pub(super) fn find_bound(&self, name: &str) -> Option<&Bound> {
        let mut next = self.bindings.as_ref();
        while let Some(binding) = next {
            if binding.name == name {
                return Some(&binding.bound);
            }
            next = binding.next.as_ref();
        }
        None
    }

    /// Notes that the resolution depends on a template's parameter, and says so.
    pub(super) fn depend_on(&self, parameter: &str) -> Reason {
        self.trail.note_dependence(parameter);
        format!("it depends on the template parameter `{parameter}`").into()
    }

    /// Notes that a spelling names a template's parameter.
    pub(super) fn note_parameters(&self, tokens: &[Token]) {
        let open = |token: &&Token| matches!(self.find_bound(&token.text), Some(Bound::Dependent));
        if let Some(token) = tokens.iter().find(open) {
            self.trail.note_dependence(&token.text);
        }
    }

    pub(super) fn has_bindings(&self) -> bool {
        self.bindings.is_some()
    }

    /// The same place, seen from another scope.
    pub(super) fn move_to(&self, scope: Scope) -> Self {
        Self { scope, ..self.clone() }
    }

    /// Another place in the same text.
    pub(super) fn at_place(&self, at: usize) -> Self {
        Self { at, point: at, ..self.clone() }
    }

    /// The same bindings at another place.
    pub(super) fn take_bindings(mut self, other: &Self) -> Self {
        self.bindings.clone_from(&other.bindings);
        self
    }

    /// The same place as a part of another resolution.
    pub(super) fn share_trail(self, trail: &Rc<Trail>) -> Self {
        Self { trail: trail.clone(), ..self }
    }

    /// The same place in a resolution of its own.
    pub(super) fn start_anew(&self) -> Self {
        self.clone().share_trail(&Rc::default())
    }

    /// Why nothing at this place can be relied on.
    pub(super) fn doubt_here<'h>(&self, headers: &'h [Header]) -> Option<&'h str> {
        headers.get(self.header?)?.outlook.doubt_at(self.at)
    }
}

impl Resolver<'_> {
    /// The context of a declaration in a scope. The parameters of the templates around it are
    /// open: they have no value yet.
    pub(super) fn context_at(&self, place: Span, scope: &Scope) -> Context {
        let mut context = self.bare_context(place, scope);
        let mut around = Some(scope.clone()).filter(|_| self.index.has_templates());
        while let Some(scope) = around.filter(|scope| !scope.is_global()) {
            context.bind_dependent(self.index.template_of(&scope).iter().copied());
            around = scope.outer();
        }
        context
    }

    /// The context of a declaration that a resolution comes to, without bindings.
    pub(super) fn context_within(&self, around: &Context, place: Span, scope: &Scope) -> Context {
        self.bare_context(place, scope).share_trail(&around.trail)
    }

    /// The context of a declaration, without bindings.
    pub(super) fn bare_context(&self, place: Span, scope: &Scope) -> Context {
        let header = self.index.header_of(place.file);
        let outlook = header.and_then(|header| self.headers.get(header)).map(|h| &h.outlook);
        Context {
            header,
            at: place.start,
            point: place.start,
            branch: outlook.map(|outlook| outlook.branch_at(place.start)).unwrap_or_default(),
            scope: scope.clone(),
            trail: Rc::default(),
            bindings: None,
        }
    }
}
