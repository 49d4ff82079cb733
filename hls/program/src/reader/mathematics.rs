//! Functions of mathematics: what they compute in.

use super::Reader;
use super::arithmetic::{cast, common};
use super::expression::Operand;
use super::slot::constant;
use crate::ir::{Expr, Number, Place, Scalar};
use derate_syntax::ast::{self, Item, Type, Unit};

/// A function of one or two floating-point numbers, by its name without prefix and suffix.
const MATHEMATICS: [&str; 34] = [
    "sqrt", "exp", "log", "sin", "cos", "tan", "atan", "atan2", "asin", "acos", "sinh", "cosh",
    "tanh", "pow", "exp2", "expm1", "log2", "log10", "log1p", "rsqrt", "recip", "floor", "ceil",
    "round", "trunc", "rint", "fmod", "cbrt", "hypot", "erf", "fma", "ldexp", "sincos", "asinh",
];

/// Functions of which the compiler knows that those of `float` have the same result for a `float`: it takes these.
const NARROWED: [&str; 6] = ["sqrt", "floor", "ceil", "round", "trunc", "rint"];

/// Where the functions of mathematics are from.
#[derive(Clone, Debug, Default)]
pub(super) struct MathematicsHeader {
    /// Without a prefix they are those of C, which compute in `double`: C++ has the others in `std`. `<math.h>` brings both, and
    /// `using namespace std` finds them.
    is_plain_c: bool,
    /// Those of `std` that a `using` brings, wherever in the unit it is written.
    brought: Vec<String>,
    /// Files that are C.
    of_c: Vec<bool>,
}

impl MathematicsHeader {
    pub(super) fn of_unit(unit: &Unit) -> Self {
        let has = |name: &str| {
            unit.library_headers.iter().any(|one| one == name)
                || unit.missing.iter().any(|one| one.path == name)
        };
        let opens_std = |item: &Item| matches!(item, Item::UsingNamespace(name) if name == "std");
        let included = unit.library_headers.iter().chain(unit.missing.iter().map(|one| &one.path));
        let brings = included.chain(&unit.files).any(|path| brings_others(path));
        // What another file includes is not known.
        let is_whole = unit.missing.iter().all(|one| derate_frontend::is_vendor(&one.path, true));
        Self {
            is_plain_c: is_whole && has("cmath") && !brings && !unit.items.iter().any(opens_std),
            brought: unit.items.iter().filter_map(name_brought).collect(),
            of_c: unit.files.iter().map(|path| is_c(path)).collect(),
        }
    }

    /// Whether a function that is called without a prefix and a suffix computes in `double`, whatever it gets.
    fn is_double(&self, name: &str, place: Place) -> bool {
        let in_c = self.of_c.get(usize::from(place.file)).is_some_and(|is| *is);
        let is_brought = self.brought.iter().any(|one| one == name);
        (self.is_plain_c && !is_brought || in_c) && !NARROWED.contains(&name)
    }
}

/// Whether a header may bring the functions of `std`, by its name. A report for `<cmath>` with `<ap_int.h>` has the operators in
/// `double` of `<cmath>` alone; of the vendor's other headers none is known.
fn brings_others(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let is_vendors = name.starts_with("hls_") || name.starts_with("ap_");
    is_vendors && name != "ap_int.h" || ["math.h", "tgmath.h", "ctgmath"].contains(&name)
}

/// The function of `std` that `using std::exp` brings.
fn name_brought(item: &Item) -> Option<String> {
    let names: Vec<&str> = match item {
        Item::UsingName(name) => name.split("::").collect(),
        Item::Alias(alias) => match &alias.target {
            Type::Name(path) => path.pieces.iter().map(|piece| piece.name.as_str()).collect(),
            _ => return None,
        },
        _ => return None,
    };
    match names.as_slice() {
        ["std", name] | ["", "std", name] => Some((*name).to_owned()),
        _ => None,
    }
}

/// Whether a file is C, by its name.
fn is_c(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|end| end == "c")
}

impl Reader {
    /// A call of a function of mathematics; `name` is without `std::` and the like.
    ///
    /// Reports for sources with `<cmath>` alone have 104 DSP for `sin(phase)` of a `float` and 68 for `log`, those with
    /// `std::sin` and `logf` have 28 and 9.
    pub(super) fn mathematics_call(
        &mut self,
        name: &str,
        is_qualified: bool,
        arguments: &[ast::Expr],
        place: Place,
    ) -> Option<Operand> {
        let (base, single) = match name.strip_suffix('f') {
            Some(base) if MATHEMATICS.contains(&base) => (base, true),
            _ => (name.strip_prefix("half_").unwrap_or(name), false),
        };
        let function = MATHEMATICS.iter().find(|function| **function == base)?;
        let values: Vec<Expr> = arguments.iter().map(|argument| self.value(argument)).collect();
        let given = values.iter().map(Expr::ty).reduce(common)?;
        let ty = match given {
            _ if single => Scalar::Float,
            Scalar::Int { .. } => Scalar::Double,
            Scalar::Float if !is_qualified && self.mathematics.is_double(base, place) => {
                Scalar::Double
            }
            other => other,
        };
        if let Some(value) = fold(base, &values) {
            return Some(Operand::Value(constant(Number::Real(value), ty)));
        }
        let values = values.into_iter().map(|value| cast(value, ty, place)).collect();
        Some(Operand::Value(Expr::Math(function, values, ty, place)))
    }
}

fn fold(name: &str, values: &[Expr]) -> Option<f64> {
    let [Expr::Constant(value, _)] = values else { return None };
    fold_math(name, value.real())
}

/// The value of a function of mathematics over a constant.
pub fn fold_math(name: &str, value: f64) -> Option<f64> {
    Some(match name {
        "sqrt" => value.sqrt(),
        "exp" => value.exp(),
        "log" => value.ln(),
        "sin" => value.sin(),
        "cos" => value.cos(),
        "tan" => value.tan(),
        "log2" => value.log2(),
        "log10" => value.log10(),
        "floor" => value.floor(),
        "ceil" => value.ceil(),
        "round" => value.round(),
        _ => return None,
    })
}
