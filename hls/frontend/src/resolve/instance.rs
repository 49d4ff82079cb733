//! What a template's parameters are where the texts use it.

use super::context::Context;
use super::entity::{Entity, inner_scope};
use super::other_uses::UsedTemplate;
use super::owner::Owner;
use super::uses::{Use, is_own_name, list_uses};
use super::{Hop, Outcome, Resolution, Resolver};
use crate::header::{Alias, Function, Scope, Structure};
use crate::token::lex;
use crate::{HlsType, Reason, Settled, Span};
use std::rc::Rc;

/// A template with more instantiations than this is a library's.
const MOST: usize = 128;

/// The arguments of a template at one place.
#[derive(Clone)]
pub(super) struct Instance {
    context: Context,
    place: Span,
    spelling: String,
}

/// The instantiations so far, and the first reason why there may be others.
#[derive(Default)]
struct FoundInstances {
    all: Vec<Instance>,
    doubt: Option<Reason>,
}

/// The instantiations of a template, or the reason why not all of them are known.
pub(super) type Instances = Settled<Rc<[Instance]>>;

impl<'a> Resolver<'a> {
    /// What an alias inside a template is, if all instantiations of the template agree; `None` if nothing uses it.
    pub(super) fn instantiated_kind(
        &self,
        alias: &Alias,
    ) -> Option<Settled<(HlsType, Instance, Context)>> {
        let owner = match self.find_owner(alias.span) {
            Ok(Some(Owner::Alias(_)) | None) => return None,
            Ok(Some(owner)) => owner,
            Err(reason) => return Some(Err(reason)),
        };
        let instances = match self.find_instances(owner) {
            Ok(instances) if instances.is_empty() => return None,
            Ok(instances) => instances,
            Err(reason) => return Some(Err(reason)),
        };
        let mut agreed: Option<(HlsType, Instance, Context)> = None;
        for one in instances.iter() {
            let context = self.bare_context(alias.span, &alias.scope).take_bindings(&one.context);
            let kind = match self.resolve_kind(&lex(&alias.spelling), &context) {
                Ok(kind) => kind,
                Err(reason) => return Some(Err(reason)),
            };
            match &agreed {
                None => agreed = Some((kind, one.clone(), context)),
                Some((other, ..)) if *other == kind => {}
                Some((other, ..)) => {
                    let reason = format!(
                        "`{}` is `{other}` in one instantiation of `{}` and `{kind}` in another",
                        alias.name,
                        owner.name()
                    );
                    return Some(Err(reason.into()));
                }
            }
        }
        agreed.map(Ok)
    }

    /// What an alias is at the uses of the template that it is in, or is: each as it is spelt, with its place. A use that
    /// is not known is left out, and so is a type that comes up again.
    pub fn instantiations(&self, alias: &'a Alias) -> Vec<(Hop, Resolution)> {
        let Ok(Some(owner)) = self.find_owner(alias.span) else { return Vec::new() };
        let uses = self.uses.get_or_init(|| list_uses(self)).get(owner.name());
        let mut uses_here = FoundInstances::default();
        for one in uses.into_iter().flatten() {
            // A use that cannot be read says nothing of the others.
            let _ = self.add_instances(owner, one, &mut uses_here);
        }
        let mut found: Vec<(Hop, Resolution)> = Vec::new();
        for one in &uses_here.all {
            let context = self.bare_context(alias.span, &alias.scope).take_bindings(&one.context);
            let open_sizes = self.open_sizes.get();
            let Ok(kind) = self.resolve_kind(&lex(&alias.spelling), &context) else { continue };
            let resolution = context.trail.end_with(Outcome::Known(kind));
            if found.iter().all(|(_, known)| known.outcome != resolution.outcome) {
                let open_size = self.open_sizes.get() > open_sizes;
                found.push((one.hop(), Resolution { open_size, ..resolution }));
            }
        }
        found
    }

    fn find_instances(&self, owner: Owner<'a>) -> Instances {
        if let Some(known) = self.instances.borrow().get(&owner.span()) {
            return known.clone();
        }
        // A template that uses itself with other arguments does not end here: only that nothing uses it is known.
        let circles = self.circles.get();
        if self.open_templates.borrow().contains(&owner.span()) {
            self.circles.set(circles + 1);
            return Ok(Rc::default());
        }
        self.open_templates.borrow_mut().push(owner.span());
        let mut found = self.list_instances(owner);
        self.open_templates.borrow_mut().pop();
        if self.circles.get() > circles && found.as_ref().is_ok_and(|all| !all.is_empty()) {
            found = Err(format!("`{}` is instantiated in terms of itself", owner.name()).into());
        }
        self.instances.borrow_mut().insert(owner.span(), found.clone());
        found
    }

    fn list_instances(&self, owner: Owner<'a>) -> Instances {
        let mut found = FoundInstances::default();
        let uses = self.uses.get_or_init(|| list_uses(self));
        let known = uses.get(owner.name()).map(Vec::as_slice).unwrap_or_default();
        for one in known {
            self.add_instances(owner, one, &mut found)?;
        }
        if found.all.is_empty() {
            return Ok(Rc::default());
        }
        let is_function = matches!(owner, Owner::Function(_));
        let used = UsedTemplate { name: owner.name(), span: owner.span(), is_function };
        let others = self.list_other_uses(&used, known).map_err(|place| {
            let (file, line) = (self.sources.name(place.file), self.sources.position(place).line);
            format!("what `{}` is instantiated with at {file}:{line} is not read", owner.name())
        });
        if let Some(reason) = found.doubt.take() {
            return Err(reason);
        }
        for one in &others? {
            self.add_instances(owner, one, &mut found)?;
        }
        match found.doubt {
            Some(reason) => Err(reason),
            None => Ok(found.all.into()),
        }
    }

