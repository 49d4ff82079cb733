//! Where a variable lives: a tree of objects, one for each number, array or stream in its type.

use super::Reader;
use super::meaning::{Slot, Ty};
use crate::constants::wrap;
use crate::ir::{Expr, Number, Object, ObjectId, ObjectKind, Place, Scalar};
use std::rc::Rc;

/// How the objects of a variable are made.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of a declaration by itself")]
pub(crate) struct Shape {
    pub(crate) dims: Vec<u64>,
    pub(crate) lanes: usize,
    /// The dimensions outside of the struct that a member is in.
    pub(crate) outer: Option<usize>,
    pub(crate) is_stream: bool,
    pub(crate) is_pointer: bool,
    pub(crate) is_static: bool,
    pub(crate) is_guessed: bool,
}

impl Reader {
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
                shape.outer.get_or_insert(shape.dims.len());
                let members = structure.fields.iter().map(|(field, ty)| {
                    self.declare(&format!("{name}.{field}"), ty, shape.clone(), place)
                });
                Slot::Struct(Rc::clone(structure), members.collect())
            }
            Ty::Void | Ty::Unknown(_) => {
                if let Ty::Unknown(text) = ty {
                    self.unknown(place, format!("the type `{text}` of `{name}` is not known"));
                    shape.is_guessed = true;
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
        let inner = shape.outer.map_or(0, |outer| shape.dims.len().saturating_sub(outer));
        let object = Object {
            name: name.to_owned(),
            kind,
            ty,
            is_guessed: shape.is_guessed,
            dims: shape.dims,
            lanes: shape.lanes,
            inner,
            table: None,
            written: crate::ir::Written::Somewhere,
            initial: None,
            first_values: None,
            filled_from: None,
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
