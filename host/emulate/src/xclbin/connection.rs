//! `CONNECTIVITY`: which argument of which compute unit reaches which bank.

use super::bytes::{split_records, u32_at};

/// Bytes in front of the first connection, and of one connection.
const FIRST: usize = 4;
const RECORD: usize = 12;

/// One connection, all by position.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Connection {
    /// The compute unit, in `IP_LAYOUT`.
    pub ip: u32,
    /// The kernel's argument.
    pub argument: u32,
    /// The bank, in `MEM_TOPOLOGY`.
    pub bank: u32,
}

/// The connections, and whether the section ends before the last of them.
pub(super) fn read_connections(data: &[u8]) -> (Vec<Connection>, bool) {
    let count = u32_at(data, 0).map_or(0, u64::from);
    let (records, cut) = split_records(data, count, FIRST, RECORD);
    let connection = |record: &[u8]| {
        let (argument, ip, bank) = (u32_at(record, 0)?, u32_at(record, 4)?, u32_at(record, 8)?);
        Some(Connection { ip, argument, bank })
    };
    (records.filter_map(connection).collect(), cut)
}

pub(super) fn write_connections(connections: &[Connection]) -> Option<Vec<u8>> {
    let mut data = u32::try_from(connections.len()).ok()?.to_le_bytes().to_vec();
    for one in connections {
        for field in [one.argument, one.ip, one.bank] {
            data.extend(field.to_le_bytes());
        }
    }
    Some(data)
}