    /// The instantiations that a use makes; one in a template that nothing instantiates makes none.
    fn add_instances(
        &self,
        owner: Owner<'a>,
        one: &Use,
        found: &mut FoundInstances,
    ) -> Settled<()> {
        let user = self.index.header_of(one.place.file);
        let home = self.index.header_of(owner.span().file);
        let is_visible = home.is_some_and(|home| self.index.sees(user, home));
        let is_own = owner.span().contains(one.place) && is_own_name(one, owner.template());
        if is_own || !is_visible {
            return Ok(());
        }
        let around = self.find_owner(one.place).and_then(|around| match around {
            None => Ok(vec![self.context_at(one.place, &one.scope)]),
            Some(around) => {
                let outer = self.find_instances(around)?;
                let bind = |outer: &Instance| {
                    self.bare_context(one.place, &one.scope).take_bindings(&outer.context)
                };
                Ok(outer.iter().map(bind).collect::<Vec<Context>>())
            }
        });
        let places = match around {
            Ok(places) => places,
            Err(reason) => {
                found.doubt.get_or_insert(reason);
                return Ok(());
            }
        };
        for place in places {
            let inside = match owner {
                Owner::Structure(structure) => self.enter_structure(structure, one, &place)?,
                Owner::Function(function) => self.enter_function(function, one, &place)?,
                Owner::Alias(alias) => self.enter_alias(alias, one, &place)?,
            };
            let Some(context) = inside else { continue };
            let spelling = one.path.to_string();
            found.all.push(Instance { context: context.start_anew(), place: one.place, spelling });
            if found.all.len() > MOST {
                let name = owner.name();
                return Err(format!("`{name}` has more than {MOST} instantiations").into());
            }
        }
        Ok(())
    }

    /// What an alias template is defined with, as a use has it; `None` if the use means another one.
    fn enter_alias(
        &self,
        alias: &'a Alias,
        one: &Use,
        place: &Context,
    ) -> Settled<Option<Context>> {
        let Some((last, before)) = one.path.segments.split_last() else { return Ok(None) };
        let named: Vec<&str> = before.iter().map(|segment| segment.name.as_str()).collect();
        let parts: Vec<&str> = alias.scope.parts().iter().map(String::as_str).collect();
        if one.call.is_some() || !parts.ends_with(&named) {
            return Ok(None);
        }
        let probe = place.start_anew();
        let _ = self.find_entity(&one.path, &probe);
        if !probe.trail.may_pass(alias.span) {
            return Ok(None);
        }
        let inside = self.bare_context(alias.span, &alias.scope);
        let given = last.arguments.as_deref();
        self.bind_template(&alias.name, &alias.template, given, inside, place).map(Some)
    }

    /// The inside of a struct template as a use has it; `None` if the use means another one.
    fn enter_structure(
        &self,
        structure: &'a Structure,
        one: &Use,
        place: &Context,
    ) -> Settled<Option<Context>> {
        match self.find_entity(&one.path, place)? {
            Entity::Structure(found, inside) if found.span == structure.span => {
                Ok(Some(inside.move_to(inner_scope(structure))))
            }
            _ => Ok(None),
        }
    }

    /// The inside of a function template as a call has it; `None` if the call means another one.
    fn enter_function(
        &self,
        function: &'a Function,
        one: &Use,
        place: &Context,
    ) -> Settled<Option<Context>> {
        let (Some(count), Some((last, before))) = (one.call, one.path.segments.split_last()) else {
            return Ok(None);
        };
        if count != function.parameters.len() {
            return Ok(None);
        }
        let named: Vec<&str> = before.iter().map(|segment| segment.name.as_str()).collect();
        let parts: Vec<&str> = function.scope.parts().iter().map(String::as_str).collect();
        let reached = if named.is_empty() {
            let opened = self.index.opened_in(&Scope::default(), place.header);
            one.scope.parts().starts_with(function.scope.parts())
                || opened.contains(&function.scope.to_string())
        } else {
            parts.ends_with(&named)
        };
        if !reached {
            return Ok(None);
        }
        let name = &function.name;
        let qualified = function.qualified();
        let rivals = self.index.functions_of(&qualified);
        let is_rival = |one: &&Function| one.body.is_some() && one.parameters.len() == count;
        if rivals.filter(is_rival).count() > 1 {
            return Err(format!("which `{name}` a call means is not known").into());
        }
        let given = last.arguments.as_deref().unwrap_or_default();
        let needed = function.template.iter().filter(|one| one.default.is_none()).count();
        if given.len() < needed {
            return Err(
                format!("a call of `{name}` leaves template arguments to be deduced").into()
            );
        }
        let inner = function.scope.inner(name);
        let inside = self.bare_context(function.span, &inner);
        self.bind_template(name, &function.template, Some(given), inside, place).map(Some)
    }
}

impl Instance {
    /// The place that fixes the parameters, as a step of the way to a type.
    pub(super) fn hop(&self) -> Hop {
        let name = self.spelling.split('<').next().unwrap_or(&self.spelling).to_owned();
        Hop { name, spelling: self.spelling.clone(), span: self.place }
    }
}
