//! `#pragma HLS ...` as typed directives.

mod directive;
mod option;
mod read;

pub use directive::{
    Bind, Dependence, Directive, DirectiveKind, Inline, Interface, Partition, Partitioning,
    Pipeline, Stream, TripCount,
};
pub use option::{Count, OptionPair};

pub use read::read_directive;
