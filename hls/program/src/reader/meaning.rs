//! What names mean: types, numbers, and the objects of variables.

use crate::ir::{Access, Expr, Number, ObjectId, Place, Scalar};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A settled type.
#[derive(Clone, Debug)]
pub(crate) enum Ty {
    Void,
    Scalar(Scalar),
    Array(Rc<Ty>, u64),
    Pointer(Rc<Ty>),
    Struct(Rc<StructTy>),
    Stream(Rc<Ty>),
    Vector(Rc<Ty>, u64),
    Unknown(String),
}

/// A settled struct.
#[derive(Debug)]
pub(crate) struct StructTy {
    pub(crate) name: String,
    pub(crate) fields: Vec<(String, Ty)>,
    /// What its template parameters and its members are.
    pub(crate) frame: Frame,
    pub(crate) bases: Vec<Rc<StructTy>>,
}

impl Ty {
    pub(crate) fn bits(&self) -> u64 {
        match self {
            Self::Scalar(scalar) => u64::from(scalar.bits()),
            Self::Array(item, length) | Self::Vector(item, length) => {
                item.bits().saturating_mul(*length)
            }
            Self::Struct(structure) => structure.fields.iter().map(|field| field.1.bits()).sum(),
            Self::Pointer(_) => 64,
            Self::Stream(item) => item.bits(),
            Self::Void | Self::Unknown(_) => 0,
        }
    }

    /// The size of the type in memory, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Scalar(scalar) => u64::from(scalar.bits()).div_ceil(8).next_power_of_two(),
            Self::Array(item, length) | Self::Vector(item, length) => {
                item.bytes().saturating_mul(*length)
            }
            Self::Struct(structure) => structure.fields.iter().map(|field| field.1.bytes()).sum(),
            _ => self.bits().div_ceil(8),
        }
    }
}

/// What a name means.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    Type(Ty),
    Number(Number, Scalar),
    Place(LValue),
    /// A template argument that cannot be read.
    Unknown,
}

/// The names of one block, or of one set of template arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    names: BTreeMap<String, Meaning>,
    /// What the members of a struct mean that follow from its template arguments: its types and constants.
    members: BTreeMap<String, Meaning>,
    /// How the types are spelt, where that is known: `int` and `ap_int<32>` hold the same numbers.
    heads: BTreeMap<String, String>,
}

impl Frame {
    pub(crate) fn get(&self, name: &str) -> Option<&Meaning> {
        self.names.get(name).or_else(|| self.members.get(name))
    }

    /// How the type that a name means is spelt.
    pub(crate) fn head(&self, name: &str) -> Option<&String> {
        self.heads.get(name)
    }

    pub(crate) fn set_head(&mut self, name: &str, head: Option<String>) {
        match head {
            Some(head) => self.heads.insert(name.to_owned(), head),
            None => self.heads.remove(name),
        };
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.names.remove(name);
        self.heads.remove(name);
    }

    /// What a base declares, where the struct does not say it anew.
    pub(crate) fn inherit(&mut self, base: &Self) {
        for (name, meaning) in base.names.iter().chain(&base.members) {
            if self.get(name).is_none() {
                self.members.insert(name.clone(), meaning.clone());
                self.set_head(name, base.heads.get(name).cloned());
            }
        }
    }

    pub(crate) fn set_member(&mut self, name: &str, meaning: Meaning) {
        self.members.insert(name.to_owned(), meaning);
    }

    pub(crate) fn set(&mut self, name: &str, meaning: Meaning) {
        if !name.is_empty() {
            self.names.insert(name.to_owned(), meaning);
        }
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        for (name, meaning) in &other.names {
            self.names.insert(name.clone(), meaning.clone());
        }
        self.members.extend(other.members.iter().map(|(name, one)| (name.clone(), one.clone())));
        self.heads.extend(other.heads.iter().map(|(name, one)| (name.clone(), one.clone())));
    }

    /// A text that differs where the template arguments differ.
    pub(crate) fn key(&self) -> String {
        let mut key = String::new();
        for (name, meaning) in &self.names {
            match meaning {
                Meaning::Number(number, _) => key = format!("{key}<{name}={number:?}>"),
                Meaning::Type(ty) => key = format!("{key}<{name}:{}>", type_key(ty)),
                Meaning::Unknown => key = format!("{key}<{name}?>"),
                Meaning::Place(_) => {}
            }
        }
        key
    }
}

pub(crate) fn type_key(ty: &Ty) -> String {
    match ty {
        Ty::Struct(structure) => format!("{}{}", structure.name, structure.frame.key()),
        Ty::Array(item, length) => format!("{}[{length}]", type_key(item)),
        Ty::Vector(item, length) => format!("{}x{length}", type_key(item)),
        Ty::Pointer(item) => format!("{}*", type_key(item)),
        Ty::Stream(item) => format!("stream {}", type_key(item)),
        Ty::Scalar(scalar) => scalar.to_string(),
        Ty::Void => "void".to_owned(),
        Ty::Unknown(text) => text.clone(),
    }
}

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
    /// The same place as a pointer to its first element, where it is an array.
    pub(crate) fn into_pointer(mut self) -> Self {
        if let Ty::Array(item, _) = &self.ty {
            self.ty = Ty::Pointer(item.clone());
        }
        self
    }

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
