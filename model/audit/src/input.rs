//! What the rules look at.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use derate_estimate::{Analysis, AskedByTop, DesignFiles, KernelModels};
use derate_hls::{FileId, Function, Report, Sources, Synthesis, TclDirective, gather_syntheses};
use derate_machine::{Family, Platform};
use derate_project::speeding::Speeding;
use derate_project::{Build, Code, Project};

use crate::reach::Reach;

/// One design: what its files show, and what a project adds to it.
pub struct AuditInput<'a> {
    /// The text of all files.
    pub sources: &'a Sources,
    /// The code.
    pub code: &'a Code,
    /// The settings of the tools, and what they printed.
    pub build: &'a Build,
    /// The card, where it is known.
    pub platform: Option<&'a Platform>,
    /// `derate.toml`, where there is one.
    pub project: Option<&'a Project>,
    /// The whole project, where its model is known.
    pub analysis: Option<&'a Analysis>,
    /// The design of a folder, where no model is known.
    design: Option<&'a DesignFiles>,
    reach: OnceLock<Reach>,
    syntheses: OnceLock<Vec<Synthesis>>,
    speeding: OnceLock<Speeding>,
}

impl<'a> AuditInput<'a> {
    /// A project with its model.
    pub fn of_analysis(analysis: &'a Analysis) -> Self {
        Self {
            sources: &analysis.sources,
            code: &analysis.code,
            build: &analysis.build,
            platform: Some(&analysis.platform),
            project: Some(&analysis.project),
            analysis: Some(analysis),
            design: None,
            reach: OnceLock::new(),
            syntheses: OnceLock::new(),
            speeding: OnceLock::new(),
        }
    }

    /// A design without a model; `project` is what `derate.toml` claims of it.
    pub fn of_design(
        sources: &'a Sources,
        project: Option<&'a Project>,
        design: &'a DesignFiles,
    ) -> Self {
        Self {
            sources,
            code: &design.code,
            build: &design.build,
            platform: design.platform.as_ref(),
            project,
            analysis: None,
            design: Some(design),
            reach: OnceLock::new(),
            syntheses: OnceLock::new(),
            speeding: OnceLock::new(),
        }
    }

