//! What separates the name and the shape of an entry.

/// What separates the name and the shape.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Separator {
    /// A colon, an equals sign or a word.
    Mark,
    /// White space with a tab in it.
    Tab,
    /// Other white space.
    Space,
}
