//! Whether a template argument has the form that a specialisation asks for: `8`, `T`, `ap_int<W>`, `T *`.
//!
//! `None` is where that is not known.

use super::Reader;
use super::given::Given;
use super::meaning::{Frame, Meaning, Ty, type_key};
use super::template::argument_name;
use super::types::path_name;
use crate::ir::Scalar;
use derate_syntax::ast::{Path, TemplateArgument, TemplateParameter, Type};

/// Whether all of several parts fit: one that does not decides, whatever is unknown of the others.
pub(super) fn all_fit(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut fit = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => fit = None,
        }
    }
    fit
}

impl Reader {
    /// Whether an argument fits; what it gives the specialisation's parameters is put into `frame`.
    pub(super) fn fit_argument(
        &mut self,
        pattern: &TemplateArgument,
        given: &Given,
        parameters: &[TemplateParameter],
        frame: &mut Frame,
    ) -> Option<bool> {
        if let Some(name) = argument_name(pattern)
            && parameters.iter().any(|parameter| parameter.name == name)
        {
            return bind(&name, given, frame);
        }
        match (&given.meaning, pattern) {
            (Meaning::Number(value, _), TemplateArgument::Value(expr)) => {
                let wanted = self.within(frame.clone(), |reader| reader.number(expr))?.0;
                Some(wanted == *value)
            }
            (Meaning::Number(..), TemplateArgument::Type(_)) => Some(false),
            (Meaning::Type(ty), pattern) => {
                let written = match pattern {
                    TemplateArgument::Type(written) => written.clone(),
                    TemplateArgument::Value(expr) => match &expr.kind {
                        derate_syntax::ast::ExprKind::Name(path) => Type::Name(path.clone()),
                        _ => return Some(false),
                    },
                };
                self.fit_type(&written, ty, given.head.as_deref(), (parameters, frame))
            }
            (Meaning::Unknown | Meaning::Place(_), _) => None,
        }
    }

    fn fit_type(
        &mut self,
        written: &Type,
        ty: &Ty,
        head: Option<&str>,
        (parameters, frame): (&[TemplateParameter], &mut Frame),
    ) -> Option<bool> {
        if matches!(ty, Ty::Unknown(_)) {
            return None;
        }
        match (written, ty) {
            (Type::Name(path), _) if is_dependent(path, parameters) => {
                if path.pieces.len() == 1 && path.pieces[0].arguments.is_none() {
                    let head = head.map(str::to_owned);
                    let given = Given { meaning: Meaning::Type(ty.clone()), head };
                    return bind(&path.pieces[0].name, &given, frame);
                }
                self.fit_template(path, ty, head, (parameters, frame))
            }
            // Whether an argument is a reference is not kept.
            (Type::Reference(_), _) | (Type::Array(..), Ty::Array(..)) => None,
            (Type::Pointer(inner), Ty::Pointer(item)) => {
                self.fit_type(inner, item, None, (parameters, frame))
            }
            (Type::Pointer(_) | Type::Array(..), _) => Some(false),
            _ => {
                let wanted = self.quietly(|reader| reader.settle_type(written));
                let their = self.type_head(written);
                is_same(&wanted, their.as_deref(), ty, head)
            }
        }
    }

