//! Room on the stack for functions in functions.

/// Calls in calls that are followed: compilers go as deep with templates.
pub const NESTING: usize = 1024;

/// What the work of one function takes of the stack, and how much more is taken where less is left.
const LEFT: usize = 2 << 20;
const MORE: usize = 16 << 20;

/// Does the work of one function of many in one another, on more stack where that is needed.
pub fn with_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEFT, MORE, work)
}
