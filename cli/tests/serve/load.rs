//! Requests at an even pace over connections that stay open, each answer looked at.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// Connections, as many pages that are open.
const CONNECTIONS: u32 = 16;

/// What came of it.
pub(crate) struct Load {
    /// Requests that were sent.
    pub(crate) sent: usize,
    /// Answers that were none, or another status than 200, or of another schema.
    pub(crate) lost: usize,
    /// From the moment at which a request was due to the last byte of its answer, sorted.
    pub(crate) waits: Vec<Duration>,
    /// From the first request to the last answer.
    pub(crate) took: Duration,
}

/// One request and its answer; `None` where it was lost.
fn ask(stream: &mut BufReader<TcpStream>, port: u16, m: usize) -> Option<()> {
    let body = format!(
        r#"{{"workload":"gemm","m":{m},"n":4096,"k":4096,"platform":"h100-sxm","precision":"fp16"}}"#
    );
    let length = body.len();
    let request = format!(
        "POST /api/predict HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.get_mut().write_all(request.as_bytes()).ok()?;
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
    let whole = answer.starts_with(br#"{"schema":"derate.prediction/1""#) && answer.ends_with(b"}");
    (right && whole).then_some(())
}

/// Asks for so many estimates a second, for so long.
pub(crate) fn load(port: u16, per_second: u32, long: Duration) -> Load {
    let step = Duration::from_secs(1) * CONNECTIONS / per_second;
    let began = Instant::now() + Duration::from_millis(50);
    let threads: Vec<_> = (0..CONNECTIONS)
        .map(|at| {
            thread::spawn(move || {
                let connect = || {
                    let stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
                    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
                    stream.set_nodelay(true).ok()?;
                    Some(BufReader::new(stream))
                };
                let mut stream = connect();
                let (mut sent, mut lost, mut waits) = (0, 0, Vec::new());
                let mut due = began + step * at / CONNECTIONS;
                while due < began + long {
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    sent += 1;
                    let answered = stream.as_mut().and_then(|stream| ask(stream, port, sent));
                    if answered.is_some() {
                        waits.push(due.elapsed());
                    } else {
                        lost += 1;
                        stream = connect();
                    }
                    due += step;
                }
                (sent, lost, waits)
            })
        })
        .collect();
    let mut all = Load { sent: 0, lost: 0, waits: Vec::new(), took: Duration::ZERO };
    for thread in threads {
        let (sent, lost, waits) = thread.join().unwrap();
        all.sent += sent;
        all.lost += lost;
        all.waits.extend(waits);
    }
    all.took = began.elapsed();
    all.waits.sort();
    all
}
