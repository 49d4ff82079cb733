//! Which texts include which.

use crate::FileId;
use crate::header::Header;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// For each header the ones that it includes, directly or not, and those that include it; itself among both.
pub(super) fn join_includes(headers: &[Header]) -> (Vec<HashSet<usize>>, Vec<Vec<usize>>) {
    let place: HashMap<FileId, usize> =
        headers.iter().enumerate().map(|(at, header)| (header.file, at)).collect();
    let direct: Vec<Vec<usize>> = headers
        .iter()
        .map(|header| {
            let files = header.includes.iter().filter_map(|include| include.file);
            files.filter_map(|file| place.get(&file).copied()).collect()
        })
        .collect();
    let mut above = vec![Vec::new(); headers.len()];
    let below = (0..headers.len()).map(|start| {
        let mut seen = HashSet::from_iter([start]);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            above[at].push(start);
            open.extend(direct[at].iter().copied().filter(|&to| seen.insert(to)));
        }
        seen
    });
    (below.collect(), above)
}
