//! Why a dump could not be read at all.

use derate_source::FilePlace;

use super::DumpFormat;

/// A dump that gives no model. Each message is one sentence: what, where, and what to do.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// Nothing but white space.
    #[error(
        "{file} is empty: write the model's parameters into it, one a line, such as `name: torch.Size([720, 32]) [torch.float32]`"
    )]
    Empty {
        /// The dump.
        file: String,
    },
    /// A zero byte, which no text has.
    #[error(
        "{file}:{line} holds a zero byte, so it is not a text dump: print the model's parameters as text, or give the `.safetensors` file itself"
    )]
    Binary {
        /// The dump.
        file: String,
        /// Line of the first zero byte, from 1.
        line: usize,
    },
    /// No line that any form would read.
    #[error(
        "{file} lists no tensor in a form that derate knows ({}): print one tensor a line, such as `name: torch.Size([720, 32]) [torch.float32]`",
        DumpFormat::list_words()
    )]
    NoTensor {
        /// The dump.
        file: String,
    },
    /// Most lines are not tensors, in a form that other texts use too.
    #[error(
        "{file} does not look like a list of tensors: as {format}, {tensors} of its lines would be a tensor with elements and {others} would not; if it is one, name its form with `--as`"
    )]
    OrdinaryText {
        /// The file.
        file: String,
        /// Tensors that have elements.
        tensors: usize,
        /// Lines that are not tensors.
        others: usize,
        /// The form of most lines that could be tensors.
        format: DumpFormat,
    },
    /// No line that the form asked for would read.
    #[error(
        "{file} lists no tensor when read as {format}: leave out `--as`, or name another form ({})",
        DumpFormat::list_words()
    )]
    NotThatFormat {
        /// The dump.
        file: String,
        /// The form asked for.
        format: DumpFormat,
    },
    /// Beyond what any real model has.
    #[error("{file}:{line} {excess}: no model has that, so check how the dump was indented")]
    Excess {
        /// The dump.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What goes beyond which limit.
        excess: DumpExcess,
    },
}

/// A limit that keeps hostile or broken dumps from costing memory.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum DumpExcess {
    /// Levels of nesting.
    #[error("is nested more than {0} levels deep")]
    Levels(usize),
    /// Bytes of a parameter's path.
    #[error("has a parameter path longer than {0} bytes")]
    NameBytes(usize),
}

/// A reader's stop, before the line is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct DumpRefusal {
    pub(super) offset: usize,
    pub(super) what: DumpExcess,
}

impl ShapeError {
    /// The dump, and its line where one is at fault.
    pub fn place(&self) -> FilePlace {
        match self {
            Self::Empty { file }
            | Self::NoTensor { file }
            | Self::OrdinaryText { file, .. }
            | Self::NotThatFormat { file, .. } => FilePlace::of_file(file),
            Self::Binary { file, line } | Self::Excess { file, line, .. } => {
                FilePlace::at_line(file, *line)
            }
        }
    }
}
