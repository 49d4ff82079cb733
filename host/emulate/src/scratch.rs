//! Folders for the time of a run.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::process::getuid;

use crate::interrupt::HeldSignals;

/// What their names begin with.
const PREFIX: &str = "derate-run-";
/// And before they have their lock.
const NEW: &str = "derate-new-";
/// A file in each that tells it from whatever else has such a name, and that its process keeps locked.
const LOCK: &str = ".derate-lock";
/// A folder that is new and younger is still being made.
const SETTLED: Duration = Duration::from_secs(60);

/// A folder that is gone when this is dropped; until then, signals that ask this process to end are held back. Where its
/// process is killed before, the next one takes it away.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    // Dropped in this order.
    _lock: File,
    held: HeldSignals,
}

impl Scratch {
    /// A folder in another, which has to be there.
    pub fn new(parent: &Path) -> io::Result<Self> {
        let held = HeldSignals::new()?;
        sweep_folders(parent, SETTLED);
        let folder = tempfile::Builder::new().prefix(NEW).tempdir_in(parent)?;
        let mut lock = File::create_new(folder.path().join(LOCK))?;
        // For whoever finds it and wonders whose it is.
        write!(lock, "{}", std::process::id())?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        let mut scratch = Self { path: folder.keep(), _lock: lock, held };
        let name = scratch.path.file_name().unwrap_or_default().to_string_lossy();
        let name = parent.join(name.replacen(NEW, PREFIX, 1));
        fs::rename(&scratch.path, &name)?;
        scratch.path = name;
        Ok(scratch)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last signal that asked this process to end.
    pub(crate) fn asked(&self) -> Option<i32> {
        self.held.asked()
    }

    /// Removes it, and says what is in the way.
    pub fn close(self) -> io::Result<()> {
        fs::remove_dir_all(&self.path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nobody can receive an error here; after `close` it is gone.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders of processes that were killed: this user's own, with a lock that nobody holds, and what was not made
/// to the end a while ago.
fn sweep_folders(parent: &Path, settled: Duration) {
    // What cannot be looked at or removed is left.
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_string_lossy();
        let left = if name.starts_with(PREFIX) {
            is_own(&path).and_then(|own| Ok(own.is_some() && is_free(&path)?))
        } else if name.starts_with(NEW) {
            is_own(&path).map(|age| age.is_some_and(|age| age >= settled))
        } else {
            Ok(false)
        };
        if left.unwrap_or(false) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// The age of a folder of this user's; `None` for anything else.
fn is_own(path: &Path) -> io::Result<Option<Duration>> {
    let about = fs::symlink_metadata(path)?;
    let own = about.is_dir() && about.uid() == getuid().as_raw();
    Ok(own.then_some(about.modified()?.elapsed().unwrap_or_default()))
}

fn is_free(path: &Path) -> io::Result<bool> {
    let lock = File::open(path.join(LOCK))?;
    Ok(flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_holds_is_swept() {
        let parent = tempfile::tempdir().unwrap();
        let held = Scratch::new(parent.path()).unwrap();
        let folder = |name: &str| parent.path().join(name);
        let (dead, foreign) = (folder("derate-run-dead"), folder("derate-run-notes"));
        let young = folder("derate-new-young");
        for folder in [&dead, &foreign, &young] {
            fs::create_dir(folder).unwrap();
        }
        fs::write(dead.join(LOCK), "").unwrap();
        fs::write(dead.join("kernels.so"), "").unwrap();
        sweep_folders(parent.path(), SETTLED);
        assert!(!dead.exists() && foreign.exists() && held.path().exists() && young.exists());
        sweep_folders(parent.path(), Duration::ZERO);
        assert!(!young.exists() && foreign.exists() && held.path().exists());
        let path = held.path().to_owned();
        held.close().unwrap();
        assert!(!path.exists());
    }

    /// Each sweeps while others make theirs: none loses its folder.
    #[test]
    fn those_that_are_made_side_by_side_stay() {
        let parent = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let one = Scratch::new(parent.path()).unwrap();
                        fs::write(one.path().join("file"), "").unwrap();
                        one.close().unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
