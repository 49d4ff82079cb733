//! What a design's script asks of the tool beside part and clock.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{TclDirective, TclSetting, bare_name};
use derate_units::Hertz;

/// The directives and settings of one solution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// `set_directive_*` of Tcl, or `syn.directive.*`.
    pub directives: Vec<TclDirective>,
    /// `config_*`.
    pub settings: Vec<TclSetting>,
    /// The clock of the scripts that name the top, where it is not that of the design.
    pub clock: Option<Hertz>,
    /// Whether the scripts that name the top give it several clocks, of which one is taken.
    pub has_other_clocks: bool,
    /// Whose they are; none where no script says anything.
    pub solution: Option<SolutionName>,
    /// The solutions that ask for other directives.
    pub others: Vec<SolutionName>,
    /// A later solution of the script that makes arrays FIFOs, where this one does not: this one is a step towards it.
    pub streamed_by: Option<SolutionName>,
    /// The scripts that this solution reads and that are not there.
    pub absent: Vec<String>,
    /// Conditions that only a run of the script decides; all of their branches are read.
    pub undecided: Vec<String>,
    /// Whether a part of the script is not read, as it is too long or too deep.
    pub is_cut: bool,
    /// A script that has the code rewritten by a program of the project's own (`LLVM_CUSTOM_CMD`) before it is scheduled.
    pub rewritten_by: Option<String>,
    /// Lines that are not read: number and text.
    pub unread: Vec<(u32, String)>,
}

/// What scripts ask of the tool for each top that they build.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AskedByTop {
    /// For the tops that scripts name.
    pub own: BTreeMap<String, Asked>,
    /// For the other functions.
    pub others: Asked,
}

impl AskedByTop {
    /// What is asked for a top; scripts may leave out its namespace.
    pub fn of_top(&self, top: &str) -> &Asked {
        let own = self.own.get(top).or_else(|| self.own.get(bare_name(top)));
        own.unwrap_or(&self.others)
    }

    /// What is asked for each top by its name, and without a name for the others.
    pub(crate) fn list(&self) -> Vec<AskedOf> {
        let own = self.own.iter().map(|(top, asked)| (top.clone(), asked));
        own.chain([(String::new(), &self.others)])
            .map(|(top, asked)| AskedOf {
                top,
                clock: asked.clock,
                directives: asked.directives.clone(),
                settings: asked.settings.clone(),
            })
            .collect()
    }

    /// The scripts whose directives are taken, and those that they read for them.
    pub fn list_scripts(&self) -> BTreeSet<String> {
        let taken = self.all().filter_map(|asked| asked.solution.as_ref());
        let read = self.all().flat_map(|asked| &asked.directives);
        let read = read.filter_map(|one| one.script.clone());
        taken.map(|solution| solution.file.clone()).chain(read).collect()
    }

    /// What is asked for the tops; where scripts name none, for the others.
    pub fn all(&self) -> impl Iterator<Item = &Asked> {
        self.own.values().chain(self.own.is_empty().then_some(&self.others))
    }
}

/// What a schedule depends on of what is asked for a top.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AskedOf {
    top: String,
    clock: Option<Hertz>,
    directives: Vec<TclDirective>,
    settings: Vec<TclSetting>,
}

/// A solution of a script.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SolutionName {
    /// The script, from the folder that is searched.
    pub file: String,
    /// The solution in it, where it says one.
    pub solution: Option<String>,
}
