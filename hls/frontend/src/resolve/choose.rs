//! Which of several declarations of a name is meant.

use super::Resolver;
use super::context::Context;
use super::declaration::{Declaration, Found};
use super::entity::Entity;
use crate::header::Alias;
use crate::path::Segment;
use crate::{Reason, Settled, Span};

impl<'a> Resolver<'a> {
    /// One of several declarations of the same name, if they agree. Template arguments are spelt in
    /// the first context; the second is where the name was found, whose bindings it shares.
    pub(super) fn choose_declaration(
        &self,
        all: &Found<'_, 'a>,
        segment: &Segment,
        [context, host]: [&Context; 2],
    ) -> Settled<Entity<'a>> {
        let mut all: Vec<_> = all.iter().collect();
        self.keep_own_body(&mut all, host);
        // `typedef struct x {...} x;` declares the struct and a name for it.
        let structures =
            all.iter().filter(|(_, one)| !matches!(one, Declaration::Alias(_))).count();
        if structures > 0 {
            let echo = |alias: &Alias| {
                let words: Vec<&str> = alias.spelling.split(' ').collect();
                matches!(words[..], ["struct" | "class" | "union" | "enum", name] if name == alias.name)
            };
            all.retain(|(_, one)| !matches!(one, Declaration::Alias(alias) if echo(alias)));
        }
        let plain = |one: &Declaration<'a>| !matches!(one, Declaration::Structure(one) if one.specialises.is_some());
        let special: Vec<_> = all.iter().copied().filter(|(_, one)| !plain(one)).collect();
        all.retain(|(_, one)| plain(one));
        let primary = all.iter().find_map(|(_, one)| match one {
            Declaration::Structure(one) => Some(*one),
            _ => None,
        });
        if let Some(primary) = primary
            && let Some(entity) = self.find_specialised(&special, primary, segment, context)?
        {
            return Ok(entity);
        }
        let Some(((_, first), others)) = all.split_first() else {
            return self.only_specialised(&special, segment, context);
        };
        let entity = self.enter_declaration(*first, segment, [context, host])?;
        if others.is_empty() {
            return Ok(entity);
        }
        let kind = self.kind_of(entity.clone())?;
        for (_, other) in others {
            let other = context
                .trail
                .run_aside(|| self.enter_declaration(*other, segment, [context, host]))?;
            if self.kind_of(other)? != kind {
                return Err(self.describe_disagreement(&segment.name, all));
            }
        }
        Ok(entity)
    }

    /// Of the declarations in the bodies of functions of one name, those in the body that the place is in.
    fn keep_own_body(&self, all: &mut Vec<(usize, Declaration<'a>)>, host: &Context) {
        let (Some(header), true) = (host.header, all.len() > 1) else { return };
        let Some(file) = self.headers.get(header).map(|header| header.file) else { return };
        let own = self.body_around(Span { file, start: host.at, end: host.at });
        if own.is_some() && all.iter().any(|(_, one)| self.body_around(one.span()) == own) {
            all.retain(|(_, one)| self.body_around(one.span()) == own);
        }
    }

    /// The body of the function that a place is in.
    pub(super) fn body_around(&self, place: Span) -> Option<Span> {
        if let Some(known) = self.bodies.borrow().get(&place) {
            return *known;
        }
        let header = self.headers.get(self.index.header_of(place.file)?)?;
        let mut bodies = header.functions.iter().filter_map(|function| function.body);
        let found = bodies.rfind(|body| body.contains(place));
        self.bodies.borrow_mut().insert(place, found);
        found
    }

    /// Why declarations that differ leave a name unknown.
    pub(super) fn describe_disagreement(
        &self,
        name: &str,
        all: impl IntoIterator<Item = (usize, Declaration<'a>)>,
    ) -> Reason {
        let mut conditions = all
            .into_iter()
            .filter_map(|(at, one)| self.headers.get(at)?.outlook.condition_at(one.span().start));
        match conditions.next() {
            Some(condition) => format!("`{name}` depends on `{condition}`").into(),
            None => format!("`{name}` is declared more than once, and differently").into(),
        }
    }
}
