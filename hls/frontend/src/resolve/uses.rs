//! Where the texts use names with template arguments, and what they call.

use super::Resolver;
use super::entity::inner_scope;
use crate::Span;
use crate::header::{Scope, TemplateParameter};
use crate::path::{Path, read_path};
use crate::token::{Token, lex, spell};
use rustc_hash::FxHashMap as HashMap;

/// A name with template arguments in a text, or a call without.
pub(super) struct Use {
    pub(super) path: Path,
    /// How many arguments the call between round brackets has, for a function.
    pub(super) call: Option<usize>,
    pub(super) place: Span,
    pub(super) scope: Scope,
}

/// `Foo<T>` in `template <class T> struct Foo`.
pub(super) fn is_own_name(one: &Use, template: &[TemplateParameter]) -> bool {
    let given = one.path.segments.last().and_then(|last| last.arguments.as_deref());
    given.is_some_and(|given| {
        given.len() == template.len()
            && given.iter().zip(template).all(|(given, one)| spell(given) == one.name)
    })
}

/// Every use of a name with template arguments, and every call, by the last word of the name.
pub(super) fn list_uses(resolver: &Resolver<'_>) -> HashMap<String, Vec<Use>> {
    let mut uses = Uses::default();
    for header in resolver.headers {
        for alias in &header.aliases {
            uses.add_spelling(&alias.spelling, alias.span, &alias.scope);
        }
        for one in header.arrays.iter().chain(&header.objects) {
            uses.add_spelling(&one.element, one.span, &one.scope);
        }
        for one in &header.constants {
            uses.add_spelling(&one.expression, one.span, &one.scope);
        }
        for one in &header.structures {
            let inner = inner_scope(one);
            for base in &one.bases {
                uses.add_spelling(base, one.span, &inner);
            }
            for member in &one.members {
                uses.add_spelling(&member.spelling, member.span, &inner);
            }
        }
        for one in &header.functions {
            let inner = one.scope.inner(&one.name);
            uses.add_spelling(&one.returns, one.name_span, &inner);
            for parameter in &one.parameters {
                uses.add_spelling(&parameter.element, parameter.span, &inner);
            }
            for local in &one.locals {
                uses.add_spelling(&local.spelling, local.span, &inner);
            }
            for call in &one.calls {
                uses.add_spelling(&call.callee, call.span, &inner);
                let tokens = lex(&call.callee);
                if let Some((path, after)) = read_path(&tokens, 0, |_| true)
                    && after == tokens.len()
                {
                    uses.add(path, Some(call.arguments.len()), call.span, &inner);
                }
            }
        }
    }
    uses.0
}

#[derive(Default)]
struct Uses(HashMap<String, Vec<Use>>);

impl Uses {
    /// Every template name of a spelling, those among its arguments too.
    fn add_spelling(&mut self, spelling: &str, place: Span, scope: &Scope) {
        if spelling.contains('<') {
            self.add_tokens(&lex(spelling), place, scope);
        }
    }

    fn add_tokens(&mut self, tokens: &[Token], place: Span, scope: &Scope) {
        let mut at = 0;
        while at < tokens.len() {
            let starts = tokens[at].is_name() || tokens[at].is("::");
            let path = if starts { read_path(tokens, at, |_| true) } else { None };
            let Some((path, after)) = path else {
                at += 1;
                continue;
            };
            at = after;
            for index in 0..path.segments.len() {
                let Some(arguments) = &path.segments[index].arguments else { continue };
                for one in arguments {
                    self.add_tokens(one, place, scope);
                }
                let segments = path.segments[..=index].to_vec();
                self.add(Path { global: path.global, segments }, None, place, scope);
            }
        }
    }

    fn add(&mut self, path: Path, call: Option<usize>, place: Span, scope: &Scope) {
        let Some(last) = path.segments.last() else { return };
        let all = self.0.entry(last.name.clone()).or_default();
        all.push(Use { path, call, place, scope: scope.clone() });
    }
}
