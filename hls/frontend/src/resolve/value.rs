//! The value of integer expressions, their names looked up.

use super::Resolver;
use super::context::{Bound, Context};
use super::declaration::{Declaration, Found, Sought};
use super::entity::{Entity, inner_scope};
use crate::evaluate::{Meaning, evaluate_expression};
use crate::expression::{Expression, read_expression};
use crate::header::{Constant, Scope, Structure};
use crate::path::{Path, Segment};
use crate::token::{Token, lex};
use crate::{HlsType, ScalarType, Settled};

impl<'a> Resolver<'a> {
    /// The value of an integer expression; or the reason why it is unknown.
    pub(super) fn compute_value(&self, tokens: &[Token], context: &Context) -> Settled<i128> {
        let tokens = context.trail.run_aside(|| self.expand_macros(tokens, context))?;
        let expression = read_expression(&tokens)?;
        self.compute_expression(&expression, context, &[])
    }

    pub(super) fn compute_expression(
        &self,
        expression: &Expression,
        context: &Context,
        locals: &[(String, i128)],
    ) -> Settled<i128> {
        context.trail.run_aside(|| {
            evaluate_expression(expression, &mut Names { resolver: self, context, locals })
        })
    }

    /// The value of a constant; computed once, unless template arguments have a say in it.
    pub(super) fn constant_value(&self, constant: &Constant, context: &Context) -> Settled<i128> {
        let mut inside = self.context_within(context, constant.span, &constant.scope);
        if let Some(doubt) = inside.doubt_here(self.headers) {
            return Err(doubt.into());
        }
        if !constant.scope.is_global() && context.has_bindings() {
            inside = inside.take_bindings(context);
        }
        self.constant_here(constant, &inside)
    }

    /// The value of a constant in its own context.
    pub(super) fn constant_here(&self, constant: &Constant, inside: &Context) -> Settled<i128> {
        let key = (constant.span, constant.name.clone());
        let plain = !inside.has_bindings();
        if plain && let Some(known) = self.values.borrow().get(&key) {
            return known.clone();
        }
        let result = inside.trail.follow_declaration(constant.span, &constant.name, plain, || {
            let value = self.compute_value(&lex(&constant.expression), inside)?;
            if matches!(constant.declared.as_str(), "" | "auto") {
                return Ok(value);
            }
            // A type that is not known may be one that the value does not fit.
            match self.resolve_kind(&lex(&constant.declared), inside)? {
                HlsType::Scalar(scalar) => convert_value(value, &scalar),
                other => Err(format!("`{}` is `{other}`, not an integer", constant.name).into()),
            }
        });
        if plain {
            self.values.borrow_mut().insert(key, result.clone());
        }
        result
    }

    pub(super) fn named_value(&self, path: &Path, context: &Context) -> Settled<i128> {
        let Some((last, before)) = path.segments.split_last() else {
            return Err("the name is empty".into());
        };
        if before.is_empty() {
            return self.unqualified_value(path, last, context);
        }
        let prefix = Path { global: path.global, segments: before.to_vec() };
        if let Some(value) = self.catapult_value(&prefix, last, context) {
            return value;
        }
        let entity = context.trail.run_aside(|| self.find_entity(&prefix, context))?;
        let none = || self.describe_undeclared(path, context);
        match entity {
            Entity::Namespace(scope) => self.constant_in(&scope, last, context)?.ok_or_else(none),
            Entity::Structure(structure, inside) => {
                self.constant_of(structure, &inside, last)?.ok_or_else(none)
            }
            Entity::Enumeration(scope, _) => {
                if let Some(value) = self.constant_in(&scope, last, context)? {
                    return Ok(value);
                }
                let outer = scope.outer().unwrap_or_default();
                self.constant_in(&outer, last, context)?.ok_or_else(none)
            }
            Entity::Kind(kind) => property_value(&kind, &last.name)
                .ok_or_else(|| format!("`{kind}` has no constant `{}`", last.name).into()),
        }
    }

