//! A folder on the file system of the targets that holds new files until all are complete.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

const PREFIX: &str = ".derate-";

/// Locked as long as its process lives.
const LOCK: &str = "lock";

/// Whatever is left in it goes with it.
pub(super) struct Stage {
    // First: an open file keeps its folder on some systems.
    lock: Option<File>,
    folder: TempDir,
}

impl Stage {
    /// A new one in `dir`, which is created if needed. Stages of killed runs are removed.
    pub(super) fn new(dir: &Path) -> io::Result<Self> {
        fs::create_dir_all(dir)?;
        for entry in fs::read_dir(dir)?.filter_map(Result::ok) {
            if entry.file_name().to_string_lossy().starts_with(PREFIX) {
                remove_dead(&entry.path());
            }
        }
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(dir)?;
        // Without a lock, no other run removes it.
        let lock = lock_folder(folder.path()).ok();
        Ok(Self { lock, folder })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The path of the new bytes of file `index`.
    pub(super) fn new_file(&self, index: usize) -> PathBuf {
        self.path().join(format!("{index}.new"))
    }

    /// The path of the old bytes of `target`.
    pub(super) fn old_file(&self, index: usize, target: &Path) -> PathBuf {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        self.path().join(format!("{index}.old.{name}"))
    }

    /// Keeps the folder: no later run removes it.
    pub(super) fn keep(self) -> PathBuf {
        drop(self.lock);
        let path = self.folder.keep();
        // Where this fails, the folder is what it was: at worst without its lock.
        let _ = fs::remove_file(path.join(LOCK));
        path
    }
}

/// A lock file that is locked before it gets its name, so that no other process finds it unlocked.
fn lock_folder(folder: &Path) -> io::Result<File> {
    let made = folder.join("0.new");
    let file = File::create_new(&made)?;
    let locked = file.try_lock().map_err(|error| match error {
        TryLockError::Error(error) => error,
        TryLockError::WouldBlock => io::ErrorKind::WouldBlock.into(),
    });
    match locked.and_then(|()| fs::rename(&made, folder.join(LOCK))) {
        Ok(()) => Ok(file),
        Err(error) => {
            let _ = fs::remove_file(&made);
            Err(error)
        }
    }
}

/// Takes away a stage whose run no longer lives: its lock is free, and nothing else than a stage's files is in it.
fn remove_dead(folder: &Path) {
    let path = folder.join(LOCK);
    let real = |path: &Path| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
    if !real(&path) || fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_symlink()) {
        return;
    }
    let Ok(lock) = File::options().write(true).open(&path) else { return };
    if lock.try_lock().is_err() {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    let files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    let staged = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let after = name.trim_start_matches(|c: char| c.is_ascii_digit());
        name == LOCK
            || (after.len() < name.len() && (after == ".new" || after.starts_with(".old.")))
    };
    if files.iter().all(|file| staged(file) && real(file)) {
        // A file that cannot be removed does no harm.
        let _ = files.iter().filter(|file| **file != path).try_for_each(fs::remove_file);
        let _ = fs::remove_file(&path);
        let _ = fs::remove_dir(folder);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;

    #[test]
    fn only_what_a_dead_run_left_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let make = |name: &str, files: &[&str]| {
            let folder = dir.path().join(name);
            fs::create_dir(&folder).unwrap();
            for file in files {
                fs::write(folder.join(file), "x").unwrap();
            }
            folder
        };
        let dead = make(".derate-dead", &["lock", "0.new", "1.old.report.md"]);
        let mine = make(".derate-mine", &["lock", "0.new", "thesis.md"]);
        let kept = make(".derate-kept", &["1.old.report.md"]);
        let alive = Stage::new(dir.path()).unwrap();
        assert!(!dead.exists());
        let other = Stage::new(dir.path()).unwrap();
        assert!(mine.join("thesis.md").exists() && kept.exists() && alive.path().exists());
        assert_eq!(fs::read_dir(&mine).unwrap().count(), 3);

        let rescued = other.keep();
        fs::write(rescued.join("0.old.report.md"), "x").unwrap();
        let gone = alive.path().to_owned();
        drop(alive);
        assert!(!gone.exists());
        drop(Stage::new(dir.path()).unwrap());
        assert!(rescued.join("0.old.report.md").exists(), "what was kept stays");
    }
}
