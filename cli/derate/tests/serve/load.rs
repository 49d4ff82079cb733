//! Requests at an even pace over connections that stay open, sent when they are due whether or not earlier ones were
//! answered, each answer looked at.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Connections, as many pages that are open.
const CONNECTIONS: u32 = 16;

/// What came of it.
#[derive(Default)]
pub(crate) struct Load {
    /// Requests that were to be sent.
    pub(crate) wanted: usize,
    /// Those that were.
    pub(crate) sent: usize,
    /// From each request that was answered with the estimate that it asked for: from the moment at which it was due to the
    /// last byte of its answer, sorted.
    pub(crate) waits: Vec<Duration>,
    /// From the moment at which the first request was due to when the last one was sent.
    pub(crate) sending: Duration,
    /// The same to the last answer.
    pub(crate) took: Duration,
}

impl Load {
    /// Those that were answered with the estimate that they asked for.
    pub(crate) fn answered(&self) -> usize {
        self.waits.len()
    }

    /// Requests a second that were sent.
    pub(crate) fn rate(&self) -> f64 {
        self.sent as f64 / self.sending.as_secs_f64()
    }
}

/// The columns of the estimate that is asked for.
const SIDE: u64 = 4096;

fn send(stream: &mut TcpStream, port: u16, m: u64) -> Option<()> {
    let body = format!(
        r#"{{"workload":"gemm","m":{m},"n":{SIDE},"k":{SIDE},"platform":"h100-sxm","precision":"fp16"}}"#
    );
    let length = body.len();
    let request = format!(
        "POST /api/predict HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).ok()
}

/// One answer; `None` where it is none, or another than that of an estimate of so many rows.
fn heard(stream: &mut BufReader<TcpStream>, m: u64) -> Option<()> {
    let mut line = String::new();
    stream.read_line(&mut line).ok()?;
    let right = line.starts_with("HTTP/1.1 200 ");
    let mut length = 0;
    loop {
        line.clear();
        stream.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut answer = vec![0; length];
    stream.read_exact(&mut answer).ok()?;
    let answer: serde_json::Value = serde_json::from_slice(&answer).ok()?;
    let own = &answer["workload"];
    let flops = answer["phases"][0]["totals"]["flops"].as_f64()?;
    let asked = own["m"] == m && own["n"] == SIDE && own["k"] == SIDE;
    let exact = flops.to_bits() == (2.0 * (m * SIDE * SIDE) as f64).to_bits();
    (right && answer["schema"] == "derate.prediction/1" && asked && exact).then_some(())
}

/// The answers of one connection, in the order of its requests, each since it was due.
fn answers(stream: TcpStream, asked: &Receiver<(u64, Instant)>) -> Vec<Duration> {
    let mut stream = BufReader::new(stream);
    let mut waits = Vec::new();
    while let Ok((m, due)) = asked.recv() {
        // What comes after an answer that is none belongs to nothing.
        if heard(&mut stream, m).is_none() {
            break;
        }
        waits.push(due.elapsed());
    }
    waits
}

/// Asks for so many estimates a second, for so long.
pub(crate) fn load(port: u16, per_second: u32, long: Duration) -> Load {
    let step = Duration::from_secs(1) * CONNECTIONS / per_second;
    let began = Instant::now() + Duration::from_millis(50);
    let threads: Vec<_> = (0..CONNECTIONS)
        .map(|at| {
            thread::spawn(move || {
                let mut own = Load::default();
                let connect = || {
                    let stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
                    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
                    stream.set_nodelay(true).ok()?;
                    Some((stream.try_clone().ok()?, stream))
                };
                let (mut sender, reader) = connect().unzip();
                let (tell, asked) = channel();
                let reader = reader.map(|stream| thread::spawn(move || answers(stream, &asked)));
                let mut due = began + step * at / CONNECTIONS;
                while due < began + long {
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    own.wanted += 1;
                    let m = own.wanted as u64 * u64::from(CONNECTIONS) + u64::from(at);
                    let sent = sender.as_mut().and_then(|stream| send(stream, port, m));
                    if sent.is_some() {
                        own.sent += 1;
                        own.sending = began.elapsed();
                        let _ = tell.send((m, due));
                    } else {
                        sender = None;
                    }
                    due += step;
                }
                drop(tell);
                own.waits = reader.map(|reader| reader.join().unwrap()).unwrap_or_default();
                own
            })
        })
        .collect();
    let mut all = Load::default();
    for thread in threads {
        let own = thread.join().unwrap();
        all.wanted += own.wanted;
        all.sent += own.sent;
        all.waits.extend(own.waits);
        all.sending = all.sending.max(own.sending);
    }
    all.took = began.elapsed();
    all.waits.sort();
    all
}
