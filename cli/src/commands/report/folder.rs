//! The report's folder: all files are replaced, or none.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, bail};
use tempfile::TempDir;

use super::files;
use super::names::is_ours;

/// The pictures and tables that derate wrote here, a path a line: what may be taken away when it is out of date.
const WRITTEN: &str = ".derate-written";

/// A longer list was not written by derate.
const LONGEST_LIST: u64 = 1 << 20;

/// Writes `files` into `dir`. Figures and tables of an earlier run that `owned` names and `files` has not are taken
/// away; returned are their names.
pub(super) fn write(
    dir: &Path,
    files: &[files::File],
    owned: impl Fn(&str) -> bool,
) -> Result<Vec<String>, Error> {
    let before = written(dir);
    let made: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let stale = |name: &&String| owned(name) && !made.contains(name.as_str());
    let gone: Vec<String> = before.iter().filter(stale).cloned().collect();
    let kept = before.iter().filter(|name| !stale(name)).map(String::as_str);
    let list: BTreeSet<&str> = kept.chain(made.iter().copied().filter(|n| is_ours(n))).collect();
    let list = list.into_iter().fold(String::new(), |list, name| list + name + "\n");
    let list = (WRITTEN.to_owned(), list.into_bytes());

    let stage = stage(dir)?;
    let all: Vec<&files::File> = files.iter().chain(std::iter::once(&list)).collect();
    let (mut ready, mut opened) = (Vec::new(), Vec::new());
    for (index, (name, bytes)) in all.iter().enumerate() {
        let target = dir.join(name);
        is_no_folder(&target)?;
        let file = stage.path().join(format!("{index}.new"));
        let open = put(&file, bytes).with_context(|| refused(&target))?;
        opened.push((open, target.clone()));
        ready.push((file, stage.path().join(format!("{index}.old")), target));
    }
    on_the_disk(&opened)?;
    let mut moved = Vec::new();
    for (file, old, target) in &ready {
        match replace(file, old, target) {
            Ok(made) => moved.push((old, target, made)),
            Err(error) => {
                let back =
                    moved.into_iter().rev().all(|(old, target, made)| undo(old, target, made));
                let state = if back { "no file was changed" } else { "others were changed" };
                return Err(error).with_context(|| {
                    format!(
                        "{} cannot be replaced and {state}: check its permissions, or name another folder with --out",
                        target.display()
                    )
                });
            }
        }
    }
    for name in &gone {
        let old = dir.join(name);
        match fs::remove_file(&old) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| {
                    format!("{} cannot be removed: it is out of date", old.display())
                });
            }
            _ => {}
        }
    }
    Ok(gone)
}

/// What the list of an earlier run names, and may name.
fn written(dir: &Path) -> BTreeSet<String> {
    let list = dir.join(WRITTEN);
    let read = fs::metadata(&list)
        .ok()
        .filter(|meta| meta.is_file() && meta.len() <= LONGEST_LIST)
        .and_then(|_| fs::read_to_string(&list).ok());
    read.iter()
        .flat_map(|text| text.lines())
        .filter(|name| is_ours(name))
        .map(str::to_owned)
        .collect()
}

/// A folder beside the targets, on their file system; whatever is left in it goes with it.
fn stage(dir: &Path) -> Result<TempDir, Error> {
    let begin = || {
        fs::create_dir_all(dir)?;
        tempfile::Builder::new().prefix(".derate-").tempdir_in(dir)
    };
    begin().with_context(|| {
        format!(
            "{} cannot be written to, so no file was changed: check it, or name another folder with --out",
            dir.display()
        )
    })
}

fn is_no_folder(target: &Path) -> Result<(), Error> {
    if target.is_dir() {
        bail!(
            "{} is a directory, so no file was changed: move it away, or name another folder with --out",
            target.display()
        );
    }
    match target.parent() {
        Some(folder) if folder.exists() && !folder.is_dir() => bail!(
            "{} is no directory, so no file was changed: move it away, or name another folder with --out",
            folder.display()
        ),
        _ => Ok(()),
    }
}

fn refused(target: &Path) -> String {
    format!(
        "{} cannot be written, so no file was changed: free space, or name another folder with --out",
        target.display()
    )
}

/// A new file with these bytes.
fn put(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Waits until every byte is on the disk, for many files at once: one after another, each waits for the disk anew.
fn on_the_disk(files: &[(File, PathBuf)]) -> Result<(), Error> {
    const AT_ONCE: usize = 16;
    let each = files.len().div_ceil(AT_ONCE).max(1);
    let sync = |some: &[(File, PathBuf)]| {
        some.iter().try_for_each(|(file, target)| file.sync_data().with_context(|| refused(target)))
    };
    std::thread::scope(|scope| {
        let waiting: Vec<_> =
            files.chunks(each).map(|some| scope.spawn(move || sync(some))).collect();
        waiting.into_iter().try_for_each(|one| {
            one.join()
                .unwrap_or_else(|_| bail!("the report's files could not be written: try again"))
        })
    })
}

/// What a replacement did, and so how to undo it.
enum Made {
    /// The file was not there, nor was this folder.
    New(Option<PathBuf>),
    /// Its old bytes are kept.
    Instead,
}

/// Moves `file` to `target`, whose old bytes are kept at `old`.
fn replace(file: &Path, old: &Path, target: &Path) -> io::Result<Made> {
    let folder = target.parent().filter(|folder| !folder.exists()).map(Path::to_owned);
    if let Some(folder) = &folder {
        fs::create_dir(folder)?;
    }
    let made = if fs::symlink_metadata(target).is_ok() {
        // A second name costs nothing; where there are none, a copy.
        fs::hard_link(target, old).or_else(|_| fs::copy(target, old).map(drop))?;
        Made::Instead
    } else {
        Made::New(folder)
    };
    fs::rename(file, target)?;
    Ok(made)
}

/// Whether `target` is what it was.
fn undo(old: &Path, target: &Path, made: Made) -> bool {
    match made {
        Made::Instead => fs::rename(old, target).is_ok(),
        Made::New(folder) => {
            fs::remove_file(target).is_ok()
                && folder.is_none_or(|folder| fs::remove_dir(folder).is_ok())
        }
    }
}
