//! Template parameters and what they mean.

use super::Resolver;
use super::context::{Bound, Context};
use super::declaration::Declaration;
use super::entity::{Entity, inner_scope};
use super::pattern::{Given, Pattern};
use crate::Settled;
use crate::header::{Structure, TemplateParameter};
use crate::path::{Segment, read_arguments};
use crate::token::{Token, lex};

impl<'a> Resolver<'a> {
    /// The context of a template's inside: `inside` with its parameters bound to the arguments,
    /// which are spelt in `outside`, or to their defaults.
    pub(super) fn bind_template(
        &self,
        name: &str,
        template: &[TemplateParameter],
        arguments: Option<&[Vec<Token>]>,
        mut inside: Context,
        outside: &Context,
    ) -> Settled<Context> {
        let given = arguments.unwrap_or_default();
        if given.len() > template.len() {
            return Err(format!("`{name}` takes {} template arguments", template.len()).into());
        }
        for (index, parameter) in template.iter().enumerate() {
            if parameter.unusual {
                return Err(format!(
                    "`{name}` has a template parameter that is a pack or a template"
                )
                .into());
            }
            let default = parameter.default.as_deref().map(lex);
            let (tokens, place) = match (given.get(index), default) {
                (Some(tokens), _) => (tokens.clone(), outside.clone()),
                (None, Some(tokens)) => (tokens, inside.clone()),
                (None, None) => {
                    return Err(format!(
                        "`{name}` lacks its template argument `{}`",
                        parameter.name
                    )
                    .into());
                }
            };
            let bound = if parameter.is_type {
                Bound::Type(tokens, place)
            } else {
                match place.trail.run_aside(|| self.compute_value(&tokens, &place)) {
                    Ok(value) => Bound::Value(value),
                    Err(reason) => Bound::Open(reason),
                }
            };
            inside.bind_parameter(&parameter.name, bound);
        }
        Ok(inside)
    }

    /// The specialisation that fits the arguments, if there is one.
    pub(super) fn find_specialised(
        &self,
        all: &[(usize, Declaration<'a>)],
        primary: &Structure,
        segment: &Segment,
        context: &Context,
    ) -> Settled<Option<Entity<'a>>> {
        if all.is_empty() || segment.arguments.is_none() {
            return Ok(None);
        }
        // The primary template's parameters say what each argument is, the left-out ones included.
        let inside = self.context_within(context, primary.span, &inner_scope(primary));
        let (name, template) = (&primary.name, primary.template.as_slice());
        let given = self.give_all(name, template, segment, inside, context)?;
        self.find_fitting(all, name, &given, context)
    }

    /// What each parameter of the primary template gets, the arguments that are left out included.
    fn give_all(
        &self,
        name: &str,
        template: &[TemplateParameter],
        segment: &Segment,
        inside: Context,
        context: &Context,
    ) -> Settled<Vec<Given>> {
        let arguments = segment.arguments.as_deref();
        let ours = self.bind_template(name, template, arguments, inside, context)?;
        let given = template.iter().map(|one| Given {
            tokens: vec![Token::name(&one.name)],
            place: ours.clone(),
            is_type: Some(one.is_type),
        });
        Ok(given.collect())
    }

    /// The specialisation that fits, where the primary template has no body.
    pub(super) fn only_specialised(
        &self,
        all: &[(usize, Declaration<'a>)],
        segment: &Segment,
        context: &Context,
    ) -> Settled<Entity<'a>> {
        let name = &segment.name;
        let none = || format!("`{name}` has only specialisations, but none fits");
        if let Some((_, Declaration::Structure(first))) = all.first()
            && let qualified = first.scope.qualify(name)
            && let Some(template) = self.index.forward_of(&qualified, context.header)
        {
            let inside = self.context_within(context, first.span, &first.scope);
            let given = self.give_all(name, template, segment, inside, context)?;
            return self.find_fitting(all, name, &given, context)?.ok_or_else(|| none().into());
        }
        // An argument that is left out has a default, which is with the primary template.
        let ours = segment.arguments.as_deref().unwrap_or_default();
        let given: Vec<Given> = ours
            .iter()
            .map(|one| Given { tokens: one.clone(), place: context.clone(), is_type: None })
            .collect();
        let fitting = self.find_fitting(all, name, &given, context)?;
        fitting.ok_or_else(|| none().into())
    }

    /// The specialisation that fits the arguments: a full one, else the only partial one.
    fn find_fitting(
        &self,
        all: &[(usize, Declaration<'a>)],
        name: &str,
        given: &[Given],
        context: &Context,
    ) -> Settled<Option<Entity<'a>>> {
        let (mut partial, mut doubt) = (Vec::new(), None);
        for (_, one) in all {
            let Declaration::Structure(special) = one else { continue };
            match self.fit_specialisation(special, name, given, context) {
                Ok(Some(inside)) if special.template.is_empty() => {
                    return Ok(Some(Entity::Structure(special, inside)));
                }
                Ok(Some(inside)) => partial.push(Entity::Structure(special, inside)),
                Ok(None) => {}
                Err(reason) => doubt = doubt.or(Some(reason)),
            }
        }
        match (doubt, partial.len()) {
            (Some(reason), _) => Err(reason),
            (None, 0 | 1) => Ok(partial.pop()),
            (None, _) => Err(format!("several partial specialisations of `{name}` fit").into()),
        }
    }

    /// The inside of a specialisation, its parameters bound, if the arguments are as it has them.
    fn fit_specialisation(
        &self,
        special: &Structure,
        name: &str,
        given: &[Given],
        context: &Context,
    ) -> Settled<Option<Context>> {
        let text = special.specialises.as_deref().unwrap_or("");
        let theirs = read_arguments(&lex(&format!("<{text}>")), 0).map(|(list, _)| list);
        let theirs = theirs
            .filter(|theirs| theirs.len() == given.len())
            .ok_or_else(|| format!("the specialisations of `{name}` cannot be distinguished"))?;
        let place = self.context_within(context, special.span, &special.scope);
        let mut inside = self.context_within(context, special.span, &inner_scope(special));
        let pattern = Pattern { template: &special.template, place: &place };
        let mut fits = true;
        let mut doubt = None;
        for (their, given) in theirs.iter().zip(given) {
            match context.trail.run_aside(|| self.fit_pattern(their, given, &pattern, &mut inside))
            {
                Ok(fit) => fits &= fit,
                Err(reason) => doubt = doubt.or(Some(reason)),
            }
        }
        match doubt {
            Some(reason) if fits => Err(reason),
            _ => Ok(fits.then_some(inside)),
        }
    }

    /// Whether two template arguments are the same type, or the same value.
    pub(super) fn is_same(&self, pair: [(&[Token], &Context); 2], is_type: bool) -> Settled<bool> {
        let [(our, our_place), (their, their_place)] = pair;
        if is_type {
            return Ok(self.resolve_kind(our, our_place)? == self.resolve_kind(their, their_place)?);
        }
        Ok(self.compute_value(our, our_place)? == self.compute_value(their, their_place)?)
    }
}
