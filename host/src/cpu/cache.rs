use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The caches of the last level: what one holds, and how many there are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct LastCache {
    pub(crate) bytes: u64,
    pub(crate) count: usize,
}

/// `32K`, `36608K`, `16M`, as Linux writes a cache's size.
fn size(text: &str) -> Option<u64> {
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
        Self::below(Path::new("/sys/devices/system/cpu"))
    }

    /// Of the processors that have a folder there.
    fn below(root: &Path) -> Option<Self> {
        let mut last: Option<(u64, u64, BTreeSet<String>)> = None;
        let caches = fs::read_dir(root).ok()?.flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let number = name.strip_prefix("cpu")?;
            number.parse::<u32>().ok()?;
            fs::read_dir(entry.path().join("cache")).ok()
        });
        for cache in caches.flat_map(Iterator::flatten) {
            let text = |key: &str| fs::read_to_string(cache.path().join(key)).ok();
            let read = || {
                text("type").filter(|kind| kind.trim() != "Instruction")?;
                let level = text("level")?.trim().parse::<u64>().ok()?;
                Some((level, size(&text("size")?)?, text("shared_cpu_list")?))
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
            assert_eq!(size(text), Some(bytes));
        }
        for text in ["", "K", "0K", "-1K", "99999999999999999999G", "18014398509481984K", "12 kB"] {
            assert_eq!(size(text), None, "{text}");
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
        assert_eq!(LastCache::below(root.path()), Some(LastCache { bytes: 32 << 20, count: 2 }));
        assert_eq!(LastCache::below(&root.path().join("nowhere")), None);
    }
}
