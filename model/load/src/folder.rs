//! Loads the designs of a folder that has no model, claims or card: what is there is read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use derate_estimate::DesignFiles;
use derate_hls::{FileId, Language, Sources, read_connectivity, read_layer_settings, read_report};
use derate_kernel::{Part, find_part};
use derate_machine::Platform;
use derate_project::{Build, Code, NotAuditedReport, Project};
use derate_units::Hertz;

use crate::designs::{BuildScript, DesignPlan, find_named_card, plan_designs};
use crate::own_headers::OwnHeaders;
use crate::search::{PassedOver, Search};
use crate::{Disk, LoadError, Preprocess, read_source};

/// The designs of a folder, read.
#[derive(Debug)]
pub struct LoadedFolder {
    /// The texts of all designs.
    pub sources: Sources,
    /// `derate.toml`, where there is one.
    pub project: Option<Project>,
    /// Sorted by name.
    pub designs: Vec<DesignFiles>,
    /// The words of the command line that the reading depends on.
    pub options: Vec<String>,
    /// Files that are not UTF-8 throughout; their odd bytes were replaced.
    pub replaced: Vec<String>,
    /// Files that could not be read.
    pub not_audited: Vec<NotAuditedReport>,
}

/// Bytes that all designs of a folder may read again for macros that nothing defines: a second or so.
const READ_AGAIN: usize = 4 << 20;

/// Reads the designs of a folder without a `derate.toml`.
///
/// # Errors
///
/// The folder cannot be read, or has no source, report or v++ configuration.
pub fn load_folder(dir: &Path, preprocess: &Preprocess) -> Result<LoadedFolder, LoadError> {
    let search = Search::new(dir)?;
    let plans = plan_designs(&search);
    if plans.is_empty() {
        return Err(match search.list_opencl().first() {
            Some(first) => LoadError::OnlyOpenCl((*first).clone()),
            None => LoadError::NothingToAudit(dir.to_owned()),
        });
    }
    let cards = Platform::catalogue().into_iter().map(|card| (card.name.clone(), card)).collect();
    let mut reader = Reader {
        search: &search,
        preprocess,
        macros: preprocess.macros()?,
        cards,
        own_headers: OwnHeaders::of(&search),
        known: BTreeMap::new(),
        read_again: READ_AGAIN / plans.len(),
        included: BTreeSet::new(),
        folder: LoadedFolder {
            sources: Sources::default(),
            project: None,
            designs: Vec::new(),
            options: preprocess.command_words(dir),
            replaced: Vec::new(),
            not_audited: Vec::new(),
        },
    };
    // Headers that the sources include are of their designs; those that are left are read afterwards.
    let is_source = |path: &PathBuf| !is_header(path);
    let (compiled, headers): (Vec<_>, Vec<_>) =
        plans.into_iter().partition(|plan| plan.sources.iter().any(is_source));
    for plan in compiled.iter().chain(&headers) {
        reader.read_design(plan)?;
    }
    for (file, why) in search.list_passed_over() {
        let reason = match why {
            PassedOver::HostProgram => "it includes the driver's headers: a program of the host",
            PassedOver::OpenCl => "it is OpenCL C",
            PassedOver::TestBench | PassedOver::PlainC | PassedOver::ToolOutput => continue,
        };
        let reason = reason.to_owned();
        reader.folder.not_audited.push(NotAuditedReport { file, reason });
    }
    let mut folder = reader.folder;
    folder.designs.sort_by(|a, b| a.name.cmp(&b.name));
    folder.replaced.sort();
    folder.replaced.dedup();
    Ok(folder)
}

fn is_header(path: &Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    end.to_ascii_lowercase().starts_with('h')
}

struct Reader<'a> {
    search: &'a Search,
    preprocess: &'a Preprocess,
    macros: Vec<(String, String)>,
    cards: BTreeMap<String, Platform>,
    own_headers: OwnHeaders,
    /// The texts that were read, by name.
    known: BTreeMap<String, FileId>,
    /// Bytes that may be read again for each design, for macros that nothing defines.
    read_again: usize,
    /// The files that a design before was read with.
    included: BTreeSet<FileId>,
    folder: LoadedFolder,
}

