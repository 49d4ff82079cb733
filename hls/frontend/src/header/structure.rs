use super::{Comment, Dim, Scope};
use crate::Span;

/// A struct, class or union with a body.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Structure {
    /// Its name; that of the typedef for an unnamed one.
    pub name: String,
    /// Where it is declared. Its own members are in `scope.inner(&name)`.
    pub scope: Scope,
    /// Its base classes as they are spelt.
    pub bases: Vec<String>,
    /// Its data members; static ones are constants.
    pub members: Vec<Member>,
    /// Whether it is a union.
    pub overlaid: bool,
    /// Its template parameters; empty for a plain struct.
    pub template: Vec<TemplateParameter>,
    /// The arguments of a specialisation: `8` in `template <> struct word<8>`.
    pub specialises: Option<String>,
    /// Whether a member has a virtual function, and so a hidden pointer.
    pub dynamic: bool,
    /// Whether packing or alignment is set by hand, so that C's rules do not give its size.
    pub adjusted: bool,
    /// Why not all members are known: a macro or an error is among them, or a macro decides whether one is there.
    pub unread: Option<String>,
    /// The whole declaration.
    pub span: Span,
    /// The name.
    pub name_span: Span,
    /// What the author wrote above it.
    pub comment: Option<Comment>,
}

/// A data member.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// The type as it is spelt, pointer marks included.
    pub spelling: String,
    /// Its extents.
    pub dims: Vec<Dim>,
    /// The width of a bit field, as it is spelt.
    pub bit_field: Option<String>,
    /// The whole member declaration.
    pub span: Span,
}

/// A parameter of a template.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct TemplateParameter {
    /// Its name; empty if it has none.
    pub name: String,
    /// Whether it means a type, else a value.
    pub is_type: bool,
    /// Whether it is a pack, or a template itself.
    pub unusual: bool,
    /// Its default as it is spelt.
    pub default: Option<String>,
}

/// An enumeration type.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Enumeration {
    /// Its name; that of the typedef for an unnamed one.
    pub name: String,
    /// Where it is declared.
    pub scope: Scope,
    /// The underlying type as it is spelt, if it is given.
    pub underlying: Option<String>,
    /// `enum class`: its underlying type is `int` where none is given.
    pub scoped: bool,
    /// The whole declaration.
    pub span: Span,
}
