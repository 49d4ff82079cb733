//! Walks through expressions and statements.

use crate::ir::{Argument, Call, Expr, ObjectId, Stmt};

impl Expr {
    /// What the value is computed from, without subscripts.
    pub fn operands(&self) -> impl Iterator<Item = &Self> {
        let (few, many): ([Option<&Self>; 3], &[Self]) = match self {
            Self::Constant(..) | Self::Read(..) | Self::Pop(..) | Self::Unknown(_) => {
                ([None; 3], &[])
            }
            Self::Unary(_, inner, ..) | Self::Cast(inner, ..) => ([Some(inner), None, None], &[]),
            Self::Binary(_, left, right, ..) => ([Some(left), Some(right), None], &[]),
            Self::Select(test, yes, no, ..) => ([Some(test), Some(yes), Some(no)], &[]),
            Self::Math(_, inputs, ..) => ([None; 3], inputs),
        };
        few.into_iter().flatten().chain(many)
    }

    /// The subscripts of what is read.
    #[must_use]
    pub fn subscripts(&self) -> &[Self] {
        match self {
            Self::Read(access, _) | Self::Pop(access, _) => &access.index,
            _ => &[],
        }
    }

    /// Whether a test holds for the expression, one of its operands or one of its subscripts, at any depth.
    pub fn any(&self, test: &mut dyn FnMut(&Self) -> bool) -> bool {
        test(self) || self.operands().chain(self.subscripts()).any(|part| part.any(test))
    }

    /// Whether the object is read, in a subscript too.
    #[must_use]
    pub fn reads(&self, object: ObjectId) -> bool {
        self.any(&mut |part| part.is_read_of(object))
    }

    /// Whether the expression itself is a read of the object.
    #[must_use]
    pub fn is_read_of(&self, object: ObjectId) -> bool {
        match self {
            Self::Read(access, _) | Self::Pop(access, _) => access.object == object,
            _ => false,
        }
    }
}

impl Stmt {
    /// The statements of a condition's blocks or of a loop's body.
    pub fn inner(&self) -> impl Iterator<Item = &Self> {
        let (one, other): (&[Self], &[Self]) = match self {
            Self::If(_, then, otherwise) => (then, otherwise),
            Self::Loop(item) => (&item.body, &[]),
            _ => (&[], &[]),
        };
        one.iter().chain(other)
    }

    /// Whether a test holds for a part of what the statement itself computes: a value, a subscript, a test, a bound, an argument.
    pub fn any_value(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
        let mut holds = |value: &Expr| value.any(test);
        match self {
            Self::Set(target, value) | Self::Push(target, value) => {
                target.index.iter().any(&mut holds) || holds(value)
            }
            Self::Evaluate(value) | Self::If(value, ..) => holds(value),
            Self::Loop(item) => {
                let heads = [Some(&item.start), item.end.as_ref(), item.condition.as_ref()];
                heads.into_iter().flatten().chain(&item.next).any(holds)
            }
            Self::Call(call) => call.arguments.iter().any(|argument| match argument {
                Argument::Value(value) => holds(value),
                Argument::Object(access) => access.index.iter().any(&mut holds),
            }),
            Self::Return | Self::Break | Self::Continue => false,
        }
    }

    /// Whether a test holds for the statement or for one in it, at any depth. Calls are not followed.
    pub fn any(&self, test: &mut dyn FnMut(&Self) -> bool) -> bool {
        test(self) || self.inner().any(|inner| inner.any(test))
    }
}

impl Call {
    /// Whether the object itself, or a part of it, is one of the arguments: the callee may write it.
    #[must_use]
    pub fn gets(&self, object: ObjectId) -> bool {
        self.arguments
            .iter()
            .any(|argument| matches!(argument, Argument::Object(access) if access.object == object))
    }
}

/// Whether a test holds for one of these statements or for one in them, at any depth. Calls are not followed.
pub fn any_in(body: &[Stmt], test: &mut dyn FnMut(&Stmt) -> bool) -> bool {
    body.iter().any(|statement| statement.any(test))
}

/// Whether there is a loop in statements. Calls are not followed.
#[must_use]
pub fn has_loop(body: &[Stmt]) -> bool {
    any_in(body, &mut |statement| matches!(statement, Stmt::Loop(_)))
}
