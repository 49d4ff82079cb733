use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rustix::thread::{CpuSet, sched_getaffinity};

/// The caches of the last level that this process may use: what one holds, and how many there are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct LastCache {
    pub(crate) bytes: u64,
    pub(crate) count: usize,
}

/// Whether this process may run on a processor.
fn may_run() -> impl Fn(u32) -> bool {
    let own = sched_getaffinity(None).ok();
    move |number| {
        let at = usize::try_from(number).ok().filter(|&at| at < CpuSet::MAX_CPU);
        // Without an answer all may.
        own.as_ref().is_none_or(|own| at.is_some_and(|at| own.is_set(at)))
    }
}

/// `32K`, `36608K`, `16M`, as Linux writes a cache's size.
fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = match text.char_indices().last()? {
        (at, 'K') => (text.get(..at)?, 1 << 10),
        (at, 'M') => (text.get(..at)?, 1 << 20),
        (at, 'G') => (text.get(..at)?, 1 << 30),
        _ => (text, 1),
    };
    number.parse::<u64>().ok()?.checked_mul(unit).filter(|&bytes| bytes > 0)
}

impl LastCache {
    /// As Linux tells it under `/sys`; `None` where it does not.
    pub(crate) fn of_this_machine() -> Option<Self> {
        Self::read_below(Path::new("/sys/devices/system/cpu"), may_run())
    }

    /// Those that so many threads share: each runs beside one of them at a time.
    pub(crate) fn of_threads(self, threads: usize) -> Self {
        Self { count: self.count.min(threads), ..self }
    }

    /// What they hold together.
    pub(crate) fn total_bytes(self) -> u64 {
        self.bytes.saturating_mul(self.count as u64)
    }

    /// Of the processors that have a folder there and count.
    fn read_below(root: &Path, counts: impl Fn(u32) -> bool) -> Option<Self> {
        let mut last: Option<(u64, u64, BTreeSet<String>)> = None;
        let caches = fs::read_dir(root).ok()?.flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let number = name.strip_prefix("cpu")?;
            number.parse::<u32>().ok().filter(|&number| counts(number))?;
            fs::read_dir(entry.path().join("cache")).ok()
        });
        for cache in caches.flat_map(Iterator::flatten) {
            let text = |key: &str| fs::read_to_string(cache.path().join(key)).ok();
            let read = || {
                text("type").filter(|kind| kind.trim() != "Instruction")?;
                let level = text("level")?.trim().parse::<u64>().ok()?;
                Some((level, parse_size(&text("size")?)?, text("shared_cpu_list")?))
            };
            let Some((level, bytes, shared)) = read() else { continue };
            match &mut last {
                Some((known, most, all)) if *known == level => {
                    *most = bytes.max(*most);
                    all.insert(shared);
                }
                Some((known, ..)) if *known > level => {}
                _ => last = Some((level, bytes, BTreeSet::from([shared]))),
            }
        }
        last.map(|(_, bytes, all)| Self { bytes, count: all.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_linux_writes_them() {
        for (text, bytes) in
            [("32K\n", 32 << 10), ("107520K", 107_520 << 10), ("16M", 16 << 20), ("512", 512)]
        {
            assert_eq!(parse_size(text), Some(bytes));
        }
        for text in ["", "K", "0K", "-1K", "99999999999999999999G", "18014398509481984K", "12 kB"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn the_last_level_counts_and_each_of_its_caches_once() {
        let root = tempfile::tempdir().unwrap();
        for (cpu, index, kind, level, size, shared) in [
            (0, 0, "Data", 1, "48K", "0"),
            (0, 1, "Instruction", 4, "32K", "0"),
            (0, 3, "Unified", 3, "32768K", "0-1"),
            (1, 3, "Unified", 3, "32768K", "0-1"),
            (2, 3, "Unified", 3, "32768K", "2"),
            (2, 2, "Unified", 2, "2048K", "2"),
        ] {
            let dir = root.path().join(format!("cpu{cpu}/cache/index{index}"));
            fs::create_dir_all(&dir).unwrap();
            for (key, text) in [
                ("type", kind.to_owned()),
                ("level", level.to_string()),
                ("size", size.to_owned()),
                ("shared_cpu_list", shared.to_owned()),
            ] {
                fs::write(dir.join(key), text + "\n").unwrap();
            }
        }
        fs::create_dir_all(root.path().join("cpufreq/cache/index0")).unwrap();
        let two = LastCache { bytes: 32 << 20, count: 2 };
        let below = |counts: fn(u32) -> bool| LastCache::read_below(root.path(), counts);
        assert_eq!(below(|_| true), Some(two));
        assert_eq!(
            (two.of_threads(1).total_bytes(), two.of_threads(9).total_bytes()),
            (32 << 20, 64 << 20)
        );
        // A process that may not leave one socket has its caches alone.
        assert_eq!(below(|cpu| cpu < 2), Some(two.of_threads(1)));
        assert_eq!(below(|_| false), None);
        assert_eq!(LastCache::read_below(&root.path().join("nowhere"), |_| true), None);
    }
}
