//! What a dump leaves open.

use derate_source::Span;

/// Something in a dump that could not be read, or that contradicts the rest of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DumpProblem {
    /// What sort of problem it is.
    pub kind: ProblemKind,
    /// Where.
    pub span: Span,
    /// One sentence: what is wrong there.
    pub reason: String,
}

/// The sorts of [`DumpProblem`].
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum ProblemKind {
    /// Text that belongs to no known form; nothing was taken from it.
    Unread,
    /// A dtype that derate does not know; the tensor is kept without one.
    Dtype,
    /// A name that was given before; the first one counts.
    Duplicate,
    /// A dimension or a product of dimensions beyond 64 bits.
    Overflow,
    /// A tensor without elements.
    Empty,
    /// The dump says itself that there is more, or something else, than it lists.
    Incomplete,
}

impl ProblemKind {
    /// The lower-case word for JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::Dtype => "dtype",
            Self::Duplicate => "duplicate",
            Self::Overflow => "overflow",
            Self::Empty => "empty",
            Self::Incomplete => "incomplete",
        }
    }
}

/// Something true of the whole dump that a reader of its figures should know.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DumpNote {
    /// What sort of note it is.
    pub kind: NoteKind,
    /// The place that shows it.
    pub span: Span,
    /// One or two sentences.
    pub text: String,
}

/// The sorts of [`DumpNote`].
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum NoteKind {
    /// One entry was expanded to several layers: layers that differ are hidden.
    Collapsed,
    /// The form lists dimensions innermost first; they were reversed.
    Reversed,
    /// Some tensors are known by their number of elements only.
    ShapeUnknown,
    /// The form cannot show every parameter.
    LowerBound,
    /// The form's own operation counts are not to be used.
    OperationCounts,
}

impl NoteKind {
    /// The lower-case word for JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Collapsed => "collapsed",
            Self::Reversed => "reversed",
            Self::ShapeUnknown => "shape-unknown",
            Self::LowerBound => "lower-bound",
            Self::OperationCounts => "operation-counts",
        }
    }
}
