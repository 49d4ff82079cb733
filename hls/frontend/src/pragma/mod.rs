//! `#pragma HLS ...` as typed directives.

mod config;
mod directive;
mod option;
mod read;
mod script;
mod tcl;
mod tool_version;

pub use config::{HlsConfig, read_hls_config};
pub use directive::{
    Bind, Dependence, Directive, DirectiveKind, Inline, Interface, Partition, Partitioning,
    Pipeline, Stream, TripCount,
};
pub use option::{Count, OptionPair};

pub use read::read_directive;
pub use script::{ScriptClock, ScriptProject, ScriptSolution, read_script};
pub use tcl::{TclDirective, TclFile, TclSetting, read_tcl};
pub use tool_version::read_tool_version;
