//! The process that XRT starts. It only watches: the device runs in a second one, so that a kernel that dies takes nobody
//! along who could tell of it.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};

use rustix::process::{Signal, getpid, kill_process};

/// What became of a device.
#[derive(Debug)]
pub struct Watched {
    /// How it ended.
    pub status: ExitStatus,
    /// The compute units that ran when it did.
    pub running: Vec<String>,
}

impl Watched {
    /// One sentence, where a signal ended it: it had no chance to say anything itself.
    pub fn sentence(&self) -> Option<String> {
        let signal = self.status.signal()?;
        let name = match signal {
            4 => " (illegal instruction)",
            6 => " (abort)",
            8 => " (division by zero)",
            9 => " (killed)",
            11 => " (segmentation fault)",
            15 => " (terminated)",
            _ => "",
        };
        Some(match self.running.as_slice() {
            [] => format!("the device ended by signal {signal}{name} while no compute unit ran"),
            units => format!(
                "the device ended by signal {signal}{name} while compute unit {} ran: look for an access beyond an array in its kernel",
                units.join(", ")
            ),
        })
    }
}

/// Waits for a device, which says on its stdout `+unit` and `-unit` when one starts and ends.
pub fn watch(mut device: Child) -> io::Result<Watched> {
    let mut running: BTreeSet<String> = BTreeSet::new();
    if let Some(stdout) = device.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let Ok(line) = line else { break };
            if let Some(unit) = line.strip_prefix('+') {
                running.insert(unit.to_owned());
            } else if let Some(unit) = line.strip_prefix('-') {
                running.remove(unit);
            }
        }
    }
    let status = device.wait()?;
    Ok(Watched { status, running: running.into_iter().collect() })
}

/// Ends this process by a signal: XRT takes an exit for an orderly end and would wait for answers for ever.
pub fn end_by_signal() -> ! {
    // Without a core file.
    let _ = kill_process(getpid(), Signal::KILL);
    // Not reached: nothing withstands that signal.
    std::process::exit(2)
}
