//! Whom `derate serve` answers, and whom it does not.
#![cfg(feature = "serve")]

use crate::derate::derate;
use crate::server::Server;
use serde_json::json;

const JSON: &str = "Content-Type: application/json";

#[test]
fn no_path_escapes_what_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/%2e%2e%2fCargo.toml",
        "/..%5cCargo.toml",
        "/..%252fCargo.toml",
        "/api/../../Cargo.toml",
        "/api/platforms/..%2f..%2fCargo.toml",
        "/api/platforms/..%2fu280",
        "/api/platforms/%2e%2e%2fplatforms%2fu280.toml",
        "/api/platforms/%00",
        "/api/platforms/%ff",
        "//etc/passwd",
        "/derate-results.sqlite",
        "/index.html",
        "/static/../../etc/passwd",
        "/%",
    ] {
        let reply = server.get(path);
        assert!(reply.status == 404 || reply.status == 400, "{path}: {}", reply.head);
        let text = String::from_utf8_lossy(&reply.body).into_owned();
        assert!(!text.contains("[package]") && !text.contains("root:"), "{path}: {text}");
    }
    assert_eq!(server.get("/").status, 200);
}

/// Whoever opens connections and says nothing keeps nobody else out: the oldest of them give way.
#[test]
fn half_open_connections_keep_nobody_out() {
    use std::io::{Read, Write};
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let address = format!("127.0.0.1:{}", server.port);
    let mut waiting: Vec<std::net::TcpStream> = (0..300)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(&address).unwrap();
            stream.write_all(b"GET /api/platforms HTTP/1.1\r\nHost: ").unwrap();
            stream
        })
        .collect();
    for _ in 0..5 {
        assert_eq!(server.get("/api/platforms").status, 200);
    }
    // The last of them is still open, so nobody waited for their time to run out.
    let last = waiting.last_mut().unwrap();
    last.set_nonblocking(true).unwrap();
    let error = last.read(&mut [0; 1]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
}

#[test]
fn a_foreign_origin_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let own = format!("Origin: http://127.0.0.1:{}", server.port);
    assert_eq!(server.ask("GET", "/api/platforms", &[&own], "").status, 200);
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", ""] {
        for (method, path) in
            [("GET", "/api/platforms"), ("POST", "/api/predict"), ("DELETE", "/api/sweeps/1")]
        {
            let origin = format!("Origin: {origin}");
            let reply = server.ask(method, path, &[&origin, JSON], "{}");
            reply.refused(403, "another origin");
            assert!(!reply.head.to_lowercase().contains("access-control"), "{}", reply.head);
        }
    }
    let twice = [own.as_str(), "Origin: http://evil.example"];
    server.ask("GET", "/api/platforms", &twice, "").refused(400, "send it once");
    // What a page of others may fetch without an origin.
    for site in ["cross-site", "same-site"] {
        let site = format!("Sec-Fetch-Site: {site}");
        server.ask("GET", "/api/platforms", &[&site], "").refused(403, "another origin");
    }
    assert_eq!(
        server.ask("GET", "/api/platforms", &["Sec-Fetch-Site: same-origin"], "").status,
        200
    );
    // A preflight is not answered with leave.
    let ask = ["Origin: http://evil.example", "Access-Control-Request-Method: POST", JSON];
    server.ask("OPTIONS", "/api/predict", &ask, "").refused(403, "another origin");
}

#[test]
fn a_host_that_is_not_ours_is_refused_and_a_tunnels_port_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--name", "bench.lab"]);
    for host in ["localhost:9999", "127.0.0.1:1", "[::1]:80", "LocalHost", "bench.lab:8080"] {
        let own = format!("Host: {host}");
        assert_eq!(server.ask("GET", "/api/platforms", &[&own], "").status, 200, "{host}");
        // A page that was opened through a tunnel.
        let origin = format!("Origin: http://{host}");
        assert_eq!(server.ask("GET", "/api/platforms", &[&own, &origin], "").status, 200, "{host}");
    }
    for host in ["evil.example", "127.0.0.1.evil.example", "10.0.0.1", "localhost.", ""] {
        let own = format!("Host: {host}");
        for path in ["/", "/api/platforms", "/openapi.json"] {
            let reply = server.ask("GET", path, &[&own], "");
            assert!(reply.status == 421, "{host} {path}: {}", reply.head);
        }
    }
    let twice = ["Host: localhost", "Host: evil.example"];
    assert_eq!(server.ask("GET", "/api/platforms", &twice, "").status, 400);
    let absolute = server.ask("GET", "http://evil.example/api/platforms", &["Host: localhost"], "");
    assert_eq!(absolute.status, 421);
}

#[test]
fn a_body_over_the_limit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let body = |size: usize| format!("{{\"workload\": \"{}\"}}", "x".repeat(size - 16));
    server.ask("POST", "/api/predict", &[JSON], &body(64 * 1024)).refused(422, "it is needed");
    server
        .ask("POST", "/api/predict", &[JSON], &body(64 * 1024 + 1))
        .refused(413, "more than 65536 bytes");
    // Without a length, in chunks.
    let chunk = format!("4000\r\n{}\r\n", "x".repeat(0x4000));
    let head = format!(
        "POST /api/predict HTTP/1.1\r\nHost: localhost\r\n{JSON}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    let all = [head.as_str(), &chunk.repeat(5), "0\r\n\r\n"].concat();
    server.raw(all.as_bytes()).refused(413, "more than 65536 bytes");
    // It lives, and says so.
    assert_eq!(server.get("/api/sweeps").status, 200);
}

