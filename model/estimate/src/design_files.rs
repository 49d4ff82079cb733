//! One design of a folder, as far as its files show it: no model, claim or card has to be known.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use derate_hls::{FileId, Function, Report, Sources};
use derate_kernel::{Part, find_card_part};
use derate_machine::{Family, Platform};
use derate_project::{Build, Code};
use derate_units::Hertz;

use crate::kernel_memo::KernelMemo;
use crate::kernels::KernelInputs;
use crate::{AskedByTop, DesignClock, DesignTool, KernelModels};

/// A design and what its scripts, configurations and reports say of it.
#[derive(Clone, Debug, Default)]
pub struct DesignFiles {
    /// Its path from the folder that was searched; `.` for that folder.
    pub name: String,
    /// The code.
    pub code: Code,
    /// The settings of the tools, and what they printed.
    pub build: Build,
    /// The reports of its solutions, where these are designs of their own.
    pub solutions: Vec<Report>,
    /// The reports of other designs that are of functions which this one defines, where it has none itself: of another version of
    /// the source, maybe.
    pub elsewhere: Vec<Report>,
    /// The functions that scripts and configurations name as tops.
    pub tops: BTreeSet<String>,
    /// The sources that each script builds together.
    pub builds: Vec<BTreeSet<FileId>>,
    /// The macros that each script defines for the sources that it builds.
    pub defined: Vec<(BTreeSet<FileId>, BTreeSet<String>)>,
    /// The sources that commands of build files compile, each by itself.
    pub compiled: BTreeSet<FileId>,
    /// The chip that they name, where derate knows it.
    pub part: Option<Part>,
    /// The names of other chips that scripts build it for.
    pub other_parts: Vec<String>,
    /// The README that alone names the chip.
    pub part_from: Option<String>,
    /// The card of that chip, or the one that `derate.toml` names.
    pub platform: Option<Platform>,
    /// Why the chip is not known, as the end of a sentence.
    pub unknown_part: Option<String>,
    /// Where no chip is taken, the families of those that its files name, else of those that the designs beside it are for.
    pub families: BTreeSet<Family>,
    /// The program that alone includes its headers, where no source is compiled for the card: then nothing is scheduled.
    pub only_program: Option<String>,
    /// The clock that the design is built for.
    pub clock: DesignClock,
    /// The version of the tool that it is built with.
    pub tool: DesignTool,
    /// The directives and settings that it is built with, beside those of the code.
    pub asked: AskedByTop,
    /// What its v++ configuration links from the designs beside it: kernels that it has no source of, with what they call.
    pub linked: Vec<Function>,
    models: OnceLock<Option<KernelModels>>,
    memo: Option<Arc<KernelMemo>>,
}

impl DesignFiles {
    /// A design of which no chip, card, top or clock is named.
    pub fn new(name: impl Into<String>, code: Code, build: Build) -> Self {
        let tool = DesignTool::of_reports(&build).unwrap_or_default();
        Self { name: name.into(), code, build, tool, ..Self::default() }
    }

    /// Takes the card that `derate.toml` names in place of what scripts and reports say.
    pub fn set_platform(&mut self, platform: &Platform, clock: Hertz) {
        self.part = find_card_part(platform);
        self.other_parts.clear();
        self.unknown_part = match self.part {
            Some(_) => None,
            None => Some(format!("the platform {} does not say what its chip has", platform.name)),
        };
        self.platform = Some(platform.clone());
        self.clock = DesignClock::named(clock);
    }

    /// Lets designs without a chip know the families of those beside them.
    pub fn share_families(designs: &mut [Self]) {
        let taken = designs.iter().filter_map(|design| Some(design.part.as_ref()?.family));
        let named = designs.iter().flat_map(|design| &design.families).copied();
        let all: BTreeSet<Family> = taken.chain(named).collect();
        let is_open = |design: &&mut Self| design.part.is_none() && design.families.is_empty();
        for design in designs.iter_mut().filter(is_open) {
            design.families.clone_from(&all);
        }
    }

    /// Lets copies of a source, which several designs have, be read and scheduled once.
    pub fn share_kernels(designs: &mut [Self], sources: &Sources) {
        let files = designs.iter().flat_map(|design| design.code.files()).copied();
        let memo = KernelMemo::of(files, sources).map(Arc::new);
        for design in designs {
            design.memo.clone_from(&memo);
        }
    }

    /// The same with its code read again from other texts, without a disk. Its kernels are not scheduled yet.
    #[must_use]
    pub fn again(&self, sources: &mut Sources) -> Self {
        let code = self.code.again(sources, None);
        Self { code, models: OnceLock::new(), memo: None, ..self.clone() }
    }

    /// Whether it has anything that the tools of the vendor read or write: a directive, a top, a part, a report.
    pub fn is_recognised(&self) -> bool {
        let mut pragmas = self.code.functions().flat_map(|one| &one.pragmas);
        !self.tops.is_empty()
            || self.part.is_some()
            || !self.build.reports.is_empty()
            || self.build.connectivity.is_some()
            || pragmas.any(|pragma| pragma.directive().is_some())
    }

    /// The kernels as the model schedules them, `None` where the part is not known. The first call schedules them.
    pub fn kernel_models(&self, sources: &Sources) -> Option<&KernelModels> {
        let part = self.part.clone();
        let inputs = KernelInputs {
            sources,
            code: &self.code,
            build: &self.build,
            tops: &self.tops,
            builds: &self.builds,
            compiled: &self.compiled,
            clock: self.clock.value,
            assumes_clock: self.clock.is_assumed(),
            part_from: self.part_from.as_deref(),
            tool: &self.tool,
            asked: &self.asked,
            memo: self.memo.as_deref(),
            only_tops: false,
            is_compiled: self.only_program.is_none(),
        };
        self.models.get_or_init(|| Some(KernelModels::of_inputs(&inputs, part?))).as_ref()
    }
}
