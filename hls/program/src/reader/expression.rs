//! Expressions: places, values, and the types of C++.

use super::Reader;
use super::arithmetic::{bit, cast, common};
use super::meaning::LValue;
use super::meaning::Meaning;
use super::meaning::StructTy;
use super::meaning::Ty;
use super::slot::constant;
use super::types::path_name;
use crate::ir::{Expr, Number, ObjectKind, Place, Scalar};
use derate_syntax::ast::{self, ExprKind};
use std::rc::Rc;

/// Nested deeper than this, an expression is not read.
const DEPTH: usize = 400;

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Value(Expr),
    Place(LValue),
    List(Vec<ast::Expr>),
    Text,
    Nothing,
}

impl Operand {
    pub(crate) fn ty(&self) -> Ty {
        match self {
            Self::Value(value) => Ty::Scalar(value.ty()),
            Self::Place(place) => place.ty.clone(),
            Self::List(_) | Self::Text => Ty::Unknown("a list".to_owned()),
            Self::Nothing => Ty::Void,
        }
    }
}

impl Reader {
    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: &ast::Expr) -> Expr {
        let operand = self.operand(expr);
        self.value_of(operand, expr.place)
    }

    pub(crate) fn value_of(&mut self, operand: Operand, place: Place) -> Expr {
        match operand {
            Operand::Value(value) => value,
            Operand::Place(lvalue) => self.read(&lvalue, place),
            Operand::List(_) | Operand::Text | Operand::Nothing => Expr::Unknown(Scalar::INT),
        }
    }

    /// Reads a scalar from its place.
    pub(crate) fn read(&mut self, lvalue: &LValue, place: Place) -> Expr {
        let lvalue = match (&lvalue.ty, &lvalue.offset) {
            (Ty::Pointer(_) | Ty::Array(..), _) => {
                lvalue.clone().at(constant(Number::Int(0), Scalar::INT), place)
            }
            _ => lvalue.clone(),
        };
        let Some(access) = lvalue.access(place) else {
            if let Some(first) = lvalue.accesses(place).into_iter().next() {
                let ty = self.object(first.object).ty;
                return Expr::Read(Box::new(first), ty);
            }
            return Expr::Unknown(Scalar::INT);
        };
        let object = self.object(access.object);
        let ty = object.ty;
        if object.kind == ObjectKind::Stream {
            return Expr::Pop(Box::new(access), ty);
        }
        if let Some(table) = &object.table
            && access.index.len() == object.dims.len()
        {
            let mut at = 0_u64;
            for (index, length) in access.index.iter().zip(&object.dims) {
                match index.constant().and_then(|index| u64::try_from(index).ok()) {
                    Some(index) if index < *length => at = at * length + index,
                    _ => return Expr::Read(Box::new(access), ty),
                }
            }
            if let Some(value) = usize::try_from(at).ok().and_then(|at| table.get(at)) {
                return constant(*value, ty);
            }
        }
        Expr::Read(Box::new(access), ty)
    }

    pub(crate) fn operand(&mut self, expr: &ast::Expr) -> Operand {
        if self.depth > DEPTH {
            self.unknown(expr.place, "the expression is nested too deeply");
            return Operand::Value(Expr::Unknown(Scalar::INT));
        }
        self.depth += 1;
        let operand = self.operand_here(expr);
        self.depth -= 1;
        operand
    }

    fn operand_here(&mut self, expr: &ast::Expr) -> Operand {
        let place = expr.place;
        match &expr.kind {
            ExprKind::Integer { value, unsigned, bits } => {
                let ty = Scalar::Int { bits: u16::from(*bits), signed: !unsigned };
                Operand::Value(Expr::Constant(Number::Int(*value), ty))
            }
            ExprKind::Boolean(value) => {
                Operand::Value(constant(Number::Int(i128::from(*value)), Scalar::BOOL))
            }
            ExprKind::Float { value, single } => {
                let ty = if *single { Scalar::Float } else { Scalar::Double };
                Operand::Value(Expr::Constant(Number::Real(*value), ty))
            }
            ExprKind::Text(_) => Operand::Text,
            ExprKind::Name(path) => self.named(path, place),
            ExprKind::This => match self.this.clone() {
                Some(this) => Operand::Place(this),
                None => Operand::Nothing,
            },
            ExprKind::Unary(op, inner) => self.unary(*op, inner, place),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, place),
            ExprKind::Assign(op, target, value) => self.assign(*op, target, value, place),
            ExprKind::Step { target, down, after } => self.step(target, *down, *after, place),
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.value(condition);
                let condition = Self::truth(condition, place);
                if let Expr::Constant(value, _) = condition {
                    return self.operand(if value.is_zero() { no } else { yes });
                }
                let (yes, no) = (self.value(yes), self.value(no));
                let ty = common(yes.ty(), no.ty());
                let (yes, no) = (cast(yes, ty, place), cast(no, ty, place));
                let select =
                    Expr::Select(Box::new(condition), Box::new(yes), Box::new(no), ty, place);
                Operand::Value(select)
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, place),
            ExprKind::Index(base, index) => {
                let base = self.operand(base);
                let index = self.value(index);
                self.subscript(base, index, place)
            }
            ExprKind::Member { object, member, .. } => {
                let object = self.operand(object);
                if let Operand::Place(lvalue) = object {
                    self.member(lvalue, &member.name, place)
                } else {
                    self.unknown(place, format!("the member `{}` is of no object", member.name));
                    Operand::Value(Expr::Unknown(Scalar::INT))
                }
            }
            ExprKind::Cast(ty, inner) => {
                let ty = self.settle_type(ty);
                let operand = self.operand(inner);
                self.cast_operand(operand, &ty, place)
            }
            ExprKind::Construct(ty, arguments) => {
                let ty = self.settle_type(ty);
                self.construct(&ty, arguments, place)
            }
            ExprKind::List(items) => Operand::List(items.clone()),
            ExprKind::SizeOfType(ty) => {
                let ty = self.settle_type(ty);
                Operand::Value(size(&ty))
            }
            ExprKind::SizeOf(inner) => {
                let ty = self.quietly(|reader| reader.operand(inner).ty());
                Operand::Value(size(&ty))
            }
            ExprKind::Comma(items) => {
                let mut last = Operand::Nothing;
                for item in items {
                    last = self.operand(item);
                }
                last
            }
            ExprKind::Unknown(reason) => {
                self.unknown(place, reason.clone());
                Operand::Value(Expr::Unknown(Scalar::INT))
            }
        }
    }

    pub(crate) fn member(&mut self, lvalue: LValue, name: &str, place: Place) -> Operand {
        let lvalue = match &lvalue.ty {
            Ty::Pointer(_) => lvalue.at(constant(Number::Int(0), Scalar::INT), place),
            _ => lvalue,
        };
        let structure = lvalue.ty.clone();
        if let Some(value) = type_constant(&structure, name) {
            return Operand::Value(value);
        }
        if let Some(member) = lvalue.member(name) {
            return Operand::Place(member);
        }
        if let Ty::Struct(structure) = structure {
            match self.static_member(&structure, name) {
                Some(Meaning::Number(value, ty)) => {
                    return Operand::Value(Expr::Constant(value, ty));
                }
                Some(Meaning::Place(member)) => return Operand::Place(member),
                _ => {}
            }
        }
        self.unknown(place, format!("the member `{name}` is not known"));
        Operand::Value(Expr::Unknown(Scalar::INT))
    }

    /// A constant or a static variable of a struct or of its bases.
    fn static_member(&mut self, structure: &Rc<StructTy>, name: &str) -> Option<Meaning> {
        if let Some(meaning @ (Meaning::Number(..) | Meaning::Unknown)) = structure.frame.get(name)
        {
            return Some(meaning.clone());
        }
        let mut all = structure.lineage().into_iter();
        all.find_map(|one| {
            let full = format!("{}::{name}", one.name);
            if !self.names.has_variable(&full) {
                return None;
            }
            self.within(one.frame.clone(), |reader| reader.global(&full))
        })
    }

    fn named(&mut self, path: &ast::Path, place: Place) -> Operand {
        let full = path_name(path);
        let Some(last) = path.pieces.last() else { return Operand::Nothing };
        let mut meaning = if path.pieces.len() == 1 { self.meaning(&full) } else { None };
        if let Some(value) = self.trait_value(path) {
            return Operand::Value(constant(Number::Int(i128::from(value)), Scalar::BOOL));
        }
        if path.pieces.len() > 1 {
            let owner = ast::Path { pieces: path.pieces[..path.pieces.len() - 1].to_vec() };
            let has_arguments = owner.pieces.last().is_some_and(|one| one.arguments.is_some());
            let owner = self.settle_type(&ast::Type::Name(owner));
            if let Some(value) = type_constant(&owner, &last.name) {
                return Operand::Value(value);
            }
            meaning = match owner {
                Ty::Struct(structure) => {
                    self.static_member(&structure, &last.name).or(Some(Meaning::Unknown))
                }
                // A template whose arguments do not say which one it is.
                Ty::Unknown(_) if has_arguments => Some(Meaning::Unknown),
                _ => None,
            };
        }
        let meaning = meaning.or_else(|| self.global(&full));
        match meaning {
            Some(Meaning::Number(value, ty)) => Operand::Value(Expr::Constant(value, ty)),
            Some(Meaning::Place(lvalue)) => Operand::Place(lvalue),
            Some(Meaning::Type(_) | Meaning::Unknown) | None => {
                if !matches!(full.as_str(), "std::endl" | "endl" | "std::cout" | "cout" | "cerr") {
                    self.unknown(place, format!("the name `{full}` is not known"));
                }
                Operand::Value(Expr::Unknown(Scalar::INT))
            }
        }
    }

    pub(crate) fn subscript(&mut self, base: Operand, index: Expr, place: Place) -> Operand {
        match base {
            Operand::Place(lvalue) => match &lvalue.ty {
                Ty::Scalar(_) => {
                    let value = self.read(&lvalue, place);
                    Operand::Value(bit(value, index, place))
                }
                Ty::Struct(_) | Ty::Unknown(_) | Ty::Void => {
                    self.unknown(place, "a subscript of what is not an array");
                    Operand::Value(Expr::Unknown(Scalar::INT))
                }
                _ => Operand::Place(lvalue.at(index, place)),
            },
            Operand::Value(value) => Operand::Value(bit(value, index, place)),
            _ => Operand::Value(Expr::Unknown(Scalar::INT)),
        }
    }

    pub(crate) fn cast_operand(&mut self, operand: Operand, ty: &Ty, place: Place) -> Operand {
        match (ty, operand) {
            (Ty::Scalar(to), Operand::List(items)) => match items.first() {
                Some(first) => {
                    let value = self.value(first);
                    Operand::Value(cast(value, *to, place))
                }
                None => Operand::Value(constant(Number::Int(0), *to)),
            },
            (Ty::Scalar(to), Operand::Place(lvalue)) if !matches!(lvalue.ty, Ty::Pointer(_)) => {
                let value = self.read(&lvalue, place);
                Operand::Value(cast(value, *to, place))
            }
            (Ty::Scalar(to), Operand::Value(value)) => Operand::Value(cast(value, *to, place)),
            (_, operand) => operand,
        }
    }
}

fn size(ty: &Ty) -> Expr {
    let ty_of_size = Scalar::Int { bits: 64, signed: false };
    constant(Number::Int(i128::from(ty.bytes())), ty_of_size)
}

/// `width`, `iwidth` of a type of the vendor, the limits of a type, and the `size` of an array.
fn type_constant(ty: &Ty, name: &str) -> Option<Expr> {
    if let (Ty::Array(_, length) | Ty::Vector(_, length), "size") = (ty, name) {
        return Some(constant(Number::Int(i128::from(*length)), Scalar::INT));
    }
    let Ty::Scalar(scalar) = ty else { return None };
    let integer = match scalar {
        Scalar::Fixed { integer, .. } => i128::from(*integer),
        other => i128::from(other.bits()),
    };
    let value = match name {
        "width" => i128::from(scalar.bits()),
        "iwidth" => integer,
        "digits" => i128::from(scalar.bits()) - i128::from(scalar.is_signed()),
        _ => return None,
    };
    Some(constant(Number::Int(value), Scalar::INT))
}