    /// The name of the design: its path from the folder that is audited.
    pub(crate) fn design_name(&self) -> Option<&'a str> {
        self.design.map(|design| design.name.as_str())
    }

    /// Whether it is stated that two files are of one design: a project with a model names them, one script builds both, or
    /// one `[[kernel]]` has both.
    pub(crate) fn are_stated_together(&self, one: FileId, other: FileId) -> bool {
        let Some(design) = self.design else { return true };
        let has = |build: &BTreeSet<FileId>, file: FileId| {
            build.iter().any(|&own| own == file || self.code.is_included(file, own))
        };
        one == other || design.builds.iter().any(|build| has(build, one) && has(build, other))
    }

    /// Whether a script or a `[[kernel]]` builds a file, by itself or as an include; all files are built where none says so.
    pub(crate) fn is_built(&self, file: FileId) -> bool {
        let builds = self.design.into_iter().flat_map(|design| &design.builds);
        let mut own = builds.flatten().peekable();
        own.peek().is_none() || own.any(|&one| one == file || self.code.is_included(file, one))
    }

    /// Whether a script or a build file adds a file, by itself or as an include, or a kernel of the v++ configuration is in it
    /// alone.
    pub(crate) fn adds(&self, file: FileId) -> bool {
        let Some(design) = self.design else { return true };
        let is_it = |one: &FileId| *one == file || self.code.is_included(file, *one);
        let linked = self.build.connectivity.iter().flat_map(|(_, one)| &one.kernels);
        let is_in = |kernel: &str, test: &dyn Fn(FileId) -> bool| {
            let mut bodies = self.code.functions().filter(|one| one.body.is_some());
            bodies.any(|one| one.name == kernel && test(one.span.file))
        };
        let has_built = |one: FileId| design.builds.iter().flatten().any(|own| *own == one);
        let mut kernels = linked.map(|one| one.kernel.value.as_str());
        design.builds.iter().flatten().chain(&design.compiled).any(is_it)
            || kernels.any(|name| is_in(name, &|one| one == file) && !is_in(name, &has_built))
    }

    /// The sources that scripts build.
    pub(crate) fn list_built(&self) -> impl Iterator<Item = FileId> + use<'a> {
        self.design.into_iter().flat_map(|design| design.builds.iter().flatten().copied())
    }

    /// The macros that every script which builds a file, by itself or as an include, defines for it.
    pub(crate) fn defined_for(&self, file: FileId) -> BTreeSet<&'a str> {
        let builds = self.design.into_iter().flat_map(|design| &design.defined);
        let own = builds.filter(|(files, _)| {
            files.iter().any(|&one| one == file || self.code.is_included(file, one))
        });
        let sets = own.map(|(_, macros)| macros.iter().map(String::as_str).collect());
        sets.reduce(|all: BTreeSet<&str>, one| &all & &one).unwrap_or_default()
    }

    /// The functions that scripts and configurations name as tops, where no model names the files.
    pub(crate) fn tops(&self) -> Option<&'a BTreeSet<String>> {
        self.design.map(|design| &design.tops)
    }

    /// The directives of the scripts that are taken, where no model names the files.
    pub(crate) fn asked(&self) -> Option<&'a AskedByTop> {
        self.design.map(|design| &design.asked)
    }

    /// The directives of the design that trade resources and clock for speed.
    pub(crate) fn find_speeding(&self) -> &Speeding {
        self.speeding.get_or_init(|| {
            let scripted = self.list_directives().filter(|one| !one.off);
            Speeding::of(self.code, scripted.map(|one| &one.kind))
        })
    }

    /// The directives of the scripts that are taken, of all tops.
    pub(crate) fn list_directives(&self) -> impl Iterator<Item = &'a TclDirective> + use<'a> {
        let asked = self.asked().into_iter();
        let asked = asked.flat_map(|all| all.own.values().chain([&all.others]));
        asked.flat_map(|one| &one.directives)
    }

    /// A script that has the code of a top rewritten before it is scheduled: the tool compiles other statements than the sources
    /// have.
    pub(crate) fn rewritten_by(&self, top: &str) -> Option<&'a str> {
        self.asked()?.of_top(top).rewritten_by.as_deref()
    }

    /// The names of other chips that scripts build the design for, beside the one that is taken.
    pub(crate) fn other_parts(&self) -> &'a [String] {
        self.design.map_or(&[], |design| design.other_parts.as_slice())
    }

    /// Whether the chip has processors beside its logic, and so its memory without v++.
    pub(crate) fn is_for_zynq(&self) -> bool {
        let part = self.design.and_then(|design| design.part.as_ref());
        let starts = ["xc7z", "xczu", "xck26", "xck24"];
        self.platform.is_none()
            && part.is_some_and(|part| starts.iter().any(|start| part.name.starts_with(start)))
    }

    /// Why the interval of a floating-point sum is not certain on the chip that the design is for, or on one that it may be for.
    pub(crate) fn doubt_adders(&self) -> Option<String> {
        if let Some(models) = self.kernel_models() {
            let lent = models.settings.part.family.lent_numbers().map(str::to_owned);
            return lent.or_else(|| models.doubt_part());
        }
        let possible = self.design.into_iter().flat_map(|design| &design.families);
        let lent = possible.copied().find_map(Family::lent_numbers)?;
        Some(format!("the design may be for Versal: {lent}"))
    }

    /// Why the chip is not known.
    pub(crate) fn unknown_part(&self) -> Option<&'a str> {
        self.design.and_then(|design| design.unknown_part.as_deref())
    }

    /// The functions of the design, and those that its v++ configuration links from the designs beside it.
    pub(crate) fn linked_functions(&self) -> Vec<&'a Function> {
        let linked = self.design.into_iter().flat_map(|design| &design.linked);
        self.code.functions().chain(linked).collect()
    }

    /// The files whose macros its functions may use: those of the design, or all where it links kernels of others.
    pub(crate) fn macro_files(&self) -> BTreeSet<FileId> {
        if self.design.is_some_and(|design| !design.linked.is_empty()) {
            return self.sources.files().collect();
        }
        self.code.list_read()
    }

    /// The kernels as the model schedules them, `None` where the part is not known.
    pub(crate) fn kernel_models(&self) -> Option<&'a KernelModels> {
        match (self.analysis, self.design) {
            (Some(analysis), _) => analysis.kernel_models(),
            (None, Some(design)) => design.kernel_models(self.sources),
            (None, None) => None,
        }
    }

    /// The first source that has too much text to be scheduled.
    pub(crate) fn find_too_large(&self) -> Option<&'a str> {
        let file = self.kernel_models()?.too_large.first()?;
        Some(self.sources.name(*file))
    }

    /// The files that kernels are compiled from.
    pub(crate) fn reach(&self) -> &Reach {
        self.reach.get_or_init(|| Reach::find(self.sources, self.code, self.tops()))
    }

    /// What the reports say together, a synthesis each.
    pub(crate) fn syntheses(&self) -> &[Synthesis] {
        self.syntheses.get_or_init(|| gather(&self.build.reports))
    }

    /// What the reports of the solutions say, which are designs of their own.
    pub(crate) fn gather_solutions(&self) -> Vec<Synthesis> {
        self.design.map(|design| gather(&design.solutions)).unwrap_or_default()
    }

    /// The reports of the design, of its solutions, and of other designs that are of functions which this one defines.
    pub(crate) fn all_reports(&self) -> Vec<&'a Report> {
        let design = self.design.into_iter();
        let others = design.flat_map(|design| design.solutions.iter().chain(&design.elsewhere));
        self.build.reports.iter().chain(others).collect()
    }

    /// What reports of other designs say of functions that this one defines, where it has none.
    pub(crate) fn gather_elsewhere(&self) -> Vec<Synthesis> {
        self.design.map(|design| gather(&design.elsewhere)).unwrap_or_default()
    }

    /// The headers that are named and that nothing of the design includes.
    pub(crate) fn unbuilt(&self) -> Option<&'a BTreeSet<FileId>> {
        self.analysis.map(|analysis| &analysis.unbuilt)
    }
}

fn gather(reports: &[Report]) -> Vec<Synthesis> {
    let place = |report: &Report| Some((report.top.as_ref()?.span.file, report.clone()));
    gather_syntheses(&reports.iter().filter_map(place).collect::<Vec<(FileId, Report)>>())
}
