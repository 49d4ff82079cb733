//! `derate emu env FOLDER`.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Error};
use derate_host::swemu::{Launcher, find_libraries, is_free, is_plain, prepare_folder};

use crate::args::Env;
use crate::commands::platform::find_card;
use crate::output::{self, Outcome};
use crate::session;

pub(crate) fn run(args: &Env) -> Result<Outcome, Error> {
    let name = args.folder.display();
    let platform = find_card(&args.device.platform)?;
    is_plain(&std::path::absolute(&args.folder).context("name a folder")?)?;
    is_free(&args.folder)?;
    let libraries = find_libraries(std::env::var("XILINX_XRT").ok().as_deref())?;
    fs::create_dir_all(&args.folder)
        .and_then(|()| fs::canonicalize(&args.folder))
        .with_context(|| format!("{name} cannot be made: check the path"))
        .and_then(|folder| {
            let derate = session::program()?;
            let launcher = Launcher { derate: &derate, platform: &args.device.platform, limit: args.device.limit };
            // XRT names its socket after the user.
            let user = std::env::var_os("USER").filter(|user| !user.is_empty());
            let user = user.is_none().then_some("derate");
            let prepared = prepare_folder(&folder, &launcher, &libraries, &platform, user)?;
            for library in &prepared.corrected {
                output::note(&format!(
                    "note: {} is the one that Debian 12 built, which loses memory at its second call (its sha256 is known): \
                     a private copy with one byte corrected is used, the installed file stays as it is",
                    library.display()
                ));
            }
            let mut lines = String::new();
            let _ = writeln!(lines, "unset {}", prepared.unset.join(" "));
            for (name, value) in &prepared.variables {
                let _ = writeln!(lines, "export {name}='{}'", value.replace('\'', "'\\''"));
            }
            output::put_bytes(lines.as_bytes())?;
            Ok(Outcome::Clean)
        })
}
