//! What becomes of points when something fails: the store, what measures, whoever cancels. What measures is this machine.

use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use derate_host::operators::OperatorDevice;

use super::*;
use crate::measure::measure_point;
use crate::store::{Changed, NewPoint, PointRow, SweepRow};

/// A store, and what measures for it.
struct Room {
    _dir: tempfile::TempDir,
    store: SharedStore,
    queue: Arc<Queue>,
}

impl Drop for Room {
    fn drop(&mut self) {
        self.queue.end();
    }
}

impl Room {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(Mutex::new(Store::open(&dir.path().join("r.sqlite")).unwrap()));
        Self { _dir: dir, store, queue: Arc::new(Queue::new(|_| {})) }
    }

    fn start(&self, measures: impl Measures) {
        self.queue.start(Arc::clone(&self.store), measures).unwrap();
    }

    /// Measures, but for run `at`, counted from 0, which ends as `instead` says.
    fn start_with(&self, at: usize, instead: fn(&AtomicBool) -> Result<Measurement, Ended>) {
        let runs = AtomicUsize::new(0);
        self.start(move |shape, precision, stop, progress| {
            if runs.fetch_add(1, Ordering::Relaxed) == at {
                return instead(stop);
            }
            really(shape, precision, stop, progress)
        });
    }

    /// A sweep of so many small products.
    fn begin(&self, points: usize) -> i64 {
        let one = || NewPoint {
            subject: r#"{"kind": "gemv", "n": 64, "k": 64}"#.to_owned(),
            precision: "fp32".to_owned(),
            predicted: String::new(),
        };
        let points: Vec<NewPoint> = std::iter::repeat_with(one).take(points).collect();
        let id = lock_mutex(&self.store).begin_sweep("sweep", "t4", "cpu", &points).unwrap();
        self.queue.wake();
        id
    }

    fn sweep(&self, id: i64) -> SweepRow {
        lock_mutex(&self.store).find_sweep(id).unwrap().unwrap()
    }

    fn points(&self, id: i64) -> Vec<PointRow> {
        lock_mutex(&self.store).points_from(id, 0).unwrap()
    }

    fn states(&self, id: i64) -> Vec<String> {
        self.points(id).into_iter().map(|point| point.state).collect()
    }

    fn until(&self, what: &str, wished: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while !wished(self) {
            assert!(began.elapsed() < Duration::from_secs(60), "never: {what}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn until_done(&self, id: i64) -> SweepRow {
        self.until("it is done", |room| room.sweep(id).state == "done");
        self.sweep(id)
    }
}

/// This machine, on one thread.
fn really(
    shape: &Shape,
    precision: &str,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&str),
) -> Result<Measurement, Ended> {
    measure_point(&OperatorDevice::Cpu { threads: 1 }, shape, precision, stop, progress)
}

/// Until somebody asks it to stop.
fn stopped(stop: &AtomicBool) -> Result<Measurement, Ended> {
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(1));
    }
    Err(Ended::Stopped)
}

#[test]
fn a_result_waits_for_a_store_that_fails() {
    let room = Room::new();
    let (store, runs) = (Arc::clone(&room.store), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&runs);
    room.start(move |shape, precision, stop, progress| {
        let found = really(shape, precision, stop, progress);
        if count.fetch_add(1, Ordering::Relaxed) == 1 {
            lock_mutex(&store).read_only(true);
        }
        found
    });
    let id = room.begin(3);
    room.until("it is told", |room| room.queue.trouble().is_some());
    let told = room.queue.trouble().unwrap();
    assert!(told.contains("the store cannot be used") && told.contains("r.sqlite"), "{told}");
    assert_eq!(room.states(id), ["measured", "running", "waiting"]);
    // Somebody makes room, and somebody asks for something.
    lock_mutex(&room.store).read_only(false);
    room.queue.wake();
    assert_eq!(room.until_done(id).measured, 3);
    assert_eq!(runs.load(Ordering::Relaxed), 3, "nothing was measured twice");
    assert_eq!(room.queue.trouble(), None);
}

#[test]
fn a_stop_that_hits_a_later_run_loses_no_point() {
    let room = Room::new();
    room.start_with(0, stopped);
    let id = room.begin(2);
    room.until("it runs", |room| room.queue.progress(id).is_some());
    // Another's cancel comes late: the sweep has been resumed, and is open.
    room.queue.stop(id);
    assert_eq!(room.until_done(id).measured, 2);
}

#[test]
fn what_is_cancelled_stays_so_until_it_is_resumed() {
    let room = Room::new();
    room.start_with(0, stopped);
    let id = room.begin(2);
    room.until("it runs", |room| room.queue.progress(id).is_some());
    let mut store = lock_mutex(&room.store);
    assert_eq!(store.cancel_sweep(id).unwrap(), Changed::Yes);
    room.queue.stop(id);
    // Resumed before the thread has heard of it.
    assert_eq!(store.resume_sweep(id).unwrap(), Changed::Yes);
    assert_eq!(store.cancel_sweep(id).unwrap(), Changed::Yes);
    drop(store);
    room.until("it has stopped", |room| room.queue.progress(id).is_none());
    assert_eq!(room.states(id), ["cancelled", "cancelled"]);
    assert_eq!(lock_mutex(&room.store).resume_sweep(id).unwrap(), Changed::Yes);
    room.queue.wake();
    assert_eq!(room.until_done(id).measured, 2);
}

