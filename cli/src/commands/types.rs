//! `derate types FILE...`.

use anyhow::Error;
use derate_hls::Sources;
use derate_model::{Code, present};

use crate::args::{Format, Types};
use crate::output::{self, Outcome};
use crate::read;

pub(crate) fn run(args: &Types) -> Result<Outcome, Error> {
    let mut sources = Sources::default();
    let mut files = Vec::new();
    for path in &args.files {
        let name = path.to_string_lossy().into_owned();
        let (text, replaced) = read::source(path)?;
        if replaced {
            output::replaced(&name);
        }
        files.push(sources.add(name, text));
    }
    let code = Code::new(&sources, &files, None);
    let (report, document) = present::types(&sources, &code);
    match args.format {
        Format::Json => output::put_json(&report)?,
        Format::Text => output::put_document(&document)?,
    }
    Ok(Outcome::Clean)
}
