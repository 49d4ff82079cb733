//! Loads a project from its folder: the claims, the dump, the code with its includes, and what the tools printed.
//!
//! This is the one room of the model that reads files.
//!
//! ```
//! use std::path::Path;
//!
//! use derate_load::{Preprocess, load_project};
//!
//! let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/smolvla"));
//! let loaded = load_project(folder, &Preprocess::default())?;
//! assert_eq!(loaded.analysis.platform.name, "u280");
//! # Ok::<(), derate_load::LoadError>(())
//! ```

mod audit;
mod commit;
mod design_kernels;
mod designs;
mod directives;
mod disk;
mod error;
mod flags;
mod folder;
mod given;
mod hls4ml;
mod kernel;
mod matches;
mod own_headers;
mod paths;
mod preprocess;
mod project;
mod read;
mod search;
mod selection;
mod times;
mod unbuilt;
mod workload;

pub use audit::{LoadedAudit, load_audit};
pub use commit::find_commit;
pub use derate_syntax::SourceFile;
pub use design_kernels::{KernelSetup, read_kernel_setup};
pub use directives::{GivenDirectives, is_config_file, read_directives};
pub use disk::Disk;
pub use error::{LoadError, ReadError};
pub use flags::split_flags;
pub use folder::{LoadedFolder, load_folder};
pub use kernel::{KernelTexts, LoadedKernel, load_kernel};
pub use own_headers::find_include_folders;
pub use paths::plain as plain_path;
pub use preprocess::{NamedFiles, Preprocess, read_named};
pub use project::{
    FILE, LoadedProject, load_claims, load_project, project_folder, read_points, read_recordings,
};
pub use read::{read_bytes, read_dump, read_source, read_text};
pub use search::read_clock;
pub use search::{Exclude, FolderSearch, LibraryFolders, PassedOver, search_folder};
pub use selection::Selection;
pub use workload::{LoadedWorkload, read_workload};
