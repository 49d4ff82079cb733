//! C++ for HLS in, declarations and bodies out, with what each type really is.
//!
//! [`parse()`] reads a text into a [`Header`]; a [`Resolver`] over headers says what a type is made of, or in one
//! sentence why that is unknown; [`find_lie`] compares that with what the name of an alias promises.
//! [`Pragma::directive`] types `#pragma HLS`. [`read_allo`] reads the annotations of Allo's Python, from which
//! kernels are generated; [`Language`] says which reader a file is for. Nothing here reads files.

mod allo;
mod body;
mod claim;
mod evaluate;
mod expression;
mod footprint;
mod header;
mod hls_type;
mod language;
mod lie;
mod linear;
mod parse;
mod path;
mod pragma;
mod preprocess;
mod resolve;
mod scalar;
mod spelling;
mod token;

pub use derate_source::{Excerpt, FileId, Position, Reason, Settled, Sources, Span, Unparsed};

pub use allo::{AlloAnnotation, AlloSource, Role, read_allo};
pub use claim::{ClaimSource, ClaimedFormat, TypeClaim, claims_of};
pub use footprint::Footprint;
pub use header::{
    Access, AccessForm, AccessKind, Alias, AliasKind, Array, Call, Comment, Comparison, Constant,
    ConstantKind, Dim, Enumeration, Function, Header, Local, Loop, LoopKind, Member, Parameter,
    Scope, Structure, TemplateParameter, Update,
};
pub use hls_type::{Field, HlsType, VectorForm};
pub use language::Language;
pub use lie::{Lie, find_lie};
pub use parse::{IncludeLoader, Loaded, Wanted, parse, parse_all, parse_project};
pub use pragma::{
    Bind, Count, Dependence, Directive, DirectiveKind, Inline, Interface, OptionPair, Partition,
    Partitioning, Pipeline, Stream, TripCount, read_directive,
};
pub use preprocess::{Absent, Include, Pragma};
pub use resolve::{Hop, Outcome, Resolution, Resolver};
pub use scalar::{NumberKind, ScalarType};
