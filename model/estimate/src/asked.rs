//! What a design's script asks of the tool beside part and clock.

use derate_hls::{TclDirective, TclSetting};

/// The directives and settings of one solution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// `set_directive_*` of Tcl, or `syn.directive.*`.
    pub directives: Vec<TclDirective>,
    /// `config_*`.
    pub settings: Vec<TclSetting>,
    /// Whose they are; none where no script says anything.
    pub solution: Option<SolutionName>,
    /// The solutions that ask for other directives.
    pub others: Vec<SolutionName>,
    /// The scripts that this solution reads and that are not there.
    pub absent: Vec<String>,
}

/// A solution of a script.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SolutionName {
    /// The script, from the folder that is searched.
    pub file: String,
    /// The solution in it, where it says one.
    pub solution: Option<String>,
}
