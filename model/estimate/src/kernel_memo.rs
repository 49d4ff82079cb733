//! The kernels of copied sources: a copy of a design has the same kernels, in other files.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use derate_hls::{FileId, Sources};
use derate_kernel::{Family, KernelAnswer, Program};
use derate_project::UnitTexts;

use crate::asked::AskedOf;

/// What the kernels of a unit depend on beside its texts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Circumstances {
    /// All that a schedule asks of a part.
    pub(crate) family: Family,
    pub(crate) has_uram: bool,
    pub(crate) clock_ns: f64,
    pub(crate) tool: (u16, u16),
    /// The clock, directives and settings of each top that scripts name, and those of the others.
    pub(crate) asked: Vec<AskedOf>,
}

/// The kernels of a unit, and what they were chosen by.
#[derive(Clone, Debug)]
pub(crate) struct UnitKernels {
    /// The tops that scripts name, and whether only they are kernels.
    pub(crate) scripted: BTreeSet<String>,
    pub(crate) only_tops: bool,
    /// The functions that no other one of the unit calls or that have an interface, and whether no hardware of the project calls
    /// them.
    pub(crate) candidates: Vec<(String, bool)>,
    /// The functions of them that could be read, and whether the project names them as tops.
    pub(crate) tops: Vec<(String, bool)>,
    pub(crate) kernels: Vec<(Program, KernelAnswer)>,
}

#[derive(Debug)]
struct KnownUnit {
    texts: UnitTexts,
    names: Vec<String>,
    circumstances: Circumstances,
    read: UnitKernels,
}

/// The kernels of sources that lie in several places of a folder.
#[derive(Debug)]
pub(crate) struct KernelMemo {
    /// The texts that several of its files have.
    repeated: HashSet<Arc<str>>,
    known: Mutex<Vec<KnownUnit>>,
}

impl KernelMemo {
    /// One for these files; `None` where no two of them have the same text.
    pub(crate) fn of(files: impl Iterator<Item = FileId>, sources: &Sources) -> Option<Self> {
        let mut first: HashMap<&str, FileId> = HashMap::new();
        let mut repeated = HashSet::new();
        for file in files {
            if *first.entry(sources.text(file)).or_insert(file) != file {
                repeated.insert(sources.shared(file));
            }
        }
        (!repeated.is_empty()).then(|| Self { repeated, known: Mutex::default() })
    }

    /// Whether another file has the text of this one.
    pub(crate) fn is_repeated(&self, sources: &Sources, file: FileId) -> bool {
        self.repeated.contains(sources.text(file))
    }

    /// The kernels of a unit that was read before from such texts, under these names; `is_same` says whether the same functions
    /// would be chosen, and `schedule` is asked where the circumstances are others.
    pub(crate) fn find(
        &self,
        (texts, names): (&UnitTexts, &[String]),
        circumstances: &Circumstances,
        is_same: impl Fn(&UnitKernels) -> bool,
        schedule: impl Fn(&Program) -> KernelAnswer,
    ) -> Option<Vec<(Program, KernelAnswer)>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |one: &&KnownUnit| one.texts == *texts && is_same(&one.read);
        let all = || known.iter().filter(fits);
        let same = all().find(|one| one.circumstances == *circumstances);
        let found = same.or_else(|| all().next())?;
        let rename = |file: &mut String| {
            if let Some(at) = found.names.iter().position(|name| name == file) {
                file.clone_from(&names[at]);
            }
        };
        let mut kernels = found.read.kernels.clone();
        if same.is_none() {
            for (program, answer) in &mut kernels {
                *answer = schedule(program);
            }
        }
        for (program, answer) in &mut kernels {
            program.files.iter_mut().chain(&mut answer.files).for_each(rename);
        }
        Some(kernels)
    }

    pub(crate) fn keep(
        &self,
        (texts, names): (UnitTexts, Vec<String>),
        circumstances: Circumstances,
        read: UnitKernels,
    ) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.push(KnownUnit { texts, names, circumstances, read });
    }
}
