//! The kernels that `[[kernel]]` names: their sources are modelled, their reports read.

use std::path::{Path, PathBuf};

use derate_advice::find_advice;
use derate_design::find_stale;
use derate_estimate::{Analysis, KernelReading, ReportReading, SourceModel};
use derate_hls::{FileId, Report, Sources, TclFile, gather_syntheses, read_report};
use derate_kernel::{
    DEFAULT_TOOL, Directives, Program, Settings, estimate_kernel, find_card_part,
    find_top_candidates, read_program, uncertainty,
};
use derate_project::{Claim, KernelOrigin, KernelReport, KernelSection, KernelSource};

use crate::directives::read_directives;
use crate::matches::find_matches;
use crate::{KernelTexts, LoadError, Preprocess, ReadError, read_source, read_text};

/// Reads each kernel of the project in its folder.
pub(crate) fn read_design_kernels(
    dir: &Path,
    analysis: &mut Analysis,
    preprocess: &Preprocess,
    replaced: &mut Vec<String>,
) -> Result<Vec<KernelReading>, LoadError> {
    let sections = analysis.project.kernels.clone();
    let read = sections.iter().map(|section| match &section.origin {
        KernelOrigin::Stages(_) => Ok(KernelReading::Described),
        KernelOrigin::Report(report) => {
            read_reported(dir, analysis, section, report, preprocess, replaced)
        }
        KernelOrigin::Source(source) => {
            let model = model_kernel(dir, analysis, section, source, preprocess, replaced)?;
            Ok(KernelReading::Modelled(Box::new(model)))
        }
    });
    read.collect()
}

fn read_kernel_report(
    dir: &Path,
    analysis: &mut Analysis,
    path: &Claim<String>,
    replaced: &mut Vec<String>,
) -> Result<(FileId, Report), LoadError> {
    let (text, odd_bytes) = read_source(&dir.join(&path.value))
        .map_err(|error| LoadError::at(&analysis.sources, path, &error))?;
    if odd_bytes {
        replaced.push(path.value.clone());
    }
    let file = analysis.sources.add(path.value.clone(), text);
    let report = read_report(&analysis.sources, file)
        .map_err(|error| LoadError::at(&analysis.sources, path, &error))?;
    Ok((file, report))
}

/// A report, with the source that it should be of where that is named.
fn read_reported(
    dir: &Path,
    analysis: &mut Analysis,
    section: &KernelSection,
    origin: &KernelReport,
    preprocess: &Preprocess,
    replaced: &mut Vec<String>,
) -> Result<KernelReading, LoadError> {
    let read = read_kernel_report(dir, analysis, &origin.path, replaced)?;
    let source = origin.source.as_ref();
    let source = source
        .map(|source| model_kernel(dir, analysis, section, source, preprocess, replaced))
        .transpose()?;
    let stale = source.as_ref().map_or_else(Vec::new, |source| list_differences(&read, source));
    Ok(KernelReading::Reported(Box::new(ReportReading { report: read.1, source, stale })))
}

/// What shows that a report is of another version of its source.
fn list_differences(report: &(FileId, Report), source: &SourceModel) -> Vec<String> {
    let paths = source.program.files.iter();
    let texts: Vec<(String, String)> = paths
        .filter_map(|path| Some((path.clone(), read_source(Path::new(path)).ok()?.0)))
        .collect();
    let syntheses = gather_syntheses(std::slice::from_ref(report));
    let compare = |synthesis| find_stale(synthesis, &source.program, &source.answer, &texts, None);
    syntheses.first().map_or_else(Vec::new, compare)
}

/// A kernel of `[[kernel]]` that has C++, ready to be scheduled.
#[derive(Debug)]
pub struct KernelSetup {
    /// Its sources.
    pub texts: KernelTexts,
    /// The top function.
    pub top: String,
    /// What the sources say as they are written.
    pub program: Program,
    /// Path of its file of directives, and the text.
    pub given: Option<(String, String)>,
    /// The directives of that file.
    pub directives: Directives,
    /// Part, clock and tool.
    pub settings: Settings,
    /// What was chosen of several things in that file, and what is not there.
    pub notes: Vec<String>,
}

