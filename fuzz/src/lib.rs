//! What the targets share: a small project around the text under test, and everything that the commands do with it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use derate_hls::{FileId, Sources};
use derate_model::fix::{Strategy, apply_fixes, apply_patches, unified_diff};
use derate_model::audit::{AuditReport, audit};
use derate_model::estimate::estimate;
use derate_model::{Analysis, Build, Code, ModelShape, Named, Platform, Project, Recorded};
use derate_reports::Document;
use derate_reports::readings::{self, HlsFile};
use derate_reports::sections;

/// Few claims: those about the platform belong to the target `project`, and cost time here.
pub const PROJECT: &str = include_str!("project.toml");

/// Two layers, with tensors that the headers of the fixtures declare.
pub const DUMP: &str = include_str!("dump.txt");

/// A text; invalid UTF-8 is replaced, as the command does with sources.
pub fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).replace('\0', " ")
}

/// Several texts in one input, parted by zero bytes.
pub fn texts(data: &[u8]) -> impl Iterator<Item = String> {
    data.split(|&byte| byte == 0).map(text)
}

/// The project around some code and some build files; `None` where a file of the build is refused.
pub fn analysis(
    mut sources: Sources,
    code: &[FileId],
    reports: &[FileId],
    cfg: Option<FileId>,
) -> Option<Analysis> {
    static PLATFORM: OnceLock<Platform> = OnceLock::new();
    let project = sources.add("derate.toml", PROJECT);
    let dump = sources.add("dump.txt", DUMP);
    let project = Project::parse(&sources, project).expect("the project file is valid");
    let named = |&file: &FileId| Named { file, by: project.platform.clone(), by_pattern: false };
    let reports: Vec<Named> = reports.iter().map(named).collect();
    let build = Build::read(&sources, &reports, cfg.as_ref().map(named)).ok()?;
    let shape = ModelShape::parse(&sources, dump, None).expect("the dump is valid");
    let platform = PLATFORM.get_or_init(|| Platform::named("u280").expect("the catalogue has it"));
    let code = read(&mut sources, code, &[], Some(&shape));
    Analysis::new(sources, project, shape, code, platform.clone(), build).ok()
}

/// The code of some texts, which include nothing but each other.
pub fn read(
    sources: &mut Sources,
    files: &[FileId],
    defines: &[(String, String)],
    shape: Option<&ModelShape>,
) -> Code {
    Code::new(sources, files, defines, &mut Recorded::default(), shape)
}

/// `derate audit`, and `--fix` with both strategies.
pub fn run_audit(analysis: &Analysis) {
    let audited = audit(analysis);
    let _ = serde_json::to_string(&AuditReport::new(analysis, &audited));
    let diagnostics = sections::diagnostics(&analysis.sources, &audited.findings);
    let _ = derate_reports::render_diagnostics(&diagnostics, false, Some(80));
    for strategy in [Strategy::Claim, Strategy::Code] {
        let mending = apply_fixes(analysis, &audited.findings, strategy, &BTreeMap::new());
        for file in mending.changed_files() {
            let (before, patches) = (analysis.sources.text(file).as_bytes(), mending.patches(file));
            let after = apply_patches(before, &patches);
            assert!(std::str::from_utf8(&after).is_ok(), "an edit cuts a character in two");
            let _ = unified_diff(analysis.sources.name(file), before, &patches);
        }
    }
}

/// `derate estimate`, what `derate report` adds but the workbook, and the audit for other programs.
pub fn run_estimate(analysis: &Analysis) {
    let estimate = estimate(analysis);
    let _ = serde_json::to_string(&estimate);
    show(&sections::estimate(analysis, &estimate));
    let audited = audit(analysis);
    let log = sections::log(&analysis.sources, &audited);
    let _ = derate_reports::render_sarif(&log);
    let _ = derate_reports::render_github(&log, "");
    let _ = sections::verdict(analysis, &audited, &estimate);
    let _ = derate_reports::render_markdown(&sections::report(analysis, &audited, &estimate));
    if let Some(chart) = sections::roofline(&estimate) {
        let _ = derate_reports::render_svg(&chart);
    }
}

/// `derate hls`.
pub fn run_hls(sources: &Sources, file: FileId, content: HlsFile) {
    let (data, document) = readings::hls(sources, &[(file, content)], &[], &[]);
    let _ = serde_json::to_string(&data);
    show(&document);
}

/// A document on a terminal.
pub fn show(document: &Document) {
    let _ = derate_reports::render_text(document, false, 100);
}