#[test]
fn what_changes_something_is_json() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
        let kind = format!("Content-Type: {kind}");
        server.ask("POST", "/api/spot", &[&kind], "{}").refused(415, "application/json");
    }
    let charset = "Content-Type: application/json; charset=utf-8";
    server.ask("POST", "/api/spot", &[charset], "{}").refused(422, "it is needed");
    server.ask("POST", "/api/spot", &[JSON], "{\"m\":").refused(400, "not JSON");
    server.ask("POST", "/api/spot", &[JSON], &"[".repeat(60_000)).refused(400, "not JSON");
    server.ask("PUT", "/api/spot", &[JSON], "{}").refused(405, "another way");
    server.get("/api/nothing").refused(404, "nothing here");
}

#[test]
fn a_token_is_asked_where_one_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token.txt");
    std::fs::write(&file, "0123456789abcdef0123\n").unwrap();
    let by_file = Server::start(folder.path(), &["--token", "token.txt"]);
    let own = tempfile::tempdir().unwrap();
    let by_name = Server::with(own.path(), &[], &[("DERATE_SERVE_TOKEN", "0123456789abcdef0123")]);
    for server in [by_file, by_name] {
        // The page holds nothing; it asks for the token.
        assert_eq!(server.get("/").status, 200);
        for header in [
            "Accept: */*",
            "Authorization: Bearer 0123456789abcdef0124",
            "Authorization: Bearer 0123456789abcdef012",
            "Authorization: Bearer ",
            "Authorization: Basic 0123456789abcdef0123",
            "Authorization: 0123456789abcdef0123",
        ] {
            let reply = server.ask("GET", "/api/platforms", &[header], "");
            reply.refused(401, "a token is needed");
            assert!(reply.head.to_lowercase().contains("www-authenticate: bearer"));
        }
        let right = "Authorization: Bearer 0123456789abcdef0123";
        assert_eq!(server.ask("GET", "/api/platforms", &[right], "").status, 200);
    }
}

#[test]
fn another_address_needs_a_token_of_some_length() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("r.sqlite");
    let store = store.to_str().unwrap();
    let short = folder.path().join("short.txt");
    std::fs::write(&short, "0123456789abcde").unwrap();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        derate(&["serve", "--listen", address, "--store", store])
            .assert_refused("a token is needed");
        let short = short.to_str().unwrap();
        derate(&["serve", "--listen", address, "--store", store, "--token", short])
            .assert_refused("at least 16");
    }
    derate(&["serve", "--listen", "8080", "--store", store])
        .assert_refused("write an address and a port");
    derate(&["serve", "--token", "/nowhere/token", "--store", store])
        .assert_refused("cannot be read");
    assert!(!std::path::Path::new(store).exists());
}

#[test]
fn every_answer_forbids_frames_and_guessing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for path in ["/", "/api/platforms", "/nothing"] {
        let head = server.get(path).head.to_lowercase();
        for header in [
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
    }
    let head = server.get("/").head;
    assert!(head.contains("connect-src 'self'") && head.contains("default-src 'none'"), "{head}");
    let json = server.post("/api/predict", &json!({})).head.to_lowercase();
    assert!(json.contains("content-type: application/json"), "{json}");
}

#[test]
fn a_request_that_does_not_end_is_answered_after_30_s() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let began = std::time::Instant::now();
    let head = format!(
        "POST /api/spot HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{{",
        server.port
    );
    server.raw(head.as_bytes()).refused(408, "took more than 30 s");
    assert!(began.elapsed().as_secs() >= 29, "{:?}", began.elapsed());
    assert_eq!(server.get("/api/sweeps").json()["sweeps"], serde_json::json!([]));
}

#[test]
fn so_many_connections_are_open_and_the_oldest_idle_one_gives_way() {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::time::Duration;

    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut open: Vec<TcpStream> =
        (0..256).map(|_| TcpStream::connect(("127.0.0.1", server.port)).unwrap()).collect();
    let request = format!("GET /api/platforms HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port);
    // All of them are served.
    for stream in &mut open {
        stream.write_all(request.as_bytes()).unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        assert_eq!(&status, b"HTTP/1.1 200");
    }
    let mut next = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    next.write_all(request.as_bytes()).unwrap();
    next.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut status = [0; 12];
    next.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 200");
    // The first one was closed, the last one was not.
    let mut rest = Vec::new();
    open[0].set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    open[0].read_to_end(&mut rest).unwrap();
    let last = open.last_mut().unwrap();
    last.write_all(request.as_bytes()).unwrap();
    last.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    assert!(last.read(&mut [0; 64]).unwrap() > 0);
}

#[test]
fn a_port_that_is_taken_is_told_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let store = folder.path().join("second.sqlite");
    let listen = format!("127.0.0.1:{}", server.port);
    let run = derate(&["serve", "--listen", &listen, "--store", store.to_str().unwrap()]);
    run.assert_refused(&format!("{listen} cannot be listened on: take another port"));
    assert!(!store.exists());
}
