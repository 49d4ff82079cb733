//! Folders of reports: which kernels they are of, and the same kernels from their sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow};
use derate_hls::{FileId, Report, Sources, Synthesis, gather_syntheses, read_report, report_kind};
use derate_model::design::find_stale;
use derate_model::kernel::{KernelAnswer, Settings};
use derate_model::load;
use derate_reports::readings::{ModelledSide, SynthesisStudy};

use super::beside;
use super::simulated::Simulations;
use crate::args::{Hls, KernelSource};
use crate::commands::kernel::{Scheduled, schedule};
use crate::output;

/// A folder with more is not a folder of reports.
const MOST_FILES: usize = 20_000;
const DEEPEST: usize = 16;

/// A synthesis, and where its reports are.
pub(super) struct Found {
    synthesis: Synthesis,
    simulated: Option<u64>,
    modelled: Option<Modelled>,
}

/// The same kernel from its sources.
struct Modelled {
    answer: KernelAnswer,
    settings: Settings,
    files: Vec<String>,
    stale: Vec<String>,
    notes: Vec<String>,
}

impl Found {
    pub(super) fn study<'a>(&'a self, sources: &'a Sources) -> SynthesisStudy<'a> {
        let modelled = self.modelled.as_ref().map(|one| ModelledSide {
            answer: &one.answer,
            settings: &one.settings,
            files: &one.files,
            stale: &one.stale,
            notes: &one.notes,
        });
        let (synthesis, simulated) = (&self.synthesis, self.simulated);
        SynthesisStudy { sources, synthesis, simulated, modelled }
    }
}

/// The syntheses that the reports below a folder are of.
pub(super) fn read_folder(
    sources: &mut Sources,
    folder: &Path,
    args: &Hls,
) -> Result<Vec<Found>, Error> {
    let mut paths = Vec::new();
    list_reports(folder, 0, &mut paths);
    let mut folders: BTreeMap<PathBuf, Vec<(FileId, Report)>> = BTreeMap::new();
    for path in paths {
        let Ok((text, _)) = load::read_source(&path) else { continue };
        if report_kind(&text).is_none() {
            continue;
        }
        let file = sources.add(path.to_string_lossy(), text);
        match read_report(sources, file) {
            Ok(report) => {
                let place = path.parent().unwrap_or(folder).to_owned();
                folders.entry(place).or_default().push((file, report));
            }
            Err(error) => output::note(&format!("note: {error}")),
        }
    }
    let simulated = Simulations::of(&folders);
    let mut found = Vec::new();
    for (place, reports) in &folders {
        let syntheses = gather_syntheses(reports);
        let is_alone = syntheses.len() == 1;
        for synthesis in syntheses {
            if !synthesis.top.is_empty()
                && args.top.as_ref().is_none_or(|top| *top == synthesis.top)
            {
                let simulated = simulated.find(place, &synthesis.top);
                let modelled = model(&synthesis, place, args, is_alone);
                found.push(Found { synthesis, simulated, modelled });
            }
        }
    }
    if found.is_empty() {
        let of = args.top.as_ref().map(|top| format!(" of `{top}`")).unwrap_or_default();
        return Err(anyhow!(
            "{} has no synthesis report{of} below it: give the folder that has csynth.rpt or *_csynth.xml",
            folder.display()
        ));
    }
    Ok(found)
}

/// The texts and XML below a folder, sorted.
fn list_reports(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|one| one.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_symlink() || found.len() >= MOST_FILES {
            continue;
        }
        // What the tool keeps for itself looks like reports.
        if path.file_name().is_some_and(|name| name == ".autopilot") {
            continue;
        }
        let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        if path.is_dir() && depth < DEEPEST {
            list_reports(&path, depth + 1, found);
        } else if ending.is_some_and(|ending| ending == "rpt" || ending == "xml") {
            found.push(path);
        }
    }
}

/// The kernel from its sources: those that are named, else those that the project beside the reports names.
fn model(synthesis: &Synthesis, place: &Path, args: &Hls, is_alone: bool) -> Option<Modelled> {
    let own =
        beside::find_project(place).or_else(|| beside::find_definition(place, &synthesis.top));
    let named = !args.source.is_empty();
    let (files, directives) = match own {
        Some(own) if !named => (own.sources, args.directives.clone().or(own.directives)),
        _ => (args.source.clone(), args.directives.clone()),
    };
    if files.is_empty() {
        return None;
    }
    let mut preprocess = crate::args::Preprocess::default();
    preprocess.include.clone_from(&args.preprocess.include);
    preprocess.define.clone_from(&args.preprocess.define);
    let asked = KernelSource {
        files: files.clone(),
        top: Some(synthesis.top.clone()),
        preprocess,
        directives: directives.into_iter().collect(),
        part: synthesis.part.clone(),
        clock: synthesis.clock_ns.map(|period| format!("{period} ns")),
        tool: synthesis.version.clone(),
        ..KernelSource::default()
    };
    match schedule(&asked) {
        Ok(scheduled) => Some(compare(synthesis, scheduled, &files)),
        Err(error) if args.top.is_some() || is_alone => {
            output::note(&format!("note: `{}` is not modelled: {error:#}", synthesis.top));
            None
        }
        Err(_) => None,
    }
}

fn compare(synthesis: &Synthesis, scheduled: Scheduled, files: &[PathBuf]) -> Modelled {
    let Scheduled { request, program, answer } = scheduled;
    let texts: Vec<(String, String)> = program
        .files
        .iter()
        .filter_map(|path| Some((path.clone(), load::read_source(Path::new(path)).ok()?.0)))
        .collect();
    let stale = find_stale(synthesis, &program, &answer, &texts, None);
    let files = files.iter().map(|path| path.display().to_string()).collect();
    Modelled { answer, settings: request.settings, files, stale, notes: request.notes }
}
