//! `docs/book/src/validation.md` says how far the closed forms are from published numbers; `make golden` writes it anew.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot be set up has failed"
)]

use std::fs;
use std::path::Path;

mod fixture;
mod validation;

use validation::{bandwidth, gemm, loops, page, parts, stages};

#[test]
fn the_page_in_docs_is_not_stale() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/src/validation.md");
    let now = page(&parts()) + &gemm::section();
    // The variable by which snapshots are written anew, too.
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, &now).unwrap();
    }
    let page = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(page == now, "docs/book/src/validation.md is stale: run `make golden`");
}

#[test]
fn the_closed_forms_are_as_near_as_they_were() {
    loops::check(&loops::part());
    bandwidth::check(&bandwidth::part());
    stages::check(&stages::part());
}
