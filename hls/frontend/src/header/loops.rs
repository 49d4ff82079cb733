use crate::Span;

/// Which statement makes a loop.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum LoopKind {
    /// `for (int i = 0; i < n; i++)`
    For,
    /// `for (auto x : all)`
    Range,
    /// `while (x)`
    While,
    /// `do ... while (x)`
    Do,
}

/// How a loop's variable is compared with its bound, the variable on the left.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Comparison {
    /// `i < n`
    Less,
    /// `i <= n`
    LessOrEqual,
    /// `i > n`
    Greater,
    /// `i >= n`
    GreaterOrEqual,
    /// `i != n`
    NotEqual,
}

/// A loop in a function's body.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Loop {
    /// Which statement makes it.
    pub kind: LoopKind,
    /// The label before it.
    pub label: Option<String>,
    /// What it counts with: the variable that starts, is compared and steps. That of a range is the
    /// element's name.
    pub variable: Option<String>,
    /// The variable's type as it is spelt, where the loop declares it.
    pub declared: Option<String>,
    /// Where the variable starts, as it is spelt.
    pub start: Option<String>,
    /// What the variable is compared with, as it is spelt.
    pub bound: Option<String>,
    /// How it is compared with that.
    pub comparison: Option<Comparison>,
    /// What each iteration adds, as it is spelt: `1` of `i++`, `-1` of `i--`, `-(T)` of `i -= T`. None
    /// where an iteration does something else, as in `i *= 2`.
    pub step: Option<String>,
    /// How many times its body runs each time that the loop is reached, if that follows from the
    /// constants of the text alone. A loop that may be left early, or whose body sets the variable,
    /// has none.
    pub trip_count: Option<u64>,
    /// Whether a `break`, a `return`, a `throw` or a `goto` may leave it early.
    pub exits: bool,
    /// Whether an `if` or its like around it decides whether it is reached.
    pub conditional: bool,
    /// How many loops are around it.
    pub depth: usize,
    /// The loop around it, by its index in [`crate::Function::loops`].
    pub parent: Option<usize>,
    /// Its head: `for (...)`.
    pub span: Span,
    /// Its body, braces included.
    pub body: Span,
    /// The pragmas directly in its body, by their indices in [`crate::Function::pragmas`].
    pub pragmas: Vec<usize>,
}
