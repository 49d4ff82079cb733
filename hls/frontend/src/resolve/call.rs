//! Calls in integer expressions: casts that look like calls, the library's few, and the text's own
//! constexpr functions.

use super::Resolver;
use super::context::{Bound, Context};
use super::declaration::{Declaration, Sought};
use super::entity::Entity;
use super::value::convert_value;
use crate::body::{Flow, run_body};
use crate::header::{Function, Scope};
use crate::path::{Path, Segment};
use crate::preprocess::without_comments;
use crate::token::lex;
use crate::{HlsType, Reason, ScalarType, Settled, VectorForm};

impl<'a> Resolver<'a> {
    pub(super) fn call_function(
        &self,
        path: &Path,
        arguments: &[i128],
        context: &Context,
    ) -> Settled<i128> {
        if arguments.is_empty()
            && let Some(width) = self.tapa_width(path, context)
        {
            return width;
        }
        if let Some(function) = self.find_function(path, arguments.len(), context)? {
            return context
                .trail
                .run_deeper(8, || self.apply_function(function, path, arguments, context));
        }
        let unknown = || Reason::from(format!("`{path}(...)` is not computed"));
        match (path.plain().as_str(), arguments) {
            ("std::max" | "max" | "hls::max", [left, right]) => Ok(*left.max(right)),
            ("std::min" | "min" | "hls::min", [left, right]) => Ok(*left.min(right)),
            ("std::abs" | "abs", [only]) => only.checked_abs().ok_or_else(unknown),
            (_, [only]) => match context.trail.run_aside(|| self.find_entity(path, context)) {
                Ok(Entity::Kind(HlsType::Scalar(scalar))) => convert_value(*only, &scalar),
                _ => Err(unknown()),
            },
            _ => Err(unknown()),
        }
    }

    /// `tapa::widthof<T>()`: the width of a number of the tool, and of other numbers the bits of their bytes.
    fn tapa_width(&self, path: &Path, context: &Context) -> Option<Settled<i128>> {
        let [tokens] = path.segments.last()?.arguments.as_deref()? else { return None };
        if path.plain() != "tapa::widthof" {
            return None;
        }
        Some(context.trail.run_aside(|| self.resolve_kind(tokens, context)).and_then(|kind| {
            measure_width(&kind)
                .map(i128::from)
                .ok_or_else(|| format!("the width of `{kind}` is not known").into())
        }))
    }

    /// The function that a call means, if a text has it.
    fn find_function(
        &self,
        path: &Path,
        arguments: usize,
        context: &Context,
    ) -> Settled<Option<&'a Function>> {
        let Some((last, before)) = path.segments.split_last() else { return Ok(None) };
        let mut scopes = Vec::new();
        if before.is_empty() {
            let mut scope =
                Some(if path.global { Scope::default() } else { context.scope.clone() });
            while let Some(here) = scope {
                scope = here.outer();
                let opened = self.index.opened_in(&here, context.header);
                scopes.push(here);
                scopes.extend(
                    opened.iter().map(|name| name.split("::").map(str::to_owned).collect()),
                );
            }
        } else if before[0].name != "std" {
            let prefix = Path { global: path.global, segments: before.to_vec() };
            match context.trail.run_aside(|| self.find_entity(&prefix, context))? {
                Entity::Namespace(scope) => scopes.push(scope),
                Entity::Structure(one, _) => scopes.push(super::entity::inner_scope(one)),
                _ => {}
            }
        }
        for scope in scopes {
            let name = scope.qualify(&last.name);
            let all = self.index.find_declarations(&name, Sought::Function, context);
            let mut bodies: Vec<&'a Function> = Vec::new();
            for (_, one) in all.unwrap_or_default().iter() {
                if let Declaration::Function(one) = one
                    && one.body.is_some()
                    && one.parameters.len() == arguments
                {
                    bodies.push(one);
                    if bodies.len() > 1 {
                        return Err(format!("`{name}` has several bodies").into());
                    }
                }
            }
            if let Some(only) = bodies.pop() {
                return Ok(Some(only));
            }
        }
        Ok(None)
    }

    /// Runs a function of the text on known arguments.
    fn apply_function(
        &self,
        function: &Function,
        path: &Path,
        arguments: &[i128],
        context: &Context,
    ) -> Settled<i128> {
        let Some(body) = function.body else {
            return Err(format!("`{}` has no body", function.name).into());
        };
        let scope = function.scope.inner(&function.name);
        let given = path.segments.last().and_then(|segment: &Segment| segment.arguments.as_deref());
        let mut inside = self.context_within(context, function.span, &scope);
        for (index, parameter) in function.template.iter().enumerate() {
            let bound = match given.and_then(|given| given.get(index)) {
                Some(tokens) if parameter.is_type => Bound::Type(tokens.clone(), context.clone()),
                Some(tokens) => Bound::Value(self.compute_value(tokens, context)?),
                // Deduced from an argument: an integer of some kind.
                None if parameter.is_type => Bound::Type(lex("long long"), context.clone()),
                None => return Err(format!("`{}` lacks a template argument", function.name).into()),
            };
            inside.bind_parameter(&parameter.name, bound);
        }
        let mut locals = Vec::new();
        for (parameter, value) in function.parameters.iter().zip(arguments) {
            if parameter.pointer || !parameter.dims.is_empty() {
                return Err(format!("`{}` takes more than numbers", function.name).into());
            }
            let value = self.cut(*value, &parameter.element, &inside)?;
            locals.push((parameter.name.clone(), value));
        }
        let text = without_comments(self.sources.slice(body));
        let tokens = self.expand_macros(&lex(&text), &inside)?;
        let mut compute = |expression: &_, locals: &[(String, i128)]| {
            self.compute_expression(expression, &inside, locals)
        };
        match run_body(&tokens, &mut locals, &mut compute)? {
            Flow::Return(value) => self.cut(value, &function.returns, &inside),
            Flow::On => Err(format!("`{}` returns nothing", function.name).into()),
        }
    }

    /// A value as an object of a type that is spelt so holds it.
    fn cut(&self, value: i128, kind: &str, inside: &Context) -> Settled<i128> {
        if kind == "auto" {
            return Ok(value);
        }
        match self.resolve_kind(&lex(kind), inside)? {
            HlsType::Scalar(scalar) => convert_value(value, &scalar),
            other => Err(format!("a `{other}` is not an integer").into()),
        }
    }
}

/// What `tapa::widthof` gives; `None` for a struct, which may have a width of its own.
fn measure_width(kind: &HlsType) -> Option<u64> {
    match kind {
        HlsType::Scalar(ScalarType::FreeInt { bits, .. }) => Some(u64::from(*bits)),
        HlsType::Scalar(ScalarType::Fixed { width, .. }) => Some(u64::from(*width)),
        HlsType::Scalar(plain) => u64::from(plain.bytes_in_memory()).checked_mul(8),
        HlsType::Vector { form: VectorForm::Tapa, lanes, element } => {
            measure_width(element)?.checked_mul(*lanes)
        }
        _ => None,
    }
}
