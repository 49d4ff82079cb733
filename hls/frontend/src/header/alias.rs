use super::{Comment, Scope, TemplateParameter};
use crate::Span;

/// How an alias is declared.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum AliasKind {
    /// `using name = type;`
    Using,
    /// `typedef type name;`
    Typedef,
    /// `#define name type`
    Define,
    /// `name = type`, in Python that Allo reads
    Assignment,
}

impl AliasKind {
    /// `using`, `typedef`, `define`, `allo`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Using => "using",
            Self::Typedef => "typedef",
            Self::Define => "define",
            Self::Assignment => "allo",
        }
    }
}

/// A name for a type.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Alias {
    /// The new name.
    pub name: String,
    /// Where it is declared.
    pub scope: Scope,
    /// How it is declared.
    pub kind: AliasKind,
    /// The type as the source spells it, extents and pointer marks included.
    pub spelling: String,
    /// The whole declaration.
    pub span: Span,
    /// The name.
    pub name_span: Span,
    /// What the author wrote beside it, or above it.
    pub comment: Option<Comment>,
    /// What the author wrote above the run of declarations that it is in, one below the other without an empty line.
    pub heading: Option<Comment>,
    /// The `#if` that guards it, where that cannot be decided from the text.
    pub condition: Option<String>,
    /// The parameters of an alias template; empty for a plain alias.
    pub template: Vec<TemplateParameter>,
}

impl Alias {
    /// The name with its scope.
    pub fn qualified(&self) -> String {
        self.scope.qualify(&self.name)
    }
}
