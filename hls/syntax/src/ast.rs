//! What a translation unit says, after preprocessing: functions, statements and expressions.

use std::rc::Rc;

/// Where a token was written, also where a macro was called that made it.
#[derive(Clone, Copy, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Default)]
pub struct Place {
    /// Index into [`Unit::files`].
    pub file: u16,
    /// Line, from one.
    pub line: u32,
}

/// Everything that the files given to the tool declare, in order.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The files that were read, by [`Place::file`].
    pub files: Vec<String>,
    /// Declarations, those of namespaces and `extern "C"` blocks with qualified names.
    pub items: Vec<Item>,
    /// What could not be read, and why.
    pub unread: Vec<Unread>,
    /// Includes in quotes that were not found, each once.
    pub missing: Vec<Missing>,
    /// Includes in angle brackets that were not found, each once: those of the language and of the tool.
    pub library_headers: Vec<String>,
}

/// An include in quotes that was not found.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Missing {
    /// Where it is written.
    pub place: Place,
    /// The path as written.
    pub path: String,
}

/// A piece of text that is not understood.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Unread {
    /// Where it begins.
    pub place: Place,
    /// Why, in one sentence without a full stop.
    pub reason: String,
}

/// A declaration outside of function bodies.
#[derive(Clone, Debug)]
pub enum Item {
    /// A function or a member function.
    Function(Rc<Function>),
    /// A struct, class or union with its data members. Its functions are items of their own.
    Structure(Rc<Structure>),
    /// `typedef` or `using`.
    Alias(Rc<Alias>),
    /// A variable of namespace scope or a static data member.
    Variable(Rc<Variable>),
    /// An enumerator with its value, or the one before it plus one.
    Enumerator {
        /// Its qualified name.
        name: String,
        /// The value that is written.
        value: Option<Expr>,
        /// The enumerator before it in the same enumeration.
        previous: Option<String>,
    },
    /// `using namespace`, also in a function.
    UsingNamespace(String),
    /// `using space::name` in a function: the qualified name. Outside it is an alias.
    UsingName(String),
    /// `#pragma HLS` outside of a function.
    Pragma(Pragma),
}

/// A function, with a body or without.
#[derive(Clone, Debug)]
pub struct Function {
    /// `name`, `space::name`, `Class::name`.
    pub name: String,
    /// The class whose member it is.
    pub owner: Option<String>,
    /// Template parameters, first those of the class.
    pub template: Vec<TemplateParameter>,
    /// The arguments of an explicit specialisation: `template <> void f<3>()`.
    pub specialised: Vec<TemplateArgument>,
    /// What it returns.
    pub result: Type,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// Its statements. `None` for a declaration.
    pub body: Option<Vec<Stmt>>,
    /// Member initialisers of a constructor.
    pub initialisers: Vec<(String, Vec<Expr>)>,
    /// Whether `static` or an unnamed namespace keeps it in its file.
    pub is_static: bool,
    /// Whether `inline` is written.
    pub is_inline: bool,
    /// The line of its name.
    pub place: Place,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub struct TemplateParameter {
    /// Its name; empty if it has none.
    pub name: String,
    /// Whether it is a type or a value.
    pub is_type: bool,
    /// What it is when nothing is given.
    pub default: Option<TemplateArgument>,
}

/// An argument of a template. `N` alone may be either: it is given as an expression.
#[derive(Clone, Debug)]
pub enum TemplateArgument {
    /// A type.
    Type(Type),
    /// A value, or a name that may be a type.
    Value(Expr),
}

/// A struct, class or union.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Its qualified name.
    pub name: String,
    /// What the names of its members begin with: its name, and the arguments of a specialisation.
    pub scope: String,
    /// Template parameters.
    pub template: Vec<TemplateParameter>,
    /// The arguments of a specialisation.
    pub specialised: Vec<TemplateArgument>,
    /// Base classes.
    pub bases: Vec<Type>,
    /// Data members that are not static.
    pub members: Vec<Variable>,
    /// Whether its members share their bytes.
    pub is_union: bool,
    /// The line of its name.
    pub place: Place,
}

/// `typedef` or `using`.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Its qualified name.
    pub name: String,
    /// Template parameters.
    pub template: Vec<TemplateParameter>,
    /// What it is another name for.
    pub target: Type,
}

/// A variable, a parameter or a data member.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name; empty for a parameter without one.
    pub name: String,
    /// Its type, with its dimensions.
    pub ty: Type,
    /// Its first value.
    pub init: Option<Expr>,
    /// Whether it is `static`.
    pub is_static: bool,
    /// Whether it is `const` or `constexpr`.
    pub is_const: bool,
    /// The line of its name.
    pub place: Place,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// `auto`
    Auto,
    /// A fundamental type in one spelling: `unsigned int`, `long long`, `signed char`, `float`.
    Builtin(&'static str),
    /// A name with template arguments: `ap_fixed<16, 6>`, `hls::stream<T>`, `T::value_type`.
    Name(Path),
    /// `T *`
    Pointer(Box<Type>),
    /// `T &`, also `T &&`.
    Reference(Box<Type>),
    /// `T [N]`; the outermost dimension is the outermost `Array`.
    Array(Box<Type>, Option<Box<Expr>>),
    /// `decltype(e)`, `typeof(e)`
    Decltype(Box<Expr>),
    /// A type that is not read, as text.
    Unknown(String),
}

