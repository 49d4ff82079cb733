//! What the command says and does: one program, so that a test that waits leaves the cores to the others.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod action;
mod allo;
mod bad_input;
mod bench;
mod clocks;
mod copies;
mod cuda;
#[path = "../derate/mod.rs"]
mod derate;
mod designs;
mod diff;
mod dying_kernel;
mod emu;
mod explore;
mod explore_default;
mod explore_write;
mod fix;
mod fix_compiles;
mod formats;
mod help_examples;
mod hls;
mod includes;
mod init;
mod json;
mod kernels;
mod levels;
mod names;
mod operators;
mod own_project;
mod points;
mod predict;
mod report;
mod report_commit;
mod report_compare;
mod reproduce;
mod sarif;
mod schema;
mod seeds;
mod serve_api;
mod serve_guard;
#[cfg(feature = "serve")]
#[path = "../serve/server.rs"]
mod server;
mod shards;
mod sweep;
mod synthesis;
mod text;
mod validate;
mod workload;
#[path = "../xrt/mod.rs"]
mod xrt;
