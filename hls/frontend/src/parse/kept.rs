//! What is kept of texts that come again, up to so many bytes of text: of many, what was wanted last.

use rustc_hash::FxHashMap as HashMap;
use std::hash::Hash;

pub(super) struct Kept<K, V> {
    known: HashMap<K, Entry<V>>,
    /// The most bytes, and those that are kept now.
    most: usize,
    bytes: usize,
    asked: u64,
}

struct Entry<V> {
    value: V,
    bytes: usize,
    /// When it was wanted last.
    asked: u64,
}

impl<K: Clone + Eq + Hash, V> Kept<K, V> {
    pub(super) fn new(most: usize) -> Self {
        Self { known: HashMap::default(), most, bytes: 0, asked: 0 }
    }

    pub(super) fn get<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<&V>
    where
        K: std::borrow::Borrow<Q>,
    {
        self.asked += 1;
        let entry = self.known.get_mut(key)?;
        entry.asked = self.asked;
        Some(&entry.value)
    }

    /// Keeps a value of a text of so many bytes; a longer one than all together is not kept.
    pub(super) fn keep(&mut self, key: K, value: V, bytes: usize) {
        if bytes > self.most {
            return;
        }
        self.forget(&key);
        while self.bytes + bytes > self.most {
            let oldest = self.known.iter().min_by_key(|(_, known)| known.asked);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { break };
            self.forget(&key);
        }
        self.bytes += bytes;
        self.known.insert(key, Entry { value, bytes, asked: self.asked });
    }

    fn forget(&mut self, key: &K) {
        if let Some(known) = self.known.remove(key) {
            self.bytes -= known.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_wanted_last_is_kept() {
        let mut kept = Kept::new(16);
        for letter in "abcdaef".chars() {
            if kept.get(&letter).is_none() {
                kept.keep(letter, (), 4);
            }
        }
        assert_eq!(kept.bytes, 16);
        let mut known: Vec<char> = kept.known.keys().copied().collect();
        known.sort_unstable();
        assert_eq!(known, ['a', 'd', 'e', 'f']);
        kept.keep('g', (), 17);
        assert!(kept.get(&'g').is_none() && kept.get(&'a').is_some());
    }
}
