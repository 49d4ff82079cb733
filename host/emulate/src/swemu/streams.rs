//! The streams between the units of a design, and the circle in which units wait for each other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::record::RecordedStream;
use crate::emulator::{Channel, Kernel, KernelArgumentKind};
use crate::xclbin::Streamed;

/// A circle of waiting units that does not move for so long is a deadlock.
const STILL: Duration = Duration::from_secs(2);

/// One connection.
#[derive(Debug)]
struct Connection {
    link: Streamed,
    /// Made when the first of its ends is known, with the size of its elements there.
    channel: Option<(Arc<Channel>, u32)>,
    /// The size at the other end, where that differs.
    other: Option<u32>,
    /// Elements that were written and read when somebody asked last.
    counted: (u64, u64),
}

/// All of a design.
#[derive(Debug, Default)]
pub(super) struct Streams {
    connections: Vec<Connection>,
    /// How many elements had gone through all of them, and since when nothing more did.
    seen: Mutex<Option<(u64, Instant)>>,
}

impl Streams {
    pub(super) fn of_design(links: &[Streamed]) -> Self {
        let one = |link: &Streamed| Connection {
            link: link.clone(),
            channel: None,
            other: None,
            counted: (0, 0),
        };
        Self { connections: links.iter().map(one).collect(), seen: Mutex::new(None) }
    }

    /// The channels of a unit's arguments, by their positions.
    pub(super) fn of_unit(&mut self, unit: &str, kernel: &Kernel) -> Vec<(usize, Arc<Channel>)> {
        let mut found = Vec::new();
        for one in &mut self.connections {
            for (name, argument) in [&one.link.from, &one.link.to] {
                let at = *argument as usize;
                let kind = kernel.arguments.get(at).map(|argument| argument.kind);
                let Some(KernelArgumentKind::Stream { bytes }) = kind.filter(|_| name == unit)
                else {
                    continue;
                };
                let depth = one.link.depth;
                let (channel, known) = one
                    .channel
                    .get_or_insert_with(|| (Arc::new(Channel::new(bytes, depth)), bytes));
                if *known != bytes {
                    one.other = Some(bytes);
                }
                found.push((at, Arc::clone(channel)));
            }
        }
        found
    }

    /// What went through the streams of a unit since it was asked last: what it wrote into one, what it read from another.
    pub(super) fn take_moved(&mut self, unit: &str) -> Vec<RecordedStream> {
        let mut moved = Vec::new();
        for one in &mut self.connections {
            let Some((channel, _)) = &one.channel else { continue };
            let (written, read) = channel.counts();
            let (from, to) = (&one.link.from.0, &one.link.to.0);
            let mut add = |writes: bool, now: u64, counted: &mut u64| {
                let elements = now.wrapping_sub(std::mem::replace(counted, now));
                moved.push(RecordedStream {
                    from: from.clone(),
                    to: to.clone(),
                    at: one.link.from.1,
                    writes,
                    elements,
                });
            };
            if from == unit {
                add(true, written, &mut one.counted.0);
            }
            if to == unit {
                add(false, read, &mut one.counted.1);
            }
        }
        moved
    }

    /// Whether both ends of each take elements of one size. The error is a clause.
    pub(super) fn check_sizes(&self) -> Result<(), String> {
        for one in &self.connections {
            if let (Some((_, bytes)), Some(other)) = (&one.channel, one.other) {
                return Err(format!(
                    "it connects a stream of {bytes} bytes of {} to one of {other} bytes of {}: give both the same type",
                    one.link.from.0, one.link.to.0
                ));
            }
        }
        Ok(())
    }

    /// A circle of units that wait for each other and have not moved for a while, as a clause.
    pub(super) fn find_deadlock(&self) -> Option<String> {
        if self.connections.is_empty() {
            return None;
        }
        let channels = self.connections.iter().filter_map(|one| one.channel.as_ref());
        let moved = channels
            .map(|(one, _)| one.counts())
            .fold(0_u64, |sum, (written, read)| sum.wrapping_add(written).wrapping_add(read));
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match *seen {
            Some((before, since)) if before == moved => {
                if since.elapsed() < STILL {
                    return None;
                }
            }
            _ => {
                *seen = Some((moved, Instant::now()));
                return None;
            }
        }
        self.find_circle()
    }

    /// Who waits for whom, followed until somebody comes twice.
    fn find_circle(&self) -> Option<String> {
        let mut waits: BTreeMap<&str, (&str, String)> = BTreeMap::new();
        for one in &self.connections {
            let Some((channel, _)) = &one.channel else { continue };
            let (from, to) = (one.link.from.0.as_str(), one.link.to.0.as_str());
            if channel.reader_waits() {
                waits.insert(to, (from, format!("{to} waits for {from} to write")));
            }
            if channel.writer_waits() {
                let room = channel.capacity();
                let clause =
                    format!("{from} waits for {to} to read, with {room} elements between them");
                waits.insert(from, (to, clause));
            }
        }
        for start in waits.keys() {
            let (mut at, mut clauses) = (*start, Vec::new());
            while let Some((next, clause)) = waits.get(at) {
                clauses.push(clause.as_str());
                if next == start {
                    return Some(format!(
                        "a deadlock: {}; give a stream more depth (sc=FROM:TO:DEPTH), or read in the order in which is written",
                        clauses.join("; ")
                    ));
                }
                if clauses.len() > waits.len() {
                    break;
                }
                at = next;
            }
        }
        None
    }

    /// Whoever waits on one of them ends.
    pub(super) fn stop(&self) {
        self.connections
            .iter()
            .filter_map(|one| one.channel.as_ref())
            .for_each(|(one, _)| one.stop());
    }
}
