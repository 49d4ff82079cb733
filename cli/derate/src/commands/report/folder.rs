//! The report's folder: all files are replaced, or none.

mod list;
mod stage;

use derate_model::load;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, bail};

use self::stage::Stage;
use super::files;
use super::inputs::Inputs;
use super::names::is_ours;

/// Writes `files` into `dir`. Figures and tables of an earlier run that `owned` names and `files` has not are
/// removed, unless they were changed or are `inputs`. Returns a line for each.
pub(super) fn write_folder(
    dir: &Path,
    files: &[files::File],
    inputs: &Inputs,
    owned: impl Fn(&str) -> bool,
) -> Result<Vec<String>, Error> {
    let made: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let (stale, mut list): (list::List, list::List) = list::read_list(dir)
        .into_iter()
        .partition(|(name, _)| owned(name) && !made.contains(name.as_str()));
    let ours = files.iter().filter(|(name, _)| is_ours(name));
    list.extend(ours.map(|(name, bytes)| (name.clone(), list::hash_bytes(bytes))));
    let list = (list::FILE.to_owned(), list::list_text(&list).into_bytes());
    let all: Vec<&files::File> = files.iter().chain(std::iter::once(&list)).collect();
    for (name, _) in &all {
        inputs.refuse_input(&dir.join(name))?;
    }
    replace_all(dir, &all)?;
    Ok(stale.iter().map(|(name, hash)| remove_stale(&dir.join(name), *hash, inputs)).collect())
}

/// Replaces each file of `dir`, once every byte is on the disk.
fn replace_all(dir: &Path, files: &[&files::File]) -> Result<(), Error> {
    let stage = Stage::new(dir).with_context(|| {
        format!(
            "{} cannot be written to, so no file was changed: check it, or name another folder with --out",
            dir.display()
        )
    })?;
    let (mut ready, mut opened) = (Vec::new(), Vec::new());
    for (index, (name, bytes)) in files.iter().enumerate() {
        let target = dir.join(name);
        is_no_folder(&target)?;
        let file = stage.new_file(index);
        let open = write_new(&file, bytes).with_context(|| refusal_text(&target))?;
        opened.push((open, target.clone()));
        ready.push((file, stage.old_file(index, &target), target));
    }
    on_the_disk(&opened)?;
    let mut moved = Vec::new();
    for (file, old, target) in ready {
        match replace_file(&file, &old, &target) {
            Ok(made) => moved.push(Moved { old, target, made }),
            Err(error) => {
                let standing = put_back(moved);
                return Err(error).with_context(|| failure_text(stage, &target, &standing));
            }
        }
    }
    Ok(())
}

/// Removes a stale file that was written with this hash; returns a line that says what happened.
fn remove_stale(path: &Path, hash: u64, inputs: &Inputs) -> String {
    if fs::symlink_metadata(path).is_err() {
        return String::new();
    }
    let name = path.display();
    let reason = match load::read_bytes(path) {
        _ if inputs.contains_file(path) => "the report is made from it".to_owned(),
        Err(error) => error.to_string(),
        Ok(bytes) if list::hash_bytes(&bytes) != hash => {
            "it was changed since derate wrote it".to_owned()
        }
        Ok(_) => match fs::remove_file(path) {
            Ok(()) => return format!("removed {name}: it is out of date\n"),
            Err(error) => format!("it cannot be removed ({error})"),
        },
    };
    format!("left {name}: it is out of date, but {reason}\n")
}

/// Says that `target` was not replaced, and which files could not be put back.
fn failure_text(stage: Stage, target: &Path, standing: &[Moved]) -> String {
    let target = target.display();
    let Some(first) = standing.first() else {
        return format!(
            "{target} cannot be replaced and no file was changed: check its permissions, or name another folder with --out"
        );
    };
    let folder = stage.keep();
    let others = match standing.len() - 1 {
        0 => String::new(),
        1 => " and one other".to_owned(),
        more => format!(" and {more} others"),
    };
    format!(
        "{target} cannot be replaced, and {}{others} could not be put back: the old files are kept in {}; move them back by hand",
        first.target.display(),
        folder.display()
    )
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
            "{} is not a directory, so no file was changed: move it away, or name another folder with --out",
            folder.display()
        ),
        _ => Ok(()),
    }
}

