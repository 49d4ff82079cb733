//! The page of `derate serve` in real browsers: from typing to points.
//!
//! `make setup` fetches the browser and what drives it; where they are missing, the tests are
//! ignored, and fail where `DERATE_TEST_PAGE` asks for them.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![allow(dead_code, reason = "tests share a server that can do more")]

#[path = "../../../reports/render/tests/page/driver.rs"]
mod driver;
#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;
#[path = "serve/server.rs"]
mod server;

use std::path::Path;

use harness::{run_tests, tests};
use server::Server;

fn main() -> std::process::ExitCode {
    let in_browser = tests![
        a_spot_check_goes_from_typing_to_points,
        bad_shapes_are_refused_beside_their_fields,
        layers_are_measured_forward_and_attention_is_swept,
        two_browsers_see_each_others_points,
        a_sweep_is_cancelled_half_way,
        killed_in_mid_sweep_the_page_has_every_finished_point_again,
        older_sweeps_can_be_reached_and_what_is_not_drawn_is_told,
        the_page_is_for_every_eye_and_hand,
        the_page_asks_for_the_token,
    ];
    run_tests(Vec::new(), vec![(driver::missing_tool(), in_browser)])
}

/// Runs a phase of the script against a server.
fn run_phase(server: &Server, name: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/page.mjs");
    let url = format!("http://127.0.0.1:{}", server.port);
    driver::run_script(script.to_str().unwrap(), &[Path::new(&url), Path::new(name)]);
}

fn alone(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    run_phase(&Server::start(folder.path(), &[]), name);
}

fn a_spot_check_goes_from_typing_to_points() {
    alone("spot");
}

fn bad_shapes_are_refused_beside_their_fields() {
    alone("refused");
}

fn layers_are_measured_forward_and_attention_is_swept() {
    alone("layers");
}

fn two_browsers_see_each_others_points() {
    alone("two");
}

fn a_sweep_is_cancelled_half_way() {
    alone("cancel");
}

fn killed_in_mid_sweep_the_page_has_every_finished_point_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    run_phase(&server, "begin");
    server.kill();
    run_phase(&Server::start(folder.path(), &[]), "again");
}

fn older_sweeps_can_be_reached_and_what_is_not_drawn_is_told() {
    alone("older");
}

fn the_page_is_for_every_eye_and_hand() {
    alone("access");
}

fn the_page_asks_for_the_token() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("token.txt"), "0123456789abcdef0123").unwrap();
    run_phase(&Server::start(folder.path(), &["--token", "token.txt"]), "token");
}
