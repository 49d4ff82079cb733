//! Loads the designs of a folder that has no model, claims or card: what is there is read.

mod failed;
mod lent;
mod routed;
mod texts;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use derate_estimate::DesignFiles;
use derate_hls::{
    FileId, Language, Sources, Trees, read_connectivity, read_layer_settings, read_report,
};
use derate_machine::{NamedPart, Platform};
use derate_project::{Build, Code, NotAuditedReport, Project};

use crate::designs::{
    DesignPlan, PlanFiles, ToolPlan, explain_program, find_only_program, keep_solution,
    plan_designs, set_software_aside, set_target,
};
use crate::given::Given;
use crate::own_headers::OwnHeaders;
use crate::paths::is_header;
use crate::search::{BuildScript, Exclude, LibraryFolders, PassedOver, Search, find_named_card};
use crate::{Disk, LoadError, Preprocess, Selection, read_source};

/// The designs of a folder, read.
#[derive(Clone, Debug)]
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
    /// What the user leaves out.
    pub exclude: Exclude,
    /// How many files each of its words leaves out.
    pub left_out: Vec<usize>,
    /// The third-party libraries: nothing in them is audited by itself.
    pub vendored: LibraryFolders,
}

/// Bytes that all designs of a folder may read again for macros that nothing defines: a second or so.
const READ_AGAIN: usize = 4 << 20;

/// Reads the designs of a folder without a `derate.toml`.
///
/// # Errors
///
/// The folder cannot be read, or has no source, report or v++ configuration.
pub fn load_folder(dir: &Path, preprocess: &Preprocess) -> Result<LoadedFolder, LoadError> {
    load_searched(dir, preprocess, &Selection::default(), &Given::default())
}

/// The same, with what `derate.toml` says of it.
pub(crate) fn load_searched(
    dir: &Path,
    preprocess: &Preprocess,
    selection: &Selection,
    given: &Given,
) -> Result<LoadedFolder, LoadError> {
    let exclude = &selection.exclude;
    let search = Search::without(dir, exclude)?;
    let mut plans = plan_designs(&search, &PlanFiles::found(&search));
    if plans.is_empty() {
        return Err(explain_empty(&search));
    }
    let left_out = match &selection.solution {
        Some(name) => keep_solution(&mut plans, name, &search.dir)?,
        None => Vec::new(),
    };
    let (plans, programs) = set_software_aside(plans);
    let mut folder = read_designs(&search, plans, preprocess, given)?;
    folder.exclude = exclude.clone();
    folder.left_out.clone_from(&search.left_out);
    folder.options.extend(selection.words());
    folder.not_audited.extend(left_out.iter().map(|path| NotAuditedReport {
        file: search.name(path),
        reason: "it is of another solution than --solution names".to_owned(),
    }));
    let headers = folder.designs.iter().flat_map(|design| design.code.all_headers());
    let read: BTreeSet<String> =
        headers.map(|header| folder.sources.name(header.file).to_owned()).collect();
    for program in programs {
        if let Some(reason) = explain_program(&search, &program, |name| read.contains(name)) {
            let (file, reason) = (program.name, reason.to_owned());
            folder.not_audited.push(NotAuditedReport { file, reason });
        }
    }
    for script in search.scripts().iter().filter(|script| !script.missing.is_empty()) {
        let first = &script.missing[0];
        let reason = match script.missing.len() - 1 {
            0 => format!("it names {first}, which is not there"),
            1 => format!("it names {first} and 1 more file that is not there"),
            more => format!("it names {first} and {more} more files that are not there"),
        };
        folder.not_audited.push(NotAuditedReport { file: script.name.clone(), reason });
    }
    folder.not_audited.extend(search.list_test_data().into_iter().map(|path| NotAuditedReport {
        file: search.name(path),
        reason: "a report in a folder of tests: it is their data".to_owned(),
    }));
    for (file, why) in search.list_passed_over() {
        // A script may name it.
        if read.contains(&file) {
            continue;
        }
        let reason = match why {
            PassedOver::HostProgram => "it includes the driver's headers: a program of the host",
            PassedOver::OpenCl => "it is OpenCL C",
            PassedOver::Template => "it is a template of Jinja: give what its generator makes",
            PassedOver::TestBench
            | PassedOver::Program
            | PassedOver::PlainC
            | PassedOver::ToolOutput => continue,
        };
        let reason = reason.to_owned();
        folder.not_audited.push(NotAuditedReport { file, reason });
    }
    Ok(folder)
}

/// Why a folder has nothing to audit.
fn explain_empty(search: &Search) -> LoadError {
    if let Some(first) = search.list_opencl().first() {
        return LoadError::OnlyOpenCl((*first).clone());
    }
    let passed_over = search.list_passed_over();
    let path = search.dir.clone();
    let Some((name, why)) = passed_over.first() else { return LoadError::NothingToAudit(path) };
    let why = match why {
        PassedOver::TestBench => "a test bench by its name or its folder",
        PassedOver::HostProgram | PassedOver::Program => "a program of the host",
        PassedOver::PlainC => "C without directives",
        PassedOver::ToolOutput => "a file of a tool or of a third-party library",
        PassedOver::OpenCl => "OpenCL C",
        PassedOver::Template => "a template of Jinja",
    };
    let first = format!("{name} ({why})");
    LoadError::OnlyPassedOver { path, first, others: passed_over.len() - 1 }
}

