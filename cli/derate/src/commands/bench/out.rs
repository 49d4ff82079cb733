//! The file of a measurement, whole or as it was before.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Error};
use derate_model::measurement::Measurement;
use tempfile::{Builder, NamedTempFile};

/// A file beside `path` that will take its place; `None` where that is no file, such as `/dev/stdout`.
fn beside(path: &Path) -> Result<Option<NamedTempFile>, Error> {
    if path.exists() && !path.is_file() {
        return Ok(None);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = Builder::new();
    // What the user's umask leaves of it.
    builder.permissions(Permissions::from_mode(0o666));
    let file = builder.tempfile_in(folder.unwrap_or_else(|| Path::new(".")));
    file.map(Some).with_context(|| format!("{} cannot be written", path.display()))
}

/// Whether a file can be made there, before the work for it begins.
pub(crate) fn check(path: &Path) -> Result<(), Error> {
    beside(path).map(|_| ())
}

/// Writes it: whoever reads meanwhile finds the file before or the file after.
pub(crate) fn write(path: &Path, measurement: &Measurement) -> Result<(), Error> {
    replace(path, measurement.to_json().as_bytes())
}

/// The same of any bytes.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let said = || format!("{} cannot be written", path.display());
    match beside(path)? {
        None => fs::write(path, bytes).with_context(said),
        Some(mut file) => {
            file.write_all(bytes).with_context(said)?;
            file.persist(path).map_err(|error| error.error).with_context(said)?;
            Ok(())
        }
    }
}
