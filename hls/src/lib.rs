//! HLS C++ in, declarations out: aliases, constants, arrays, functions and what their types really are.
//!
//! [`parse()`] turns a text into a [`Header`]; a [`Resolver`] over headers says what a spelling is
//! made of, or in one sentence why that cannot be told; [`lie()`] compares that with what an alias's
//! name promises. [`Pragma::directive`] types `#pragma HLS`, [`read_report`] reads what the tools
//! print, and [`read_connectivity`] what v++ is told. [`read_allo`] reads the annotations of Allo's Python, from which
//! kernels are generated; [`Language`] says which reader a file is for. Nothing here reads files.

mod allo;
mod body;
mod claim;
mod connectivity;
mod csynth;
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
mod source;
mod spelling;
mod token;

pub use allo::{AlloAnnotation, AlloSource, Role, read_allo};
pub use claim::{ClaimSource, ClaimedFormat, TypeClaim, claims_of};
pub use connectivity::{
    BankRange, Connectivity, ConnectivityError, Entry, EntryValue, FrequencyOption, Kernels,
    MemoryPin, SlrPin, StreamLink, read_connectivity,
};
pub use csynth::{
    AchievedClock, Argument, Burst, BurstVerdict, ClockPeriods, ComputeUnit, Cosim, Decimal,
    Figure, Frequency, Located, Memory, MemoryPort, Module, REPORT_SCHEMA, Report, ReportError,
    ReportKind, ReportedLoop, ReportedPragma, Resource, Spread, UnitPort, Utilisation,
    UtilisationKind, Violation, read_report, report_kind,
};
pub use footprint::Footprint;
pub use header::{
    Absent, Access, AccessForm, AccessKind, Alias, AliasKind, Array, Call, Comment, Comparison,
    Constant, ConstantKind, Dim, Enumeration, Function, Header, Include, Local, Loop, LoopKind,
    Member, Parameter, Pragma, Scope, Structure, TemplateParameter, Unparsed, Update,
};
pub use hls_type::{Field, HlsType, VectorForm};
pub use language::Language;
pub use lie::{Lie, lie};
pub use parse::{IncludeLoader, Loaded, Wanted, parse, parse_all, parse_project};
pub use pragma::{
    Bind, Count, Dependence, Directive, DirectiveKind, Inline, Interface, OptionPair, Partition,
    Partitioning, Pipeline, Stream, TripCount,
};
pub use resolve::{Hop, Outcome, Resolution, Resolver};
pub use scalar::{NumberKind, ScalarType};
pub use source::{Excerpt, FileId, Position, Sources, Span};
