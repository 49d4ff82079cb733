//! Expressions: places, values, and the types of C++.

use super::Reader;
use super::constant::{fold_binary, fold_unary};
use super::meaning::LValue;
use super::meaning::Meaning;
use super::meaning::Ty;
use super::slot::constant;
use super::types::path_name;
use crate::ir::{Access, Binary, Expr, Number, ObjectKind, Place, Scalar, Stmt, Unary};
use derate_syntax::ast::{self, BinaryOp, ExprKind, UnaryOp};

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
        if let Some(member) = lvalue.member(name) {
            return Operand::Place(member);
        }
        if let Ty::Struct(structure) = structure {
            if let Some(Meaning::Number(value, ty)) = structure.frame.get(name) {
                return Operand::Value(Expr::Constant(*value, *ty));
            }
            match self.global(&format!("{}::{name}", structure.name)) {
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

    fn named(&mut self, path: &ast::Path, place: Place) -> Operand {
        let full = path_name(path);
        let Some(last) = path.pieces.last() else { return Operand::Nothing };
        let meaning = if path.pieces.len() == 1 { self.meaning(&full) } else { None };
        let mut meaning = meaning.or_else(|| self.global(&full));
        if meaning.is_none() && path.pieces.len() > 1 {
            let owner = ast::Path { pieces: path.pieces[..path.pieces.len() - 1].to_vec() };
            let owner = self.settle_type(&ast::Type::Name(owner));
            if let Some(value) = type_constant(&owner, &last.name) {
                return Operand::Value(value);
            }
            if let Ty::Struct(structure) = owner {
                let frame = structure.frame.clone();
                let name = format!("{}::{}", structure.name, last.name);
                meaning = self.within(frame, |reader| reader.global(&name));
            }
        }
        match meaning {
            Some(Meaning::Number(value, ty)) => Operand::Value(Expr::Constant(value, ty)),
            Some(Meaning::Place(lvalue)) => Operand::Place(lvalue),
            Some(Meaning::Type(_)) | None => {
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

    fn unary(&mut self, op: UnaryOp, inner: &ast::Expr, place: Place) -> Operand {
        let operand = self.operand(inner);
        match op {
            UnaryOp::Dereference => match operand {
                Operand::Place(lvalue) => match lvalue.ty {
                    Ty::Pointer(_) | Ty::Array(..) => {
                        Operand::Place(lvalue.at(constant(Number::Int(0), Scalar::INT), place))
                    }
                    _ => Operand::Place(lvalue),
                },
                other => other,
            },
            // The address of an object is the object, as it is always passed on.
            UnaryOp::AddressOf => match operand {
                Operand::Place(mut lvalue) if !lvalue.index.is_empty() => {
                    lvalue.ty = Ty::Pointer(std::rc::Rc::new(lvalue.ty.clone()));
                    lvalue.offset = lvalue.index.pop();
                    Operand::Place(lvalue)
                }
                other => other,
            },
            UnaryOp::Plus => operand,
            UnaryOp::Not => {
                let value = self.value_of(operand, place);
                let value = Self::truth(value, place);
                Operand::Value(unary(Unary::Not, value, Scalar::BOOL, place))
            }
            UnaryOp::Negate | UnaryOp::Invert => {
                let value = self.value_of(operand, place);
                let ty = promoted(value.ty());
                let ir = if op == UnaryOp::Negate { Unary::Negate } else { Unary::Invert };
                Operand::Value(unary(ir, cast(value, ty, place), ty, place))
            }
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        place: Place,
    ) -> Operand {
        let (left, right) = (self.operand(left), self.operand(right));
        // A pointer that is moved on.
        if let (Operand::Place(base), BinaryOp::Add | BinaryOp::Sub) = (&left, op)
            && matches!(base.ty, Ty::Pointer(_) | Ty::Array(..))
        {
            let by = self.value_of(right, place);
            return Operand::Place(Self::moved(base.clone(), by, op == BinaryOp::Sub, place));
        }
        if let Some(found) = self.overloaded(op, &left, &right, place) {
            return found;
        }
        let (left, right) = (self.value_of(left, place), self.value_of(right, place));
        Operand::Value(Self::apply(op, left, right, place))
    }

    fn moved(mut base: LValue, by: Expr, back: bool, place: Place) -> LValue {
        let by = if back { unary(Unary::Negate, by, Scalar::INT, place) } else { by };
        base.offset = Some(match base.offset.take() {
            Some(offset) => binary(Binary::Add, offset, by, Scalar::INT, place),
            None => by,
        });
        if let Ty::Array(item, _) = &base.ty {
            base.ty = Ty::Pointer(item.clone());
        }
        base
    }

    /// A binary operator over two values.
    pub(crate) fn apply(op: BinaryOp, left: Expr, right: Expr, place: Place) -> Expr {
        let comparison = |ir, left: Expr, right: Expr| {
            let ty = common(left.ty(), right.ty());
            binary(ir, cast(left, ty, place), cast(right, ty, place), Scalar::BOOL, place)
        };
        match op {
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                let (left, right) = (Self::truth(left, place), Self::truth(right, place));
                let ir = if op == BinaryOp::LogicalAnd { Binary::And } else { Binary::Or };
                binary(ir, left, right, Scalar::BOOL, place)
            }
            BinaryOp::Equal => comparison(Binary::Equal, left, right),
            BinaryOp::NotEqual => comparison(Binary::NotEqual, left, right),
            BinaryOp::Less => comparison(Binary::Less, left, right),
            BinaryOp::LessEqual => comparison(Binary::LessEqual, left, right),
            BinaryOp::Greater => comparison(Binary::Less, right, left),
            BinaryOp::GreaterEqual => comparison(Binary::LessEqual, right, left),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let ty = promoted(left.ty());
                let ir =
                    if op == BinaryOp::ShiftLeft { Binary::ShiftLeft } else { Binary::ShiftRight };
                binary(ir, cast(left, ty, place), right, ty, place)
            }
            _ => {
                let ir = match op {
                    BinaryOp::Add => Binary::Add,
                    BinaryOp::Sub => Binary::Sub,
                    BinaryOp::Mul => Binary::Mul,
                    BinaryOp::Div => Binary::Div,
                    BinaryOp::Rem => Binary::Rem,
                    BinaryOp::And => Binary::And,
                    BinaryOp::Or => Binary::Or,
                    _ => Binary::Xor,
                };
                let ty = arithmetic(ir, left.ty(), right.ty());
                if matches!(ty, Scalar::Fixed { .. }) {
                    return binary(ir, left, right, ty, place);
                }
                binary(ir, cast(left, ty, place), cast(right, ty, place), ty, place)
            }
        }
    }

    fn assign(
        &mut self,
        op: Option<BinaryOp>,
        target: &ast::Expr,
        value: &ast::Expr,
        place: Place,
    ) -> Operand {
        let target = self.target(target);
        let operand = self.operand(value);
        let Some(op) = op else { return self.store(target, operand, place) };
        let left = self.value_of(target.clone(), place);
        let ty = left.ty();
        let right = self.value_of(operand, place);
        let value = Self::apply(op, left, right, place);
        self.store(target, Operand::Value(cast(value, ty, place)), place)
    }

    /// A place to write to. A bit or a range of a number is the number as a whole.
    fn target(&mut self, expr: &ast::Expr) -> Operand {
        match &expr.kind {
            ExprKind::Index(base, index) => {
                let base = self.operand(base);
                if let Operand::Place(lvalue) = &base
                    && matches!(lvalue.ty, Ty::Scalar(_))
                {
                    self.value(index);
                    return base;
                }
                let index = self.value(index);
                self.subscript(base, index, expr.place)
            }
            ExprKind::Call(callee, _) => match &callee.kind {
                ExprKind::Member { object, member, .. }
                    if matches!(member.name.as_str(), "range" | "bit") =>
                {
                    self.operand(object)
                }
                ExprKind::Name(_) => {
                    let object = self.quietly(|reader| reader.operand(callee));
                    match object {
                        Operand::Place(lvalue) if matches!(lvalue.ty, Ty::Scalar(_)) => {
                            Operand::Place(lvalue)
                        }
                        _ => self.operand(expr),
                    }
                }
                ExprKind::Index(..) => self.operand(callee),
                _ => self.operand(expr),
            },
            _ => self.operand(expr),
        }
    }

    pub(crate) fn store(&mut self, target: Operand, value: Operand, place: Place) -> Operand {
        let Operand::Place(lvalue) = target else {
            return Operand::Nothing;
        };
        if matches!(lvalue.ty, Ty::Pointer(_))
            && let Operand::Place(from) = &value
            && matches!(from.ty, Ty::Pointer(_) | Ty::Array(..))
        {
            self.unknown(place, "a pointer is changed while the kernel runs");
            return Operand::Place(lvalue);
        }
        if let Operand::List(items) = &value {
            self.store_list(&lvalue, items, place);
            return Operand::Place(lvalue);
        }
        let targets = lvalue.accesses(place);
        if let (Operand::Place(from), true) = (&value, targets.len() > 1 || is_vector(&lvalue.ty)) {
            self.copy(&lvalue, from, place);
            return Operand::Place(lvalue);
        }
        let value = self.value_of(value, place);
        let lanes = Self::lane_count(&lvalue);
        for target in targets {
            let object = self.object(target.object);
            let (ty, kind) = (object.ty, object.kind);
            let value = cast(value.clone(), ty, place);
            for lane in 0..lanes {
                let mut target = target.clone();
                if is_vector(&lvalue.ty) {
                    target.index.push(constant(Number::Int(i128::from(lane)), Scalar::INT));
                }
                self.out.push(match kind {
                    ObjectKind::Stream => Stmt::Push(target, value.clone()),
                    _ => Stmt::Set(target, value.clone()),
                });
            }
        }
        Operand::Place(lvalue)
    }

    fn lane_count(lvalue: &LValue) -> u64 {
        match &lvalue.ty {
            Ty::Vector(_, lanes) => (*lanes).min(1024),
            _ => 1,
        }
    }

    /// Copies each number of a struct or a vector.
    pub(crate) fn copy(&mut self, to: &LValue, from: &LValue, place: Place) {
        for (target, source) in to.accesses(place).into_iter().zip(from.accesses(place)) {
            let (to_object, from_object) = (self.object(target.object), self.object(source.object));
            let (ty, kind, source_ty) = (to_object.ty, to_object.kind, from_object.ty);
            let source_kind = from_object.kind;
            let extra = to_object.dims.len().saturating_sub(target.index.len());
            let dims: Vec<u64> =
                to_object.dims[to_object.dims.len().saturating_sub(extra)..].to_vec();
            let count = dims.iter().product::<u64>().max(1);
            if count > 4096 {
                self.unknown(place, "a struct with a large array is copied");
                continue;
            }
            for at in 0..count {
                let (mut target, mut source) = (target.clone(), source.clone());
                let mut rest = at;
                let mut index = Vec::new();
                for length in dims.iter().rev() {
                    index.push(constant(
                        Number::Int(i128::from(rest % length.max(&1))),
                        Scalar::INT,
                    ));
                    rest /= length.max(&1);
                }
                index.reverse();
                target.index.extend(index.clone());
                source.index.extend(index);
                let value = match source_kind {
                    ObjectKind::Stream => Expr::Pop(Box::new(source), source_ty),
                    _ => Expr::Read(Box::new(source), source_ty),
                };
                let value = cast(value, ty, place);
                self.out.push(match kind {
                    ObjectKind::Stream => Stmt::Push(target, value),
                    _ => Stmt::Set(target, value),
                });
            }
        }
    }

    fn store_list(&mut self, lvalue: &LValue, items: &[ast::Expr], place: Place) {
        let length = match &lvalue.ty {
            Ty::Array(_, length) | Ty::Vector(_, length) => *length,
            Ty::Struct(structure) => {
                let fields: Vec<String> =
                    structure.fields.iter().map(|field| field.0.clone()).collect();
                for (field, item) in fields.iter().zip(items) {
                    if let Some(member) = lvalue.clone().member(field) {
                        let value = self.operand(item);
                        self.store(Operand::Place(member), value, place);
                    }
                }
                return;
            }
            _ => {
                if let Some(first) = items.first() {
                    let value = self.operand(first);
                    self.store(Operand::Place(lvalue.clone()), value, place);
                }
                return;
            }
        };
        if length > 4096 {
            return;
        }
        for at in 0..length {
            let index = constant(Number::Int(i128::from(at)), Scalar::INT);
            let element = lvalue.clone().at(index, place);
            let value = match items.get(usize::try_from(at).unwrap_or(usize::MAX)) {
                Some(item) => self.operand(item),
                None if matches!(element.ty, Ty::Scalar(_)) => {
                    Operand::Value(constant(Number::Int(0), Scalar::INT))
                }
                None => Operand::List(Vec::new()),
            };
            self.store(Operand::Place(element), value, place);
        }
    }

    fn step(&mut self, target: &ast::Expr, down: bool, after: bool, place: Place) -> Operand {
        let target = self.operand(target);
        if let Operand::Place(lvalue) = &target
            && matches!(lvalue.ty, Ty::Pointer(_))
        {
            self.unknown(place, "a pointer is changed while the kernel runs");
            return target;
        }
        let before = self.value_of(target.clone(), place);
        let ty = before.ty();
        let before = if after {
            let temporary = self.temporary(ty, place);
            let access = Access { object: temporary, index: Vec::new(), place };
            self.out.push(Stmt::Set(access.clone(), before));
            Expr::Read(Box::new(access), ty)
        } else {
            before
        };
        let op = if down { BinaryOp::Sub } else { BinaryOp::Add };
        let value = Self::apply(op, before.clone(), constant(Number::Int(1), Scalar::INT), place);
        let stored = self.store(target, Operand::Value(cast(value, ty, place)), place);
        if after { Operand::Value(before) } else { stored }
    }

    /// The value as a truth value.
    pub(crate) fn truth(value: Expr, place: Place) -> Expr {
        let ty = value.ty();
        if ty == Scalar::BOOL {
            return value;
        }
        let zero = constant(Number::Int(0), ty);
        binary(Binary::NotEqual, value, zero, Scalar::BOOL, place)
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

fn is_vector(ty: &Ty) -> bool {
    matches!(ty, Ty::Vector(..))
}

fn size(ty: &Ty) -> Expr {
    let ty_of_size = Scalar::Int { bits: 64, signed: false };
    constant(Number::Int(i128::from(ty.bytes())), ty_of_size)
}

/// `width`, `iwidth` of a type of the vendor, and the limits of a type.
fn type_constant(ty: &Ty, name: &str) -> Option<Expr> {
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

/// One bit of a value.
fn bit(value: Expr, index: Expr, place: Place) -> Expr {
    let ty = value.ty();
    let shifted = binary(Binary::ShiftRight, value, index, ty, place);
    cast(shifted, Scalar::BOOL, place)
}

/// The type after integer promotion. Types of arbitrary precision keep their width.
pub(crate) fn promoted(ty: Scalar) -> Scalar {
    match ty {
        Scalar::Int { bits: 1 | 8 | 16, .. } => Scalar::INT,
        other => other,
    }
}

fn is_native(bits: u16) -> bool {
    matches!(bits, 1 | 8 | 16 | 32 | 64)
}

/// The type that both values are brought to.
pub(crate) fn common(left: Scalar, right: Scalar) -> Scalar {
    arithmetic(Binary::And, left, right)
}

/// The type of an operator's result.
pub(crate) fn arithmetic(op: Binary, left: Scalar, right: Scalar) -> Scalar {
    use Scalar::{Double, Fixed, Float, Half, Int};
    match (left, right) {
        (Double, _) | (_, Double) => Double,
        (Float, _) | (_, Float) => Float,
        (Half, _) | (_, Half) => Half,
        (Int { bits: a, signed: s }, Int { bits: b, signed: t }) => {
            if is_native(a) && is_native(b) {
                let (left, right) = (promoted(left), promoted(right));
                let bits = left.bits().max(right.bits());
                let unsigned = [left, right].iter().any(|ty| ty.bits() == bits && !ty.is_signed());
                return Int { bits, signed: !unsigned };
            }
            let signed = s || t;
            let wide = |bits: u16, own: bool| bits + u16::from(signed && !own);
            let (a, b) = (wide(a, s), wide(b, t));
            let bits = match op {
                Binary::Add | Binary::Sub => a.max(b).saturating_add(1),
                Binary::Mul => a.saturating_add(b),
                Binary::Div => a.saturating_add(u16::from(t)),
                Binary::Rem => a.min(b),
                _ => a.max(b),
            };
            let signed = signed || op == Binary::Sub;
            Int { bits, signed }
        }
        (left, right) => {
            let parts = |ty: Scalar| match ty {
                Fixed { bits, integer, signed } => {
                    (i32::from(integer), i32::from(bits) - i32::from(integer), signed)
                }
                other => (i32::from(other.bits()), 0, other.is_signed()),
            };
            let ((ia, fa, sa), (ib, fb, sb)) = (parts(left), parts(right));
            let signed = sa || sb;
            let (integer, fraction) = match op {
                Binary::Mul => (ia + ib, fa + fb),
                Binary::Div => (ia + fb + i32::from(sb), fa + ib.max(0)),
                Binary::Add | Binary::Sub => (ia.max(ib) + 1, fa.max(fb)),
                _ => (ia.max(ib), fa.max(fb)),
            };
            let bits = u16::try_from((integer + fraction).clamp(1, 4096)).unwrap_or(1);
            let integer = i16::try_from(integer).unwrap_or(i16::MAX);
            Fixed { bits, integer, signed }
        }
    }
}

/// The value in another type; a constant is converted at once.
pub(crate) fn cast(value: Expr, ty: Scalar, place: Place) -> Expr {
    if value.ty() == ty {
        return value;
    }
    match value {
        Expr::Constant(number, Scalar::Int { .. })
        | Expr::Constant(number @ Number::Real(_), _) => constant(number, ty),
        Expr::Unknown(_) => Expr::Unknown(ty),
        value => Expr::Cast(Box::new(value), ty, place),
    }
}

pub(crate) fn unary(op: Unary, value: Expr, ty: Scalar, place: Place) -> Expr {
    if let Expr::Constant(number, _) = value
        && let Some(folded) = fold_unary(op, number, ty)
    {
        return Expr::Constant(folded, ty);
    }
    Expr::Unary(op, Box::new(value), ty, place)
}

pub(crate) fn binary(op: Binary, left: Expr, right: Expr, ty: Scalar, place: Place) -> Expr {
    if let (Expr::Constant(a, _), Expr::Constant(b, _)) = (&left, &right)
        && let Some(folded) = fold_binary(op, *a, *b, ty)
    {
        return Expr::Constant(folded, ty);
    }
    Expr::Binary(op, Box::new(left), Box::new(right), ty, place)
}
