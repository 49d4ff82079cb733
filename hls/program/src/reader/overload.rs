//! Which of several functions of one name a call means.

use super::Reader;
use super::meaning::{Frame, Ty};
use super::template::deduce;
use super::traits::enabled_by;
use derate_syntax::ast::{self, TemplateArgument, Type};
use std::rc::Rc;

impl Reader {
    /// Those that take as many arguments, streams where streams are given, and that `enable_if` leaves; of these the one whose
    /// parameters are the given types, then the one of the caller's own file, then the first.
    pub(super) fn choose(
        &mut self,
        candidates: &[Rc<ast::Function>],
        explicit: Option<&[TemplateArgument]>,
        arguments: &[ast::Expr],
    ) -> Option<Rc<ast::Function>> {
        let count = arguments.len();
        let fits = |function: &&Rc<ast::Function>| {
            let least =
                function.parameters.iter().filter(|parameter| parameter.init.is_none()).count();
            function.body.is_some() && (least..=function.parameters.len()).contains(&count)
        };
        let mut left: Vec<&Rc<ast::Function>> = candidates.iter().filter(fits).collect();
        self.keep_given(&mut left, explicit);
        // Arguments are looked at once more for it: calls in calls in calls are not, as the time would grow with each.
        if left.len() > 1 && self.quiet < 2 {
            let given: Vec<Ty> = arguments
                .iter()
                .map(|argument| self.quietly(|reader| reader.operand(argument).ty()))
                .collect();
            let keep = |takes: fn(&Type, &Ty) -> bool| {
                let mut taking = left.clone();
                taking.retain(|function| {
                    let parameters = function.parameters.iter().map(|parameter| &parameter.ty);
                    parameters.zip(&given).all(|(written, ty)| takes(written, ty))
                });
                taking
            };
            let mut taking = keep(takes);
            if taking.is_empty() {
                // A name that is not known has the type of a number.
                taking = keep(takes_stream);
            }
            let mut is_open = false;
            taking.retain(|function| {
                let enabled = self.is_enabled(function, explicit, &given);
                is_open |= enabled.is_none();
                enabled != Some(false)
            });
            if let (true, [one, _, ..]) = (is_open, taking.as_slice()) {
                let reason =
                    format!("which of the functions `{}` is called is not decided", one.name);
                self.unknown(one.place, reason);
            }
            self.keep_closest(&mut taking, &given);
            if !taking.is_empty() {
                left = taking;
            }
        }
        let any = || candidates.iter().find(|function| function.body.is_some());
        left.first().copied().or_else(any).cloned()
    }

    /// Keeps the templates whose parameters are types where types are given, and values where values are, if there are any.
    fn keep_given(
        &mut self,
        left: &mut Vec<&Rc<ast::Function>>,
        explicit: Option<&[TemplateArgument]>,
    ) {
        let Some(explicit) = explicit.filter(|_| left.len() > 1) else { return };
        let are_values: Vec<bool> = explicit
            .iter()
            .map(|argument| match argument {
                TemplateArgument::Type(_) => false,
                TemplateArgument::Value(value) => {
                    self.quietly(|reader| reader.constant(value)).is_some()
                }
            })
            .collect();
        let fits = |function: &Rc<ast::Function>| {
            let mut pairs = function.template.iter().zip(&are_values);
            pairs.all(|(parameter, is_value)| parameter.is_type != *is_value)
        };
        if left.iter().any(|one| fits(one)) {
            left.retain(|one| fits(one));
        }
    }

    /// Keeps the functions of which the most parameters are the given types; of several, those of the caller's file. Templates
    /// are not compared: their parameters are what is given.
    fn keep_closest(&mut self, left: &mut Vec<&Rc<ast::Function>>, given: &[Ty]) {
        if left.len() < 2 || left.iter().any(|one| !one.template.is_empty()) {
            return;
        }
        let mut counts = Vec::new();
        for function in left.iter() {
            let mut count = 0;
            for (parameter, ty) in function.parameters.iter().zip(given) {
                let written = match &parameter.ty {
                    Type::Reference(inner) => inner,
                    other => other,
                };
                count += usize::from(is_same(&self.settle_type(written), ty));
            }
            counts.push(count);
        }
        let most = counts.iter().max().copied();
        let mut counts = counts.into_iter();
        left.retain(|_| counts.next() == most);
        let file = self.function.place.file;
        if left.len() > 1 && left.iter().any(|one| one.place.file == file) {
            left.retain(|one| one.place.file == file);
        }
    }

    /// Whether the condition of an `enable_if` in the result's type holds; `None` where that is not known.
    fn is_enabled(
        &mut self,
        function: &ast::Function,
        explicit: Option<&[TemplateArgument]>,
        given: &[Ty],
    ) -> Option<bool> {
        let Some(condition) = enabled_by(&function.result) else { return Some(true) };
        let mut frame = Frame::default();
        for (parameter, ty) in function.parameters.iter().zip(given) {
            deduce(&parameter.ty, ty, &function.template, &mut frame);
        }
        frame.extend(&self.template_frame(&function.template, explicit));
        self.within(frame, |reader| reader.constant(condition)).map(|value| value != 0)
    }
}

/// Whether two types are the same; an array is a pointer to its elements.
fn is_same(one: &Ty, other: &Ty) -> bool {
    match (one, other) {
        (Ty::Scalar(one), Ty::Scalar(other)) => one == other,
        (Ty::Array(one, _) | Ty::Pointer(one), Ty::Array(other, _) | Ty::Pointer(other))
        | (Ty::Stream(one), Ty::Stream(other)) => is_same(one, other),
        (Ty::Vector(one, length), Ty::Vector(other, others)) => {
            length == others && is_same(one, other)
        }
        (Ty::Struct(one), Ty::Struct(other)) => one.name == other.name,
        _ => false,
    }
}

/// Whether a parameter is a stream where the argument is one.
fn takes_stream(written: &Type, ty: &Ty) -> bool {
    let is_stream = matches!(ty, Ty::Stream(_));
    matches!(ty, Ty::Scalar(_)) || takes(written, ty) || !is_stream && !wants_stream(written)
}

/// Whether a parameter may get an argument. A stream fits a stream alone, an array no number; all else may be converted.
fn takes(written: &Type, ty: &Ty) -> bool {
    let is_stream = matches!(ty, Ty::Stream(_));
    let written = match written {
        Type::Reference(inner) => inner,
        other => other,
    };
    match written {
        Type::Name(_) => is_stream || !wants_stream(written) || matches!(ty, Ty::Unknown(_)),
        Type::Array(..) | Type::Pointer(_) => !is_stream && !matches!(ty, Ty::Scalar(_)),
        _ => true,
    }
}

fn wants_stream(written: &Type) -> bool {
    let written = match written {
        Type::Reference(inner) => inner,
        other => other,
    };
    let Type::Name(path) = written else { return false };
    let name = path.pieces.last().map_or("", |piece| piece.name.as_str());
    matches!(name, "stream" | "stream_of_blocks")
}
