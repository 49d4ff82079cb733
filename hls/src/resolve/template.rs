//! Template parameters and what they stand for.

use super::Resolver;
use super::context::{Bound, Context};
use super::entity::{Entity, inner_scope};
use super::index::Declaration;
use super::trail::Trail;
use crate::header::TemplateParameter;
use crate::path::{Segment, read_arguments};
use crate::token::{Token, lex};

impl<'a> Resolver<'a> {
    /// The context of a template's inside: `inside` with its parameters bound to the arguments,
    /// which are spelt in `outside`, or to their defaults.
    pub(super) fn instantiate(
        &self,
        name: &str,
        template: &[TemplateParameter],
        arguments: Option<&[Vec<Token>]>,
        mut inside: Context,
        outside: &Context,
        trail: &mut Trail,
    ) -> Result<Context, String> {
        let given = arguments.unwrap_or_default();
        if given.len() > template.len() {
            return Err(format!("`{name}` takes {} template arguments", template.len()));
        }
        for (index, parameter) in template.iter().enumerate() {
            if parameter.unusual {
                return Err(format!(
                    "`{name}` has a template parameter that is a pack or a template"
                ));
            }
            let default = parameter.default.as_deref().map(lex);
            let (tokens, place) = match (given.get(index), default) {
                (Some(tokens), _) => (tokens.clone(), outside.clone()),
                (None, Some(tokens)) => (tokens, inside.clone()),
                (None, None) => {
                    return Err(format!(
                        "`{name}` lacks its template argument `{}`",
                        parameter.name
                    ));
                }
            };
            let bound = if parameter.is_type {
                Bound::Type(tokens, place)
            } else {
                match trail.within(|trail| self.value(&tokens, &place, trail)) {
                    Ok(value) => Bound::Value(value),
                    Err(reason) => Bound::Open(reason),
                }
            };
            inside.bind(&parameter.name, bound);
        }
        Ok(inside)
    }

    /// The full specialisation that fits the arguments, if there is one. Partial ones are not
    /// matched: where one might fit, the type is unknown.
    pub(super) fn specialised(
        &self,
        all: &[(usize, Declaration<'a>)],
        segment: &Segment,
        context: &Context,
        trail: &mut Trail,
    ) -> Result<Option<Entity<'a>>, String> {
        let Some(arguments) = &segment.arguments else { return Ok(None) };
        for (_, one) in all {
            let Declaration::Structure(structure) = one else { continue };
            if !structure.template.is_empty() {
                return Err(format!("`{}` has partial specialisations", structure.name));
            }
            let text = structure.specialises.as_deref().unwrap_or("");
            let theirs = read_arguments(&lex(&format!("<{text}>")), 0).map(|(list, _)| list);
            let place = self.bare(structure.span, &structure.scope);
            let theirs = theirs.unwrap_or_default();
            if theirs.len() != arguments.len() {
                return Err(format!(
                    "the specialisations of `{}` are not told apart",
                    structure.name
                ));
            }
            let mut fits = true;
            for (ours, theirs) in arguments.iter().zip(&theirs) {
                fits &= trail.within(|trail| self.same(ours, context, theirs, &place, trail))?;
            }
            if fits {
                let inside = self.bare(structure.span, &inner_scope(structure));
                return Ok(Some(Entity::Structure(structure, inside)));
            }
        }
        Ok(None)
    }

    /// Whether two template arguments are the same type, or the same value.
    fn same(
        &self,
        ours: &[Token],
        our_place: &Context,
        theirs: &[Token],
        their_place: &Context,
        trail: &mut Trail,
    ) -> Result<bool, String> {
        if let Ok(theirs) = self.value(theirs, their_place, trail) {
            return Ok(self.value(ours, our_place, trail)? == theirs);
        }
        let theirs = self.kind(theirs, their_place, trail)?;
        Ok(self.kind(ours, our_place, trail)? == theirs)
    }
}
