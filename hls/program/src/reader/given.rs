//! Arguments that a template is given.

use super::meaning::{Meaning, Ty};
use crate::ir::{Number, Scalar};

/// A template argument: what it means, and how its type is spelt where that is known.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) meaning: Meaning,
    pub(super) head: Option<String>,
}

impl Given {
    pub(super) fn of_type(ty: &Ty) -> Self {
        Self { meaning: Meaning::Type(ty.clone()), head: None }
    }

    pub(super) fn of_number(value: i128) -> Self {
        Self { meaning: Meaning::Number(Number::Int(value), Scalar::INT), head: None }
    }

    pub(super) const fn unknown() -> Self {
        Self { meaning: Meaning::Unknown, head: None }
    }
}
