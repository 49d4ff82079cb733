//! Runs the scripts that try a page, in a browser where they need one.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where cargo puts what tests write, and `make setup` beside it what they need.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs one of the scripts beside this test; `false` where what it needs is not here. Where the pages' tests are asked for, that
/// is a failure.
pub(crate) fn runs(script: &str, arguments: &[&Path], needs_browser: bool) -> bool {
    let modules = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../page/node_modules");
    let browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let browser = browsers.iter().find(|path| Path::new(path).is_file());
    let node = Command::new("node").arg("--version").output().is_ok_and(|out| out.status.success());
    let lack = match (node, browser) {
        (false, _) => Some("node is not installed"),
        (true, None) if needs_browser => Some("no chromium is installed"),
        (true, _) if needs_browser && !modules.join("axe-core").is_dir() => {
            Some("playwright-core and axe-core are not here")
        }
        _ => None,
    };
    if let Some(lack) = lack {
        let wanted = std::env::var_os("DERATE_TEST_PAGE").is_some();
        assert!(!wanted, "{lack}: `make setup` fetches it");
        let (thread, script) = (std::thread::current(), Path::new(script));
        let (test, script) = (thread.name(), script.file_name().unwrap_or_default().display());
        // Past what the harness captures, and in one piece beside what others say.
        let line = format!(
            "skipped: {}: {lack}, so {script} is not run; `make setup` fetches it\n",
            test.unwrap_or("a test of the page")
        );
        let _ = std::io::stderr().write_all(line.as_bytes());
        return false;
    }
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
        .env("PAGE_MODULES", &modules)
        .env("PAGE_BROWSER", browser.copied().unwrap_or_default())
        .env("PAGE_ASSETS", root.join("page"))
        .output()
        .unwrap();
    let said = [out.stdout, out.stderr].concat();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&said));
    true
}

/// Writes a file.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::write(path, content).unwrap();
}
