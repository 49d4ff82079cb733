//! The page of `derate serve` in real browsers: from typing to points.
//!
//! `make setup` fetches the browser and what drives it; where they are missing, a test says that it is skipped, and fails where
//! `DERATE_TEST_PAGE` asks for it.
#![cfg(feature = "serve")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![allow(dead_code, reason = "tests share a server that can do more")]

#[path = "../../../reports/render/tests/page/driver.rs"]
mod driver;
#[path = "serve/server.rs"]
mod server;

use std::path::Path;

use server::Server;

/// Runs a phase of the script against a server.
fn phase(server: &Server, name: &str) -> bool {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/page.mjs");
    let url = format!("http://127.0.0.1:{}", server.port);
    driver::runs(script.to_str().unwrap(), &[Path::new(&url), Path::new(name)], true)
}

fn alone(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    phase(&Server::start(folder.path(), &[]), name);
}

#[test]
fn a_spot_check_goes_from_typing_to_points() {
    alone("spot");
}

#[test]
fn bad_shapes_are_refused_beside_their_fields() {
    alone("refused");
}

#[test]
fn layers_are_measured_forward_and_attention_is_swept() {
    alone("layers");
}

#[test]
fn two_browsers_see_each_others_points() {
    alone("two");
}

#[test]
fn a_sweep_is_cancelled_half_way() {
    alone("cancel");
}

#[test]
fn killed_in_mid_sweep_the_page_has_every_finished_point_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let ran = phase(&server, "begin");
    server.kill();
    if ran {
        phase(&Server::start(folder.path(), &[]), "again");
    }
}

#[test]
fn older_sweeps_can_be_reached_and_what_is_not_drawn_is_told() {
    alone("older");
}

#[test]
fn the_page_is_for_every_eye_and_hand() {
    alone("access");
}

#[test]
fn the_page_asks_for_the_token() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("token.txt"), "0123456789abcdef0123").unwrap();
    phase(&Server::start(folder.path(), &["--token", "token.txt"]), "token");
}
