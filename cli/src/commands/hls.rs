//! `derate hls FILE...`.

use std::path::Path;

use anyhow::Error;
use derate_hls::{
    FileId, Language, Sources, parse, read_allo, read_connectivity, read_report, report_kind,
};
use derate_model::present::{self, HlsFile};

use crate::args::{Format, Hls};
use crate::output::{self, Outcome};
use crate::read;

pub(crate) fn run(args: &Hls) -> Result<Outcome, Error> {
    let mut sources = Sources::default();
    let mut files = Vec::new();
    for path in &args.files {
        let (text, _) = read::source(path)?;
        let file = sources.add(path.to_string_lossy(), text);
        files.push((file, content(&sources, file, path)?));
    }
    let (report, document) = present::hls(&sources, &files);
    match args.format {
        Format::Json => output::put_json(&report)?,
        Format::Text => output::put_document(&document)?,
    }
    Ok(Outcome::Clean)
}

/// A report by its content, all others by their names.
fn content(sources: &Sources, file: FileId, path: &Path) -> Result<HlsFile, Error> {
    let is = |extensions: &[&str]| {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        extension.is_some_and(|e| extensions.contains(&e.as_str()))
    };
    Ok(if report_kind(sources.text(file)).is_some() || is(&["xml", "rpt", "xtxt", "info"]) {
        HlsFile::Report(Box::new(read_report(sources, file)?))
    } else if is(&["cfg", "ini"]) {
        HlsFile::Connectivity(read_connectivity(sources, file)?)
    } else {
        match Language::of(sources.name(file)) {
            Language::Cpp => HlsFile::Source(Box::new(parse(sources, file))),
            Language::Python => match read_allo(sources, file) {
                Some(source) => HlsFile::Allo(Box::new(source)),
                None => HlsFile::NotAudited("it is Python and does not import Allo".to_owned()),
            },
            Language::Other(what) => HlsFile::NotAudited(format!(
                "it is {what}, and no C++, no report and no v++ configuration"
            )),
        }
    })
}
