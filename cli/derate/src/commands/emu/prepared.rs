//! A folder that XRT is pointed at and that stays, and the lines that a shell takes.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error};
use derate_host::swemu::{Folder, Launcher, find_libraries, is_free, is_plain, prepare_folder};
use derate_model::Platform;

use crate::args::Device;
use crate::output;

/// Fills a folder, and says where it is.
pub(super) fn fill_folder(
    folder: &Path,
    platform: &Platform,
    named: Option<&str>,
    device: &Device,
) -> Result<(PathBuf, Folder), Error> {
    is_plain(&std::path::absolute(folder).context("name a folder")?)?;
    is_free(folder)?;
    let libraries = find_libraries(std::env::var("XILINX_XRT").ok().as_deref())?;
    let made = fs::create_dir_all(folder).and_then(|()| fs::canonicalize(folder));
    let folder =
        made.with_context(|| format!("{} cannot be made: check the path", folder.display()))?;
    let derate = crate::session::program()?;
    let launcher = Launcher {
        derate: &derate,
        platform: named,
        cards: 1,
        limit: device.limit,
        coherent: device.coherent,
        record: None,
    };
    // XRT names its socket after the user.
    let user = std::env::var_os("USER").filter(|user| !user.is_empty());
    let user = user.is_none().then_some("derate");
    let prepared = prepare_folder(&folder, &launcher, &libraries, platform, user)?;
    for library in &prepared.corrected {
        output::note(&format!(
            "note: {} is the one that Debian 12 built, which loses memory at its second call (its sha256 is known): \
             a corrected private copy is used, the installed file stays as it is",
            library.display()
        ));
    }
    Ok((folder, prepared))
}

/// What to unset and to export, for a shell.
pub(super) fn put_lines<'a>(
    unset: &[&str],
    variables: impl Iterator<Item = (&'a str, &'a str)>,
    last: &str,
) -> Result<(), Error> {
    let mut lines = format!("unset {}\n", unset.join(" "));
    for (name, value) in variables {
        let _ = writeln!(lines, "export {name}='{}'", value.replace('\'', "'\\''"));
    }
    lines.push_str(last);
    output::put_bytes(lines.as_bytes())
}
