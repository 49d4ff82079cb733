//! `derate types FILE...`.

use std::path::Path;

use anyhow::{Context, Error};
use derate_hls::Sources;
use derate_model::{Code, present};

use crate::args::{Format, Types};
use crate::includes::{Disk, defines};
use crate::output::{self, Outcome};
use crate::read;

pub(crate) fn run(args: &Types) -> Result<Outcome, Error> {
    let mut sources = Sources::default();
    let mut disk = Disk::new(Path::new(""), None);
    for folder in &args.preprocess.include {
        disk.search(folder).context("-I")?;
    }
    let defines = defines(&args.preprocess)?;
    let mut files = Vec::new();
    for path in &args.files {
        let name = path.to_string_lossy().into_owned();
        let (text, replaced) = read::source(path)?;
        if replaced {
            output::replaced(&name);
        }
        disk.know(&name, path);
        files.push(sources.add(name, text));
    }
    let code = Code::new(&mut sources, &files, &defines, &mut disk, None);
    let (report, document) = present::types(&sources, &code, &args.preprocess.words(Path::new("")));
    match args.format {
        Format::Json => output::put_json(&report)?,
        Format::Text => output::put_document(&document)?,
    }
    Ok(Outcome::Clean)
}
