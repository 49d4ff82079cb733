//! HLS C++ in, declarations out: aliases, constants, arrays, functions and what their types really are.
//!
//! [`parse()`] turns a text into a [`Header`]; a [`Resolver`] over headers says what a spelling is
//! made of, or in one sentence why that cannot be told; [`lie()`] compares that with what an alias's
//! name promises. Nothing here reads files.

mod body;
mod claim;
mod evaluate;
mod expression;
mod footprint;
mod header;
mod hls_type;
mod lie;
mod linear;
mod parse;
mod path;
mod preprocess;
mod resolve;
mod scalar;
mod source;
mod spelling;
mod token;

pub use claim::{ClaimSource, ClaimedFormat, TypeClaim, claims_of};
pub use footprint::Footprint;
pub use header::{
    Access, AccessForm, AccessKind, Alias, AliasKind, Array, Call, Comment, Comparison, Constant,
    ConstantKind, Dim, Enumeration, Function, Header, Include, Local, Loop, LoopKind, Member,
    Parameter, Pragma, Scope, Structure, TemplateParameter, Unparsed, Update,
};
pub use hls_type::{Field, HlsType};
pub use lie::{Lie, lie};
pub use parse::{IncludeLoader, parse, parse_all, parse_unit};
pub use resolve::{Hop, Outcome, Resolution, Resolver};
pub use scalar::{NumberKind, ScalarType};
pub use source::{Excerpt, FileId, Position, Sources, Span};
