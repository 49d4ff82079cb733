//! What is asked of an HLS tool outside of the source: Tcl scripts and `hls_config.cfg`.
//!
//! ```
//! let projects = derate_script::read_script("set_top fir\nadd_files fir.cpp\n", &mut |_| None);
//! assert_eq!(projects[0].tops, ["fir"]);
//! ```

mod build_command;
mod build_variables;
mod build_words;
mod compile_command;
mod condition;
mod config;
mod project;
mod reader;
mod tcl;
mod tool_mention;
mod tool_version;
mod variables;
mod words;

pub use build_command::{read_build_commands, without_comment};
pub use config::{HlsConfig, read_hls_config};
pub use project::{ScriptClock, ScriptProject, ScriptSolution};
pub use reader::read_script;
pub use tcl::{TclDirective, TclFile, TclSetting, read_tcl};
pub use tool_mention::find_tool_mentions;
pub use tool_version::{
    is_vitis, is_vivado, name_tool, read_heading_version, read_log_version, read_tool_version,
};
