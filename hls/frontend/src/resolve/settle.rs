//! What needs the whole text: the values of constants and extents, and which macros are types.

use super::Resolver;
use super::context::Context;
use super::entity::inner_scope;
use crate::header::{Alias, AliasKind, Array, Constant, ConstantKind, Dim, Header, Scope};
use crate::preprocess::Definition;
use crate::spelling::{Base, read_spelling};
use crate::token::{Token, TokenKind, is_builtin_word, lex, spell};
use crate::{Function, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Fills in the values of constants and extents, and sorts the macros into types and numbers.
pub(crate) fn settle_headers(headers: &mut [Header], sources: &Sources) {
    // No macro is found by its name in the index, so one index serves both.
    let resolver = Resolver::new(headers, sources);
    let macros: Vec<_> = (0..headers.len()).map(|at| resolver.sort_macros(at)).collect();
    let values: Vec<Values> = headers.iter().map(|header| resolver.values_of(header)).collect();
    for (header, values) in headers.iter_mut().zip(values) {
        for (constant, (value, _)) in header.constants.iter_mut().zip(&values.constants) {
            constant.value = *value;
        }
        let mut dependent = values.constants.iter().map(|(_, dependent)| *dependent);
        for (dim, value) in all_dims(header).zip(values.dims) {
            dim.value = value;
        }
        let loops = header.functions.iter_mut().flat_map(|function| &mut function.loops);
        for (one, trips) in loops.zip(values.trips) {
            one.trip_count = trips;
        }
        // `const float v = x[i];` in a body is a variable that keeps its value.
        let bodies: BTreeSet<String> = header.functions.iter().map(Function::qualified).collect();
        header.constants.retain(|constant| {
            let dependent = dependent.next().unwrap_or(false);
            dependent || constant.value.is_some() || !bodies.contains(&constant.scope.to_string())
        });
    }
    for (header, (aliases, constants)) in headers.iter_mut().zip(macros) {
        header.aliases.extend(aliases);
        header.aliases.sort_by_key(|alias| (alias.span.start, alias.name_span.start));
        header.constants.extend(constants);
        header.constants.sort_by_key(|one| (one.span.start, one.name_span.start));
    }
}

struct Values {
    /// The values, and whether a template's parameter decides.
    constants: Vec<(Option<i128>, bool)>,
    dims: Vec<Option<u64>>,
    trips: Vec<Option<u64>>,
}

/// Every extent of a header, in an order that [`Resolver::values_of`] shares.
fn all_dims(header: &mut Header) -> impl Iterator<Item = &mut Dim> {
    let arrays = header.arrays.iter_mut().flat_map(|array| &mut array.dims);
    let functions = header.functions.iter_mut().flat_map(|function| {
        let parameters = function.parameters.iter_mut().flat_map(|parameter| &mut parameter.dims);
        parameters
            .chain(function.arrays.iter_mut().flat_map(|array| &mut array.dims))
            .chain(function.locals.iter_mut().flat_map(|local| &mut local.dims))
    });
    let members = header.structures.iter_mut().flat_map(|one| &mut one.members);
    arrays.chain(functions).chain(members.flat_map(|member| &mut member.dims))
}

impl Resolver<'_> {
    fn values_of(&self, header: &Header) -> Values {
        let constants = header.constants.iter().map(|constant| {
            let context = self.context_at(constant.span, &constant.scope);
            let value = self.own_value(constant, &context);
            (value, value.is_none() && context.trail.dependence().is_some())
        });
        let constants = constants.collect();
        let mut all = Vec::new();
        for Array { scope, dims, .. } in &header.arrays {
            all.extend(dims.iter().map(|dim| self.extent_of(dim, scope)));
        }
        for function in &header.functions {
            let scope = function.scope.inner(&function.name);
            let parameters = function.parameters.iter().flat_map(|parameter| &parameter.dims);
            let arrays = function.arrays.iter().flat_map(|array| &array.dims);
            let locals = function.locals.iter().flat_map(|local| &local.dims);
            let dims = parameters.chain(arrays).chain(locals);
            all.extend(dims.map(|dim| self.extent_of(dim, &scope)));
        }
        for structure in &header.structures {
            let scope = inner_scope(structure);
            let members = structure.members.iter().flat_map(|member| &member.dims);
            all.extend(members.map(|dim| self.extent_of(dim, &scope)));
        }
        let nothing = BTreeMap::new();
        let looping = header.functions.iter().filter(|function| !function.loops.is_empty());
        let trips = looping.flat_map(|function| self.trip_counts(function, &nothing));
        Values { constants, dims: all, trips: trips.map(Result::ok).collect() }
    }

    fn own_value(&self, constant: &Constant, context: &Context) -> Option<i128> {
        if context.doubt_here(self.headers).is_some() {
            return None;
        }
        self.constant_here(constant, context).ok()
    }

    fn extent_of(&self, dim: &Dim, scope: &Scope) -> Option<u64> {
        if dim.expression.is_empty() {
            return None;
        }
        u64::try_from(self.value_at(dim.span, scope, &dim.expression).ok()?).ok()
    }

    /// The macros of a header that mean a type, and those that mean a number.
    fn sort_macros(&self, at: usize) -> (Vec<Alias>, Vec<Constant>) {
        let (mut aliases, mut constants) = (Vec::new(), Vec::new());
        let Some(header) = self.headers.get(at) else { return (aliases, constants) };
        for (name, definition) in &header.defines {
            let (Some(place), None) = (definition.place, &definition.parameters) else { continue };
            let context = {
                let mut context = self.bare_context(place.span, &Scope::default());
                context.point = usize::MAX;
                context
            };
            let words = spell(&definition.body);
            let condition = header.outlook.condition_at(place.span.start);
            let comment = self.comment_behind(place.span);
            match self.sort_macro(name, definition, &context) {
                Sorted::Number(value) => constants.push(Constant {
                    name: name.clone(),
                    scope: Scope::default(),
                    kind: ConstantKind::Define,
                    declared: String::new(),
                    expression: words,
                    value,
                    span: place.span,
                    name_span: place.name_span,
                    comment,
                    condition,
                }),
                Sorted::Type => aliases.push(Alias {
                    name: name.clone(),
                    scope: Scope::default(),
                    kind: AliasKind::Define,
                    spelling: words,
                    span: place.span,
                    name_span: place.name_span,
                    comment,
                    heading: None,
                    condition,
                    template: Vec::new(),
                }),
                Sorted::Other => {}
            }
        }
        (aliases, constants)
    }

    /// The comment inside a directive's own range, which its last line ends with.
    fn comment_behind(&self, span: Span) -> Option<crate::Comment> {
        let text = self.sources.slice(span);
        let header = self.headers.get(self.index.header_of(span.file)?)?;
        // The scan knows a comment from the `//` of a text in quotes.
        let next = header.comments.partition_point(|comment| comment.start < span.start);
        let comment = header.comments.get(next).filter(|comment| comment.end <= span.end)?;
        let from = comment.start - span.start;
        let words = text.get(from..)?.trim_start_matches(['/', '*', '!', '<']);
        let words = words.trim_end().trim_end_matches("*/").trim();
        let span = Span { start: span.start + from, ..span };
        Some(crate::Comment { text: words.to_owned(), span })
    }

    /// Whether a name is a macro with brackets: alone it is neither a type nor a number.
    fn is_call_macro(&self, name: &str) -> bool {
        let mut all = self.headers.iter().flat_map(|header| &header.defines);
        all.any(|(known, definition)| known == name && definition.parameters.is_some())
    }

    fn sort_macro(&self, name: &str, definition: &Definition, context: &Context) -> Sorted {
        let body = &definition.body;
        if body.is_empty() || body.len() > 400 {
            return Sorted::Other;
        }
        let promises = promises_type(name);
        if body.iter().any(|token| token.kind == TokenKind::Placeholder) {
            return if promises { Sorted::Type } else { Sorted::Number(None) };
        }
        let body: Vec<Token> = lex(&spell(body));
        if let [only] = body.as_slice()
            && only.is_name()
            && self.is_call_macro(&only.text)
        {
            return Sorted::Other;
        }
        if self.resolve_kind(&body, context).is_ok() {
            return Sorted::Type;
        }
        if let Ok(value) = self.compute_value(&body, &context.start_anew()) {
            return Sorted::Number(Some(value));
        }
        let expanded = self.expand_macros(&body, &context.start_anew()).unwrap_or(body);
        let looks_like = match read_spelling(&expanded).map(|spelling| spelling.base) {
            Ok(Base::Words(_) | Base::Elaborated(_)) => true,
            Ok(Base::Path(path)) => {
                path.segments.iter().any(|one| one.arguments.is_some()) || promises
            }
            Err(_) => {
                expanded.first().is_some_and(|token| is_builtin_word(&token.text)) && promises
            }
        };
        if looks_like {
            return Sorted::Type;
        }
        let number = expanded.first().is_some_and(|token| {
            matches!(token.kind, TokenKind::Integer(_) | TokenKind::Float) || token.is("(")
        });
        if number { Sorted::Number(None) } else { Sorted::Other }
    }
}

enum Sorted {
    Number(Option<i128>),
    Type,
    Other,
}

/// Whether a macro's name says that it means a type.
fn promises_type(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    upper.contains("TYPE") || upper.ends_with("_T")
}
