//! Housekeeping of the workspace: its crates, the arrows among modules, and counts of its code.
//!
//! `cargo run -p derate-house` prints the counts; the tests hold the floors.
//!
//! ```
//! let members = derate_house::read_members().expect("the manifests are readable");
//! assert!(members.iter().any(|member| member.name == "derate-units"));
//! ```

mod count;
mod crates;
mod modules;

pub use count::{Count, count_code};
pub use crates::{Member, read_members, root};
pub use modules::{Circle, find_circles};
