//! Templates of `<type_traits>`.

use super::Reader;
use super::meaning::Ty;
use super::pattern::is_same;
use derate_syntax::ast::{Expr, Path, Piece, TemplateArgument, Type};

impl Reader {
    /// `std::enable_if<C, T>::type` and its like; `None` where a name is no such type.
    pub(super) fn trait_type(&mut self, path: &Path) -> Option<Ty> {
        let (piece, name) = match path.pieces.as_slice() {
            [.., piece, last] if last.name == "type" => (piece, piece.name.as_str()),
            [.., last] => (last, last.name.strip_suffix("_t")?),
            [] => return None,
        };
        let arguments = piece.arguments.as_deref()?;
        let unknown = || Ty::Unknown(format!("std::{name}"));
        match (name, arguments) {
            ("enable_if", [condition, rest @ ..]) => Some(match self.holds(condition) {
                Some(false) => unknown(),
                _ => rest.first().map_or(Ty::Void, |ty| self.argument_type(ty)),
            }),
            ("conditional", [condition, yes, no]) => Some(match self.holds(condition) {
                Some(true) => self.argument_type(yes),
                Some(false) => self.argument_type(no),
                None => unknown(),
            }),
            (
                "remove_reference" | "remove_const" | "remove_cv" | "remove_cvref" | "decay",
                [ty],
            ) => Some(self.argument_type(ty)),
            _ => None,
        }
    }

    /// `std::is_same<A, B>::value`; `None` where a name is no such value.
    pub(super) fn trait_value(&mut self, path: &Path) -> Option<bool> {
        let piece = match path.pieces.as_slice() {
            [.., piece, last] if last.name == "value" && piece.name == "is_same" => piece,
            [.., last] if last.name == "is_same_v" => last,
            _ => return None,
        };
        let Piece { arguments: Some(arguments), .. } = piece else { return None };
        let [one, other] = arguments.as_slice() else { return None };
        let heads = (self.argument_head(one), self.argument_head(other));
        let (one, other) = (self.argument_type(one), self.argument_type(other));
        is_same(&one, heads.0.as_deref(), &other, heads.1.as_deref())
    }

    fn holds(&mut self, condition: &TemplateArgument) -> Option<bool> {
        match condition {
            TemplateArgument::Value(expr) => self.constant(expr).map(|value| value != 0),
            TemplateArgument::Type(_) => None,
        }
    }
}

/// The condition under which there is a function with this result.
pub(super) fn enabled_by(result: &Type) -> Option<&Expr> {
    let Type::Name(path) = result else { return None };
    let is_it = |piece: &&Piece| matches!(piece.name.as_str(), "enable_if" | "enable_if_t");
    match path.pieces.iter().find(is_it)?.arguments.as_deref()?.first()? {
        TemplateArgument::Value(condition) => Some(condition),
        TemplateArgument::Type(_) => None,
    }
}
