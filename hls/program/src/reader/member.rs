//! What a struct declares beside its data: types and constants, as its template arguments make them.

use super::Reader;
use super::meaning::{Frame, Meaning, StructTy, Ty};
use super::scope::{Member, last};
use crate::constants::wrap;
use crate::ir::{Number, Scalar};
use derate_syntax::ast::{Alias, Expr, Structure, Variable};
use std::rc::Rc;

impl Reader {
    /// Puts the members of a struct that other members may need into the innermost frame.
    pub(super) fn settle_members(&mut self, structure: &Structure) {
        let own = structure.template.len();
        for member in self.names.members(&structure.scope).to_vec() {
            match member {
                // A template within the struct has parameters of its own.
                Member::Alias(alias) if alias.template.len() <= own => self.settle_member(&alias),
                Member::Alias(_) => {}
                Member::Constant(variable) => self.settle_constant(&variable),
                Member::Enumerator(name, value, previous) => {
                    let value = self.enumerator(value.as_ref(), previous.as_deref());
                    self.add_member(&name, value.map(|value| (Number::Int(value), Scalar::INT)));
                }
            }
        }
    }

    fn settle_member(&mut self, alias: &Alias) {
        let ty = self.quietly(|reader| reader.settle_type(&alias.target));
        let head = self.type_head(&alias.target);
        // A type that names the struct itself is read where it is used.
        if !matches!(ty, Ty::Unknown(_))
            && let Some(frame) = self.frames.last_mut()
        {
            frame.set_member(last(&alias.name), Meaning::Type(ty));
            frame.set_head(last(&alias.name), head);
        }
    }

    fn settle_constant(&mut self, variable: &Variable) {
        let Some(init) = &variable.init else { return };
        let Ty::Scalar(scalar) = self.quietly(|reader| reader.settle_type(&variable.ty)) else {
            return;
        };
        let value = self.number(init).map(|(value, _)| (wrap(value, scalar), scalar));
        self.add_member(last(&variable.name), value);
    }

    fn enumerator(&mut self, value: Option<&Expr>, previous: Option<&str>) -> Option<i128> {
        let Some(value) = value else {
            let Some(previous) = previous else { return Some(0) };
            return match self.frames.last()?.get(previous)? {
                Meaning::Number(Number::Int(value), _) => value.checked_add(1),
                _ => None,
            };
        };
        self.constant(value)
    }

    /// A constant that cannot be read is unknown, and not one of the same name elsewhere.
    fn add_member(&mut self, name: &str, value: Option<(Number, Scalar)>) {
        let meaning = value.map_or(Meaning::Unknown, |(value, ty)| Meaning::Number(value, ty));
        if let Some(frame) = self.frames.last_mut() {
            frame.set_member(name, meaning);
        }
    }

    /// What a base gives to the innermost frame.
    pub(super) fn inherit(&mut self, base: &Frame) {
        if let Some(frame) = self.frames.last_mut() {
            frame.inherit(base);
        }
    }
}

impl StructTy {
    /// The struct and its bases, the nearest first.
    pub(super) fn lineage(self: &Rc<Self>) -> Vec<Rc<Self>> {
        let mut all = vec![Rc::clone(self)];
        let mut at = 0;
        while let Some(one) = all.get(at) {
            let bases = one.bases.clone();
            all.extend(bases);
            at += 1;
        }
        all
    }
}
