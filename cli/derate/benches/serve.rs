//! `derate serve` under 1,000 estimates a second, for 30 s, on this machine's own loopback.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench says what it saw; one that cannot be set up has failed"
)]
#![allow(dead_code, reason = "tests use more of what they share with it")]

#[path = "../tests/serve/load.rs"]
mod load;
#[path = "../tests/serve/server.rs"]
mod server;

use std::time::Duration;

/// What the machine does beside it: the load of the last minute.
fn busy() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_owned()
}

fn main() {
    const PER_SECOND: u32 = 1000;
    const LONG: Duration = Duration::from_secs(30);
    let folder = tempfile::tempdir().unwrap();
    let server = server::Server::start(folder.path(), &[]);
    let before = busy();
    let load = load::load(server.port, PER_SECOND, LONG);
    let longest = load.answered().saturating_sub(1);
    let ms = |share: usize| {
        load.waits.get(longest * share / 100).map_or(f64::NAN, |wait| wait.as_secs_f64() * 1e3)
    };
    println!(
        "derate serve, {PER_SECOND} estimates a second for {} s: {} of {} sent, {:.1} a second, {} answered right, the last after {:.1} s; \
         p50 {:.2} ms, p99 {:.2} ms, longest {:.1} ms; load of the machine {before} before and {} after",
        LONG.as_secs(),
        load.sent,
        load.wanted,
        load.rate(),
        load.answered(),
        load.took.as_secs_f64(),
        ms(50),
        ms(99),
        ms(100),
        busy()
    );
    assert_eq!(load.wanted, PER_SECOND as usize * 30, "so many were to be sent");
    assert_eq!((load.sent, load.answered()), (load.wanted, load.wanted), "none may be lost");
    // What is answered later and later would be lost at some time.
    assert!(load.took < LONG + Duration::from_secs(1), "the answers fall behind");
    // To a whole number: the last one may leave some milliseconds late.
    let rate = load.rate().round();
    assert!(rate >= f64::from(PER_SECOND), "fewer than {PER_SECOND} a second were sent");
}
