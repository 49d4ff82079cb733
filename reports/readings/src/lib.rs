//! From what was read of single files to documents: declarations, tool reports, kernels as the model schedules them, dumps.
//!
//! Each function gives what `--format json` prints and the [`Document`](derate_render::Document) of the same. What is said of
//! a project as a whole is in `derate-sections`.
//!
//! ```
//! use derate_hls::{Sources, read_connectivity};
//! use derate_readings::HlsFile;
//!
//! let mut sources = Sources::default();
//! let file = sources.add("u280.cfg", "[connectivity]\nnk=gemm:2\n");
//! let read = HlsFile::Connectivity(read_connectivity(&sources, file)?);
//! let (_, document) = derate_readings::hls(&sources, &[(file, read)], &[], &[]);
//! assert_eq!(document.title, "What the tools and the kernels say");
//! # Ok::<(), derate_hls::ConnectivityError>(())
//! ```

mod annotations;
mod hls;
mod hls_kernel;
mod hls_synthesis;
mod shapes;
mod types;

pub use hls::{HlsFile, HlsReport, hls};
pub use hls_kernel::{KernelDetail, KernelReport, KernelStudy, hls_kernel};
pub use hls_synthesis::{ModelledSide, SynthesisReport, SynthesisStudy};
pub use shapes::shapes;
pub use types::types;
