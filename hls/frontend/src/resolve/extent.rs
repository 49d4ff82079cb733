//! What a function touches of its parameters, and what it hands to the functions that it calls.

use super::frame::{Frame, Spot};
use super::trail::Trail;
use super::{Resolution, Resolver};
use crate::footprint::{Footprint, Reach, unite_reaches};
use crate::header::{Access, AccessForm, AccessKind, Array, Call, Function, LoopKind, Parameter};
use crate::linear::{Linear, overflow_reason};
use crate::token::lex;
use crate::{HlsType, Settled, Span};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bodies with more accesses to one parameter are generated tables.
const ACCESSES: usize = 4096;

/// One access, its index worked out.
struct Touch {
    reach: Option<Reach>,
    /// Whether it certainly happens.
    certain: bool,
    times: Option<u64>,
}

impl Resolver<'_> {
    /// How many distinct elements of a pointer or array parameter a function touches, given what is
    /// known of its other parameters by name. Every index must be linear in loops with a known
    /// number of times; else the reason says why the footprint is unknown.
    pub fn footprint(
        &self,
        function: &Function,
        parameter: &str,
        values: &BTreeMap<String, i128>,
    ) -> Settled<Footprint> {
        let own = function.parameters.iter().find(|one| one.name == parameter);
        let own = own.ok_or_else(|| format!("`{}` has no `{parameter}`", function.name))?;
        self.check_readable(function, parameter)?;
        let frame = Frame::new(self, function, values);
        let (mut kind, mut sure, mut all) = (None, Vec::new(), Vec::new());
        let mut touches = Some(0_u64);
        for access in function.accesses.iter().filter(|access| access.array == parameter) {
            let touch = frame.touch_of(access, own).map_err(|reason| {
                let position = self.sources.position(access.span);
                format!("`{parameter}` in line {}: {reason}", position.line)
            })?;
            touches = match (touches, touch.times) {
                (Some(sum), Some(times)) => sum.checked_add(times),
                _ => None,
            };
            let Some(reach) = touch.reach else { continue };
            kind = Some(match kind {
                Some(before) if before != access.kind => AccessKind::ReadWrite,
                _ => access.kind,
            });
            if touch.certain {
                sure.push(reach.clone());
            }
            all.push(reach);
            if all.len() > ACCESSES {
                return Err(format!("`{parameter}` is accessed in too many places").into());
            }
        }
        let (most, least) = (unite_reaches(all)?, unite_reaches(sure)?);
        if most != least {
            return Err(
                format!("conditions decide which elements of `{parameter}` are touched").into()
            );
        }
        let elements = most.map_or(0, |(_, _, elements)| elements);
        Ok(Footprint {
            elements: u64::try_from(elements).map_err(|_| overflow_reason())?,
            first: most.map(|(first, ..)| first),
            last: most.map(|(_, last, _)| last),
            kind,
            touches,
        })
    }

    /// Whether the accesses of a body are all that it does with a parameter.
    fn check_readable(&self, function: &Function, parameter: &str) -> Settled<()> {
        let Some(body) = function.body else {
            return Err(format!("`{}` has no body here", function.name).into());
        };
        if self.is_unread(body) {
            return Err(format!("a part of `{}` could not be read", function.name).into());
        }
        let hidden = self.find_statements(body);
        let about = self.find_mentions(body, &self.macros_about(parameter));
        if !(hidden.is_empty() && about.is_empty()) {
            return Err(format!("a macro in `{}` may hide accesses or loops", function.name).into());
        }
        if function.locals.iter().any(|local| local.name == parameter) {
            return Err(format!("`{parameter}` names a local variable too").into());
        }
        if function.assigned.iter().any(|(name, _)| name == parameter) {
            return Err(format!("`{parameter}` itself is set or moved in the body").into());
        }
        Ok(())
    }

    /// The values of a call's arguments, given what is known of the caller's own parameters.
    pub fn argument_values(
        &self,
        caller: &Function,
        call: &Call,
        values: &BTreeMap<String, i128>,
    ) -> Vec<Settled<i128>> {
        let frame = Frame::new(self, caller, values);
        call.arguments.iter().map(|argument| frame.read_at(call.span, argument)).collect()
    }

    /// What a call gives to the parameters and template parameters of a function, by their names;
    /// those whose value is unknown are left out. A parameter converts its value to its type.
    pub fn call_values(
        &self,
        caller: &Function,
        call: &Call,
        callee: &Function,
        values: &BTreeMap<String, i128>,
    ) -> BTreeMap<String, i128> {
        let mut given = BTreeMap::new();
        let path = crate::path::read_path(&lex(&call.callee), 0, |_| true);
        let segment = path.and_then(|(path, _)| path.segments.into_iter().next_back());
        let arguments = segment.and_then(|segment| segment.arguments).unwrap_or_default();
        for (parameter, argument) in callee.template.iter().zip(arguments) {
            let text = crate::token::spell(&argument);
            if !(parameter.is_type || parameter.unusual)
                && let Ok(value) = self.value_within(caller, call.span, &text, values)
            {
                given.insert(parameter.name.clone(), value);
            }
        }
        let nothing = BTreeMap::new();
        let frame = Frame::new(self, callee, &nothing);
        for (parameter, value) in
            callee.parameters.iter().zip(self.argument_values(caller, call, values))
        {
            let plain = !parameter.pointer && parameter.dims.is_empty();
            let spot = Spot { span: parameter.span, loop_index: None, trail: &Rc::default() };
            if plain
                && let Ok(value) = value
                && let Ok(held) = frame.held_by_type(
                    Linear::known(value),
                    &parameter.element,
                    spot,
                    &parameter.name,
                )
                && let Some(held) = held.value()
            {
                given.insert(parameter.name.clone(), held);
            }
        }
        given
    }

    /// The value of an integer expression at a place in a function's body, with the constants that
    /// the body declares, given what is known of its parameters by name.
    pub fn value_within(
        &self,
        function: &Function,
        place: Span,
        expression: &str,
        values: &BTreeMap<String, i128>,
    ) -> Settled<i128> {
        Frame::new(self, function, values).read_at(place, expression)
    }

    fn array_named(&self, qualified: &str) -> Option<&Array> {
        let places = self.arrays.get_or_init(|| {
            let mut first = HashMap::default();
            for (at, header) in self.headers.iter().enumerate() {
                for (index, array) in header.arrays.iter().enumerate() {
                    first.entry(array.qualified()).or_insert((at, index));
                }
            }
            first
        });
        let &(at, index) = places.get(qualified)?;
        self.headers.get(at)?.arrays.get(index)
    }

    /// The element type of a variable at a place in a function's body: of the local that is known
    /// there, else of the parameter, else of the array outside.
    pub fn variable(&self, function: &Function, place: Span, name: &str) -> Resolution {
        let known = function.locals.iter().rev().find(|local| {
            local.name == name
                && local.span.end <= place.start
                && local.block.start <= place.start
                && place.start < local.block.end
        });
        let scope = function.scope.inner(&function.name);
        if let Some(local) = known {
            let spelling = local.spelling.trim_end_matches(['&', '*']);
            return self.resolve_at(local.span, &scope, spelling);
        }
        if let Some(parameter) = function.parameters.iter().find(|one| one.name == name) {
            return self.resolve_at(parameter.span, &scope, &parameter.element);
        }
        let mut around = Some(function.scope.clone());
        while let Some(here) = around {
            if let Some(array) = self.array_named(&here.qualify(name)) {
                return self.element(array);
            }
            around = here.outer();
        }
        let reason =
            self.describe_undeclared(&name, &self.context_at(function.span, &function.scope));
        Trail::default().end_with(super::Outcome::Unknown(reason.into()))
    }
}