/// A name in pieces: `hls::stream<T>::read` has three.
#[derive(Clone, Debug)]
pub struct Path {
    /// The pieces.
    pub pieces: Vec<Piece>,
}

/// A piece of a name.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The name.
    pub name: String,
    /// Its template arguments; `None` without angle brackets.
    pub arguments: Option<Vec<TemplateArgument>>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it begins.
    pub place: Place,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Local variables.
    Declare(Vec<Variable>),
    /// `typedef` or `using` inside of a function.
    Alias(Rc<Alias>),
    /// A struct that is declared inside of a function.
    Structure(Rc<Structure>),
    /// An expression.
    Expr(Expr),
    /// `{ ... }`
    Block(Vec<Stmt>),
    /// `if`
    If {
        /// The condition.
        condition: Expr,
        /// What is done when it holds.
        then: Box<Stmt>,
        /// What is done when it does not.
        otherwise: Option<Box<Stmt>>,
    },
    /// `for`
    For {
        /// The label before it.
        label: Option<String>,
        /// The first statement of the head.
        init: Option<Box<Stmt>>,
        /// The condition.
        condition: Option<Expr>,
        /// What is done after each iteration.
        step: Option<Expr>,
        /// The body.
        body: Box<Stmt>,
    },
    /// `while`, or `do ... while` when the test comes last.
    While {
        /// The label before it.
        label: Option<String>,
        /// The condition.
        condition: Expr,
        /// The body.
        body: Box<Stmt>,
        /// Whether the body is run before the first test.
        test_last: bool,
    },
    /// `switch`
    Switch {
        /// What is looked at.
        subject: Expr,
        /// The cases in order.
        cases: Vec<Case>,
    },
    /// `return`
    Return(Option<Expr>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `#pragma HLS`
    Pragma(Pragma),
    /// `;`
    Empty,
    /// What is not read, and why.
    Unknown(String),
    /// A statement that is or may have a loop and is not read, with the reason.
    UnreadLoop(String),
}

/// A `#pragma HLS`, macros expanded.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Pragma {
    /// What follows `HLS`.
    pub text: String,
    /// Where it is written.
    pub place: Place,
}

/// The statements behind one or more labels of a `switch`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The values; `None` is `default`.
    pub labels: Vec<Option<Expr>>,
    /// The statements up to the next label, `break` included.
    pub body: Vec<Stmt>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Where it begins.
    pub place: Place,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A whole number, also a character.
    Integer {
        /// Its value.
        value: i128,
        /// `u` is written, or the number is too large for its signed type.
        unsigned: bool,
        /// Its width: 8 for a character, 32, or 64 with `l`.
        bits: u8,
    },
    /// `true`, `false`
    Boolean(bool),
    /// A number with a fraction.
    Float {
        /// Its value.
        value: f64,
        /// Whether `f` is written.
        single: bool,
    },
    /// A text in quotes.
    Text(String),
    /// A name.
    Name(Path),
    /// `this`
    This,
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a = b`, or `a += b` with an operator.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `++a`, `a++`, `--a`, `a--`
    Step {
        /// What is changed.
        target: Box<Expr>,
        /// Whether it becomes less.
        down: bool,
        /// Whether the value is that before the change.
        after: bool,
    },
    /// `a ? b : c`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `f(a)`, `x.f(a)`, also `T(a)` and `ap_int<8>(a)`, whose callee is a name.
    Call(Box<Expr>, Vec<Expr>),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `a.b`, `a->b`
    Member {
        /// The object.
        object: Box<Expr>,
        /// The member, with template arguments if it has some.
        member: Piece,
        /// Whether it is `->`.
        arrow: bool,
    },
    /// `(T)a`, `static_cast<T>(a)`, `int(a)`
    Cast(Box<Type>, Box<Expr>),
    /// `T{a, b}`, or a declaration's `x(a, b)` with its type.
    Construct(Box<Type>, Vec<Expr>),
    /// `{a, b}`; `{.x = a}` holds an assignment to the name `x`.
    List(Vec<Expr>),
    /// `sizeof(T)`
    SizeOfType(Box<Type>),
    /// `sizeof e`
    SizeOf(Box<Expr>),
    /// `a, b`
    Comma(Vec<Expr>),
    /// What is not read, and why.
    Unknown(String),
}

/// Operators of one operand.
#[derive(Clone, Copy, Eq, PartialEq, Hash, Debug)]
pub enum UnaryOp {
    /// `-a`
    Negate,
    /// `+a`
    Plus,
    /// `!a`
    Not,
    /// `~a`
    Invert,
    /// `*a`
    Dereference,
    /// `&a`
    AddressOf,
}

/// Operators of two operands.
#[derive(Clone, Copy, Eq, PartialEq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    LogicalAnd,
    LogicalOr,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}
