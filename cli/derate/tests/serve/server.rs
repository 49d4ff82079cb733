//! A `derate serve` of its own for each test, and what asks it over a bare connection: no client smooths anything over.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A running server. It is killed, not asked, when it goes.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    said: BufReader<std::process::ChildStderr>,
}

/// What was answered.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| {
            panic!("{e}: {} {}", self.head, String::from_utf8_lossy(&self.body))
        })
    }

    /// A refusal with its sentence.
    pub(crate) fn refused(&self, status: u16, word: &str) -> Value {
        let json = self.json();
        assert_eq!(self.status, status, "{json}");
        assert_eq!(json["schema"], "derate.refusal/1");
        assert!(json["error"].as_str().unwrap().contains(word), "no `{word}` in {json}");
        json
    }
}

impl Server {
    pub(crate) fn start(folder: &Path, more: &[&str]) -> Self {
        Self::with(folder, more, &[])
    }

    /// In a folder, where its store is too.
    pub(crate) fn with(folder: &Path, more: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_derate"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(more)
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .env_remove("DERATE_SERVE_TOKEN")
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let port = line.split("http://127.0.0.1:").nth(1).and_then(|rest| rest.split(' ').next());
        let port = port.unwrap_or_else(|| panic!("{line}")).parse().unwrap();
        Self { child, port, said }
    }

    /// Sends these bytes and reads until the connection's end.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // A server that refuses may hang up before it has heard all.
        let _ = stream.write_all(bytes);
        let mut all = Vec::new();
        let mut buffer = [0; 8192];
        while let Ok(count) = stream.read(&mut buffer) {
            if count == 0 {
                break;
            }
            all.extend_from_slice(&buffer[..count]);
        }
        let end = all.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(&all)));
        let head = String::from_utf8_lossy(&all[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head, body: all[end + 4..].to_vec() }
    }

    /// A request with these headers beside `Host`, `Connection` and `Content-Length`.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Reply {
        let own = headers.iter().any(|header| header.to_ascii_lowercase().starts_with("host:"));
        let host = if own { String::new() } else { format!("Host: 127.0.0.1:{}\r\n", self.port) };
        let more: String = headers.iter().flat_map(|header| [header, "\r\n"]).collect();
        let length = body.len();
        self.raw(
            format!("{method} {path} HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: {length}\r\n{more}\r\n{body}")
                .as_bytes(),
        )
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, &["Content-Type: application/json"], &body.to_string())
    }

    pub(crate) fn delete(&self, path: &str) -> Reply {
        self.ask("DELETE", path, &["Content-Type: application/json"], "")
    }

    /// Waits until a sweep's head is as wished; its points are not asked for meanwhile.
    pub(crate) fn until(&self, id: i64, wished: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let json = self.get(&format!("/api/sweeps/{id}?from=1000000")).json();
            if wished(&json["sweep"]) {
                return json["sweep"].clone();
            }
            assert!(began.elapsed() < Duration::from_secs(300), "{json}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// As `kill -9` does, or a power cut but for the disk.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// As Ctrl-C in a terminal; gives the exit status and what was said after the address.
    pub(crate) fn interrupt(mut self, signal: &str) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let status = self.child.wait().unwrap();
        let mut rest = String::new();
        self.said.read_to_string(&mut rest).unwrap();
        (status.code(), rest)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
