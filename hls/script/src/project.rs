//! The projects that a Tcl script of the tool makes: sources, top, part and clock.

use std::collections::BTreeSet;

use super::tcl::TclFile;

/// A project of a script, as `open_project` or `open_component` begins it, or what a script of Catapult builds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptProject {
    /// Its name, where the script spells it.
    pub name: Option<String>,
    /// `set_top`; several where the script sets one after the other.
    pub tops: Vec<String>,
    /// `add_files`, as they are spelt.
    pub files: Vec<String>,
    /// What the commands of a build file compile, as they are spelt.
    pub compiled: Vec<String>,
    /// The configurations that the commands of a build file name, as they are spelt.
    pub configs: Vec<String>,
    /// `add_files -tb`, as they are spelt.
    pub benches: Vec<String>,
    /// The words of `-cflags` of these files: `-I`, `-D`.
    pub cflags: Vec<String>,
    /// `set_part` and `open_solution -part`.
    pub parts: Vec<String>,
    /// What each `open_solution` begins; one without a name where clocks and directives come before it.
    pub solutions: Vec<ScriptSolution>,
}

/// A solution of a project: its clock and its directives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptSolution {
    /// Its name, where the script spells it.
    pub name: Option<String>,
    /// `create_clock`; several where the script chooses when it runs.
    pub clocks: Vec<ScriptClock>,
    /// Its directives and settings.
    pub asked: TclFile,
    /// The scripts of directives that it reads and that are not there.
    pub absent: Vec<String>,
    /// Conditions that only a run of the script decides: what each of their branches asks for is here.
    pub undecided: Vec<String>,
    /// Whether a part of the script is not read, as it is too long or too deep.
    pub is_cut: bool,
    /// Whether a program of the project's own rewrites the code before it is scheduled: `LLVM_CUSTOM_CMD` is set.
    pub is_rewritten: bool,
    /// The steps that the script runs of `csim_design` and `csynth_design`.
    pub steps: BTreeSet<String>,
}

/// A clock that a script creates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptClock {
    /// Its period or frequency, as it is spelt.
    pub period: String,
    /// `-name`; the tool calls a clock `default` that has none.
    pub name: String,
}

/// The name of a solution's own clock.
pub(super) const OWN_CLOCK: &str = "default";

impl ScriptProject {
    pub(super) fn is_empty(&self) -> bool {
        let is_empty = |one: &ScriptSolution| {
            one.clocks.is_empty() && one.asked.directives.is_empty() && one.absent.is_empty()
        };
        self.tops.is_empty()
            && self.files.is_empty()
            && self.parts.is_empty()
            && self.solutions.iter().all(is_empty)
    }

    /// The solution that is open.
    pub(super) fn solution(&mut self) -> &mut ScriptSolution {
        if self.solutions.is_empty() {
            self.solutions.push(ScriptSolution::default());
        }
        let last = self.solutions.len() - 1;
        &mut self.solutions[last]
    }

    /// Of several clocks with names of their own, a solution's is the one called `default`.
    pub(super) fn keep_own_clocks(&mut self) {
        for solution in &mut self.solutions {
            if solution.clocks.iter().any(|one| one.name == OWN_CLOCK) {
                solution.clocks.retain(|one| one.name == OWN_CLOCK);
            }
        }
    }
}
