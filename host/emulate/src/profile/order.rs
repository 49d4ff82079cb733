//! The record of a device as whole transfers and whole runs, in the order in which they depend on each other.

use std::collections::{BTreeMap, VecDeque};

use crate::emulator::Counted;
use crate::swemu::{
    PACKET_BYTES, Recorded, RecordedArgument, RecordedDesign, RecordedPlace, RecordedStream,
};

/// A transfer, which XRT sends in packets.
#[derive(Clone, Debug)]
pub(super) struct Transfer<'r> {
    pub(super) to_card: bool,
    pub(super) buffer: u64,
    pub(super) bytes: u64,
    pub(super) bank: &'r str,
    /// Where the next packet of it would begin; `None` after its last one.
    next: Option<u64>,
}

/// A run of a compute unit.
#[derive(Clone, Debug)]
pub(super) struct Run<'r> {
    pub(super) unit: &'r str,
    pub(super) arguments: &'r [RecordedArgument],
    /// What it moved; `None` where nobody saw its end.
    pub(super) counted: Option<&'r Counted>,
    /// What went through its streams.
    pub(super) streams: &'r [RecordedStream],
}

/// A copy between two buffers; one that is not on this card is not known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy<'r> {
    pub(super) bytes: u64,
    pub(super) from: Option<&'r RecordedPlace>,
    pub(super) to: Option<&'r RecordedPlace>,
}

#[derive(Clone, Debug)]
pub(super) enum Step<'r> {
    Design(&'r RecordedDesign),
    Transfer(Transfer<'r>),
    Run(Run<'r>),
    Copy(Copy<'r>),
}

/// Joins the packets of each transfer, and each run with its end. A packet goes on with the open transfer of its buffer unless a
/// run has begun on that meanwhile: other runs and transfers come when the threads of XRT come to them.
pub(super) fn order_steps(done: &[Recorded]) -> Vec<Step<'_>> {
    let mut ends: BTreeMap<&str, VecDeque<(&Counted, &[RecordedStream])>> = BTreeMap::new();
    for one in done {
        if let Recorded::End(counted, streams) = one {
            ends.entry(&counted.unit).or_default().push_back((counted, streams));
        }
    }
    let mut steps: Vec<Step<'_>> = Vec::new();
    let mut open: BTreeMap<(bool, u64), usize> = BTreeMap::new();
    for one in done {
        match one {
            Recorded::Design(design) => steps.push(Step::Design(design)),
            Recorded::Transfer { to_card, buffer, address, bytes, bank } => {
                let next = (*bytes == PACKET_BYTES).then(|| address.saturating_add(*bytes));
                let before = open.get(&(*to_card, *buffer)).and_then(|&at| steps.get_mut(at));
                if let Some(Step::Transfer(transfer)) = before
                    && transfer.next == Some(*address)
                {
                    transfer.bytes += bytes;
                    transfer.next = next;
                    continue;
                }
                open.insert((*to_card, *buffer), steps.len());
                open.remove(&(!*to_card, *buffer));
                let (to_card, buffer, bytes) = (*to_card, *buffer, *bytes);
                steps.push(Step::Transfer(Transfer { to_card, buffer, bytes, bank, next }));
            }
            Recorded::Start { unit, arguments } => {
                for (buffer, _) in arguments.iter().filter_map(|one| one.place.as_ref()) {
                    open.remove(&(true, *buffer));
                    open.remove(&(false, *buffer));
                }
                let end = ends.get_mut(unit.as_str()).and_then(VecDeque::pop_front);
                let (counted, streams) = (end.map(|end| end.0), end.map_or(&[][..], |end| end.1));
                steps.push(Step::Run(Run { unit, arguments, counted, streams }));
            }
            Recorded::Copy { bytes, from, to } => {
                for place in [from, to].into_iter().flatten() {
                    open.remove(&(true, place.buffer));
                    open.remove(&(false, place.buffer));
                }
                let (from, to) = (from.as_ref(), to.as_ref());
                steps.push(Step::Copy(Copy { bytes: *bytes, from, to }));
            }
            Recorded::End(..) | Recorded::Free(..) => {}
        }
    }
    steps
}