    fn unqualified_value(
        &self,
        path: &Path,
        segment: &Segment,
        context: &Context,
    ) -> Settled<i128> {
        if !path.global {
            match context.find_bound(&segment.name) {
                Some(Bound::Value(value)) => return Ok(*value),
                Some(Bound::Open(reason)) => return Err(reason.clone()),
                Some(Bound::Dependent) => return Err(context.depend_on(&segment.name)),
                Some(_) => return Err(format!("`{}` is a type, not a value", segment.name).into()),
                None => {}
            }
        }
        let mut scope = Some(if path.global { Scope::default() } else { context.scope.clone() });
        let mut later = None;
        while let Some(here) = scope {
            let sought = Sought::Constant;
            if self.index.is_later(&here, &segment.name, sought, context) {
                scope = here.outer();
                later.get_or_insert(here);
                continue;
            }
            if let Some(value) = self.constant_in(&here, segment, context)? {
                return Ok(value);
            }
            scope = here.outer();
        }
        if let Some(here) = later
            && let Some(value) = self.constant_in(&here, segment, context)?
        {
            return Ok(value);
        }
        // From <climits>, which is not among the texts.
        if segment.name == "CHAR_BIT" {
            return Ok(8);
        }
        Err(self.describe_undeclared(path, context))
    }

