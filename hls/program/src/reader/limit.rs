//! `std::numeric_limits`.

use super::Reader;
use super::meaning::Ty;
use super::slot::constant;
use crate::ir::{Expr, Number, Scalar};
use derate_syntax::ast::{Path, Piece, TemplateArgument, Type};

impl Reader {
    /// The limit `name` of the type that `numeric_limits` is given.
    pub(super) fn limit(&mut self, owner: &Piece, name: &str) -> Option<Expr> {
        let ty = match owner.arguments.as_deref()?.first()? {
            TemplateArgument::Type(ty) => ty.clone(),
            TemplateArgument::Value(expr) => match &expr.kind {
                derate_syntax::ast::ExprKind::Name(path) => {
                    Type::Name(Path { pieces: path.pieces.clone() })
                }
                _ => return None,
            },
        };
        let Ty::Scalar(ty) = self.settle_type(&ty) else { return None };
        Some(constant(limit_of(ty, name)?, ty))
    }
}

fn limit_of(ty: Scalar, name: &str) -> Option<Number> {
    match ty {
        Scalar::Int { bits, signed } => {
            let bits = u32::from(bits).checked_sub(u32::from(signed)).filter(|bits| *bits < 126)?;
            let most = (1_i128 << bits) - 1;
            match name {
                "max" => Some(Number::Int(most)),
                "min" | "lowest" => Some(Number::Int(if signed { -most - 1 } else { 0 })),
                _ => None,
            }
        }
        Scalar::Float | Scalar::Double => {
            let (most, least, step) = if ty == Scalar::Float {
                (f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE), f64::from(f32::EPSILON))
            } else {
                (f64::MAX, f64::MIN_POSITIVE, f64::EPSILON)
            };
            Some(Number::Real(match name {
                "max" => most,
                "lowest" => -most,
                "min" => least,
                "epsilon" => step,
                "infinity" => f64::INFINITY,
                _ => return None,
            }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_type() {
        let byte = Scalar::Int { bits: 8, signed: true };
        assert_eq!(limit_of(byte, "max"), Some(Number::Int(127)));
        assert_eq!(limit_of(byte, "min"), Some(Number::Int(-128)));
        assert_eq!(limit_of(Scalar::Double, "lowest"), Some(Number::Real(-f64::MAX)));
    }
}
