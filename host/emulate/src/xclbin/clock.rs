//! `CLOCK_FREQ_TOPOLOGY`: the clocks that the design reached.

use serde::Serialize;

use super::bytes::{array_at, split_records, text_in};

/// Bytes in front of the first clock, and of one clock.
const FIRST: usize = 2;
const RECORD: usize = 136;

/// One clock.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Clock {
    /// `DATA_CLK` runs the kernels.
    pub name: String,
    /// `data`, `kernel`, `system`, or a number.
    pub kind: String,
    /// MHz, whole as in the file.
    pub megahertz: u16,
}

/// The clocks, and whether the section ends before the last of them.
pub(super) fn read_clocks(data: &[u8]) -> (Vec<Clock>, bool) {
    let count = array_at(data, 0).map_or(0, |count| u64::from(u16::from_le_bytes(count)));
    let (records, cut) = split_records(data, count, FIRST, RECORD);
    let clock = |record: &[u8]| {
        let kind = match *record.get(2)? {
            1 => "data".to_owned(),
            2 => "kernel".to_owned(),
            3 => "system".to_owned(),
            other => other.to_string(),
        };
        let megahertz = u16::from_le_bytes(array_at(record, 0)?);
        Some(Clock { name: text_in(record.get(8..136)?), megahertz, kind })
    };
    (records.filter_map(clock).collect(), cut)
}
