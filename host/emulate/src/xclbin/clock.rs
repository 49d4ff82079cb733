//! `CLOCK_FREQ_TOPOLOGY`: the clocks that the design reached.

use super::bytes::{array, records, text};

/// Bytes in front of the first clock, and of one clock.
const FIRST: usize = 2;
const RECORD: usize = 136;

/// One clock.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Clock {
    /// `DATA_CLK` runs the kernels.
    pub name: String,
    /// MHz, as the file has them: whole ones.
    pub megahertz: u16,
    /// `data`, `kernel`, `system`, or a number.
    pub kind: String,
}

/// The clocks, and whether the section ends before the last of them.
pub(super) fn read(data: &[u8]) -> (Vec<Clock>, bool) {
    let count = array(data, 0).map_or(0, |count| u64::from(u16::from_le_bytes(count)));
    let (records, cut) = records(data, count, FIRST, RECORD);
    let clock = |record: &[u8]| {
        let kind = match *record.get(2)? {
            1 => "data".to_owned(),
            2 => "kernel".to_owned(),
            3 => "system".to_owned(),
            other => other.to_string(),
        };
        let megahertz = u16::from_le_bytes(array(record, 0)?);
        Some(Clock { name: text(record.get(8..136)?), megahertz, kind })
    };
    (records.filter_map(clock).collect(), cut)
}
