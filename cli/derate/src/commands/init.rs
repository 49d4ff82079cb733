//! `derate init`.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Error, bail};
use derate_model::load::{FILE, FolderSearch, PassedOver, search_folder};
use derate_model::starter::Found;
use derate_model::units::figures::count;

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
    let FolderSearch { found, passed_over, refused } = search_folder(dir)?;
    for error in &refused {
        output::note(&format!("note: {error}"));
    }
    write_file(&target, &found.project_file(), args.force).with_context(|| {
        format!("{} cannot be written: check the folder's permissions", target.display())
    })?;
    // The next command must accept the file.
    load_audit(&target, &Preprocess::default(), &[], None).with_context(|| {
        format!("wrote {}, which `derate audit` cannot use as it is", target.display())
    })?;
    let mut lines = vec![format!("wrote {}", target.display())];
    lines.extend(list_taken(&found));
    lines.extend(count_passed_over(&passed_over));
    let dir = dir.display();
    lines.push(format!("next: write your claims into it, then `derate audit {dir}`"));
    output::put_bytes((lines.join("\n") + "\n").as_bytes())?;
    Ok(Outcome::Clean)
}

/// What the file names, a line each.
fn list_taken(found: &Found) -> Vec<String> {
    let mut lines = vec![match found.dumps.split_first() {
        Some((dump, others)) => {
            let other = others
                .first()
                .map_or_else(String::new, |other| format!("; {} is not named", other.path));
            format!("took {} of {}{other}", count(dump.tensors, "tensor"), dump.path)
        }
        None => "no dump of a model was found: name one under [model]".to_owned(),
    }];
    for (paths, noun) in [
        (&found.sources, "source pattern"),
        (&found.reports, "report pattern"),
        (&found.connectivity, "v++ configuration"),
    ] {
        lines.push(match paths.first() {
            Some(first) if paths.len() == 1 => format!("took 1 {noun}: {first}"),
            Some(first) => format!("took {}, first {first}", count(paths.len(), noun)),
            None => format!("no {noun} was found"),
        });
    }
    lines
}

/// What the file does not name, a line for the reasons that most files have.
fn count_passed_over(files: &[(String, PassedOver)]) -> Vec<String> {
    let reasons = [
        (PassedOver::TestBench, "test benches run on the host"),
        (PassedOver::HostProgram, "programs of the host drive the card"),
        (PassedOver::Program, "programs with a `main` and no directive run on the host"),
        (PassedOver::PlainC, "C without directives of synthesis is not a kernel"),
        (PassedOver::ToolOutput, "copies of tools and libraries of others are not yours"),
        (PassedOver::OpenCl, "OpenCL is not read"),
        (PassedOver::Template, "templates of Jinja are no C++ before their generator runs"),
    ];
    let lines = reasons.iter().filter_map(|(why, reason)| {
        let mut own = files.iter().filter(|(_, other)| other == why).map(|(path, _)| path);
        let first = own.next()?;
        let number = count(own.count() + 1, "file");
        Some(format!("passed over {number}, first {first}: {reason}"))
    });
    lines.collect()
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
