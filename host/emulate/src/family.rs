//! The processes that descend from one.

use std::collections::BTreeMap;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, kill_process, set_child_subreaper};

use crate::process::Process;

/// Between two looks at processes that end.
const BEAT: Duration = Duration::from_millis(5);
/// What is given to killed processes, which the system may hold back while it writes to a disk, say.
const PATIENCE: Duration = Duration::from_secs(5);

/// A process and those that descend from it and live, parents first.
pub(crate) fn list_family(first: Pid) -> Vec<Pid> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    // The dead have no children.
    for process in Process::list_all().filter(|process| process.lives) {
        children.entry(process.parent).or_default().push(process.id.as_raw_nonzero().get());
    }
    let mut family = vec![first.as_raw_nonzero().get()];
    let mut at = 0;
    while let Some(id) = family.get(at) {
        // Taken out: a list that was read while processes came and went may name one twice.
        family.extend(children.remove(id).unwrap_or_default());
        at += 1;
    }
    family.into_iter().filter_map(Pid::from_raw).collect()
}

/// From now on this process is the parent of those whose parent ends before them: [`end_all`] finds them.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Kills all that descends from this process, and comes back when nothing of it lives: for a process that has called
/// [`adopt_orphans`] and has nothing left to do.
pub(crate) fn end_all() {
    let (own, begin) = (getpid(), Instant::now());
    // One look may miss whoever came while it was taken.
    let mut empty = 0;
    while empty < 2 && begin.elapsed() < PATIENCE {
        let living: Vec<Pid> = list_family(own).into_iter().filter(|id| *id != own).collect();
        if living.is_empty() {
            empty += 1;
            continue;
        }
        empty = 0;
        for id in living {
            // It may have ended meanwhile.
            let _ = kill_process(id, Signal::KILL);
        }
        sleep(BEAT);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_child_of_a_child_belongs_to_it() {
        let mut child = Command::new("sh")
            .args(["-c", "sleep 60 & echo $!; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let own = Pid::from_child(&child);
        let family = list_family(own);
        assert_eq!(family[0], own);
        assert!(family.iter().any(|id| id.to_string() == line.trim()), "{family:?}");
        assert!(!family.contains(&getpid()));
        for id in family {
            kill_process(id, Signal::KILL).unwrap();
        }
        child.wait().unwrap();
    }
}