    /// A constant of one scope, of the bases of the struct that it is, or of an opened namespace.
    fn constant_in(
        &self,
        scope: &Scope,
        segment: &Segment,
        context: &Context,
    ) -> Settled<Option<i128>> {
        let opened = self.index.opened_in(scope, context.header);
        let opened = opened.iter().map(|name| name.split("::").map(str::to_owned).collect());
        for scope in std::iter::once(scope.clone()).chain(opened) {
            let name = scope.qualify(&segment.name);
            match self.index.find_declarations(&name, Sought::Constant, context) {
                Ok(all) => {
                    if let Some(value) = self.agreed_value(&all, segment, context)? {
                        return Ok(Some(value));
                    }
                }
                Err(file) => {
                    let file = self.sources.name(file);
                    return Err(format!(
                        "`{name}` is declared in `{file}`, which is not included here"
                    )
                    .into());
                }
            }
            if let Some(target) = self.find_brought(&name, segment, context) {
                return context
                    .trail
                    .run_deeper(4, || self.named_value(&target, context))
                    .map(Some);
            }
        }
        let structures = self
            .index
            .find_declarations(&scope.to_string(), Sought::Type, context)
            .unwrap_or_default();
        for (_, one) in structures.iter() {
            let Declaration::Structure(structure) = one else { continue };
            if structure.bases.is_empty() {
                continue;
            }
            let inside = context.move_to(scope.clone());
            if let Ok(Some(value)) = self.inherited_constant(structure, &inside, segment) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// The value on which all declarations of a name agree.
    fn agreed_value(
        &self,
        all: &Found<'_, 'a>,
        segment: &Segment,
        context: &Context,
    ) -> Settled<Option<i128>> {
        let mut agreed = None;
        for (_, one) in all.iter() {
            let Declaration::Constant(constant) = one else { continue };
            let value = self.constant_value(constant, context)?;
            if agreed.is_some_and(|other| other != value) {
                return Err(self.describe_disagreement(&segment.name, all.iter()));
            }
            agreed = Some(value);
        }
        Ok(agreed)
    }

    /// A constant of a struct, or of its bases.
    pub(super) fn constant_of(
        &self,
        structure: &'a Structure,
        inside: &Context,
        segment: &Segment,
    ) -> Settled<Option<i128>> {
        let scope = inner_scope(structure);
        let name = scope.qualify(&segment.name);
        let all = self.index.find_declarations(&name, Sought::Constant, inside).unwrap_or_default();
        if let Some(value) = self.agreed_value(&all, segment, inside)? {
            return Ok(Some(value));
        }
        self.inherited_constant(structure, inside, segment)
    }

    fn inherited_constant(
        &self,
        structure: &'a Structure,
        inside: &Context,
        segment: &Segment,
    ) -> Settled<Option<i128>> {
        inside.trail.run_deeper(4, || {
            for base in &structure.bases {
                let outer = inside.move_to(structure.scope.clone());
                if let Entity::Structure(base, deeper) = self.read_entity(&lex(base), &outer)?
                    && let Some(value) = self.constant_of(base, &deeper, segment)?
                {
                    return Ok(Some(value));
                }
            }
            Ok(None)
        })
    }
}

/// A value as an object of a type holds it.
pub(super) fn convert_value(value: i128, scalar: &ScalarType) -> Settled<i128> {
    match *scalar {
        ScalarType::Bool => Ok(i128::from(value != 0)),
        ScalarType::Int { bits, signed } | ScalarType::FreeInt { bits, signed, .. }
            if bits < 127 =>
        {
            let low = value & ((1_i128 << bits) - 1);
            let negative = signed && bits > 0 && low >> (bits - 1) == 1;
            Ok(if negative { low - (1_i128 << bits) } else { low })
        }
        ScalarType::Int { .. } | ScalarType::FreeInt { .. } => Ok(value),
        _ => Err(format!("a `{scalar}` is not an integer").into()),
    }
}

/// The constants that the vendors' types carry: `T::width`.
fn property_value(kind: &HlsType, name: &str) -> Option<i128> {
    match (kind, name) {
        (HlsType::Scalar(scalar), _) => match (*scalar, name) {
            (ScalarType::FreeInt { bits, .. }, "width" | "iwidth") => Some(i128::from(bits)),
            (ScalarType::Fixed { width, .. } | ScalarType::ApFloat { width, .. }, "width") => {
                Some(i128::from(width))
            }
            (ScalarType::Fixed { integer, .. }, "iwidth" | "i_width") => Some(i128::from(integer)),
            (ScalarType::Fixed { signed, .. } | ScalarType::FreeInt { signed, .. }, "sign") => {
                Some(i128::from(signed))
            }
            _ => None,
        },
        (HlsType::Array { extent, .. }, "size") => Some(i128::from(*extent)),
        (HlsType::Vector { lanes, .. }, "size" | "width" | "length" | "kWidth") => {
            Some(i128::from(*lanes))
        }
        _ => None,
    }
}

struct Names<'r, 'a> {
    resolver: &'r Resolver<'a>,
    context: &'r Context,
    locals: &'r [(String, i128)],
}

impl Meaning for Names<'_, '_> {
    fn name(&mut self, path: &Path) -> Settled<i128> {
        if let [only] = path.segments.as_slice()
            && let Some((_, value)) = self.locals.iter().rev().find(|(name, _)| *name == only.name)
        {
            return Ok(*value);
        }
        self.resolver.named_value(path, self.context)
    }

    fn call(&mut self, path: &Path, arguments: &[i128]) -> Settled<i128> {
        self.resolver.call_function(path, arguments, self.context)
    }

    fn cast(&mut self, kind: &[Token], value: i128) -> Settled<i128> {
        match self.resolver.resolve_kind(kind, self.context)? {
            HlsType::Scalar(scalar) => convert_value(value, &scalar),
            other => Err(format!("a cast to `{other}` does not give an integer").into()),
        }
    }

    fn size(&mut self, operand: &[Token]) -> Settled<i128> {
        let kind = self.resolver.resolve_kind(operand, self.context)?;
        let bytes = kind.bytes_in_memory();
        bytes.map(i128::from).ok_or_else(|| format!("the size of `{kind}` is not known").into())
    }

    fn enter(&mut self) -> Settled<()> {
        self.context.trail.enter_depth(1)
    }

    fn leave(&mut self) {
        self.context.trail.leave_depth(1);
    }
}
