//! What fits a screen.

/// The lines of a screen, and whether something did not fit.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Screen {
    /// The lines.
    pub text: String,
    /// Whether something is shortened or left out.
    pub is_cut: bool,
}

pub(super) fn count_lines(text: &str) -> usize {
    text.matches('\n').count()
}
