//! Closed forms of the latency of HLS loops, functions and dataflow.
//!
//! ```
//! use derate_kernel::pipeline::pipelined_loop;
//!
//! // 1,024 iterations with II = 1 and depth 10: (T - 1) x II + max(D - 1, II).
//! assert_eq!(pipelined_loop(1024, 1, 10).0, 1032.0);
//! ```

pub mod ir;
pub mod pipeline;
mod source;

pub use source::{TopError, read_program};
