//! Closed forms of the latency of HLS loops, functions and dataflow.

pub mod pipeline;
