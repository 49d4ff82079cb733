//! Sweeps that are begun and resumed where nobody waits for the answer, or too many wait.

use std::time::{Duration, Instant};

use axum::http::HeaderValue;
use derate_host::operators::OperatorDevice;

use super::*;
use crate::measure::measure_point;
use crate::platforms::Platforms;
use crate::queue::{Queue, SharedStore, lock_mutex};
use crate::store::{Ending, Store, Task};

/// Points of a small product.
fn some(count: usize) -> Vec<NewPoint> {
    let one = || NewPoint {
        subject: r#"{"kind": "gemv", "n": 8, "k": 8}"#.to_owned(),
        precision: "fp32".to_owned(),
        predicted: String::new(),
    };
    std::iter::repeat_with(one).take(count).collect()
}

/// What requests share, with a store in that folder; nothing measures.
fn served(folder: &std::path::Path) -> Arc<ServerState> {
    let store: SharedStore = Arc::new(Store::open(&folder.join("r.sqlite")).unwrap().into());
    Arc::new(ServerState {
        platforms: Platforms::new(Vec::new()).unwrap(),
        device: "cpu".to_owned(),
        device_name: "a processor".to_owned(),
        queue: Arc::new(Queue::new(|_| {})),
        store,
        page: Bytes::new(),
        policy: HeaderValue::from_static(""),
    })
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

#[test]
fn what_was_begun_is_measured_though_nobody_waits_for_the_answer() {
    let dir = tempfile::tempdir().unwrap();
    let state = served(dir.path());
    let store = &state.store;
    let thread = state.queue.start(Arc::clone(store), |shape, precision, stop, progress| {
        measure_point(&OperatorDevice::Cpu { threads: 1 }, shape, precision, stop, progress)
    });
    let done = |id: i64| {
        let began = Instant::now();
        while lock_mutex(store).find_sweep(id).unwrap().is_none_or(|sweep| sweep.state != "done") {
            assert!(began.elapsed() < Duration::from_secs(60), "sweep {id} is never done");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let begin = || begin_sweep(&state, "spot", "t4".to_owned(), some(1));
    assert!(runtime().block_on(begin()).is_ok());
    done(1);
    // The thread that measures rests now, until somebody rings.
    std::thread::sleep(Duration::from_millis(100));
    let (open, runtime) = (lock_mutex(store), runtime());
    let late = async { tokio::time::timeout(Duration::from_millis(50), begin()).await };
    assert!(runtime.block_on(late).is_err(), "the store is not to be had");
    drop(open);
    done(2);
    state.queue.end();
    thread.unwrap().join().unwrap();
}

/// Times of two machines in one sweep would look like those of one.
#[test]
fn a_sweep_does_not_go_on_on_another_device() {
    let dir = tempfile::tempdir().unwrap();
    let state = served(dir.path());
    let begin = |device: &str| {
        let mut store = lock_mutex(&state.store);
        let id = store.begin_sweep("sweep", "t4", device, &some(2)).unwrap();
        let task = store.next_task().unwrap().unwrap();
        assert_eq!(task.sweep, id);
        (id, task)
    };
    let measured_on = |(id, task): (i64, Task), name: &str| {
        let mut store = lock_mutex(&state.store);
        let (device, measurement) = (name.to_owned(), "{}".to_owned());
        store.finish_point(&task, &Ending::Measured { device, seconds: 1.0, measurement }).unwrap();
        assert_eq!(store.cancel_sweep(id).unwrap(), Changed::Yes);
        id
    };
    let resumed = |id: i64| {
        let state = State(Arc::clone(&state));
        runtime().block_on(resume_sweep(state, Path(id.to_string())))
    };
    // By its own name, and by that of the machine that measured its first point.
    for (device, name) in [("cuda:0", "NVIDIA T9"), ("cpu", "another processor")] {
        let id = measured_on(begin(device), name);
        let refused = resumed(id).unwrap_err();
        assert_eq!(refused.status, StatusCode::CONFLICT);
        let said = format!("was started on {name}, and here a processor (cpu) measures");
        assert!(refused.error.contains(&said), "{}", refused.error);
        assert_eq!(lock_mutex(&state.store).find_sweep(id).unwrap().unwrap().state, "cancelled");
    }
    // Nothing was measured yet, but it was for another one.
    let (id, _) = begin("cuda:0");
    assert_eq!(lock_mutex(&state.store).cancel_sweep(id).unwrap(), Changed::Yes);
    assert!(resumed(id).unwrap_err().error.contains("was started on cuda:0, and here"));
    let id = measured_on(begin("cpu"), "a processor");
    assert!(resumed(id).is_ok());
}

#[test]
fn where_too_many_wait_none_is_begun_or_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let state = served(dir.path());
    let first = lock_mutex(&state.store).begin_sweep("sweep", "t4", "cpu", &some(60_000)).unwrap();
    let extract = || State(Arc::clone(&state));
    let path = || Path(first.to_string());
    let body = || {
        let text = r#"{"workload": "gemv", "n": 8, "k": 8, "platform": "t4", "precision": "fp32"}"#;
        Bytes::from_static(text.as_bytes())
    };
    runtime().block_on(async {
        assert!(cancel_sweep(extract(), path()).await.is_ok());
        let second =
            lock_mutex(&state.store).begin_sweep("sweep", "t4", "cpu", &some(100_000)).unwrap();
        for refused in [start_spot(extract(), body()).await, resume_sweep(extract(), path()).await]
        {
            let refused = refused.unwrap_err();
            assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
            assert!(refused.error.contains("more than 100000 points would wait"));
        }
        assert_eq!(lock_mutex(&state.store).find_sweep(first).unwrap().unwrap().state, "cancelled");
        assert!(cancel_sweep(extract(), Path(second.to_string())).await.is_ok());
        assert!(resume_sweep(extract(), path()).await.is_ok());
        assert!(start_spot(extract(), body()).await.is_ok());
    });
}
