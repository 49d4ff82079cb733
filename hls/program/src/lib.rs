//! What an HLS kernel does: the syntax of a translation unit becomes a [`Program`] of typed statements, arrays, loops and
//! directives. Templates are filled in and structs are taken apart; what cannot be read is an [`Unknown`] with its line.
//!
//! ```
//! use derate_program::read_program;
//! use derate_syntax::{SourceFile, read_unit};
//!
//! let text = "void top(int a[8], int b[8]) { for (int i = 0; i < 8; i++) b[i] = a[i] * 3; }";
//! let source = SourceFile { path: "top.cpp".into(), text: text.into() };
//! let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
//! let program = read_program(&unit, "top")?;
//! assert_eq!(program.work.multiplications, 8.0);
//! # Ok::<(), derate_program::TopError>(())
//! ```

mod assigned;
mod constants;
mod data_use;
mod first_values;
mod flat;
mod held_element;
mod initialise;
mod ir;
mod loop_state;
mod mention;
mod number;
mod open;
mod passed;
mod port_use;
mod read_after;
mod reader;
mod stack;
mod top;
mod trips;
mod unread;
mod unwritten;
mod walk;
mod work;

pub use assigned::assigned_objects;
pub use constants::{fold_binary, fold_unary, wrap};
pub use flat::can_unroll_all;
pub use held_element::{holds_element, takes_last_store};
pub use ir::*;
pub use loop_state::{list_state, may_leave, touches};
pub use mention::{body_mentions, list_fresh, mentions};
pub use passed::{Passed, cuts_parameter, find_cuts, find_parameters};
pub use port_use::{ArrayUse, PortUse, find_port_use, points_to_number};
pub use read_after::is_read_after;
pub use reader::{BIT_TESTS, INSERT, REVERSE, TopError, UnitReader, fold_math, read_program};
pub use stack::{NESTING, with_stack};
pub use top::find_top_candidates;
pub use trips::{Numbers, constant_trips, known_trips, rests_on_data};
pub use walk::{any_in, has_loop};
