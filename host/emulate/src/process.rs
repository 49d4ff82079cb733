//! What the system says of a process.

use std::fs;

use rustix::process::Pid;

/// A process as it was a moment ago.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) id: Pid,
    /// What it calls itself, in 15 bytes at most.
    pub(crate) name: String,
    /// The number of its parent; 0 where it cannot be seen.
    pub(crate) parent: i32,
    /// The leader of its session; 0 where it cannot be seen, as in a container that was entered from outside.
    pub(crate) session: i32,
    /// Dead ones are listed until their parent has asked for their status.
    pub(crate) lives: bool,
}

impl Process {
    /// One process; `None` where there is none.
    pub(crate) fn of(id: Pid) -> Option<Self> {
        let status = fs::read(format!("/proc/{id}/stat")).ok()?;
        let status = String::from_utf8_lossy(&status);
        // The name is in brackets, and may contain any character.
        let (start, rest) = status.rsplit_once(')')?;
        let name = start.split_once('(')?.1.to_owned();
        let mut fields = rest.split_whitespace();
        let (state, parent) = (fields.next()?, fields.next()?.parse().ok()?);
        let session = fields.nth(1)?.parse().ok()?;
        // The first thread of a process may be dead while others live.
        let mut threads = || fields.nth(13).is_some_and(|threads| threads != "1");
        let lives = !matches!(state, "Z" | "X") || threads();
        Some(Self { id, name, parent, session, lives })
    }

    /// All that can be seen.
    pub(crate) fn list_all() -> impl Iterator<Item = Self> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let id = |entry: fs::DirEntry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?);
        entries.filter_map(id).filter_map(Self::of)
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use rustix::process::getpid;

    use super::*;

    #[test]
    fn the_dead_are_told_from_the_living() {
        let own = Process::of(getpid()).unwrap();
        assert!(own.lives && own.parent >= 0 && own.session >= 0);
        let mut child = Command::new("true").spawn().unwrap();
        let id = Pid::from_child(&child);
        while Process::of(id).unwrap().lives {
            std::thread::yield_now();
        }
        let dead = Process::of(id).unwrap();
        assert_eq!((dead.name.as_str(), dead.parent), ("true", getpid().as_raw_nonzero().get()));
        assert!(Process::list_all().any(|one| one.id == id));
        child.wait().unwrap();
        assert!(Process::of(id).is_none());
    }
}
