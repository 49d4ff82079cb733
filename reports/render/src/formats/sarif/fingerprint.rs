//! Fingerprints, which identify a finding after lines have moved.

use std::collections::BTreeMap;

use crate::LogEntry;

/// Gives fingerprints, and numbers equal ones.
#[derive(Default)]
pub(super) struct Fingerprints {
    seen: BTreeMap<u128, usize>,
}

impl Fingerprints {
    /// A hash of rule, subject and marked text, its blanks folded, and which one of that hash this is. Neither line nor
    /// figures go into it.
    pub(super) fn fingerprint_entry(&mut self, entry: &LogEntry) -> String {
        let marked = entry.places.first().map_or("", |place| &place.text);
        let marked = marked.split_whitespace().collect::<Vec<_>>().join(" ");
        let hash = hash_texts(&[&entry.code, &entry.subject, &marked]);
        let count = self.seen.entry(hash).or_default();
        *count += 1;
        format!("{hash:032x}:{count}")
    }
}

/// The 128-bit FNV-1a hash, a zero byte behind each text.
fn hash_texts(texts: &[&str]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    bytes.fold(OFFSET, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Place};

    fn entry(line: usize, text: &str, message: &str) -> LogEntry {
        LogEntry {
            code: "a/b".to_owned(),
            level: Level::Error,
            subject: "s".to_owned(),
            message: message.to_owned(),
            notes: Vec::new(),
            help: String::new(),
            places: vec![Place {
                file: "a.h".to_owned(),
                start: (line, 1),
                end: (line, 2),
                text: text.to_owned(),
                message: String::new(),
            }],
            allowed: None,
        }
    }

    fn alone(entry: &LogEntry) -> String {
        Fingerprints::default().fingerprint_entry(entry)
    }

    #[test]
    fn lines_blanks_and_figures_do_not_count() {
        let first = alone(&entry(1, "using a = float;", "2x"));
        assert_eq!(alone(&entry(9, "using  a =\n float;", "3x")), first);
        assert_ne!(alone(&entry(1, "using a = half;", "2x")), first);
    }

    #[test]
    fn equals_are_numbered() {
        let mut fingerprints = Fingerprints::default();
        let both = [
            fingerprints.fingerprint_entry(&entry(1, "x", "")),
            fingerprints.fingerprint_entry(&entry(2, "x", "")),
        ];
        assert!(both[0].ends_with(":1") && both[1].ends_with(":2"), "{both:?}");
    }

    /// The published value of the empty text's hash is the offset; one zero byte takes one step.
    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(hash_texts(&[]), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(hash_texts(&[""]), 0xd228_cb69_101a_8caf_7891_2b70_4e4a_147f);
    }
}
