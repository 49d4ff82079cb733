//! A kernel after reading: functions over numbered objects, with types resolved and templates filled in.
//!
//! Structs are taken apart: each scalar, array or stream in them is an object of its own.

pub use crate::number::{Number, Scalar};

use std::sync::Arc;

/// Where something is written.
pub type Place = derate_syntax::ast::Place;

/// What an object is.
#[derive(Clone, Copy, Eq, PartialEq, Debug)]
pub enum ObjectKind {
    /// A single number.
    Scalar,
    /// An array.
    Array,
    /// A stream, or an array of streams.
    Stream,
}

/// Whether anything writes an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// Something does, or may.
    Somewhere,
    /// Nothing that is read writes an array without first values. In a function it has no value; outside it has zeros, or what another
    /// file gives it.
    Nowhere,
}

/// A variable, an array or a stream.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name; members have `struct.member`.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
    /// The type of one number in it.
    pub ty: Scalar,
    /// Whether its type is not known: `ty` is a guess.
    pub is_guessed: bool,
    /// The length of each dimension; 0 where it is not known.
    pub dims: Vec<u64>,
    /// How many of the last dimensions are lanes of one word (`hls::vector`).
    pub lanes: usize,
    /// How many of the last dimensions are those of a member of a struct.
    pub inner: usize,
    /// Its values, if it is a constant table.
    pub table: Option<Arc<[Number]>>,
    /// Its first values, until it is known whether anything writes it.
    pub(crate) initial: Option<Arc<[Number]>>,
    /// The constants that a local array is filled with at each call, until it is known whether anything else writes it.
    pub(crate) first_values: Option<Arc<[Number]>>,
    /// The table that a loop fills it from at each call, if these constants are many.
    pub(crate) filled_from: Option<ObjectId>,
    /// Whether anything writes it.
    pub written: Written,
    /// Whether it keeps its value between calls.
    pub is_static: bool,
    /// Whether it is reached through a pointer of unknown length.
    pub is_pointer: bool,
    /// The line of its name.
    pub place: Place,
}

/// The number of an object in its function.
pub type ObjectId = usize;

/// An object with subscripts.
#[derive(Clone, Debug)]
pub struct Access {
    /// The object.
    pub object: ObjectId,
    /// Its subscripts.
    pub index: Vec<Expr>,
    /// Where it is written.
    pub place: Place,
}

/// A value.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A constant.
    Constant(Number, Scalar),
    /// The value of a scalar or of an element.
    Read(Box<Access>, Scalar),
    /// The next element of a stream.
    Pop(Box<Access>, Scalar),
    /// One operand.
    Unary(Unary, Box<Expr>, Scalar, Place),
    /// Two operands.
    Binary(Binary, Box<Expr>, Box<Expr>, Scalar, Place),
    /// One of two values.
    Select(Box<Expr>, Box<Expr>, Box<Expr>, Scalar, Place),
    /// The same number in another type.
    Cast(Box<Expr>, Scalar, Place),
    /// A function of the mathematical library.
    Math(&'static str, Vec<Expr>, Scalar, Place),
    /// What is not read.
    Unknown(Scalar),
}

impl Expr {
    /// The type of the value.
    #[must_use]
    pub fn ty(&self) -> Scalar {
        match self {
            Self::Constant(_, ty)
            | Self::Read(_, ty)
            | Self::Pop(_, ty)
            | Self::Unary(_, _, ty, _)
            | Self::Binary(_, _, _, ty, _)
            | Self::Select(_, _, _, ty, _)
            | Self::Cast(_, ty, _)
            | Self::Math(_, _, ty, _)
            | Self::Unknown(ty) => *ty,
        }
    }

    /// The whole number, if the value is one that is known.
    #[must_use]
    pub fn constant(&self) -> Option<i128> {
        match self {
            Self::Constant(Number::Int(value), _) => Some(*value),
            _ => None,
        }
    }
}

/// Operators of one operand.
#[derive(Clone, Copy, Eq, PartialEq, Hash, Debug)]
pub enum Unary {
    /// `-a`
    Negate,
    /// `~a`
    Invert,
    /// Whether it is zero.
    Not,
}

/// Operators of two operands.
#[derive(Clone, Copy, Eq, PartialEq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// A scalar or an element gets a value.
    Set(Access, Expr),
    /// A stream gets an element.
    Push(Access, Expr),
    /// A value is computed for its effect: a stream is read.
    Evaluate(Expr),
    /// One of two blocks.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A loop.
    Loop(Box<Loop>),
    /// A call of a function with a body.
    Call(Box<Call>),
    /// The function ends.
    Return,
    /// The loop ends.
    Break,
    /// The iteration ends.
    Continue,
}

