//! `derate init`.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Error, bail};
use derate_model::load::{FILE, search_folder};

use crate::args::{Init, Preprocess};
use crate::load::load_audit;
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Init) -> Result<Outcome, Error> {
    let dir = &args.dir;
    if !dir.is_dir() {
        bail!("{} is not a folder: name the folder of your sources", dir.display());
    }
    let target = dir.join(FILE);
    if target.exists() && !args.force {
        bail!("{} exists already: edit it, or overwrite it with --force", target.display());
    }
    let found = search_folder(dir)?;
    write_file(&target, &found.project_file(), args.force).with_context(|| {
        format!("{} cannot be written: check the folder's permissions", target.display())
    })?;
    // The next command must accept the file.
    load_audit(&target, &Preprocess::default()).with_context(|| {
        format!("wrote {}, which `derate audit` cannot use as it is", target.display())
    })?;
    let dump = match found.dumps.first() {
        Some(dump) => format!("{} ({} tensors)", dump.path, dump.tensors),
        None => "no dump of a model was found".to_owned(),
    };
    let patterns = found.sources.len();
    let plural = if patterns == 1 { "" } else { "s" };
    output::put_bytes(
        format!(
            "wrote {}: {dump}, {patterns} source pattern{plural}\nnext: write your claims into it, then `derate audit {}`\n",
            target.display(),
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
