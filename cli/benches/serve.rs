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
    let ms = |share: usize| load.waits[(load.waits.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!(
        "derate serve, {PER_SECOND} estimates a second for {} s: {} sent, {} lost, all answered after {:.1} s; p50 {:.2} ms, p99 {:.2} ms, \
         longest {:.1} ms; load of the machine {before} before and {} after",
        LONG.as_secs(),
        load.sent,
        load.lost,
        load.took.as_secs_f64(),
        ms(50),
        ms(99),
        ms(100),
        busy()
    );
    assert_eq!(load.lost, 0, "none may be lost");
}
