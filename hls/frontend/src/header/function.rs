use super::{Access, Arm, Array, Comment, Dim, Local, Loop, Scope, TemplateParameter, Update};
use crate::Span;
use crate::preprocess::Pragma;

/// A function, declared or defined.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub scope: Scope,
    /// The return type as it is spelt.
    pub returns: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The whole declaration.
    pub span: Span,
    /// The name.
    pub name_span: Span,
    /// The body with its braces, if it has one.
    pub body: Option<Span>,
    /// The calls in the body, in the order of the text.
    pub calls: Vec<Call>,
    /// The pragmas in the body.
    pub pragmas: Vec<Pragma>,
    /// The arrays that it declares in its body.
    pub arrays: Vec<Array>,
    /// The variables that it declares in its body, in the order of the text.
    pub locals: Vec<Local>,
    /// The loops in the body, in the order of the text.
    pub loops: Vec<Loop>,
    /// What the body reads and writes of arrays, pointers and streams, in the order of the text.
    pub accesses: Vec<Access>,
    /// The accumulations in the body, in the order of the text.
    pub updates: Vec<Update>,
    /// Every place where the body sets a variable as a whole, or takes its address.
    pub(crate) assigned: Vec<(String, usize)>,
    /// Its template parameters; empty for a plain function.
    pub template: Vec<TemplateParameter>,
    /// Whether it is `constexpr`.
    pub constexpr: bool,
    /// What the author wrote above it.
    pub comment: Option<Comment>,
    /// The `#if` that guards it, where that cannot be decided from the text.
    pub condition: Option<String>,
}

impl Function {
    /// The name with its scope.
    pub fn qualified(&self) -> String {
        self.scope.qualify(&self.name)
    }

    /// Whether it is a template.
    pub fn is_template(&self) -> bool {
        !self.template.is_empty()
    }
}

/// A parameter of a function.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Parameter {
    /// Its name; empty if it has none.
    pub name: String,
    /// The element type as it is spelt, without qualifiers, `*`, `&` and extents.
    pub element: String,
    /// Whether it is a pointer. An array parameter does not count, though C++ makes it one.
    pub pointer: bool,
    /// Whether it is a reference.
    pub reference: bool,
    /// Whether its elements are `const`.
    pub constant: bool,
    /// Its extents, outermost first.
    pub dims: Vec<Dim>,
    /// The whole parameter.
    pub span: Span,
}

/// A call in a function's body.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Call {
    /// What is called, as it is spelt: `gemm`, `hls::exp`, `s.read`.
    pub callee: String,
    /// The arguments as they are spelt.
    pub arguments: Vec<String>,
    /// The innermost arm of an `if` that it is in.
    pub arm: Option<Arm>,
    /// The call.
    pub span: Span,
}
