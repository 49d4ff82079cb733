//! `docs/book/src/rules.md` says what the rules' doc comments say; `make golden` writes it anew.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::Path;

use derate_model::audit::rules_page;

#[test]
fn the_page_in_docs_is_not_stale() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/src/rules.md");
    // The variable by which snapshots are written anew, too.
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, rules_page()).unwrap();
    }
    let page = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(page == rules_page(), "docs/book/src/rules.md is stale: run `make golden`");
}
