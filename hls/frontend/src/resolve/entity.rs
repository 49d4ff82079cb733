//! What a path names: a namespace, a struct or another type.

use super::Resolver;
use super::builtin::is_builtin;
use super::context::{Bound, Context};
use super::declaration::{Declaration, Sought};
use crate::header::{Scope, Structure};
use crate::path::{Path, Segment, read_path};
use crate::token::{Token, lex};
use crate::{HlsType, Settled};

/// What a path leads to.
#[derive(Clone)]
pub(super) enum Entity<'a> {
    Namespace(Scope),
    /// A struct, and the context of its members: its own scope, its template arguments.
    Structure(&'a Structure, Context),
    /// An enumeration: the scope that its enumerators are looked up in, and its type.
    Enumeration(Scope, HlsType),
    Kind(HlsType),
}

impl<'a> Resolver<'a> {
    pub(super) fn find_entity(&self, path: &Path, context: &Context) -> Settled<Entity<'a>> {
        let Some((first, rest)) = path.segments.split_first() else {
            return Err("the name is empty".into());
        };
        if self.is_vendor_template(path) {
            return self.known_elsewhere(path, context);
        }
        let found = self.find_first(path, first, rest, context)?;
        let Some(mut entity) = found else {
            return self.known_elsewhere(path, context);
        };
        for segment in rest {
            // A project may add to `namespace hls` without declaring what the vendor does there.
            let vendor = matches!(entity, Entity::Namespace(_)) && is_builtin(path);
            entity = match self.step_into(entity, segment, context) {
                Err(_) if vendor => return self.known_elsewhere(path, context),
                stepped => stepped?,
            };
        }
        Ok(entity)
    }

    /// The first step of a path, looked up from the inside out; `None` if the texts do not say.
    fn find_first(
        &self,
        path: &Path,
        segment: &Segment,
        rest: &[Segment],
        context: &Context,
    ) -> Settled<Option<Entity<'a>>> {
        if !path.global {
            match context.find_bound(&segment.name) {
                Some(Bound::Type(tokens, place)) => {
                    let (tokens, place) = (tokens.clone(), place.clone());
                    return context
                        .trail
                        .run_deeper(4, || self.read_entity(&tokens, &place))
                        .map(Some);
                }
                Some(Bound::Open(reason)) => return Err(reason.clone()),
                Some(Bound::Dependent) => return Err(context.depend_on(&segment.name)),
                Some(_) => return Err(format!("`{}` is a value, not a type", segment.name).into()),
                None => {}
            }
        }
        let mut hidden = None;
        let mut namespace = None;
        let mut later = None;
        let mut scope = Some(if path.global { Scope::default() } else { context.scope.clone() });
        while let Some(here) = scope {
            let sought = Sought::Type;
            if self.index.is_later(&here, &segment.name, sought, context) {
                scope = here.outer();
                later.get_or_insert(here);
                continue;
            }
            if let Some(entity) = self.find_within(&here, segment, context, &mut hidden)? {
                return Ok(Some(entity));
            }
            let name = here.qualify(&segment.name);
            if namespace.is_none() && self.index.is_namespace(&name) {
                let found = Entity::Namespace(here.inner(&segment.name));
                if !rest.is_empty() {
                    return Ok(Some(found));
                }
                namespace = Some(found);
            }
            scope = here.outer();
        }
        if namespace.is_some() {
            return Ok(namespace);
        }
        if let Some(here) = later {
            return self.find_within(&here, segment, context, &mut hidden);
        }
        match hidden {
            Some(file) if !is_builtin(path) => {
                let file = self.sources.name(file);
                Err(format!(
                    "`{}` is declared in `{file}`, which is not included here",
                    segment.name
                )
                .into())
            }
            _ => Ok(None),
        }
    }

    /// A type of one scope: its own, its bases', or one that `using namespace` brings in.
    fn find_within(
        &self,
        scope: &Scope,
        segment: &Segment,
        context: &Context,
        hidden: &mut Option<crate::FileId>,
    ) -> Settled<Option<Entity<'a>>> {
        let opened = self.index.opened_in(scope, context.header);
        let opened = opened.iter().map(|name| name.split("::").map(str::to_owned).collect());
        for scope in std::iter::once(scope.clone()).chain(opened) {
            let name = scope.qualify(&segment.name);
            match self.index.find_declarations(&name, Sought::Type, context) {
                Ok(all) if !all.is_empty() => {
                    return self.choose_declaration(&all, segment, [context, context]).map(Some);
                }
                Ok(_) => {}
                Err(file) => *hidden = Some(file),
            }
            if let Some(target) = self.find_brought(&name, segment, context) {
                return context
                    .trail
                    .run_deeper(4, || self.find_entity(&target, context))
                    .map(Some);
            }
        }
        self.find_inherited(scope, segment, context)
    }

    /// What the only alias of a name without template arguments is spelt with, and where.
    pub(super) fn plain_alias(
        &self,
        path: &Path,
        context: &Context,
    ) -> Option<(Vec<Token>, Context)> {
        let [only] = path.segments.as_slice() else { return None };
        let mut scope = Some(if path.global { Scope::default() } else { context.scope.clone() });
        while let Some(here) = scope {
            let name = here.qualify(&only.name);
            let all = self.index.find_declarations(&name, Sought::Type, context).ok()?;
            let mut all = all.iter();
            match (all.next(), all.next()) {
                (None, _) => scope = here.outer(),
                (Some((_, Declaration::Alias(alias))), None) if alias.template.is_empty() => {
                    let inside = self.context_within(context, alias.span, &alias.scope);
                    return Some((lex(&alias.spelling), inside));
                }
                _ => return None,
            }
        }
        None
    }

    /// What `using hls::stream;` makes a name mean.
    pub(super) fn find_brought(
        &self,
        name: &str,
        segment: &Segment,
        context: &Context,
    ) -> Option<Path> {
        let tokens = lex(self.index.brought_in(name, context.header)?);
        let (mut path, _) = read_path(&tokens, 0, |_| true)?;
        path.segments.last_mut()?.arguments.clone_from(&segment.arguments);
        Some(path)
    }

    /// A member type of the bases of the struct that a scope is.
    fn find_inherited(
        &self,
        scope: &Scope,
        segment: &Segment,
        context: &Context,
    ) -> Settled<Option<Entity<'a>>> {
        let all = self.index.find_declarations(&scope.to_string(), Sought::Type, context);
        for (_, one) in all.unwrap_or_default().iter() {
            let Declaration::Structure(structure) = one else { continue };
            for base in &structure.bases {
                let outer = self
                    .context_within(context, structure.span, &structure.scope)
                    .take_bindings(context);
                // A base that is not known may hold the name, but then so may an outer scope.
                let Ok(base) = context.trail.run_deeper(4, || self.read_entity(&lex(base), &outer))
                else {
                    continue;
                };
                if let Entity::Structure(base, inside) = base
                    && let Some(entity) = self.find_member(base, &inside, segment, context)?
                {
                    return Ok(Some(entity));
                }
            }
        }
        Ok(None)
    }

    pub(super) fn enter_declaration(
        &self,
        declaration: Declaration<'a>,
        segment: &Segment,
        [context, host]: [&Context; 2],
    ) -> Settled<Entity<'a>> {
        match declaration {
            Declaration::Alias(alias) => {
                context.trail.add_hop(&alias.name, &alias.spelling, alias.span);
                let mut inside = self.context_within(context, alias.span, &alias.scope);
                if let Some(doubt) = inside.doubt_here(self.headers) {
                    return Err(doubt.into());
                }
                // A member of the struct that we are in shares its template arguments.
                if !alias.scope.is_global() && host.scope.parts().starts_with(alias.scope.parts()) {
                    inside = inside.take_bindings(host);
                }
                let arguments = segment.arguments.as_deref();
                let inside =
                    self.bind_template(&alias.name, &alias.template, arguments, inside, context)?;
                // With other template arguments it is another alias.
                let circle = !inside.has_bindings();
                context.trail.follow_declaration(alias.span, &alias.name, circle, || {
                    self.read_entity(&lex(&alias.spelling), &inside)
                })
            }
            Declaration::Structure(structure) => {
                let inner = structure.scope.inner(&structure.name);
                let mut inside = self.context_within(context, structure.span, &inner);
                if let Some(doubt) = inside.doubt_here(self.headers) {
                    return Err(doubt.into());
                }
                let own = host.scope.parts().starts_with(inner.parts());
                if own && segment.arguments.is_none() {
                    // Its own name, inside itself.
                    return Ok(Entity::Structure(structure, inside.take_bindings(host)));
                }
                if !structure.scope.is_global()
                    && host.scope.parts().starts_with(structure.scope.parts())
                {
                    inside = inside.take_bindings(host);
                }
                let arguments = segment.arguments.as_deref();
                let (name, template) = (&structure.name, &structure.template);
                let inside = self.bind_template(name, template, arguments, inside, context)?;
                Ok(Entity::Structure(structure, inside))
            }
            Declaration::Enumeration(one) => {
                let kind = if let Some(underlying) = &one.underlying {
                    let inside = self.context_within(context, one.span, &one.scope);
                    context.trail.follow_declaration(one.span, &one.name, true, || {
                        self.resolve_kind(&lex(underlying), &inside)
                    })?
                } else {
                    if !one.scoped {
                        context.trail.leave_sign_open();
                    }
                    HlsType::Scalar(crate::ScalarType::Int { bits: 32, signed: true })
                };
                Ok(Entity::Enumeration(one.scope.inner(&one.name), kind))
            }
            Declaration::Constant(_) | Declaration::Function(_) => {
                Err(format!("`{}` is not a type", segment.name).into())
            }
        }
    }

    /// One more step along a path.
    fn step_into(
        &self,
        entity: Entity<'a>,
        segment: &Segment,
        context: &Context,
    ) -> Settled<Entity<'a>> {
        match entity {
            Entity::Namespace(scope) => {
                let mut hidden = None;
                if let Some(found) = self.find_within(&scope, segment, context, &mut hidden)? {
                    return Ok(found);
                }
                let inner = scope.inner(&segment.name);
                if self.index.is_namespace(&inner.to_string()) {
                    return Ok(Entity::Namespace(inner));
                }
                Err(match hidden {
                    Some(file) => {
                        let file = self.sources.name(file);
                        format!("`{inner}` is declared in `{file}`, which is not included here")
                            .into()
                    }
                    None => self.describe_undeclared(&inner, context),
                })
            }
            Entity::Structure(structure, inside) => {
                self.find_member(structure, &inside, segment, context)?.ok_or_else(|| {
                    format!("`{}` has no member type `{}`", structure.name, segment.name).into()
                })
            }
            Entity::Kind(kind) | Entity::Enumeration(_, kind) => {
                match (&kind, segment.name.as_str()) {
                    (
                        HlsType::Array { element, .. } | HlsType::Vector { element, .. },
                        "value_type",
                    ) => Ok(Entity::Kind((**element).clone())),
                    _ => Err(format!("`{kind}` has no member type `{}`", segment.name).into()),
                }
            }
        }
    }

    /// A member type of a struct, or of its bases.
    fn find_member(
        &self,
        structure: &'a Structure,
        inside: &Context,
        segment: &Segment,
        context: &Context,
    ) -> Settled<Option<Entity<'a>>> {
        context.trail.run_deeper(4, || {
            let scope = inner_scope(structure);
            let name = scope.qualify(&segment.name);
            let all = self.index.find_declarations(&name, Sought::Type, inside).unwrap_or_default();
            if !all.is_empty() {
                // Template arguments of the member itself are spelt where the path is.
                let host = inside.move_to(scope);
                return self.choose_declaration(&all, segment, [context, &host]).map(Some);
            }
            for base in &structure.bases {
                let outer = inside.move_to(structure.scope.clone());
                let base = self.read_entity(&lex(base), &outer)?;
                if let Entity::Structure(base, deeper) = base
                    && let Some(found) = self.find_member(base, &deeper, segment, context)?
                {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        })
    }

    /// A type that no text declares, but that the language or a vendor does.
    fn known_elsewhere(&self, path: &Path, context: &Context) -> Settled<Entity<'a>> {
        if let Some(kind) = self.builtin_type(path, context) {
            return kind.map(Entity::Kind);
        }
        let mut opened = Vec::new();
        let mut scope = Some(context.scope.clone());
        while let Some(here) = scope {
            opened.extend_from_slice(&self.index.opened_in(&here, context.header));
            scope = here.outer();
        }
        let mut found = Vec::new();
        for namespace in opened {
            let mut longer = path.clone();
            let segment = |name: &str| Segment { name: name.to_owned(), arguments: None };
            longer.segments.splice(0..0, namespace.split("::").map(segment));
            if let Some(kind) = self.builtin_type(&longer, context) {
                found.push((namespace, kind));
            }
        }
        match found.len() {
            0 => Err(self.describe_undeclared(path, context)),
            1 => found.remove(0).1.map(Entity::Kind),
            _ => {
                Err(format!("`{path}` could be that of {} or of {}", found[0].0, found[1].0).into())
            }
        }
    }

    /// What a spelling leads to, its macros replaced.
    pub(super) fn read_entity(&self, tokens: &[Token], context: &Context) -> Settled<Entity<'a>> {
        let tokens = self.expand_macros(tokens, context)?;
        let spelling = crate::spelling::read_spelling(&tokens)?;
        self.build_entity(&spelling, context)
    }
}

/// The scope of a struct's members.
pub(super) fn inner_scope(structure: &Structure) -> Scope {
    match &structure.specialises {
        Some(arguments) => structure.scope.inner(&format!("{}<{arguments}>", structure.name)),
        None => structure.scope.inner(&structure.name),
    }
}