/// A loop.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug)]
pub struct Loop {
    /// The label, or `VITIS_LOOP_line_k`.
    pub label: String,
    /// Whether the label is written.
    pub labelled: bool,
    /// Whether it is a `memcpy` or a `memmove`.
    pub is_copy: bool,
    /// The variable that counts.
    pub counter: Option<ObjectId>,
    /// The first value of the counter.
    pub start: Expr,
    /// The first value, if it is a constant.
    pub first: Option<i128>,
    /// The value at which the loop ends: `counter < end` (`>` for a step below zero).
    pub end: Option<Expr>,
    /// What the counter grows by; 0 where it is not the same each time.
    pub step: i128,
    /// The counter's next value, if the step is not the same each time.
    pub next: Option<Expr>,
    /// Computed before each test: `while (e)`.
    pub condition: Option<Expr>,
    /// Whether the test comes after the body.
    pub test_last: bool,
    /// The body, without the counter's step.
    pub body: Vec<Stmt>,
    /// Whether the body may leave the loop.
    pub leaves: bool,
    /// `#pragma HLS` in it.
    pub pragmas: Vec<Directive>,
    /// Its number in its function, in order of the source.
    pub number: usize,
    /// Where it is written.
    pub place: Place,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Which function.
    pub function: usize,
    /// What its parameters' objects are, in order of [`Function::parameters`].
    pub arguments: Vec<Argument>,
    /// Where its result goes.
    pub result: Option<ObjectId>,
    /// Where it is written.
    pub place: Place,
}

/// What a parameter is at a call.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A value is copied in.
    Value(Expr),
    /// The object itself, from an element on.
    Object(Access),
}

/// A directive with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// What it asks for.
    pub kind: derate_frontend::DirectiveKind,
    /// The objects it is about, if it names a variable.
    pub objects: Vec<ObjectId>,
    /// Whether `off` is written.
    pub off: bool,
    /// Where it is written; line 0 is the Tcl file.
    pub place: Place,
}

/// A function with its types settled.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Everything it names.
    pub objects: Vec<Object>,
    /// Which objects are parameters, in order.
    pub parameters: Vec<ObjectId>,
    /// Which of them get a value, not the object itself.
    pub by_value: Vec<bool>,
    /// The object of its result.
    pub result: Option<ObjectId>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// `#pragma HLS` of the function.
    pub pragmas: Vec<Directive>,
    /// How many loops it has.
    pub loops: usize,
    /// How many of them have no label in the source: the tool counts these in its names of loops.
    pub unlabelled: usize,
    /// The names of loops that are left out, as nothing reads what they store.
    pub dropped_loops: Vec<String>,
    /// Whether it calls a function of which there is only the name: how long that takes is not known.
    pub is_incomplete: bool,
    /// What functions of which there is only the name get from it, and so may write.
    pub(crate) lent: Vec<ObjectId>,
    /// Whether one of these functions is the project's own: it may write every global.
    pub(crate) lends_globals: bool,
    /// Where it is written.
    pub place: Place,
}

/// A kernel.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The functions; the first is the top.
    pub functions: Vec<Function>,
    /// Globals: constants and state. Their ids follow those of a function's objects, from [`GLOBAL`] on.
    pub globals: Vec<Object>,
    /// The files, by [`Place::file`].
    pub files: Vec<String>,
    /// What could not be read.
    pub unknown: Vec<Unknown>,
    /// The first branch whose condition cannot be read: one of its sides may not be built.
    pub undecided: Option<Place>,
    /// What one run multiplies.
    pub work: Work,
    /// The functions that call one whose body is not there, directly or not, in order.
    pub open_functions: Vec<String>,
    /// Whether the type of something is not known.
    pub has_guesses: bool,
}

/// The multiplications of data in one run: those whose results feed only subscripts, bounds and conditions on counters
/// are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Their number; a loop that data decide counts as one iteration.
    pub multiplications: f64,
    /// Whether data decide how often some of them are done, or a part is not read: then the number is not known.
    pub is_open: bool,
}

impl Program {
    /// An object of a function, or a global one.
    #[must_use]
    pub fn object<'a>(&'a self, function: &'a Function, id: ObjectId) -> Option<&'a Object> {
        match id.checked_sub(GLOBAL) {
            Some(global) => self.globals.get(global),
            None => function.objects.get(id),
        }
    }
}

/// The first id of a global object.
pub const GLOBAL: ObjectId = 1 << 32;

/// What is not known about a kernel, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// Where.
    pub place: Place,
    /// Why, in one sentence.
    pub reason: String,
}
