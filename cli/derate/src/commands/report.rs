//! `derate report`: all files or none.

mod files;
mod folder;
mod inputs;
mod names;

use derate_model::load;
use std::cell::LazyCell;
use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow};
use derate_model::audit::audit;
use derate_model::compare::Comparison;
use derate_model::estimate::estimate;
use derate_model::json;
use derate_reports::sections::{self, Reader};

pub(crate) use self::files::{File, data_files, picture_files, table_files};
use self::files::{Json, Subject};
use self::inputs::Inputs;
use crate::args::{Report, ReportFormat};
use crate::load::load_project;
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Report) -> Result<Outcome, Error> {
    let mut analysis = load_project(&args.project, &args.preprocess)?;
    analysis.commit = load::find_commit(&args.project);
    let points = load::read_points(&args.project, &analysis, args.points.as_deref())?;
    let audit = audit(&analysis);
    let estimate = estimate(&analysis);
    let validation = analysis.validation();
    let report = Json::new(&analysis, &audit, &estimate, validation.as_ref(), &points);
    let comparison = args.compare.as_deref().map(|old| compare_with(old, &report)).transpose()?;
    let make = |reader| {
        let mut document = sections::make_report(&analysis, &audit, &estimate, &points, reader);
        if let Some(comparison) = &comparison {
            sections::add_comparison(&mut document, comparison);
        }
        document
    };
    let document = make(Reader::Editor);
    let paper = LazyCell::new(|| make(Reader::Paper));
    let subject = Subject {
        analysis: &analysis,
        audit: &audit,
        estimate: &estimate,
        report: &report,
        document: &document,
        paper: &|| &paper,
        comparison: comparison.as_ref(),
    };
    let all = args.format.contains(&ReportFormat::All);
    let asked = |format: &ReportFormat| all || args.format.contains(format);
    let mut files = Vec::new();
    for format in ReportFormat::EACH.iter().filter(|format| asked(format)) {
        files.extend(subject.format_files(*format)?);
    }
    let changes = subject.change_markdown()?;
    files.extend(changes.iter().map(|bytes| (names::CHANGES.to_owned(), bytes.clone())));
    let inputs = Inputs::new(args, &analysis);
    let removed = folder::write_folder(&args.out, &files, &inputs, |name| match name {
        names::CHANGES => true,
        table if table.starts_with(names::TABLES) => asked(&ReportFormat::Csv),
        _ => asked(&ReportFormat::Svg),
    })?;

    let mut wrote = vec![list_written(&args.out, &files)];
    wrote.extend(removed);
    if asked(&ReportFormat::Svg) && document.charts().next().is_none() {
        wrote.push("no roofline: no peak is known\n".to_owned());
    }
    let wrote = wrote.concat();
    if output::record_bytes(subject.report_json()?, || document.clone()) {
        output::note(wrote.trim_end());
        return Ok(Outcome::Clean);
    }
    if let Some(changes) = changes {
        // What a workflow posts is nothing else.
        output::note(wrote.trim_end());
        output::put_bytes(&changes)?;
        return Ok(Outcome::Clean);
    }
    output::put_document(&sections::answer(&analysis, &audit, &estimate, &points))?;
    let mut said = sections::counted(&analysis, &audit);
    said.extend(analysis.code.not_audited_line(&analysis.sources));
    said.extend(sections::measurements(validation.as_ref()));
    said.push("`derate audit` shows each finding with its lines.".to_owned());
    let out = format!("\n{}\n{wrote}", output::fit_lines(&said.join("\n")));
    output::put_bytes(out.as_bytes())?;
    Ok(Outcome::Clean)
}

/// What changed since the report at `old`.
fn compare_with(old: &Path, report: &Json<'_>) -> Result<Comparison, Error> {
    let name = old.display();
    let before = json::parse_json(load::read_text(old)?.as_bytes()).map_err(|error| {
        // In well-formed JSON, only a repeated key is refused, with its line in front.
        let (said, at) =
            (error.to_string(), format!(" at line {} column {}", error.line(), error.column()));
        let what = if error.is_data() { said.trim_end_matches(&at) } else { "it is not JSON" };
        anyhow!("{name}:{}: {what}: name a report.json that `derate report` wrote", error.line())
    })?;
    let after = serde_json::to_value(report)?;
    Comparison::of(&before, &after).map_err(|reason| anyhow!("{name}: {reason}"))
}

/// Writes files that are not a project's report into a folder, all or none. Files that were `read` are never overwritten.
/// Returns a line for each.
pub(crate) fn write_files(
    out: &Path,
    files: &[File],
    read: impl Iterator<Item = PathBuf>,
) -> Result<String, Error> {
    let removed = folder::write_folder(out, files, &Inputs::of(read), |_| true)?;
    Ok([written_lines(out, files), removed].concat().concat())
}

/// No line is longer, however wide the terminal is.
const WIDEST: usize = 100;

/// The folder and what was written there, as many files a line as the terminal has room for.
fn list_written(out: &Path, files: &[File]) -> String {
    let (tables, others): (Vec<_>, Vec<_>) =
        files.iter().partition(|(name, _)| name.starts_with(names::TABLES));
    let size = |bytes: usize| format!("({} kB)", bytes.div_ceil(1000));
    let mut named: Vec<String> =
        others.iter().map(|(name, bytes)| format!("{name} {}", size(bytes.len()))).collect();
    if !tables.is_empty() {
        let bytes = tables.iter().map(|(_, bytes)| bytes.len()).sum();
        named.push(format!("tables: {} as CSV {}", tables.len(), size(bytes)));
    }
    let width = output::terminal_width().min(WIDEST);
    let mut lines: Vec<String> = Vec::new();
    for file in named {
        match lines.last_mut() {
            Some(line) if line.len() + ", ".len() + file.len() <= width => {
                line.push_str(", ");
                line.push_str(&file);
            }
            _ => lines.push(format!("  {file}")),
        }
    }
    format!("wrote {}:\n{}\n", out.display(), lines.join("\n"))
}

/// A line for each file, one for all tables.
fn written_lines(out: &Path, files: &[File]) -> Vec<String> {
    let line = |name: &str, what: String, bytes: usize| {
        let path = out.join(name);
        format!("wrote {}{what} ({} kB)\n", path.display(), bytes.div_ceil(1000))
    };
    let (tables, others): (Vec<_>, Vec<_>) =
        files.iter().partition(|(name, _)| name.starts_with(names::TABLES));
    let mut lines: Vec<String> =
        others.iter().map(|(name, bytes)| line(name, String::new(), bytes.len())).collect();
    if !tables.is_empty() {
        let bytes = tables.iter().map(|(_, bytes)| bytes.len()).sum();
        lines.push(line("tables", format!(": {} tables as CSV", tables.len()), bytes));
    }
    lines
}
