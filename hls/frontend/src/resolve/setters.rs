//! Which functions may write to what they are called with, and where a body sets its variables.

use super::Resolver;
use super::context::Context;
use super::declaration::{Declaration, Sought};
use crate::header::Function;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What all functions that a call's name may mean do with its arguments.
#[derive(Clone)]
pub(super) enum Setters {
    /// The arguments that one of them takes by reference.
    Known(Rc<[bool]>),
    /// None of them is among the texts: every argument may be set, or none.
    Unknown(bool),
}

impl Setters {
    /// Whether the argument at a place may be written to.
    pub(super) fn may_set(&self, argument: usize) -> bool {
        match self {
            Self::Known(all) => all.get(argument).copied().unwrap_or(false),
            Self::Unknown(sets) => *sets,
        }
    }
}

/// Per name, the places that set it, in order.
pub(super) type Assigned = BTreeMap<String, Vec<usize>>;

impl Resolver<'_> {
    /// Where a body sets its variables, by itself or in a call that may write to an argument. Worked out once for a body.
    pub(super) fn find_assigned(&self, function: &Function) -> Rc<Assigned> {
        let place = function.body.unwrap_or(function.span);
        if let Some(known) = self.assigned.borrow().get(&place) {
            return Rc::clone(known);
        }
        let mut assigned = Assigned::default();
        for (name, at) in &function.assigned {
            assigned.entry(name.clone()).or_default().push(*at);
        }
        let context = self.bare_context(function.span, &function.scope);
        for call in &function.calls {
            let callee = self.find_setters(&call.callee, &context);
            for (at, argument) in call.arguments.iter().enumerate() {
                let plain = argument.chars().all(|c| c.is_alphanumeric() || c == '_');
                if plain && callee.may_set(at) {
                    assigned.entry(argument.clone()).or_default().push(call.span.start);
                }
            }
        }
        for all in assigned.values_mut() {
            all.sort_unstable();
        }
        let found = Rc::new(assigned);
        self.assigned.borrow_mut().insert(place, Rc::clone(&found));
        found
    }

    /// What is known of the functions of a name, seen from a function's own scope. Worked out once for all calls there.
    pub(super) fn find_setters(&self, callee: &str, context: &Context) -> Setters {
        let name = callee.split('<').next().unwrap_or("");
        let key = (context.scope.qualify(name), context.header, context.branch.clone());
        if let Some(known) = self.setters.borrow().get(&key) {
            return known.clone();
        }
        let found = self.work_out_setters(name, context);
        self.setters.borrow_mut().insert(key, found.clone());
        found
    }

    fn work_out_setters(&self, name: &str, context: &Context) -> Setters {
        let mut scope = Some(context.scope.clone());
        let mut found = false;
        let mut sets: Vec<bool> = Vec::new();
        while let Some(here) = scope {
            let all = self.index.find_declarations(&here.qualify(name), Sought::Function, context);
            for (_, one) in all.unwrap_or_default().iter() {
                let Declaration::Function(one) = one else { continue };
                found = true;
                // An overload with fewer parameters is another function.
                sets.resize(sets.len().max(one.parameters.len()), false);
                for (set, parameter) in sets.iter_mut().zip(&one.parameters) {
                    *set |= parameter.reference && !parameter.constant;
                }
            }
            scope = here.outer();
        }
        if found { Setters::Known(sets.into()) } else { Setters::Unknown(!takes_by_value(name)) }
    }
}

/// Functions of the standard and the vendor's headers, which are seldom among the texts and write to no argument; and
/// types, whose names are before a value that is cast.
fn takes_by_value(name: &str) -> bool {
    const FAMILIES: [&str; 4] = ["std::", "hls::", "ap_", "half"];
    const NAMES: [&str; 26] = [
        "abs", "assert", "ceil", "cos", "cosh", "exp", "expf", "fabs", "fabsf", "float", "floor",
        "fmax", "fmin", "int", "log", "max", "min", "pow", "printf", "round", "sin", "sqrt",
        "sqrtf", "tan", "tanh", "tanhf",
    ];
    let reference = ["std::swap", "std::move", "std::exchange"].contains(&name);
    !reference && (FAMILIES.iter().any(|family| name.starts_with(family)) || NAMES.contains(&name))
}
