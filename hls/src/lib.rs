//! Everything that derate reads of an HLS design, under one name.
//!
//! | crate | reads |
//! |---|---|
//! | `derate-frontend` | C++ |
//! | `derate-names` | what the name of a type promises |
//! | `derate-allo` | the annotations of Allo's Python |
//! | `derate-script` | Tcl scripts and `hls_config.cfg`: what is asked of the tool |
//! | `derate-vitis` | reports and v++ configurations of the vendor's tools |
//! | `derate-source` | nothing: it keeps the texts and their places for them |
//!
//! A program that needs only one of them depends on that one. [`kernels`] has the texts of the kernels that derate brings,
//! and of the headers with which they are emulated.
//!
//! ```
//! use derate_hls::{Sources, parse, read_connectivity};
//!
//! let mut sources = Sources::default();
//! let kernel = sources.add("gemm.cpp", "void gemm(const float *a) { for (int i = 0; i < 8; i++) {} }");
//! let config = sources.add("u280.cfg", "[connectivity]\nnk=gemm:2\n");
//! let header = parse(&sources, kernel);
//! assert_eq!(header.functions[0].loops[0].trip_count, Some(8));
//! assert_eq!(read_connectivity(&sources, config)?.kernels[0].count.value, 2);
//! # Ok::<(), derate_hls::ConnectivityError>(())
//! ```

pub mod kernels;
mod opencl_c;

pub use derate_allo::*;
pub use derate_frontend::*;
pub use derate_names::*;
pub use derate_script::*;
pub use derate_source::*;
pub use derate_vitis::*;
pub use opencl_c::read_opencl_c;
