//! Everything that derate reads of an HLS design, under one name.
//!
//! `derate-frontend` reads C++ and Allo's Python, `derate-vitis` the reports and configurations of the vendor's tools,
//! and `derate-source` keeps the texts that both speak of. A program that needs one of them alone depends on that one.
//! The kernels that derate brings are beside this crate in `kernels`, and what emulates the vendor's headers in `sim`.

pub use derate_frontend::*;
pub use derate_source::*;
pub use derate_vitis::*;
