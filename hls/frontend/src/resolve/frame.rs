//! The inside of one function: what its names are worth at a place, loop by loop.

use super::Resolver;
use super::context::Context;
use super::setters::Assigned;
use super::trail::Trail;
use super::value::convert_value;
use crate::evaluate::apply_operator;
use crate::expression::{Expression, read_expression};
use crate::header::{Function, Local};
use crate::linear::{Linear, overflow_reason};
use crate::path::Path;
use crate::token::{Token, lex, spell};
use crate::{HlsType, ScalarType, Settled, Span};
use rustc_hash::FxHashMap as HashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The values of a loop's variable: `start + step * iteration`, for `trips` iterations.
#[derive(Clone)]
pub(super) struct Progress {
    pub(super) start: Linear,
    pub(super) step: i128,
    pub(super) trips: u64,
}

pub(super) struct Frame<'f, 'a> {
    pub(super) resolver: &'f Resolver<'a>,
    pub(super) function: &'f Function,
    values: &'f BTreeMap<String, i128>,
    locals: HashMap<&'f str, Vec<&'f Local>>,
    assigned: Rc<Assigned>,
    /// The places of macros that hold statements.
    hidden: Rc<[usize]>,
    pub(super) progress: RefCell<HashMap<usize, Settled<Progress>>>,
}

/// A place in the function's text, inside a loop or not.
#[derive(Copy, Clone)]
pub(super) struct Spot<'t> {
    pub(super) span: Span,
    pub(super) loop_index: Option<usize>,
    pub(super) trail: &'t Rc<Trail>,
}

impl<'f, 'a> Frame<'f, 'a> {
    /// The inside of a function whose parameters have these values, as far as they are known.
    pub(super) fn new(
        resolver: &'f Resolver<'a>,
        function: &'f Function,
        values: &'f BTreeMap<String, i128>,
    ) -> Self {
        let mut frame = Self {
            resolver,
            function,
            values,
            locals: HashMap::default(),
            assigned: resolver.find_assigned(function),
            hidden: function
                .body
                .map_or_else(|| Rc::from([]), |body| resolver.find_statements(body)),
            progress: RefCell::default(),
        };
        for local in &function.locals {
            frame.locals.entry(&local.name).or_default().push(local);
        }
        frame
    }

    /// Whether the text sets a variable inside a span.
    pub(super) fn is_set(&self, name: &str, within: Span) -> bool {
        let all = self.assigned.get(name).map(Vec::as_slice).unwrap_or_default();
        let from = all.partition_point(|&at| at < within.start);
        all.get(from).is_some_and(|&at| at < within.end)
    }

    /// Whether a span holds what its text does not show.
    pub(super) fn is_obscure(&self, span: Span) -> bool {
        let from = self.hidden.partition_point(|&at| at < span.start);
        self.hidden.get(from).is_some_and(|&at| at < span.end) || self.resolver.is_unread(span)
    }

    fn context(&self, spot: Spot<'_>) -> Context {
        let scope = self.function.scope.inner(&self.function.name);
        self.resolver.context_at(spot.span, &scope).share_trail(spot.trail)
    }

    /// The value of an integer expression at a place of the body.
    pub(super) fn read_at(&self, place: Span, expression: &str) -> Settled<i128> {
        let loop_index = self.function.loops.iter().rposition(|one| one.body.contains(place));
        let spot = Spot { span: place, loop_index, trail: &Rc::default() };
        let value = self.read_linear(expression, spot)?.value();
        value.ok_or_else(|| format!("`{expression}` changes from iteration to iteration").into())
    }

    /// What an expression is worth at a place.
    pub(super) fn read_linear(&self, text: &str, spot: Spot<'_>) -> Settled<Linear> {
        let context = self.context(spot);
        if let Some(doubt) = context.doubt_here(self.resolver.headers) {
            return Err(doubt.into());
        }
        let tokens = spot.trail.run_aside(|| self.resolver.expand_macros(&lex(text), &context))?;
        let expression = read_expression(&tokens)?;
        spot.trail.run_aside(|| self.linear_node(&expression, spot, &context))
    }

