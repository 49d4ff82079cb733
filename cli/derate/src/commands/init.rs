//! `derate init`.

mod found;
mod tool_output;

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Error, bail};
use derate_model::load::FILE;
use derate_model::starter::Found;

use crate::args::{Init, Preprocess};
use crate::load::load_project;
use crate::output::{self, Outcome};
use found::{find_connectivity, find_dumps, find_parts, find_reports, find_sources, list_files};

pub(crate) fn run(args: &Init) -> Result<Outcome, Error> {
    let dir = &args.dir;
    if !dir.is_dir() {
        bail!("{} is not a folder: name the folder of your sources", dir.display());
    }
    let target = dir.join(FILE);
    if target.exists() && !args.force {
        bail!("{} exists already: edit it, or overwrite it with --force", target.display());
    }
    let files = list_files(dir)?;
    let found = Found {
        dumps: find_dumps(dir, &files),
        sources: find_sources(dir, &files),
        connectivity: find_connectivity(dir, &files),
        reports: find_reports(dir, &files),
        parts: find_parts(&files),
    };
    write_file(&target, &found.project_file(), args.force).with_context(|| {
        format!("{} cannot be written: check the folder's permissions", target.display())
    })?;
    let Some(dump) = found.dumps.first() else {
        bail!(
            "wrote {}, a starter without a model: no dump was found in {}; print the model's parameters into a file as the \
             starter shows, and name it under [model] shapes",
            target.display(),
            dir.display()
        );
    };
    // The next command must accept the file.
    load_project(&target, &Preprocess::default()).with_context(|| {
        format!("wrote {}, which `derate audit` cannot use as it is", target.display())
    })?;
    let patterns = found.sources.len();
    let plural = if patterns == 1 { "" } else { "s" };
    output::put_bytes(
        format!(
            "wrote {}: {} ({} tensors), {patterns} source pattern{plural}\nnext: write your claims into it, then `derate audit {}`\n",
            target.display(),
            dump.path,
            dump.tensors,
            dir.display()
        )
        .as_bytes(),
    )?;
    Ok(Outcome::Clean)
}

fn write_file(target: &Path, text: &str, force: bool) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    options.open(target)?.write_all(text.as_bytes())
}
