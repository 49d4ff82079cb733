//! Runs the scripts that try a page, in a browser where they need one.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where cargo puts what tests write, and `make setup` beside it what they need.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const BROWSERS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

fn find_browser() -> Option<&'static str> {
    BROWSERS.into_iter().find(|path| Path::new(path).is_file())
}

fn modules() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../page/node_modules")
}

/// What the scripts need and what is not here. Where the pages' tests are asked for, that is a failure.
pub(crate) fn missing_tool() -> Option<String> {
    let node = Command::new("node").arg("--version").output().is_ok_and(|out| out.status.success());
    let lack = match (node, find_browser()) {
        (false, _) => "node",
        (true, None) => "chromium",
        (true, _) if !modules().join("axe-core").is_dir() => "playwright-core and axe-core",
        _ => return None,
    };
    let wanted = std::env::var_os("DERATE_TEST_PAGE").is_some();
    assert!(!wanted, "{lack} is not here: `make setup` fetches it");
    Some(lack.to_owned())
}

/// Runs one of the scripts beside this test.
pub(crate) fn run_script(script: &str, arguments: &[&Path]) {
    // The scripts are here also for the tests of another crate.
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find_map(|folder| {
        let root = folder.join("reports/render");
        root.is_dir().then_some(root)
    });
    let root = root.unwrap();
    let out = Command::new("node")
        .arg(root.join("tests/page").join(script))
        .args(arguments)
        .env("PAGE_MODULES", modules())
        .env("PAGE_BROWSER", find_browser().unwrap_or_default())
        .env("PAGE_ASSETS", root.join("page"))
        .output()
        .unwrap();
    let said = [out.stdout, out.stderr].concat();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&said));
}

/// Writes a file.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::write(path, content).unwrap();
}
