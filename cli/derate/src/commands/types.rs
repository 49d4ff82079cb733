//! `derate types FILE...`.

use std::path::Path;

use anyhow::Error;
use derate_hls::Sources;
use derate_model::Code;
use derate_reports::sections;

use crate::args::{Format, Types};
use crate::includes::{command_words, defines, named};
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Types) -> Result<Outcome, Error> {
    let mut sources = Sources::default();
    let defines = defines(&args.preprocess)?;
    let (mut disk, files) = named(&mut sources, &args.files, &args.preprocess.include)?;
    let code = Code::new(&mut sources, &files, &defines, &mut disk, None);
    let (report, document) =
        sections::types(&sources, &code, &command_words(&args.preprocess, Path::new("")));
    match args.format {
        Format::Json => output::put_json(&report)?,
        Format::Text => output::put_document(&document)?,
    }
    Ok(Outcome::Clean)
}
