use super::Arm;
use crate::Span;

/// What an access does to the elements that it names.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum AccessKind {
    /// Reads them. An argument of a call counts as read: whether it is taken by reference is not visible in
    /// the call.
    Read,
    /// Writes them.
    Write,
    /// Reads and writes them, or may do either.
    ReadWrite,
}

/// How an access is written.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum AccessForm {
    /// `x[i]`
    Subscript,
    /// `*x` or `*(x + i)`
    Dereference,
    /// One side of `memcpy(x + i, y, bytes)`.
    Copy,
    /// `s.read()`, `s.write(v)`, `s >> v;`, `s << v;`
    Stream,
    /// `&x[i]`: what is done with the address is not followed.
    Address,
    /// The name alone, handed to a call or kept in a pointer: what is touched is unknown here.
    Whole,
}

/// A use of an array, a pointer or a stream in a function's body.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Access {
    /// What is accessed, as it is spelt without its subscripts: `x`, `smolvla::w`, `self.buffer`.
    pub array: String,
    /// The subscripts, one per dimension, as they are spelt.
    pub index: Vec<String>,
    /// Whether it reads or writes.
    pub kind: AccessKind,
    /// How it is written.
    pub form: AccessForm,
    /// How many bytes a copy moves, as it is spelt.
    pub bytes: Option<String>,
    /// The innermost loop around it, by its index in [`crate::Function::loops`].
    pub loop_index: Option<usize>,
    /// Whether it may be skipped while the loops around it run: inside an `if`, `?:` or `switch`,
    /// behind a `continue` or a `return`, or under an `#if` that the text does not decide.
    pub conditional: bool,
    /// The innermost arm of an `if` that it is in.
    pub arm: Option<Arm>,
    /// The access.
    pub span: Span,
}
