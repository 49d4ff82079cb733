//! Template parameters: given, deduced, or by default.

use super::Reader;
use super::given::Given;
use super::meaning::{Frame, Meaning, Ty};
use super::types::path_name;
use crate::ir::{Number, Scalar};
use derate_syntax::ast::{ExprKind, TemplateArgument, TemplateParameter, Type};

impl Reader {
    /// What the template parameters are: given, deduced, or by default.
    pub(crate) fn template_frame(
        &mut self,
        parameters: &[TemplateParameter],
        arguments: Option<&[TemplateArgument]>,
    ) -> Frame {
        self.template_arguments(parameters, arguments).0
    }

    /// What the template parameters are, by name and in order: a parameter may have no name.
    pub(super) fn template_arguments(
        &mut self,
        parameters: &[TemplateParameter],
        arguments: Option<&[TemplateArgument]>,
    ) -> (Frame, Vec<Given>) {
        let mut frame = Frame::default();
        let mut all = Vec::new();
        for (at, parameter) in parameters.iter().enumerate() {
            let argument = arguments.and_then(|arguments| arguments.get(at)).cloned();
            let given = match (argument, &parameter.default) {
                (Some(argument), _) => self.give(&argument, parameter.is_type),
                (None, Some(default)) => {
                    let default = default.clone();
                    let before = frame.clone();
                    let is_type = parameter.is_type;
                    self.within(before, |reader| reader.give(&default, is_type))
                }
                (None, None) => {
                    all.push(Given { meaning: Meaning::Unknown, head: None });
                    continue;
                }
            };
            frame.set(&parameter.name, given.meaning.clone());
            frame.set_head(&parameter.name, given.head.clone());
            all.push(given);
        }
        (frame, all)
    }

    fn give(&mut self, argument: &TemplateArgument, is_type: bool) -> Given {
        let head = self.argument_head(argument);
        Given { meaning: self.argument_meaning(argument, is_type), head }
    }
}

/// Template parameters from the type of an argument.
pub(crate) fn deduce(written: &Type, ty: &Ty, parameters: &[TemplateParameter], frame: &mut Frame) {
    let is_parameter = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
    match (written, ty) {
        (Type::Reference(inner), _) => deduce(inner, ty, parameters, frame),
        (Type::Pointer(inner), Ty::Pointer(item) | Ty::Array(item, _)) => {
            deduce(inner, item, parameters, frame);
        }
        (Type::Array(inner, length), Ty::Array(item, count)) => {
            if let Some(ExprKind::Name(path)) = length.as_ref().map(|length| &length.kind)
                && is_parameter(&path_name(path))
            {
                let meaning = Meaning::Number(Number::Int(i128::from(*count)), Scalar::INT);
                frame.set(&path_name(path), meaning);
            }
            deduce(inner, item, parameters, frame);
        }
        (Type::Array(inner, _), Ty::Pointer(item)) => deduce(inner, item, parameters, frame),
        (Type::Name(path), _) => {
            let name = path_name(path);
            if is_parameter(&name) {
                if frame.get(&name).is_none() {
                    frame.set(&name, Meaning::Type(ty.clone()));
                }
                return;
            }
            let Some(arguments) = path.pieces.last().and_then(|piece| piece.arguments.as_ref())
            else {
                return;
            };
            let number = |value: u16| Meaning::Number(Number::Int(i128::from(value)), Scalar::INT);
            let first = arguments.first().and_then(argument_name).filter(|name| is_parameter(name));
            let second = arguments.get(1).and_then(argument_name).filter(|name| is_parameter(name));
            match ty {
                Ty::Stream(item) | Ty::Vector(item, _) => {
                    if let Some(first) = first {
                        frame.set(&first, Meaning::Type((**item).clone()));
                    } else if let Some(TemplateArgument::Type(inner)) = arguments.first() {
                        deduce(inner, item, parameters, frame);
                    } else if let Some(TemplateArgument::Value(expr)) = arguments.first()
                        && let ExprKind::Name(path) = &expr.kind
                    {
                        deduce(&Type::Name(path.clone()), item, parameters, frame);
                    }
                    if let (Some(second), Ty::Vector(_, lanes)) = (second, ty) {
                        let lanes = i128::from(*lanes);
                        frame.set(&second, Meaning::Number(Number::Int(lanes), Scalar::INT));
                    }
                }
                Ty::Scalar(Scalar::Int { bits, .. }) => {
                    if let Some(first) = first {
                        frame.set(&first, number(*bits));
                    }
                }
                Ty::Scalar(Scalar::Fixed { bits, integer, .. }) => {
                    if let Some(first) = first {
                        frame.set(&first, number(*bits));
                    }
                    if let Some(second) = second {
                        let integer = i128::from(*integer);
                        frame.set(&second, Meaning::Number(Number::Int(integer), Scalar::INT));
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
}

pub(super) fn argument_name(argument: &TemplateArgument) -> Option<String> {
    match argument {
        TemplateArgument::Value(expr) => match &expr.kind {
            ExprKind::Name(path) => Some(path_name(path)),
            _ => None,
        },
        TemplateArgument::Type(Type::Name(path)) => Some(path_name(path)),
        TemplateArgument::Type(_) => None,
    }
}