    fn linear_node(
        &self,
        expression: &Expression,
        spot: Spot<'_>,
        context: &Context,
    ) -> Settled<Linear> {
        spot.trail.enter_depth(1)?;
        let result = self.linear_sum(expression, spot, context);
        spot.trail.leave_depth(1);
        result
    }

    fn linear_sum(
        &self,
        expression: &Expression,
        spot: Spot<'_>,
        context: &Context,
    ) -> Settled<Linear> {
        let known = |value: Linear| {
            value.value().ok_or_else(|| "a part of it is not linear in the loops".to_owned())
        };
        match expression {
            Expression::Integer(value) | Expression::Unsigned(value) => Ok(Linear::known(*value)),
            Expression::Name(path) => self.name_value(path, spot, context),
            Expression::Unary(sign, inner) => {
                let value = self.linear_node(inner, spot, context)?;
                match sign {
                    '-' => value.scale_by(-1),
                    '+' => Ok(value),
                    '!' => Ok(Linear::known(i128::from(known(value)? == 0))),
                    _ => Ok(Linear::known(!known(value)?)),
                }
            }
            Expression::Binary(sign, left, right) => {
                let left = self.linear_node(left, spot, context)?;
                let right = self.linear_node(right, spot, context)?;
                match (sign.as_str(), left.value(), right.value()) {
                    ("+", ..) => left.add_scaled(1, &right),
                    ("-", ..) => left.add_scaled(-1, &right),
                    ("*", Some(factor), _) => right.scale_by(factor),
                    ("*", _, Some(factor)) => left.scale_by(factor),
                    ("<<", None, Some(by @ 0..=62)) => left.scale_by(1_i128 << by),
                    ("&&", Some(left), Some(right)) => {
                        Ok(Linear::known(i128::from(left != 0 && right != 0)))
                    }
                    ("||", Some(left), Some(right)) => {
                        Ok(Linear::known(i128::from(left != 0 || right != 0)))
                    }
                    (sign, Some(left), Some(right)) => {
                        apply_operator(sign, left, right).map(Linear::known)
                    }
                    _ => Err(format!("a `{sign}` makes it not linear in the loops").into()),
                }
            }
            Expression::Choice(parts) => {
                let [condition, yes, no] = parts.as_ref();
                let condition = known(self.linear_node(condition, spot, context)?)?;
                self.linear_node(if condition == 0 { no } else { yes }, spot, context)
            }
            Expression::Call(path, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(known(self.linear_node(argument, spot, context)?)?);
                }
                self.resolver.call_function(path, &values, context).map(Linear::known)
            }
            Expression::Cast(kind, inner) => {
                let value = self.linear_node(inner, spot, context)?;
                match self.resolver.resolve_kind(kind, context)? {
                    HlsType::Scalar(scalar) => self.fit_type(value, &scalar, spot.trail),
                    other => Err(format!("a cast to `{other}` does not give an integer").into()),
                }
            }
            Expression::Size(operand) => self.size_value(operand, context),
        }
    }

    fn size_value(&self, operand: &[Token], context: &Context) -> Settled<Linear> {
        let text = spell(operand);
        if self.locals.contains_key(text.as_str())
            || self.function.parameters.iter().any(|one| one.name == text)
        {
            return Err(format!("the size of the variable `{text}` is not computed").into());
        }
        let kind = self.resolver.resolve_kind(operand, context)?;
        let bytes = kind.bytes_in_memory().map(|bytes| Linear::known(bytes.into()));
        bytes.ok_or_else(|| format!("the size of `{kind}` is not known").into())
    }

    /// A value as an object of an integer type holds it; one that runs must not wrap.
    pub(super) fn fit_type(
        &self,
        value: Linear,
        scalar: &ScalarType,
        trail: &Rc<Trail>,
    ) -> Settled<Linear> {
        if let Some(value) = value.value() {
            return convert_value(value, scalar).map(Linear::known);
        }
        for &at in value.terms.keys() {
            self.progress_of(at, trail)?;
        }
        let (least, most) = value.find_range(&|at| self.trips_of(at))?;
        if convert_value(least, scalar)? == least && convert_value(most, scalar)? == most {
            return Ok(value);
        }
        Err(format!("it does not fit into a `{scalar}`").into())
    }

    fn name_value(&self, path: &Path, spot: Spot<'_>, context: &Context) -> Settled<Linear> {
        let outside = || self.resolver.named_value(path, context).map(Linear::known);
        let [only] = path.segments.as_slice() else { return outside() };
        if path.global || only.arguments.is_some() {
            return outside();
        }
        let name = only.name.as_str();
        let own = self.locals.get(name).map(Vec::as_slice).unwrap_or_default();
        let local = own.iter().rev().find(|local| {
            local.span.end <= spot.span.start
                && local.block.start <= spot.span.start
                && spot.span.start < local.block.end
        });
        let mut around = spot.loop_index;
        while let Some((at, one)) =
            around.and_then(|at| self.function.loops.get(at).map(|one| (at, one)))
        {
            let counts = one.variable.as_deref() == Some(name);
            if counts && local.is_none_or(|local| local.span.start < one.span.start) {
                let progress = self.progress_of(at, spot.trail)?;
                let turn = Linear { constant: 0, terms: BTreeMap::from([(at, progress.step)]) };
                return progress.start.add_scaled(1, &turn);
            }
            around = one.parent;
        }
        if let Some(local) = local {
            return self.local_value(local, spot.trail);
        }
        let parameter = self.function.parameters.iter().find(|one| one.name == name);
        let of_template = self.function.template.iter().any(|one| one.name == name);
        if parameter.is_some() && self.function.body.is_some_and(|body| self.is_set(name, body)) {
            return Err(format!("the parameter `{name}` is changed in the body").into());
        }
        if parameter.is_some() || of_template {
            let what = if of_template { "template parameter" } else { "parameter" };
            let value = self.values.get(name).copied();
            let value = value.ok_or_else(|| format!("it depends on the {what} `{name}`"))?;
            return Ok(Linear::known(value));
        }
        if own.is_empty() {
            return outside();
        }
        // Known in another block only; here the name means what it means outside.
        let context = context.move_to(self.function.scope.clone());
        self.resolver.named_value(path, &context).map(Linear::known)
    }

    fn local_value(&self, local: &Local, trail: &Rc<Trail>) -> Settled<Linear> {
        let name = &local.name;
        let initial = local.initial.as_deref().filter(|_| local.constant && local.dims.is_empty());
        let initial = initial.ok_or_else(|| format!("`{name}` is a variable"))?;
        let bare = initial.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let spot = Spot { span: local.span, loop_index: local.loop_index, trail };
        let value = trail.follow_declaration(local.span, name, true, || {
            self.read_linear(bare.unwrap_or(initial), spot)
        })?;
        let spelling = local.spelling.trim_end_matches('&');
        self.held_by_type(value, spelling, spot, name)
    }

    /// A value as an object holds it. A type that is not known may be one that it does not fit.
    pub(super) fn held_by_type(
        &self,
        value: Linear,
        spelling: &str,
        spot: Spot<'_>,
        name: &str,
    ) -> Settled<Linear> {
        if spelling == "auto" {
            return Ok(value);
        }
        match self.resolver.resolve_kind(&lex(spelling), &self.context(spot))? {
            HlsType::Scalar(scalar) => self.fit_type(value, &scalar, spot.trail),
            other => Err(format!("`{name}` is `{other}`, not an integer").into()),
        }
    }

    /// The trip count of a loop, once [`Frame::progress_of`] has computed it.
    pub(super) fn trips_of(&self, at: usize) -> Settled<u64> {
        match self.progress.borrow().get(&at) {
            Some(Ok(progress)) => Ok(progress.trips),
            Some(Err(reason)) => Err(reason.clone()),
            None => Err(overflow_reason()),
        }
    }

    /// The type that a loop's variable is declared with.
    pub(super) fn declared_type(&self, name: &str, spot: Spot<'_>) -> Option<&str> {
        let own = self.locals.get(name)?;
        let outer = own
            .iter()
            .rev()
            .find(|local| local.span.end <= spot.span.start && spot.span.start < local.block.end)?;
        Some(outer.spelling.as_str())
    }
}
