//! The processes that descend from one.

use std::collections::BTreeMap;
use std::fs;

use rustix::process::Pid;

/// A process and those that descend from it now, parents first.
pub(crate) fn family(first: Pid) -> Vec<Pid> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let id = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some((id, parent)) = id.and_then(|id| Some((id, parent(id)?))) {
            children.entry(parent).or_default().push(id);
        }
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

/// The fourth field of its status, which follows a name in brackets that may have any sign in it.
fn parent(id: i32) -> Option<i32> {
    let status = fs::read(format!("/proc/{id}/stat")).ok()?;
    let status = String::from_utf8_lossy(&status);
    status.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use rustix::process::{Signal, getpid, kill_process};

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
        let family = family(own);
        assert_eq!(family[0], own);
        assert!(family.iter().any(|id| id.to_string() == line.trim()), "{family:?}");
        assert!(!family.contains(&getpid()));
        for id in family {
            kill_process(id, Signal::KILL).unwrap();
        }
        child.wait().unwrap();
    }
}