    /// `ap_int<W>`, `hls::stream<T>`, `pair<A, B>`
    fn fit_template(
        &mut self,
        path: &Path,
        ty: &Ty,
        head: Option<&str>,
        (parameters, frame): (&[TemplateParameter], &mut Frame),
    ) -> Option<bool> {
        let last = path.pieces.last()?;
        let wanted = last.arguments.as_deref()?;
        let given = match (last.name.as_str(), ty) {
            (name @ ("ap_int" | "ap_uint"), Ty::Scalar(Scalar::Int { bits, signed })) => {
                if *signed != (name == "ap_int") || head.is_some_and(|head| head != name) {
                    return Some(false);
                }
                if head.is_none() && is_plain_width(*bits) {
                    return None;
                }
                vec![Given::of_number(i128::from(*bits))]
            }
            (
                name @ ("ap_fixed" | "ap_ufixed"),
                Ty::Scalar(Scalar::Fixed { bits, integer, signed }),
            ) => {
                if *signed != (name == "ap_fixed") {
                    return Some(false);
                }
                let mut all = vec![Given::of_number(i128::from(*bits))];
                all.push(Given::of_number(i128::from(*integer)));
                all
            }
            ("stream", Ty::Stream(item)) => vec![Given::of_type(item)],
            ("vector", Ty::Vector(item, lanes)) | ("array", Ty::Array(item, lanes)) => {
                vec![Given::of_type(item), Given::of_number(i128::from(*lanes))]
            }
            (
                "ap_int" | "ap_uint" | "ap_fixed" | "ap_ufixed" | "stream" | "vector" | "array",
                _,
            ) => return Some(false),
            (_, Ty::Struct(structure)) => {
                let named = self.names.structure(&path_name(path))?;
                if named.name != structure.name {
                    // A specialisation does not keep the arguments of its template.
                    let own = structure.name.starts_with(&format!("{}<", named.name));
                    return if own { None } else { Some(false) };
                }
                let all = named.template.iter().map(|parameter| {
                    let meaning = structure.frame.get(&parameter.name).cloned();
                    let head = structure.frame.head(&parameter.name).cloned();
                    Given { meaning: meaning.unwrap_or(Meaning::Unknown), head }
                });
                all.collect()
            }
            _ => {
                let is_struct = self.names.structure(&path_name(path)).is_some();
                return if is_struct { Some(false) } else { None };
            }
        };
        let rest = std::iter::repeat_with(Given::unknown);
        let given: Vec<Given> = given.into_iter().chain(rest).take(wanted.len()).collect();
        let mut parts = Vec::new();
        for (pattern, given) in wanted.iter().zip(&given) {
            parts.push(self.fit_argument(pattern, given, parameters, frame));
        }
        all_fit(parts)
    }
}

/// A parameter of the specialisation takes what is given, or holds it already.
fn bind(name: &str, given: &Given, frame: &mut Frame) -> Option<bool> {
    match (frame.get(name), &given.meaning) {
        (None, _) => {
            frame.set(name, given.meaning.clone());
            frame.set_head(name, given.head.clone());
            Some(true)
        }
        (Some(Meaning::Number(one, _)), Meaning::Number(other, _)) => Some(one == other),
        (Some(Meaning::Type(one)), Meaning::Type(other)) => {
            is_same(one, frame.head(name).map(String::as_str), other, given.head.as_deref())
        }
        _ => None,
    }
}

fn is_dependent(path: &Path, parameters: &[TemplateParameter]) -> bool {
    let is_parameter = |name: &str| parameters.iter().any(|one| one.name == name);
    path.pieces.iter().any(|piece| {
        let arguments = piece.arguments.as_deref().unwrap_or_default();
        is_parameter(&piece.name) || arguments.iter().any(|one| mentions(one, parameters))
    })
}

fn mentions(argument: &TemplateArgument, parameters: &[TemplateParameter]) -> bool {
    if let Some(name) = argument_name(argument)
        && parameters.iter().any(|one| one.name == name)
    {
        return true;
    }
    match argument {
        TemplateArgument::Type(ty) => type_mentions(ty, parameters),
        TemplateArgument::Value(expr) => match &expr.kind {
            derate_syntax::ast::ExprKind::Name(path) => is_dependent(path, parameters),
            _ => false,
        },
    }
}

fn type_mentions(ty: &Type, parameters: &[TemplateParameter]) -> bool {
    match ty {
        Type::Name(path) => is_dependent(path, parameters),
        Type::Pointer(inner) | Type::Reference(inner) | Type::Array(inner, _) => {
            type_mentions(inner, parameters)
        }
        _ => false,
    }
}

/// The widths that `bool`, `char`, `short`, `int` and `long` have, too.
const fn is_plain_width(bits: u16) -> bool {
    matches!(bits, 1 | 8 | 16 | 32 | 64)
}

/// Whether two types are one. `int` and `ap_int<32>` are two, which only their spelling shows.
pub(super) fn is_same(
    one: &Ty,
    head: Option<&str>,
    other: &Ty,
    other_head: Option<&str>,
) -> Option<bool> {
    match (one, other) {
        (Ty::Unknown(_), _) | (_, Ty::Unknown(_)) => None,
        (Ty::Scalar(left), Ty::Scalar(right)) => {
            if left != right {
                return Some(false);
            }
            let is_certain = match left {
                Scalar::Int { bits, .. } => !is_plain_width(*bits),
                Scalar::Fixed { .. } => false,
                _ => true,
            };
            match (head, other_head) {
                (Some(head), Some(other)) => Some(head == other),
                _ => is_certain.then_some(true),
            }
        }
        _ => Some(type_key(one) == type_key(other)),
    }
}