impl Reader<'_> {
    fn read_design(&mut self, plan: &DesignPlan) -> Result<(), LoadError> {
        let code = self.read_code(plan)?;
        let mut build = Build::default();
        for path in &plan.reports {
            let Some(file) = self.read_file(path) else { continue };
            match read_report(&self.folder.sources, file) {
                Ok(report) => build.reports.push(report),
                Err(error) => self.note_unread(path, &error.to_string()),
            }
        }
        let mut card = None;
        if let Some(path) = &plan.connectivity
            && let Some(file) = self.read_file(path)
        {
            card = find_named_card(self.folder.sources.text(file), &self.cards);
            match read_connectivity(&self.folder.sources, file) {
                Ok(read) => build.connectivity = Some((file, read)),
                Err(error) => self.note_unread(path, &error.to_string()),
            }
        }
        if let Some(path) = self.find_layer_settings(plan)
            && let Some(file) = self.read_file(&path)
        {
            build.layers = Some(read_layer_settings(&self.folder.sources, file));
        }
        if code.headers().is_empty() && build == Build::default() {
            return Ok(());
        }
        let (part, unknown_part) = match choose_part(&plan.scripts, &build, card.as_ref()) {
            Ok(part) => (Some(part), None),
            Err(reason) => (None, Some(reason)),
        };
        let (clock, unknown_part, part) = match choose_clock(&plan.scripts, &build) {
            Ok(clock) => (clock, unknown_part, part),
            Err(reason) => (None, Some(reason), None),
        };
        let of_part = || {
            let name = derate_estimate::starter::find_card(&part.as_ref()?.name)?;
            self.cards.get(&name).cloned()
        };
        let mut design = DesignFiles::new(&plan.name, code, build);
        design.platform = card.or_else(of_part);
        design.tops = plan.scripts.iter().flat_map(|script| script.tops.iter().cloned()).collect();
        let id = |path: &PathBuf| self.known.get(&self.search.name(path)).copied();
        let files = plan.scripts.iter().map(|script| script.files.iter().filter_map(id).collect());
        design.builds = files.collect();
        (design.part, design.unknown_part, design.clock) = (part, unknown_part, clock);
        self.folder.designs.push(design);
        Ok(())
    }

    /// The `hls4ml_config.yml` that lies beside a design's sources, or beside their `firmware` folder.
    fn find_layer_settings(&self, plan: &DesignPlan) -> Option<PathBuf> {
        let mut folders: BTreeSet<&Path> = plan.sources.iter().filter_map(|p| p.parent()).collect();
        let above = folders.iter().filter(|folder| folder.ends_with("firmware"));
        let above: Vec<&Path> = above.filter_map(|folder| folder.parent()).collect();
        folders.extend(above);
        let is_settings = |path: &&PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name == Some("hls4ml_config.yml")
                && path.parent().is_some_and(|folder| folders.contains(folder))
        };
        let mut fitting = self.search.files.iter().filter(is_settings);
        fitting.next().filter(|_| fitting.next().is_none()).cloned()
    }

    /// The sources of a design with what they include; headers only where no design before includes them.
    fn read_code(&mut self, plan: &DesignPlan) -> Result<Code, LoadError> {
        let has_source = plan.sources.iter().any(|path| !is_header(path));
        let mut files = Vec::new();
        let mut disk = Disk::new(&self.search.dir, Some(&self.search.dir));
        disk.know_headers(self.own_headers.clone());
        for path in &plan.sources {
            let Some(file) = self.read_file(path) else { continue };
            let is_cpp = Language::of(self.folder.sources.name(file)) == Language::Cpp;
            if is_cpp && (has_source || !self.included.contains(&file)) {
                disk.know(self.folder.sources.name(file), path);
                files.push(file);
            }
        }
        for folder in &self.preprocess.include {
            disk.search(folder)?;
        }
        for folder in plan.scripts.iter().flat_map(|script| &script.include) {
            disk.search(folder)?;
        }
        let mut defines = shared_defines(&plan.scripts);
        defines.extend(self.macros.iter().cloned());
        let code = Code::within(
            &mut self.folder.sources,
            &files,
            &defines,
            &mut disk,
            None,
            self.read_again,
        );
        self.folder.replaced.extend_from_slice(disk.replaced());
        for header in code.all_headers() {
            self.included.insert(header.file);
            self.known.insert(self.folder.sources.name(header.file).to_owned(), header.file);
        }
        Ok(code)
    }

    /// The text of a file, read once.
    fn read_file(&mut self, path: &Path) -> Option<FileId> {
        let name = self.search.name(path);
        if let Some(file) = self.known.get(&name) {
            return Some(*file);
        }
        match read_source(path) {
            Ok((text, odd_bytes)) => {
                if odd_bytes {
                    self.folder.replaced.push(name.clone());
                }
                let file = self.folder.sources.add(name.clone(), text);
                self.known.insert(name, file);
                Some(file)
            }
            Err(error) => {
                self.note_unread(path, &error.to_string());
                None
            }
        }
    }

    fn note_unread(&mut self, path: &Path, reason: &str) {
        let file = self.search.name(path);
        self.folder.not_audited.push(NotAuditedReport { file, reason: reason.to_owned() });
    }
}

