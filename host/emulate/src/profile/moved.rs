//! Sums of what was moved, port by port and bank by bank.

use crate::emulator::Moved;
use crate::swemu::RecordedStream;

/// What the runs of a compute unit moved through one argument in one bank. All of it is counted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PortProfile {
    /// The compute unit.
    pub unit: String,
    /// The argument.
    pub argument: String,
    /// The port's bundle; arguments of the same one share the port.
    pub bundle: Option<String>,
    /// The bank that its buffers were in.
    pub bank: String,
    /// Bits of one access.
    pub width_bits: u32,
    /// Runs that were given a buffer there.
    pub runs: u64,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
    /// Stretches of accesses that follow one another: a card makes no fewer bursts.
    pub bursts: u64,
}

impl PortProfile {
    /// Bytes of an average burst at best; `None` where nothing moved.
    pub fn burst_bytes(&self) -> Option<f64> {
        (self.bursts > 0).then(|| (self.read + self.written) as f64 / self.bursts as f64)
    }

    /// Adds what a run moved to the port that it is of.
    pub(super) fn add_moved(ports: &mut Vec<Self>, unit: &str, bank: &str, moved: &Moved) {
        let own =
            |one: &Self| one.unit == unit && one.argument == moved.argument && one.bank == bank;
        let at = ports.iter().position(own).unwrap_or_else(|| {
            ports.push(Self {
                unit: unit.to_owned(),
                argument: moved.argument.clone(),
                bundle: moved.bundle.clone(),
                bank: bank.to_owned(),
                width_bits: moved.width_bits,
                runs: 0,
                read: 0,
                written: 0,
                bursts: 0,
            });
            ports.len() - 1
        });
        if let Some(port) = ports.get_mut(at) {
            port.runs += 1;
            port.read += moved.read;
            port.written += moved.written;
            port.bursts += moved.stretches();
        }
    }
}

/// What went between the host and one bank, one way. All of it is counted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TransferProfile {
    /// Whether to the card.
    pub to_card: bool,
    /// The bank.
    pub bank: String,
    /// How many transfers.
    pub transfers: u64,
    /// How many bytes.
    pub bytes: u64,
}

impl TransferProfile {
    pub(super) fn add_transfer(all: &mut Vec<Self>, to_card: bool, bank: &str, bytes: u64) {
        let own = |one: &Self| one.to_card == to_card && one.bank == bank;
        let at = all.iter().position(own).unwrap_or_else(|| {
            all.push(Self { to_card, bank: bank.to_owned(), transfers: 0, bytes: 0 });
            all.len() - 1
        });
        if let Some(one) = all.get_mut(at) {
            one.transfers += 1;
            one.bytes += bytes;
        }
    }
}

/// What went through a stream. All of it is counted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StreamProfile {
    /// The unit that writes it.
    pub from: String,
    /// The unit that reads it.
    pub to: String,
    /// The argument of the writer, counted from 0.
    pub at: u32,
    /// Elements written.
    pub written: u64,
    /// Elements read.
    pub read: u64,
}

/// What one run, or a unit by itself, moved through its streams.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow<'r> {
    /// The unit, by its place.
    pub(super) unit: usize,
    /// Its span; `None` of a unit by itself.
    pub(super) span: Option<usize>,
    pub(super) streams: &'r [RecordedStream],
}
