//! C++ for HLS in, declarations and bodies out, with what each type really is.
//!
//! [`parse()`] reads a text into a [`Header`], [`parse_project`] a project with its includes. A [`Resolver`] over headers
//! gives the type of a name, the value of an expression, the trip counts of loops and the [`Footprint`] of a parameter,
//! or the [`Reason`] why it is unknown.
//! [`Pragma::directive`] types `#pragma HLS`; [`Language`] says which reader a file is for. Nothing here reads files.
//!
//! ```
//! use derate_frontend::{Resolver, Sources, parse};
//!
//! let mut sources = Sources::default();
//! let file = sources.add("types.h", "typedef float bfloat16_t;");
//! let headers = [parse(&sources, file)];
//! let resolver = Resolver::new(&headers, &sources);
//! let alias = &headers[0].aliases[0];
//! let resolution = resolver.alias(alias);
//! assert_eq!(resolution.bits(), Some(32));
//! ```

mod body;
mod evaluate;
mod expression;
mod footprint;
mod header;
mod hls_type;
mod linear;
mod parse;
mod path;
mod pragma;
mod preprocess;
mod resolve;
mod spelling;
mod token;

pub use derate_source::{
    Excerpt, FileId, Language, NumberKind, NumberLibrary, Position, Reason, ScalarType, Settled,
    Sources, Span, Unparsed, bare_name, is_plain, is_word_char, may_set, split_words,
};

pub use footprint::Footprint;
pub use header::{
    Access, AccessForm, AccessKind, Alias, AliasKind, Arm, Array, Call, Comment, Comparison,
    Constant, ConstantKind, Dim, Enumeration, Function, Header, Local, Loop, LoopKind, Member,
    Parameter, Scope, Structure, TemplateParameter, Update,
};
pub use hls_type::{Field, HlsType, StreamForm, VectorForm};
pub use parse::{IncludeLoader, Loaded, Trees, Wanted, parse, parse_all, parse_project};
pub use pragma::{
    Bind, Count, Dependence, Directive, DirectiveKind, Inline, Interface, OptionPair, Partition,
    Partitioning, Pipeline, Stream, TripCount, read_directive,
};
pub use preprocess::{Absent, Include, Pragma, count_mentions, is_vendor, without_comments};
pub use resolve::{Hop, Outcome, Resolution, Resolver};
