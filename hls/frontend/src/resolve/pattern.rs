//! Whether a template argument has the form that a partial specialisation asks for: `ap_int<W>`, `T`, `8`.

use super::Resolver;
use super::context::{Bound, Context};
use super::entity::Entity;
use super::vendor::is_sized_template;
use crate::header::TemplateParameter;
use crate::path::Path;
use crate::spelling::{Base, read_spelling};
use crate::token::{Token, spell};
use crate::{HlsType, Reason, ScalarType, Settled};

/// A template argument, and where its words mean what they mean.
pub(super) struct Given {
    pub(super) tokens: Vec<Token>,
    pub(super) place: Context,
    /// Whether it is a type; `None` where only the argument itself says so.
    pub(super) is_type: Option<bool>,
}

/// The parameters of a partial specialisation, and where its arguments are spelt.
pub(super) struct Pattern<'p> {
    pub(super) template: &'p [TemplateParameter],
    pub(super) place: &'p Context,
}

/// Aliases of arguments are followed this far.
const STEPS: usize = 8;

impl Resolver<'_> {
    /// Whether an argument fits; what it gives the specialisation's parameters is bound in `inside`.
    pub(super) fn fit_pattern(
        &self,
        their: &[Token],
        given: &Given,
        pattern: &Pattern<'_>,
        inside: &mut Context,
    ) -> Settled<bool> {
        let parameter = |token: &Token| pattern.template.iter().find(|one| token.is(&one.name));
        if let [only] = their
            && let Some(parameter) = parameter(only)
        {
            return self.bind_given(parameter, given, inside);
        }
        if !their.iter().any(|token| parameter(token).is_some()) {
            let pair = [(given.tokens.as_slice(), &given.place), (their, pattern.place)];
            return match given.is_type {
                Some(is_type) => self.is_same(pair, is_type),
                None => self.is_same(pair, true).or_else(|_| self.is_same(pair, false)),
            };
        }
        let doubt = || {
            let words = spell(their);
            Reason::from(format!("whether `{}` is `{words}` is not decided", spell(&given.tokens)))
        };
        let theirs = read_spelling(their)?;
        let entity = self.read_entity(&given.tokens, &given.place)?;
        if theirs.pointers > 0 {
            return match self.kind_of(entity)? {
                HlsType::Pointer(_) => Err(doubt()),
                _ => Ok(false),
            };
        }
        let Base::Path(path) = theirs.base else { return Err(doubt()) };
        let (Some(last), true) = (path.segments.last(), theirs.extents.is_empty()) else {
            return Err(doubt());
        };
        let wanted = last.arguments.as_deref().unwrap_or_default();
        match entity {
            Entity::Structure(structure, place) if structure.name == last.name => {
                if wanted.len() != structure.template.len() || structure.specialises.is_some() {
                    return Err(doubt());
                }
                let given = structure.template.iter().map(|one| Given {
                    tokens: vec![Token::name(&one.name)],
                    place: place.clone(),
                    is_type: Some(one.is_type),
                });
                self.fit_all(wanted, &given.collect::<Vec<_>>(), pattern, inside)
            }
            // What is no class has no template.
            Entity::Structure(..)
            | Entity::Enumeration(..)
            | Entity::Kind(HlsType::Scalar(
                ScalarType::Int { .. } | ScalarType::Float | ScalarType::Double | ScalarType::Bool,
            )) => Ok(false),
            _ if !is_sized_template(&path.plain()) => Ok(false),
            _ => {
                let (own, place) = self.spelt_template(given).ok_or_else(doubt)?;
                if own.plain() != path.plain() {
                    return Ok(false);
                }
                let list = own.segments.last().and_then(|last| last.arguments.clone());
                let list = list.filter(|list| list.len() == wanted.len()).ok_or_else(doubt)?;
                let given = list.into_iter().map(|tokens| Given {
                    tokens,
                    place: place.clone(),
                    is_type: None,
                });
                self.fit_all(wanted, &given.collect::<Vec<_>>(), pattern, inside)
            }
        }
    }

    fn fit_all(
        &self,
        wanted: &[Vec<Token>],
        given: &[Given],
        pattern: &Pattern<'_>,
        inside: &mut Context,
    ) -> Settled<bool> {
        let mut fits = true;
        for (their, given) in wanted.iter().zip(given) {
            fits &= self.fit_pattern(their, given, pattern, inside)?;
        }
        Ok(fits)
    }

    fn bind_given(
        &self,
        parameter: &TemplateParameter,
        given: &Given,
        inside: &mut Context,
    ) -> Settled<bool> {
        if parameter.unusual {
            return Err(format!("`{}` is a pack or a template", parameter.name).into());
        }
        match inside.find_bound(&parameter.name) {
            Some(Bound::Type(tokens, place)) => {
                let (tokens, place) = (tokens.clone(), place.clone());
                let pair = [(given.tokens.as_slice(), &given.place), (tokens.as_slice(), &place)];
                return self.is_same(pair, true);
            }
            Some(Bound::Value(value)) => {
                return Ok(self.compute_value(&given.tokens, &given.place)? == *value);
            }
            _ => {}
        }
        let bound = if parameter.is_type {
            Bound::Type(given.tokens.clone(), given.place.clone())
        } else {
            Bound::Value(self.compute_value(&given.tokens, &given.place)?)
        };
        inside.bind_parameter(&parameter.name, bound);
        Ok(true)
    }

    /// The vendor's template that an argument is spelt with, through the parameters that name it.
    fn spelt_template(&self, given: &Given) -> Option<(Path, Context)> {
        let (mut tokens, mut place) = (given.tokens.clone(), given.place.clone());
        for _ in 0..STEPS {
            let expanded = self.expand_macros(&tokens, &place).ok()?;
            let spelling = read_spelling(&expanded).ok()?;
            let Base::Path(path) = spelling.base else { return None };
            if spelling.pointers > 0 || !spelling.extents.is_empty() {
                return None;
            }
            if self.is_vendor_template(&path) {
                return Some((path, place));
            }
            let [only] = path.segments.as_slice() else { return None };
            (tokens, place) = match place.find_bound(&only.name) {
                Some(Bound::Type(tokens, place)) => (tokens.clone(), place.clone()),
                Some(_) => return None,
                None => self.plain_alias(&path, &place)?,
            };
        }
        None
    }
}
