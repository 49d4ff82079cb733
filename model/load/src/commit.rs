//! Asks git which commit a project is of.

use std::path::Path;
use std::process::{Command, Stdio};

use derate_estimate::Commit;

/// The last commit that changed a file of the project's folder; nothing where git is not installed, the folder is not in a
/// repository, or git knows none of its files.
///
/// A commit that changes other folders does not change the answer.
#[must_use]
pub fn find_commit(place: &Path) -> Option<Commit> {
    let folder = if place.is_dir() { place } else { place.parent()? };
    let name = run_git(folder, &["log", "-1", "--abbrev=12", "--format=%h", "--", "."])?;
    if name.is_empty() {
        return None;
    }
    let changes = run_git(folder, &["status", "--porcelain", "--untracked-files=no", "--", "."])?;
    Some(Commit { name, changed: !changes.is_empty() })
}

/// What git prints, without the monitor of files and the check of signatures that settings may ask for. Filters of the
/// settings run, as they do for anybody who asks git.
fn run_git(folder: &Path, words: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    let settings = ["-c", "core.fsmonitor=false", "-c", "log.showSignature=false"];
    git.arg("--no-optional-locks").args(settings).args(words);
    if !folder.as_os_str().is_empty() {
        git.current_dir(folder);
    }
    let output = git.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = output.status.success().then(|| String::from_utf8(output.stdout).ok())??;
    Some(text.trim().to_owned())
}