/// The macros that all scripts of a design define; where they differ, none is sure.
fn shared_defines(scripts: &[BuildScript]) -> Vec<(String, String)> {
    let mut lists = scripts.iter().filter(|script| !script.files.is_empty());
    let first = lists.next().map(|script| &script.defines);
    first.filter(|first| lists.all(|script| script.defines == **first)).cloned().unwrap_or_default()
}

/// The one chip that scripts, reports or the card name.
fn choose_part(
    scripts: &[BuildScript],
    build: &Build,
    card: Option<&Platform>,
) -> Result<Part, String> {
    let reported = build.reports.iter().filter_map(|report| report.part.as_ref());
    let reported = reported.map(|part| part.value.as_str());
    let scripted = scripts.iter().flat_map(|script| script.parts.iter().map(String::as_str));
    let mut known: BTreeMap<String, Part> = BTreeMap::new();
    let mut unknown = BTreeSet::new();
    for name in scripted.chain(reported) {
        match find_part(name) {
            Some(part) => {
                known.insert(part.name.clone(), part);
            }
            None => {
                unknown.insert(name.to_ascii_lowercase());
            }
        }
    }
    // Older reports name the family, which is less than a part.
    if !known.is_empty() {
        unknown.retain(|name| name.starts_with("xc"));
    }
    let names: Vec<&str> =
        known.keys().map(String::as_str).chain(unknown.iter().map(String::as_str)).collect();
    match (known.len(), unknown.len()) {
        (1, 0) => known.into_values().next().ok_or_else(String::new),
        (0, 0) => card
            .and_then(derate_kernel::find_card_part)
            .ok_or_else(|| "no script, configuration or report names a part".to_owned()),
        (0, 1) => Err(format!("derate does not know the part {}", names.join(", "))),
        _ => Err(format!("several parts are named: {}", names.join(", "))),
    }
}

/// The one clock that scripts or reports name; none where nothing does.
fn choose_clock(scripts: &[BuildScript], build: &Build) -> Result<Option<Hertz>, String> {
    let reported = build.reports.iter().filter_map(|report| report.clock.target.as_ref());
    let reported = reported.filter_map(|target| target.value.known());
    let scripted = scripts.iter().flat_map(|script| script.clocks.iter().copied());
    let mut clocks: Vec<f64> = Vec::new();
    for period in scripted.chain(reported).filter(|period| *period > 0.0) {
        // Reports print two or three digits, and people write 3.3 for a third of 10.
        if clocks.iter().all(|known| (known / period - 1.0).abs() > 0.015) {
            clocks.push(period);
        }
    }
    match clocks.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(Hertz(1e9 / one))),
        more => {
            let named: Vec<String> = more.iter().map(|period| format!("{period} ns")).collect();
            Err(format!("several clocks are named: {}", named.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(parts: &[&str], clocks: &[f64]) -> BuildScript {
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        BuildScript { parts, clocks: clocks.to_vec(), ..BuildScript::default() }
    }

    #[test]
    fn a_family_beside_its_part_is_no_second_part() {
        let choose = |parts: &[&str]| choose_part(&[script(parts, &[])], &Build::default(), None);
        let known = choose(&["xc7vx485tffg1761-2", "virtex7"]).map(|part| part.name);
        assert_eq!(known, choose(&["xc7vx485tffg1761-2"]).map(|part| part.name));
        assert!(known.is_ok());
        assert!(choose(&["xc7vx485tffg1761-2", "xczu9eg-ffvb1156-2-i"]).is_err());
        assert!(choose(&["virtex7"]).is_err());
    }

    #[test]
    fn a_third_of_ten_is_one_clock_however_it_is_written() {
        let choose = |clocks: &[f64]| choose_clock(&[script(&[], clocks)], &Build::default());
        assert!(choose(&[3.3, 3.33, 10.0 / 3.0]).is_ok_and(|clock| clock.is_some()));
        assert!(choose(&[3.33, 4.0]).is_err());
        assert!(choose(&[]).is_ok_and(|clock| clock.is_none()));
    }
}
