//! Where a variable lives: a tree of objects, one for each number, array or stream in its type.

use super::Reader;
use super::types::{StructTy, Ty};
use crate::ir::{Access, Expr, Number, Object, ObjectId, ObjectKind, Place, Scalar};
use std::rc::Rc;

/// The objects of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    Leaf(ObjectId),
    Struct(Rc<StructTy>, Vec<Slot>),
}

impl Slot {
    /// Its objects, from left to right.
    pub(crate) fn leaves(&self) -> Vec<ObjectId> {
        match self {
            Self::Leaf(id) => vec![*id],
            Self::Struct(_, members) => members.iter().flat_map(Self::leaves).collect(),
        }
    }
}

/// A variable or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct LValue {
    pub(crate) slot: Slot,
    pub(crate) index: Vec<Expr>,
    /// Elements that a pointer is moved by; added to the next subscript.
    pub(crate) offset: Option<Expr>,
    pub(crate) ty: Ty,
}

impl LValue {
    /// The part behind one more subscript.
    pub(crate) fn at(mut self, index: Expr, place: Place) -> Self {
        let index = match self.offset.take() {
            Some(offset) if index.constant() == Some(0) => offset,
            Some(offset) => Expr::Binary(
                crate::ir::Binary::Add,
                Box::new(offset),
                Box::new(index),
                Scalar::INT,
                place,
            ),
            None => index,
        };
        self.index.push(index);
        self.ty = match &self.ty {
            Ty::Array(item, _) | Ty::Pointer(item) | Ty::Vector(item, _) | Ty::Stream(item) => {
                (**item).clone()
            }
            other => other.clone(),
        };
        self
    }

    pub(crate) fn member(self, name: &str) -> Option<Self> {
        let Slot::Struct(structure, members) = self.slot else { return None };
        let at = structure.fields.iter().position(|field| field.0 == name)?;
        let slot = members.into_iter().nth(at)?;
        let mut ty = structure.fields[at].1.clone();
        if matches!(self.ty, Ty::Stream(_)) {
            ty = Ty::Stream(Rc::new(ty));
        }
        Some(Self { slot, index: self.index, offset: None, ty })
    }

    /// The accesses to each of its objects.
    pub(crate) fn accesses(&self, place: Place) -> Vec<Access> {
        let index = || {
            let mut index = self.index.clone();
            index.extend(self.offset.clone());
            index
        };
        let of = |object| Access { object, index: index(), place };
        self.slot.leaves().into_iter().map(of).collect()
    }

    pub(crate) fn access(&self, place: Place) -> Option<Access> {
        match &self.slot {
            Slot::Leaf(object) => {
                Some(Access { object: *object, index: self.index.clone(), place })
            }
            Slot::Struct(..) => None,
        }
    }
}

/// How the objects of a variable are made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) dims: Vec<u64>,
    pub(crate) lanes: usize,
    pub(crate) is_stream: bool,
    pub(crate) is_pointer: bool,
    pub(crate) is_static: bool,
}

impl Reader<'_> {
    /// Makes the objects of a variable.
    pub(crate) fn declare(&mut self, name: &str, ty: &Ty, mut shape: Shape, place: Place) -> Slot {
        match ty {
            Ty::Scalar(scalar) => Slot::Leaf(self.add_object(name, *scalar, shape, place)),
            Ty::Array(item, length) => {
                shape.dims.push(*length);
                self.declare(name, item, shape, place)
            }
            Ty::Vector(item, length) => {
                shape.dims.push(*length);
                shape.lanes += 1;
                self.declare(name, item, shape, place)
            }
            Ty::Pointer(item) => {
                shape.dims.push(0);
                shape.is_pointer = true;
                self.declare(name, item, shape, place)
            }
            Ty::Stream(item) => {
                shape.is_stream = true;
                self.declare(name, item, shape, place)
            }
            Ty::Struct(structure) => {
                let members = structure.fields.iter().map(|(field, ty)| {
                    self.declare(&format!("{name}.{field}"), ty, shape.clone(), place)
                });
                Slot::Struct(Rc::clone(structure), members.collect())
            }
            Ty::Void | Ty::Unknown(_) => {
                if let Ty::Unknown(text) = ty {
                    self.unknown(place, format!("the type `{text}` of `{name}` is not known"));
                }
                Slot::Leaf(self.add_object(name, Scalar::INT, shape, place))
            }
        }
    }

    fn add_object(&mut self, name: &str, ty: Scalar, shape: Shape, place: Place) -> ObjectId {
        let kind = if shape.is_stream {
            ObjectKind::Stream
        } else if shape.dims.is_empty() {
            ObjectKind::Scalar
        } else {
            ObjectKind::Array
        };
        let object = Object {
            name: name.to_owned(),
            kind,
            ty,
            dims: shape.dims,
            lanes: shape.lanes,
            table: None,
            is_static: shape.is_static,
            is_pointer: shape.is_pointer,
            place,
        };
        self.objects.push(object);
        self.objects.len() - 1
    }

    pub(crate) fn temporary(&mut self, ty: Scalar, place: Place) -> ObjectId {
        let name = format!("_t{}", self.objects.len());
        self.add_object(&name, ty, Shape::default(), place)
    }

    pub(crate) fn object(&self, id: ObjectId) -> &Object {
        match id.checked_sub(crate::ir::GLOBAL) {
            Some(global) => &self.globals[global],
            None => &self.objects[id],
        }
    }
}

/// A constant of a type.
pub(crate) fn constant(value: Number, ty: Scalar) -> Expr {
    Expr::Constant(wrap(value, ty), ty)
}

/// A value as a type holds it.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
pub(crate) fn wrap(value: Number, ty: Scalar) -> Number {
    match (ty, value) {
        (Scalar::Int { bits, signed }, value) => {
            let whole = match value {
                Number::Int(value) => value,
                Number::Real(value) => value as i128,
            };
            if bits >= 126 {
                return Number::Int(whole);
            }
            let modulus = 1_i128 << bits;
            let rest = whole.rem_euclid(modulus);
            let negative = signed && bits > 0 && rest >= modulus / 2;
            Number::Int(if negative { rest - modulus } else { rest })
        }
        (_, Number::Int(value)) => Number::Real(value as f64),
        (Scalar::Float, Number::Real(value)) => Number::Real(f64::from(value as f32)),
        (_, value) => value,
    }
}
