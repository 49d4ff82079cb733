//! How nouns of a design are written in `derate.xclbin/1`.

use std::fmt::Display;

use serde::Serializer;

/// The text that people see.
pub(super) fn as_text<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// An address: `0x10`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
pub(super) fn as_hex<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&format_args!("{value:#x}"))
}