fn refusal_text(target: &Path) -> String {
    format!(
        "{} cannot be written, so no file was changed: free space, or name another folder with --out",
        target.display()
    )
}

/// A new file with these bytes.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Waits until every byte is on the disk. Many files at once wait together for one flush.
fn on_the_disk(files: &[(File, PathBuf)]) -> Result<(), Error> {
    const AT_ONCE: usize = 16;
    let each = files.len().div_ceil(AT_ONCE).max(1);
    let sync = |some: &[(File, PathBuf)]| {
        some.iter()
            .try_for_each(|(file, target)| file.sync_data().with_context(|| refusal_text(target)))
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

/// A replacement that was made.
struct Moved {
    /// Where the old bytes are kept.
    old: PathBuf,
    target: PathBuf,
    made: Made,
}

/// Moves `file` to `target`, whose old bytes are kept at `old`.
fn replace_file(file: &Path, old: &Path, target: &Path) -> io::Result<Made> {
    if fs::symlink_metadata(target).is_ok() {
        // A second name costs nothing; where there are none, a copy.
        fs::hard_link(target, old).or_else(|_| fs::copy(target, old).map(drop))?;
        fs::rename(file, target)?;
        return Ok(Made::Instead);
    }
    let folder = target.parent().filter(|folder| !folder.exists()).map(Path::to_owned);
    if let Some(folder) = &folder {
        fs::create_dir(folder)?;
    }
    if let Err(error) = fs::rename(file, target) {
        if let Some(folder) = folder {
            // If it stays, it is empty.
            let _ = fs::remove_dir(folder);
        }
        return Err(error);
    }
    Ok(Made::New(folder))
}

/// Undoes every replacement, the last one first; returned are those that cannot be undone.
fn put_back(moved: Vec<Moved>) -> Vec<Moved> {
    moved.into_iter().rev().filter(|one| !undo_move(one)).collect()
}

/// Whether the target is what it was.
fn undo_move(Moved { old, target, made }: &Moved) -> bool {
    match made {
        Made::Instead => fs::rename(old, target).is_ok(),
        Made::New(folder) => {
            fs::remove_file(target).is_ok()
                && folder.as_ref().is_none_or(|folder| fs::remove_dir(folder).is_ok())
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;

    #[test]
    fn every_file_is_put_back_though_one_cannot_be_and_its_old_bytes_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let stage = Stage::new(dir.path()).unwrap();
        let mut moved = Vec::new();
        for (index, name) in ["a.svg", "b.svg", "c.svg"].iter().enumerate() {
            let target = dir.path().join(name);
            fs::write(&target, "old").unwrap();
            let (file, old) = (stage.new_file(index), stage.old_file(index, &target));
            fs::write(&file, "new").unwrap();
            let made = replace_file(&file, &old, &target).unwrap();
            moved.push(Moved { old, target, made });
        }
        // What nothing can be moved onto.
        let stuck = dir.path().join("b.svg");
        fs::remove_file(&stuck).unwrap();
        fs::create_dir_all(stuck.join("x")).unwrap();
        let standing = put_back(moved);
        assert_eq!(standing.iter().map(|one| &one.target).collect::<Vec<_>>(), [&stuck]);
        for name in ["a.svg", "c.svg"] {
            assert_eq!(fs::read_to_string(dir.path().join(name)).unwrap(), "old", "{name}");
        }
        let said = failure_text(stage, &dir.path().join("d.svg"), &standing);
        let kept = &standing[0].old;
        assert!(said.contains(&kept.parent().unwrap().display().to_string()), "{said}");
        drop(Stage::new(dir.path()).unwrap());
        assert_eq!(fs::read_to_string(kept).unwrap(), "old", "a later run leaves it, too");
    }
}
