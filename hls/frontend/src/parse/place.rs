//! What a body holds, and the place of a node in it.

use crate::Span;
use crate::header::{Access, AccessKind, Arm, Call, Local, Loop, Update};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// What a body holds.
#[derive(Default)]
pub(super) struct Body {
    pub(super) calls: Vec<Call>,
    pub(super) locals: Vec<Local>,
    pub(super) loops: Vec<Loop>,
    pub(super) accesses: Vec<Access>,
    pub(super) updates: Vec<Update>,
    pub(super) assigned: Vec<(String, usize)>,
    /// The names whose mention alone is worth a note: pointers, arrays, streams.
    pub(super) wholes: HashSet<String>,
    /// Behind these places, up to the second, what follows may be skipped.
    pub(super) skips: Vec<(usize, usize)>,
    pub(super) jumps: bool,
    /// The loops by their nodes.
    pub(super) own: HashMap<usize, usize>,
}

/// The place of a node in the body.
#[derive(Copy, Clone)]
pub(super) struct Place {
    pub(super) loop_index: Option<usize>,
    /// The loop that a `break` would leave; none inside a `switch`.
    pub(super) breakable: Option<usize>,
    pub(super) conditional: bool,
    /// The innermost arm of an `if`.
    pub(super) arm: Option<Arm>,
    pub(super) lambda: bool,
    pub(super) role: Role,
    /// The innermost block.
    pub(super) block: Span,
}

/// How the place of an expression uses it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Role {
    Value,
    Target,
    Both,
    Address,
    /// The operands of `s << a << b;`.
    Stream,
    /// Part of an access that is noted already.
    Base,
}

impl Role {
    pub(super) fn access_kind(self) -> AccessKind {
        match self {
            Self::Target => AccessKind::Write,
            Self::Both | Self::Address => AccessKind::ReadWrite,
            _ => AccessKind::Read,
        }
    }

    pub(super) fn sets(self) -> bool {
        matches!(self, Self::Target | Self::Both | Self::Address)
    }
}