/// Reads a kernel of a project whose folder is `dir`.
///
/// # Errors
///
/// A file that cannot be read, a top function that is not there, or a card whose chip is not known.
pub fn read_kernel_setup(
    dir: &Path,
    analysis: &Analysis,
    section: &KernelSection,
    source: &KernelSource,
    preprocess: &Preprocess,
) -> Result<KernelSetup, LoadError> {
    let sources = &analysis.sources;
    let mut paths: Vec<PathBuf> = Vec::new();
    for pattern in &source.files {
        paths.extend(find_matches(dir, sources, pattern)?.into_iter().map(|(path, _)| path));
    }
    let folders = analysis.project.hls.include.iter().map(|folder| dir.join(&folder.value));
    let defines = analysis.project.hls.defines.iter().chain(&source.defines);
    let defines = defines.map(|define| format!("{}={}", define.value.0, define.value.1));
    let options = Preprocess {
        include: preprocess.include.iter().cloned().chain(folders).collect(),
        define: defines.chain(preprocess.define.iter().cloned()).collect(),
    };
    let texts = KernelTexts::read(&paths, &options)?;
    let unit = texts.parse(|_, text| text.to_owned(), &[]);
    let first = &source.files[0];
    let candidates = find_top_candidates(&unit);
    let top = match (&source.top, candidates.as_slice()) {
        (Some(top), _) => top.value.clone(),
        (None, [one]) => one.clone(),
        (None, _) => {
            let reason = format!(
                "the kernel `{}` has no single function that nobody calls: name it with top = \"...\"",
                section.name.value
            );
            return Err(LoadError::at(sources, first, &reason));
        }
    };
    let at = source.top.as_ref().unwrap_or(first);
    let program = read_program(&unit, &top)
        .map_err(|error| LoadError::at(sources, at, &format!("{error}: fix `top` or `source`")))?;
    let clock = section.clock.as_ref().map_or_else(|| analysis.clock().value, |claim| claim.value);
    let (asked, given, notes) = match &source.directives {
        Some(claim) => {
            let path = dir.join(&claim.value);
            let at = |error: ReadError| LoadError::at(sources, claim, &error);
            let text = read_text(&path).map_err(at)?;
            let given = read_directives(&path, Some(&top), Some(clock)).map_err(at)?;
            (given.file, Some((claim.value.clone(), text)), given.notes)
        }
        None => (TclFile::default(), None, Vec::new()),
    };
    let platform = &analysis.platform;
    let part = find_card_part(platform).ok_or_else(|| {
        let reason = format!(
            "the platform {} does not say what its chip has, so a kernel cannot be modelled for it",
            platform.name
        );
        LoadError::at(sources, &analysis.project.platform, &reason)
    })?;
    let tool = source.tool.as_ref().map_or(DEFAULT_TOOL, |claim| claim.value);
    let mut settings = Settings::new(part, 1e9 / clock.0, tool);
    settings.apply_tool_settings(&asked.settings);
    settings.arguments = find_arguments(sources, source, &program)?;
    let directives = Directives { list: asked.directives };
    Ok(KernelSetup { texts, top, program, given, directives, settings, notes })
}

/// The numbers that a call passes; each has to be an argument of the top function.
fn find_arguments(
    sources: &Sources,
    source: &KernelSource,
    program: &Program,
) -> Result<Vec<(String, u64)>, LoadError> {
    let top = &program.functions[0];
    let numbers = top.parameters.iter().zip(&top.by_value).filter(|(_, by_value)| **by_value);
    let names: Vec<&str> = numbers.map(|(one, _)| top.objects[*one].name.as_str()).collect();
    let argument = |(name, claim): (&String, &Claim<u64>)| {
        if names.contains(&name.as_str()) {
            return Ok((name.clone(), claim.value));
        }
        let known = match names.as_slice() {
            [] => "it has no number among its arguments".to_owned(),
            some => format!("its numbers are {}", some.join(", ")),
        };
        let reason = format!("`{}` has no argument `{name}`: {known}", top.name);
        Err(LoadError::at(sources, claim, &reason))
    };
    source.arguments.iter().map(argument).collect()
}

fn model_kernel(
    dir: &Path,
    analysis: &Analysis,
    section: &KernelSection,
    source: &KernelSource,
    preprocess: &Preprocess,
    replaced: &mut Vec<String>,
) -> Result<SourceModel, LoadError> {
    let setup = read_kernel_setup(dir, analysis, section, source, preprocess)?;
    replaced.extend_from_slice(&setup.texts.replaced);
    let KernelSetup { program, directives, settings, notes, .. } = setup;
    let answer = estimate_kernel(&program, &directives, &settings);
    let uncertainty = uncertainty(&answer);
    let advice = find_advice(&program, &directives, &settings, &answer);
    Ok(SourceModel { program, answer, uncertainty, advice, notes })
}
