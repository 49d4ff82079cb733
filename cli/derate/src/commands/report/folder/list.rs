//! The pictures and tables that derate wrote into a folder, and may remove when they are stale.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::super::names::is_ours;

/// Where they are listed: a line each, the hash of its bytes before its path.
pub(super) const FILE: &str = ".derate-written";

/// A longer list was not written by derate.
const LONGEST: u64 = 1 << 20;

/// Their paths, and the hashes of what was written.
pub(super) type List = BTreeMap<String, u64>;

/// What the list of an earlier run names, and may name.
pub(super) fn read_list(dir: &Path) -> List {
    let list = dir.join(FILE);
    let read = fs::metadata(&list)
        .ok()
        .filter(|meta| meta.is_file() && meta.len() <= LONGEST)
        .and_then(|_| fs::read_to_string(&list).ok());
    read.iter()
        .flat_map(|text| text.lines())
        .filter_map(|line| line.split_once(' '))
        .filter(|(_, name)| is_ours(name))
        .filter_map(|(hash, name)| Some((name.to_owned(), u64::from_str_radix(hash, 16).ok()?)))
        .collect()
}

pub(super) fn list_text(list: &List) -> String {
    list.iter().fold(String::new(), |text, (name, hash)| format!("{text}{hash:016x} {name}\n"))
}

/// FNV-1a: tells a changed file from one as derate wrote it.
pub(super) fn hash_bytes(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_that_are_published() {
        let published: [(&[u8], u64); 3] = [
            (b"", 0xcbf2_9ce4_8422_2325),
            (b"a", 0xaf63_dc4c_8601_ec8c),
            (b"foobar", 0x8594_4171_f739_67e8),
        ];
        for (bytes, known) in published {
            assert_eq!(hash_bytes(bytes), known);
        }
    }
}
