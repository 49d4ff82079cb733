//! Limits of the store: points, and points that wait.

use super::{Store, StoreError};

/// Points that wait, of all sweeps.
const WAITING: i64 = 100_000;

/// Points, of all sweeps; a measured one takes some kilobytes.
const KEPT: i64 = 500_000;

impl Store {
    /// Points that wait, of all sweeps.
    fn count_waiting(&self) -> Result<i64, StoreError> {
        let text = "SELECT count(*) FROM point p JOIN sweep s ON s.id = p.sweep \
            WHERE p.state = 'waiting' AND s.state IN ('waiting', 'running')";
        self.read(|db| db.query_row(text, [], |row| row.get(0)))
    }

    /// Points that would wait if a sweep went on.
    pub(crate) fn count_unfinished(&self, id: i64) -> Result<i64, StoreError> {
        let text = "SELECT coalesce(sum(points - finished), 0) FROM sweep \
            WHERE id = ?1 AND state IN ('cancelled', 'interrupted')";
        self.read(|db| db.query_row(text, [id], |row| row.get(0)))
    }

    /// Why `wait` more points may not wait, with `new` of them not in the store yet; a sentence.
    pub(crate) fn check_room(&self, wait: i64, new: i64) -> Result<Option<String>, StoreError> {
        let all = "SELECT coalesce(sum(points), 0) FROM sweep";
        let kept: i64 = self.read(|db| db.query_row(all, [], |row| row.get(0)))?;
        if new > 0 && kept.saturating_add(new) > KEPT {
            return Ok(Some(format!(
                "the store would have more than {KEPT} points: remove some sweeps, or start with another --store"
            )));
        }
        let full = self.count_waiting()?.saturating_add(wait) > WAITING;
        Ok(full.then(|| {
            format!(
                "more than {WAITING} points would wait: let some be measured, or cancel a sweep"
            )
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Changed, NewPoint};
    use super::*;

    fn points(count: usize) -> Vec<NewPoint> {
        let one = || NewPoint {
            subject: String::new(),
            precision: String::new(),
            predicted: String::new(),
        };
        std::iter::repeat_with(one).take(count).collect()
    }

    #[test]
    fn cancelled_sweeps_count_again_where_they_are_resumed_and_always_in_the_store() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(&dir.path().join("r.sqlite")).unwrap();
        let many = points(60_000);
        let first = store.begin_sweep("sweep", "t4", "cpu", &many).unwrap();
        assert_eq!(store.check_room(40_000, 40_000).unwrap(), None);
        let full = store.check_room(40_001, 40_001).unwrap().unwrap();
        assert!(full.contains("more than 100000 points would wait"), "{full}");
        assert_eq!(store.count_unfinished(first).unwrap(), 0, "it waits already");
        assert_eq!(store.cancel_sweep(first).unwrap(), Changed::Yes);
        let second = store.begin_sweep("sweep", "t4", "cpu", &many).unwrap();
        assert_eq!(store.count_unfinished(first).unwrap(), 60_000);
        assert!(store.check_room(60_000, 0).unwrap().is_some(), "both would wait");
        assert_eq!(store.cancel_sweep(second).unwrap(), Changed::Yes);
        assert_eq!(store.check_room(60_000, 0).unwrap(), None);
        // Starting and cancelling fills the store, not the queue.
        let kept = store.check_room(10_000, 380_001).unwrap().unwrap();
        assert!(kept.contains("more than 500000 points: remove some sweeps"), "{kept}");
        assert_eq!(store.check_room(10_000, 380_000).unwrap(), None);
        assert_eq!(store.remove_sweep(first).unwrap(), Changed::Yes);
        assert_eq!(store.check_room(10_000, 380_001).unwrap(), None);
    }
}
