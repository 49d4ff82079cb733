use super::{Comment, Scope};
use crate::Span;

/// How a constant is declared.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum ConstantKind {
    /// `const int N = 4;`
    Const,
    /// `constexpr int N = 4;`
    Constexpr,
    /// `#define N 4`
    Define,
    /// `enum { N = 4 };`
    Enum,
}

/// A named number.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub scope: Scope,
    /// How it is declared.
    pub kind: ConstantKind,
    /// The declared type as it is spelt; empty for macros and enumerators.
    pub declared: String,
    /// The initialiser as it is spelt.
    pub expression: String,
    /// The integer that the initialiser gives, if it could be computed.
    pub value: Option<i128>,
    /// The whole declaration.
    pub span: Span,
    /// The name.
    pub name_span: Span,
    /// What the author wrote beside it, or above it.
    pub comment: Option<Comment>,
    /// The `#if` that guards it, where that cannot be decided from the text.
    pub condition: Option<String>,
}

impl Constant {
    /// The name with its scope.
    pub fn qualified(&self) -> String {
        self.scope.qualify(&self.name)
    }
}
