//! Folders for the time of a run.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::process::getuid;
use tempfile::TempDir;

use crate::interrupt::Held;

/// What their names begin with.
const PREFIX: &str = "derate-run-";
/// A file in each that tells it from whatever else has such a name, and that its process keeps locked.
const LOCK: &str = ".derate-lock";
/// A folder that is younger may not have its lock yet.
const SETTLED: Duration = Duration::from_secs(60);

/// A folder that is gone when this is dropped; until then, signals that ask this process to end are held back. Where its
/// process is killed before, the next one takes it away.
#[derive(Debug)]
pub struct Scratch {
    // Dropped in this order.
    folder: TempDir,
    _lock: File,
    held: Held,
}

impl Scratch {
    /// A folder in another, which has to be there.
    pub fn new(parent: &Path) -> io::Result<Self> {
        let held = Held::new()?;
        sweep(parent, SETTLED);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let mut lock = File::create_new(folder.path().join(LOCK))?;
        // For whoever finds it and wonders whose it is.
        write!(lock, "{}", std::process::id())?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self { folder, _lock: lock, held })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The last signal that asked this process to end.
    pub(crate) fn asked(&self) -> Option<i32> {
        self.held.asked()
    }

    /// Removes it, and says what is in the way.
    pub fn close(self) -> io::Result<()> {
        self.folder.close()
    }
}

/// Removes the folders of processes that were killed: this user's own, with a lock that nobody holds.
fn sweep(parent: &Path, settled: Duration) {
    // What cannot be looked at or removed is left.
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)) {
            let path = entry.path();
            if is_left_behind(&path, settled).unwrap_or(false) {
                let _ = fs::remove_dir_all(&path);
            }
        }
    }
}

fn is_left_behind(path: &Path, settled: Duration) -> io::Result<bool> {
    let about = fs::symlink_metadata(path)?;
    let young = about.modified()?.elapsed().is_ok_and(|age| age < settled);
    if !about.is_dir() || about.uid() != getuid().as_raw() || young {
        return Ok(false);
    }
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
        let dead = parent.path().join("derate-run-dead");
        let (foreign, young) =
            (parent.path().join("derate-run-notes"), parent.path().join("derate-run-young"));
        for folder in [&dead, &foreign, &young] {
            fs::create_dir(folder).unwrap();
        }
        fs::write(dead.join(LOCK), "").unwrap();
        fs::write(dead.join("kernels.so"), "").unwrap();
        sweep(parent.path(), SETTLED);
        assert!(dead.exists());
        sweep(parent.path(), Duration::ZERO);
        assert!(!dead.exists() && foreign.exists() && held.path().exists());
        let path = held.path().to_owned();
        held.close().unwrap();
        assert!(!path.exists());
    }
}