impl Frame<'_, '_> {
    fn touch_of(&self, access: &Access, own: &Parameter) -> Settled<Touch> {
        match access.form {
            AccessForm::Subscript | AccessForm::Dereference | AccessForm::Copy => {}
            AccessForm::Stream => return Err("a stream has no elements to count".into()),
            AccessForm::Address => return Err("its address is taken".into()),
            AccessForm::Whole => return Err("it is handed on as a whole".into()),
        }
        let trail = &Rc::default();
        let spot = Spot { span: access.span, loop_index: access.loop_index, trail };
        let mut certain = !access.conditional;
        let mut times = Some(1_u64).filter(|_| certain);
        let mut around = access.loop_index;
        while let Some((at, one)) =
            around.and_then(|at| self.function.loops.get(at).map(|one| (at, one)))
        {
            around = one.parent;
            match self.progress_of(at, trail).map(|progress| progress.trips) {
                Ok(0) => return Ok(Touch { reach: None, certain, times: Some(0) }),
                Ok(trips) => times = times.and_then(|times| times.checked_mul(trips)),
                Err(_) => {
                    // Its body runs once at least.
                    certain &= one.kind == LoopKind::Do;
                    times = None;
                }
            }
        }
        let index = self.place_of(access, own, spot)?;
        let mut strides = Vec::with_capacity(index.terms.len() + 1);
        for (&at, &factor) in &index.terms {
            strides.push((factor, self.trips_of(at)?));
        }
        if let Some(bytes) = &access.bytes {
            let count = self.copied_elements(bytes, own, spot)?;
            times = times.and_then(|times| times.checked_mul(count));
            strides.push((1, count));
        }
        Ok(Touch { reach: Reach::new(index.constant, &strides)?, certain, times })
    }

    /// The place of an element in its array, row by row.
    fn place_of(&self, access: &Access, own: &Parameter, spot: Spot<'_>) -> Settled<Linear> {
        let dims = own.dims.len() + usize::from(own.pointer);
        // A copy may start at a row.
        let rows = access.form == AccessForm::Copy && access.index.len() < dims;
        if access.index.is_empty() || (access.index.len() != dims && !rows) {
            return Err("it does not have as many subscripts as dimensions".into());
        }
        if own.pointer && !own.dims.is_empty() {
            return Err("it is an array of pointers".into());
        }
        let mut place = Linear::default();
        for at in 0..dims {
            let extent = match at {
                0 => Some(1),
                _ => own.dims.get(at).and_then(|dim| dim.value),
            };
            let extent = extent.ok_or_else(|| "its extents are not known".to_owned())?;
            place = place.scale_by(extent.into())?;
            if let Some(index) = access.index.get(at) {
                let index = self.read_linear(index, spot)?;
                place = place.add_scaled(1, &index)?;
            }
        }
        Ok(place)
    }

    /// How many elements a copy of this many bytes moves.
    fn copied_elements(&self, bytes: &str, own: &Parameter, spot: Spot<'_>) -> Settled<u64> {
        let bytes = self.read_linear(bytes, spot)?.value();
        let bytes = bytes.ok_or("the length of the copy changes from iteration to iteration")?;
        let scope = self.function.scope.inner(&self.function.name);
        let element = self.resolver.resolve_at(own.span, &scope, &own.element);
        let size = element.known().and_then(HlsType::bytes_in_memory).map(i128::from);
        let size = size.filter(|&size| size > 0).ok_or("the size of its elements is not known")?;
        if bytes < 0 || bytes % size != 0 {
            return Err("the copy does not move whole elements".into());
        }
        u64::try_from(bytes / size).map_err(|_| overflow_reason())
    }
}