/// Reads the designs that are planned.
pub(crate) fn read_designs(
    search: &Search,
    plans: Vec<DesignPlan>,
    preprocess: &Preprocess,
    given: &Given,
) -> Result<LoadedFolder, LoadError> {
    let mut reader = Reader {
        search,
        preprocess,
        given,
        macros: preprocess.macros()?,
        cards: list_cards(),
        own_headers: OwnHeaders::of(search),
        readme_part: OnceCell::new(),
        known: BTreeMap::new(),
        trees: Trees::default(),
        read_again: READ_AGAIN / plans.len().max(1),
        included: BTreeSet::new(),
        folder: LoadedFolder {
            sources: Sources::default(),
            project: None,
            designs: Vec::new(),
            options: preprocess.command_words(&search.dir),
            replaced: Vec::new(),
            not_audited: Vec::new(),
            exclude: Exclude::default(),
            left_out: Vec::new(),
            vendored: search.vendored.clone(),
        },
    };
    let tools = ToolPlan::of(&plans);
    // Headers that the sources include are of their designs; those that are left are read afterwards.
    let (compiled, headers): (Vec<_>, Vec<_>) =
        plans.into_iter().partition(DesignPlan::is_compiled);
    for plan in compiled.iter().chain(&headers) {
        reader.read_design(plan)?;
    }
    let folder = &mut reader.folder;
    folder.designs.sort_by(|a, b| a.name.cmp(&b.name));
    tools.settle(&mut folder.designs, search);
    tools.lend_reports(&folder.sources, &mut folder.designs);
    reader.add_timing_summaries();
    reader.add_failed_runs();
    let mut folder = reader.folder;
    DesignFiles::share_families(&mut folder.designs);
    DesignFiles::share_kernels(&mut folder.designs, &folder.sources);
    DesignFiles::link_kernels(&mut folder.designs, &folder.sources);
    folder.replaced.sort();
    folder.replaced.dedup();
    Ok(folder)
}

/// The cards of the catalogue by their names.
pub(crate) fn list_cards() -> BTreeMap<String, Platform> {
    Platform::catalogue().into_iter().map(|card| (card.name.clone(), card)).collect()
}

impl DesignPlan {
    /// Whether it has a source that is more than a header.
    pub(crate) fn is_compiled(&self) -> bool {
        self.sources.iter().any(|path| !is_header(path))
    }
}

struct Reader<'a> {
    search: &'a Search,
    preprocess: &'a Preprocess,
    given: &'a Given,
    macros: Vec<(String, String)>,
    cards: BTreeMap<String, Platform>,
    own_headers: OwnHeaders,
    /// The part that the READMEs name, once it is looked for.
    readme_part: OnceCell<Option<(String, NamedPart)>>,
    /// The texts that were read, by name.
    known: BTreeMap<String, FileId>,
    /// The trees of headers that several designs include.
    trees: Trees,
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
        self.add_routed(&mut build, &plan.reports);
        let mut card = None;
        if let Some(path) = &plan.connectivity
            && let Some(file) = self.read_file(path)
        {
            let (name, text) = (self.folder.sources.name(file), self.folder.sources.text(file));
            card = find_named_card(name, text, &self.cards);
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
        build.logs = self.read_lone_logs(plan, &code);
        let mut design = DesignFiles::new(&plan.name, code, build);
        let id = |path: &PathBuf| self.known.get(&self.search.name(path)).copied();
        let together = plan.scripts.iter().map(|script| &script.files).chain(&self.given.kernels);
        design.builds = together.map(|files| files.iter().filter_map(id).collect()).collect();
        let defined = plan.scripts.iter().filter(|script| !script.files.is_empty()).map(|script| {
            let macros = script.defines.iter().map(|(name, _)| name.clone());
            (script.files.iter().filter_map(id).collect(), macros.collect())
        });
        design.defined = defined.collect();
        let compiled = plan.scripts.iter().flat_map(|script| &script.compiled);
        design.compiled = compiled.filter_map(id).collect();
        design.only_program = find_only_program(self.search, plan);
        let lent = self.lend_solutions(plan, &mut design);
        let readme = self.readme_part.get_or_init(|| self.search.find_readme_part());
        set_target(
            &mut design,
            plan,
            (card, readme.as_ref()),
            self.given,
            &self.cards,
            &self.folder.sources,
        );
        if let Some((own, tops)) = lent {
            design.build = own;
            if design.tops.is_empty() {
                design.tops = tops;
            }
        }
        for script in design.asked.list_scripts() {
            self.read_file(&self.search.dir.join(script));
        }
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
        for folder in &self.given.include {
            disk.search(folder)?;
        }
        for script in &plan.scripts {
            for folder in &script.include {
                if script.has_all_folders {
                    disk.search(folder)?;
                } else {
                    disk.search_too(folder);
                }
            }
        }
        let mut defines = shared_defines(&plan.scripts);
        defines.extend(self.given.defines.iter().cloned());
        defines.extend(self.macros.iter().cloned());
        let code = Code::within(
            &mut self.folder.sources,
            &files,
            &defines,
            &mut disk,
            None,
            self.read_again,
            &mut self.trees,
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