#[test]
fn a_panic_refuses_its_point_alone() {
    let room = Room::new();
    room.start_with(1, |_| panic!("the second one fails"));
    let id = room.begin(3);
    assert_eq!(room.until_done(id).measured, 2);
    assert_eq!(room.states(id), ["measured", "refused", "measured"]);
    let reason = room.points(id).remove(1).reason.unwrap();
    assert!(reason.contains("(the second one fails), which is a fault of derate"), "{reason}");
    assert_eq!(room.queue.trouble(), None);
}

#[test]
fn a_row_that_cannot_be_read_is_refused_alone() {
    let room = Room::new();
    let id = room.begin(3);
    lock_mutex(&room.store)
        .run("UPDATE point SET subject = '{\"kind\": \"conv\"}' WHERE ordinal = 1");
    room.start(really);
    assert_eq!(room.until_done(id).measured, 2);
    assert_eq!(room.states(id), ["measured", "refused", "measured"]);
    let odd = room.points(id).remove(1);
    assert_eq!(odd.workload, None);
    assert!(odd.reason.unwrap().contains("cannot be read: unknown variant `conv`"));
}

#[test]
fn what_does_not_work_just_now_interrupts_and_is_resumed() {
    let room = Room::new();
    room.start_with(1, |_| Err(Ended::NotNow("of which 3 bytes are free".to_owned())));
    let (id, other) = (room.begin(3), room.begin(1));
    assert_eq!(room.until_done(other).measured, 1, "others go on");
    let sweep = room.sweep(id);
    assert_eq!((sweep.state.as_str(), sweep.finished), ("interrupted", 1));
    assert_eq!(sweep.reason.as_deref(), Some("of which 3 bytes are free"));
    assert_eq!(room.states(id), ["measured", "waiting", "waiting"]);
    assert_eq!(lock_mutex(&room.store).resume_sweep(id).unwrap(), Changed::Yes);
    assert_eq!(room.sweep(id).reason, None);
    room.queue.wake();
    assert_eq!(room.until_done(id).measured, 3);
}

#[test]
fn a_sweep_may_be_removed_while_its_point_runs() {
    let room = Room::new();
    let (store, runs) = (Arc::clone(&room.store), AtomicUsize::new(0));
    room.start(move |shape, precision, stop, progress| {
        let found = really(shape, precision, stop, progress);
        if runs.fetch_add(1, Ordering::Relaxed) == 0 {
            assert_eq!(lock_mutex(&store).cancel_sweep(1).unwrap(), Changed::Yes);
            assert_eq!(lock_mutex(&store).remove_sweep(1).unwrap(), Changed::Yes);
        }
        found
    });
    let (id, other) = (room.begin(2), room.begin(2));
    assert_eq!(room.until_done(other).measured, 2);
    assert_eq!(lock_mutex(&room.store).find_sweep(id).unwrap(), None);
    assert_eq!(room.points(id), []);
    assert_eq!(lock_mutex(&room.store).measured_points(0).unwrap().len(), 2);
}

#[test]
fn a_thread_that_ends_is_told_of() {
    let room = Room::new();
    let queue = Arc::clone(&room.queue);
    let ended = std::thread::spawn(move || {
        let _last = LastWord(&queue);
        panic!("it ends");
    });
    assert!(ended.join().is_err());
    let told = room.queue.trouble().unwrap();
    assert!(told.contains("the thread that measures has ended"), "{told}");
    // At the end, it should.
    let quiet = Arc::new(Queue::new(|_| {}));
    quiet.end();
    drop(LastWord(&quiet));
    assert_eq!(quiet.trouble(), None);
}

#[test]
fn bytes_are_those_that_the_run_tells() {
    let room = Room::new();
    let id = room.begin(1);
    // INT8 on a GPU: operands of a byte, results of four.
    room.start(|shape, precision, stop, progress| {
        let mut found = really(shape, precision, stop, progress)?;
        for run in &mut found.runs {
            run.bytes_written = run.bytes_written.map(|bytes| bytes * 4.0);
        }
        Ok(found)
    });
    room.until_done(id);
    let own = room.points(id).remove(0).measured.unwrap();
    let wanted = 4.0 * (64.0 * 64.0 + 64.0) + 4.0 * 4.0 * 64.0;
    assert_eq!(own.bytes, Some(wanted));
    assert_eq!(own.bytes_from.as_deref(), Some("formulas"));
    assert_eq!(own.bandwidth, Some(wanted / own.seconds));
}
