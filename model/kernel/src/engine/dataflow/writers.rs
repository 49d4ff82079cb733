//! Which processes write a storage: a region may have hundreds, and most share nothing.

use super::Process;
use rustc_hash::FxHashMap as HashMap;

/// The processes that write each storage, in order.
pub(super) struct Writers(HashMap<usize, Vec<usize>>);

impl Writers {
    pub(super) fn of(processes: &[Process]) -> Self {
        let mut writers: HashMap<usize, Vec<usize>> = HashMap::default();
        for (at, process) in processes.iter().enumerate() {
            for storage in &process.writes {
                writers.entry(*storage).or_default().push(at);
            }
        }
        Self(writers)
    }

    /// The processes before this one that write what it reads or writes, each with the storage; one that it reads and writes
    /// may be there twice.
    pub(super) fn list_before<'a>(
        &'a self,
        processes: &'a [Process],
        at: usize,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let own = processes[at].reads.iter().chain(&processes[at].writes);
        own.flat_map(move |storage| {
            let all = self.0.get(storage).into_iter().flatten();
            all.take_while(move |before| **before < at).map(|before| (*storage, *before))
        })
    }
}
