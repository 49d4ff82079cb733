//! What the model says of small kernels.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![allow(clippy::float_cmp, reason = "cycles, slices and blocks are whole numbers")]

mod area;
mod asked;
mod banks;
mod binding;
mod bus;
mod carried;
mod certain;
mod choices;
mod constants;
mod dataflow;
mod depth;
mod exclusive;
mod first_values;
mod held;
mod invariants;
mod limits;
mod loops;
mod mathematics;
mod passed;
mod pointers;
mod products;
mod published;
mod recurrences;
mod renamed;
mod resources;
mod scalars;
mod side_by_side;
mod specialised;
mod states;
mod templates;
mod triangles;
mod trips;
mod ways;
mod wild;
mod words;

use derate_kernel::{Program, read_program};
use derate_syntax::{SourceFile, read_unit};

/// A kernel whose top is `top`.
fn read(text: &str) -> Program {
    let source = SourceFile { path: "kernel.cpp".into(), text: text.into() };
    let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
    read_program(&unit, "top").unwrap()
}
