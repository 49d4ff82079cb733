//! The subscripts of an access in the storage that its object is.

use super::{Activation, Bound, Engine, Flow};
use crate::graph::Value;
use derate_program::{Access, Binary, Number, ObjectId, Place, Scalar};

impl<'a> Engine<'a> {
    /// The storage and the full index of an access.
    pub(crate) fn locate(
        &mut self,
        access: &Access,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> (usize, Vec<Value>) {
        let (storage, mut index) = self.locate_part(access, run, flow);
        let dims = self.storages[storage].dims.len();
        index.truncate(dims);
        while index.len() < dims {
            index.push(Value::Constant(Number::Int(0)));
        }
        (storage, index)
    }

    /// The storage, and the subscripts that an access to it or to a part of it has.
    pub(super) fn locate_part(
        &mut self,
        access: &Access,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> (usize, Vec<Value>) {
        let bound = self.bind(run, access.object);
        let own: Vec<Value> =
            access.index.iter().map(|index| self.value(index, run, flow)).collect();
        let is_moved = self.is_pointer_within(access.object, &bound, run);
        let index = self.join_index(bound.prefix, own, is_moved, flow, access.place);
        (bound.storage, index)
    }

    /// Whether an object is a pointer whose first subscript is not a dimension of the storage: a pointer to an element, or to
    /// all of it. A parameter that is written as an array is one, too.
    fn is_pointer_within(&self, object: ObjectId, bound: &Bound, run: &Activation<'a>) -> bool {
        let dims = self.storages[bound.storage].dims.len();
        let one = run.function.objects.get(object);
        one.is_some_and(|one| one.dims.len() + bound.prefix.len() > dims)
    }

    /// The subscripts of a part, with those within it. The first one within a pointer counts on from the last one before; there
    /// is none before where it points to the whole.
    fn join_index(
        &mut self,
        mut prefix: Vec<Value>,
        own: Vec<Value>,
        is_moved: bool,
        flow: &mut Flow,
        place: Place,
    ) -> Vec<Value> {
        let mut own = own.into_iter();
        if is_moved && let Some(first) = own.next() {
            let ty = Scalar::INT;
            if let Some(last) = prefix.pop() {
                prefix.push(self.binary(Binary::Add, [last, first], ty, ty, flow, place));
            }
        }
        prefix.extend(own);
        prefix
    }

    /// The number of an element, if the index is constant.
    pub(crate) fn element(&self, storage: usize, index: &[Value]) -> Option<u64> {
        let dims = &self.storages[storage].dims;
        let mut element = 0_u64;
        for (at, value) in index.iter().enumerate() {
            let value = u64::try_from(value.whole()?).ok()?;
            let length = dims.get(at).copied().unwrap_or(1).max(1);
            element = element.checked_mul(length)?.checked_add(value)?;
        }
        Some(element)
    }
}
