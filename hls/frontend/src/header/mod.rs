//! What one text declares.

mod access;
mod alias;
mod arm;
mod array;
mod comment;
mod constant;
mod function;
mod local;
mod loops;
mod scope;
mod structure;
mod update;

pub use access::{Access, AccessForm, AccessKind};
pub use alias::{Alias, AliasKind};
pub use arm::Arm;
pub use array::{Array, Dim};
pub use comment::Comment;
pub use constant::{Constant, ConstantKind};
pub use function::{Call, Function, Parameter};
pub use local::Local;
pub use loops::{Comparison, Loop, LoopKind};
pub use scope::Scope;
pub use structure::{Enumeration, Member, Structure, TemplateParameter};
pub use update::Update;

use crate::preprocess::{Absent, Definition, Include, Outlook, Pragma};
use crate::{FileId, Span, Unparsed};

/// Everything that one text declares, in the order of the text.
#[derive(Clone, Debug)]
pub struct Header {
    /// The text.
    pub file: FileId,
    /// Type names: `using`, `typedef`, and macros that mean a type.
    pub aliases: Vec<Alias>,
    /// Named integers: `const`, `constexpr`, enumerators, and macros that mean a number.
    pub constants: Vec<Constant>,
    /// Arrays at namespace scope; a function's own arrays are with the function.
    pub arrays: Vec<Array>,
    /// Objects at namespace scope that have no extents of their own and whose type has a name: `w_t w;`. The name may
    /// mean an array.
    pub objects: Vec<Array>,
    /// Functions, with and without a body.
    pub functions: Vec<Function>,
    /// Every pragma, those inside functions included.
    pub pragmas: Vec<Pragma>,
    /// Every comment with its markers, those in dead branches included.
    pub comments: Vec<Span>,
    /// What could not be read, and why.
    pub unparsed: Vec<Unparsed>,
    /// `#include` lines.
    pub includes: Vec<Include>,
    /// Conditionals that were decided by macros which nothing defines.
    pub absent: Vec<Absent>,
    /// The sources that read this one: those that include it, directly or not, or itself.
    pub read_by: Vec<FileId>,
    /// Texts whose include of this one gives it another reading, as their macros differ.
    pub read_otherwise_by: Vec<FileId>,
    /// Structs, classes and unions that have a body.
    pub structures: Vec<Structure>,
    /// Templates of structs that are declared without a body: the name, and the parameters with their defaults.
    pub(crate) forwards: Vec<(String, Vec<TemplateParameter>)>,
    /// Enumeration types.
    pub enumerations: Vec<Enumeration>,
    /// `using namespace` at namespace scope: its scope, and the namespace that it opens.
    pub(crate) opened: Vec<(Scope, String)>,
    /// `using hls::stream;` at namespace scope: its scope, and the name that it brings in.
    pub(crate) brought: Vec<(Scope, String)>,
    /// Namespaces that are declared here.
    pub(crate) namespaces: Vec<Scope>,
    /// The live `#define`s.
    pub(crate) defines: Vec<(String, Definition)>,
    /// What the preprocessor knows at each place of the text.
    pub(crate) outlook: Outlook,
}
