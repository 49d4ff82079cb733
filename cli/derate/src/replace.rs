//! Replaces files: all of them or none.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Error, anyhow, bail};
use tempfile::{Builder, NamedTempFile};

/// A file, the bytes that it has and those that it gets.
pub(crate) struct Replacement<'a> {
    pub(crate) path: &'a Path,
    pub(crate) old: &'a [u8],
    pub(crate) new: &'a [u8],
}

/// Writes each file beside itself first, and moves them all once every byte is on the disk. If one cannot be moved,
/// those before it are put back.
pub(crate) fn replace_all(replacements: &[Replacement<'_>]) -> Result<(), Error> {
    let ready: Vec<NamedTempFile> = replacements
        .iter()
        .map(|one| {
            stage_file(one.path, one.new).with_context(|| {
                format!(
                    "{} cannot be written, so no file was changed: check space and permissions of its folder",
                    one.path.display()
                )
            })
        })
        .collect::<Result<_, _>>()?;
    for one in replacements {
        if !fs::read(one.path).is_ok_and(|bytes| bytes == one.old) {
            bail!(
                "{} was changed meanwhile, so no file was: run the command again",
                one.path.display()
            );
        }
    }
    for (done, (file, one)) in ready.into_iter().zip(replacements).enumerate() {
        if let Err(error) = file.persist(one.path) {
            let back: Result<(), Error> = replacements[..done].iter().try_for_each(|one| {
                stage_file(one.path, one.old)?.persist(one.path)?;
                Ok(())
            });
            let state = if back.is_ok() { "no file was changed" } else { "others were changed" };
            return Err(error.error).with_context(|| {
                format!(
                    "{} cannot be replaced and {state}: check its permissions",
                    one.path.display()
                )
            });
        }
    }
    Ok(())
}

/// The bytes in a file beside `path` that has its permissions.
fn stage_file(path: &Path, bytes: &[u8]) -> Result<NamedTempFile, Error> {
    let dir = path.parent().unwrap_or_else(|| Path::new("."));
    let mut file = NamedTempFile::new_in(dir)?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(fs::metadata(path)?.permissions())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// A temporary file beside `path`; `None` if `path` is not a regular file, such as `/dev/stdout`.
fn create_beside(path: &Path) -> Result<Option<NamedTempFile>, Error> {
    if path.exists() && !path.is_file() {
        return Ok(None);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = Builder::new();
    // The user's umask applies to it.
    builder.permissions(Permissions::from_mode(0o666));
    let file = builder.tempfile_in(folder.unwrap_or_else(|| Path::new(".")));
    file.map(Some).with_context(|| format!("{} cannot be written", path.display()))
}

/// A temporary file that takes the place of `path` later.
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "what it is for is a feature"))]
pub(crate) fn stage_beside(path: &Path) -> Result<NamedTempFile, Error> {
    let staged = create_beside(path)?;
    staged.ok_or_else(|| anyhow!("{} is not a file: name one to write", path.display()))
}

/// Moves a temporary file to its place.
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "what it is for is a feature"))]
pub(crate) fn persist_file(file: NamedTempFile, path: &Path) -> Result<(), Error> {
    let moved = file.persist(path).map_err(|error| error.error);
    moved.with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(())
}

/// Whether `path` can be written, before the work for it starts.
pub(crate) fn check_writable(path: &Path) -> Result<(), Error> {
    create_beside(path).map(|_| ())
}

/// Replaces a file: a reader finds either the old bytes or the new ones.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let said = || format!("{} cannot be written", path.display());
    match create_beside(path)? {
        None => fs::write(path, bytes).with_context(said),
        Some(mut file) => {
            file.write_all(bytes).with_context(said)?;
            file.persist(path).map_err(|error| error.error).with_context(said)?;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_or_none() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        let one = |path, old, new| Replacement { path, old, new };
        fs::write(&a, "a").unwrap();
        fs::write(&b, "changed").unwrap();
        // Another hand changed the second file, or took it away.
        let error = replace_all(&[one(&a, b"a", b"A"), one(&b, b"b", b"B")]).unwrap_err();
        assert!(error.to_string().contains("changed meanwhile"), "{error}");
        fs::remove_file(&b).unwrap();
        let error = replace_all(&[one(&a, b"a", b"A"), one(&b, b"b", b"B")]).unwrap_err();
        assert!(error.to_string().contains("no file was changed"), "{error}");
        assert_eq!(fs::read(&a).unwrap(), b"a");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside");
        replace_all(&[one(&a, b"a", b"A")]).unwrap();
        assert_eq!(fs::read(&a).unwrap(), b"A");
    }
}
