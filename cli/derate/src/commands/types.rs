//! `derate types FILE...`.

use std::path::Path;

use anyhow::Error;
use derate_hls::Sources;
use derate_model::Code;
use derate_reports::readings;

use crate::args::Types;
use crate::load::read_named;
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Types) -> Result<Outcome, Error> {
    let mut sources = Sources::default();
    let defines = args.preprocess.options().macros()?;
    let (mut disk, files) = read_named(&mut sources, &args.files, &args.preprocess)?;
    let code = Code::new(&mut sources, &files, &defines, &mut disk, None);
    disk.replaced().iter().for_each(output::note_replaced);
    let (report, document) =
        readings::types(&sources, &code, &args.preprocess.options().command_words(Path::new("")));
    output::put_as(args.format, &report, || document)?;
    Ok(Outcome::Clean)
}
