use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use crate::signal::explain_signal;

const KILLED: &str = "somebody ended it, or this machine has no memory left";

/// What became of the second process.
#[derive(Debug)]
pub struct Watched {
    /// How it ended.
    pub status: ExitStatus,
    /// The compute units that ran when it did, each with its kernel.
    pub running: Vec<String>,
    /// Whether it ended by itself, through with its work.
    pub through: bool,
    /// Whether it ended because the program it worked for was gone, which it has reported.
    pub left: bool,
    /// How long a compute unit was let run, where it was ended because one ran longer.
    pub endless: Option<Duration>,
}

impl Watched {
    /// One sentence about a second process that a kernel ended: it had no chance to say anything itself. `what` is what
    /// it was: `the device`.
    pub fn sentence(&self, what: &str) -> Option<String> {
        if let Some(limit) = self.endless {
            return Some(format!(
                "{what} was ended because compute unit {} had run for {} s: a kernel has to return; look for a loop without an end in its source, or give it longer with --limit",
                self.running.join(", "),
                limit.as_secs()
            ));
        }
        if self.left {
            return None;
        }
        let how = match (self.status.signal(), self.status.code()) {
            (Some(signal), _) => format!("by signal {signal}{}", explain_signal(signal)),
            (None, _) if self.through => return None,
            (None, code) => format!("with status {}", code.unwrap_or_default()),
        };
        if self.running.is_empty() {
            let look = match self.status.signal() {
                Some(9 | 15) => KILLED,
                Some(_) if self.through => {
                    "check what the kernels' source does after the last call, in the destructors of its globals"
                }
                _ => {
                    "check what the kernels' source does before a kernel is called, in the constructors of its globals"
                }
            };
            return Some(format!("{what} ended {how} while no compute unit ran: {look}"));
        }
        let look = match self.status.signal() {
            None => {
                "a kernel has to return: take the call that ends the process, such as exit(), out of its source"
            }
            Some(6) => "look for a failed assert or a call of abort() in its source",
            Some(8) => "look for a division by zero in its source",
            Some(9 | 15) => KILLED,
            Some(_) => "look for an access beyond an array in its source",
        };
        Some(format!(
            "{what} ended {how} while compute unit {} ran: {look}",
            self.running.join(", ")
        ))
    }
}
