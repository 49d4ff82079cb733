use crate::Span;

/// A `#pragma` line.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Pragma {
    /// The directive, continuation lines included.
    pub span: Span,
    /// What follows `#pragma`, on one line, without comments: `HLS pipeline II=1`.
    pub text: String,
}

impl Pragma {
    /// The HLS directive that it is; `None` for other pragmas, such as `once`.
    pub fn directive(&self) -> Option<crate::Directive> {
        crate::pragma::read_directive(&self.text)
    }
}
