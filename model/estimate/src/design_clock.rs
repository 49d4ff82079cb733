//! The clock that a design is built for, and how far its files say so.

use derate_units::Hertz;

/// The clock of Vitis HLS where none is given: a period of 10 ns (UG1399, `create_clock`).
const DEFAULT_CLOCK: Hertz = Hertz(100e6);

/// A clock and who says so.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignClock {
    /// The clock that kernels are scheduled for.
    pub value: Hertz,
    /// Who says so.
    pub origin: ClockOrigin,
}

/// Who names a clock.
#[derive(Clone, Debug, PartialEq)]
pub enum ClockOrigin {
    /// `derate.toml`, or all files of the design that name one.
    Named,
    /// Files that name different ones: the first of these is taken.
    Several(Vec<NamedClock>),
    /// Nobody: it is assumed to be the default of the tool.
    Assumed,
}

/// A clock that a file names.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedClock {
    /// The file, from the folder that is searched.
    pub file: String,
    /// The solution in it, where it says one.
    pub solution: Option<String>,
    /// The clock.
    pub value: Hertz,
}

impl DesignClock {
    /// One that is named, and no other.
    pub fn named(value: Hertz) -> Self {
        Self { value, origin: ClockOrigin::Named }
    }

    /// Whether no file names it.
    pub fn is_assumed(&self) -> bool {
        self.origin == ClockOrigin::Assumed
    }
}

impl Default for DesignClock {
    fn default() -> Self {
        Self { value: DEFAULT_CLOCK, origin: ClockOrigin::Assumed }
    }
}
