//! Console blocks of Markdown pages are run, and what they show is what is printed.
//!
//! A block opens with three backticks and `console`. A line that begins with `$ ` is a command; the lines below it are its
//! output. A line `...` leaves out the middle: what is above it is the beginning of the output, what is below it is the end.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Two tests may run blocks of one page.
static PAGES: Mutex<()> = Mutex::new(());

/// A command of a page, with the lines that the page shows of its output.
struct Example {
    command: String,
    shown: Vec<String>,
}

/// Runs the blocks of `page` with the opening line `opening`, in order, in the folder `dir`. Where snapshots are written anew
/// (`INSTA_UPDATE=always`), the page is, too.
pub(crate) fn check_page(page: &Path, opening: &str, dir: &Path) {
    let _alone = PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let text = fs::read_to_string(page).unwrap();
    let mut made = String::new();
    let mut rest = text.as_str();
    let opening = format!("```{opening}\n");
    while let Some((before, after)) = rest.split_once(&opening) {
        let (block, after) = after.split_once("```").unwrap();
        made.push_str(before);
        made.push_str(&opening);
        for example in split_block(block) {
            made.push_str(&format!("$ {}\n", example.command));
            for line in excerpt(&run_command(&example.command, dir), &example.shown) {
                made.push_str(&line);
                made.push('\n');
            }
        }
        made.push_str("```");
        rest = after;
    }
    assert!(!made.is_empty(), "{} has no block that opens with {opening}", page.display());
    made.push_str(rest);
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(page, &made).unwrap();
        return;
    }
    let differs = text.lines().zip(made.lines()).find(|(shown, printed)| shown != printed);
    assert!(text == made, "{} is stale ({differs:?}): run `make golden`", page.display());
}

fn split_block(block: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), examples.last_mut()) {
            (Some(command), _) => {
                examples.push(Example { command: command.to_owned(), shown: Vec::new() });
            }
            (None, Some(example)) => example.shown.push(line.to_owned()),
            (None, None) => panic!("a block begins with a command, not with `{line}`"),
        }
    }
    examples
}

/// As many lines of the beginning and of the end as are shown now; all of them where nothing is left out.
fn excerpt(printed: &str, shown: &[String]) -> Vec<String> {
    let lines: Vec<String> = printed.lines().map(|line| line.trim_end().to_owned()).collect();
    let Some(gap) = shown.iter().position(|line| line == "...") else { return lines };
    let tail = shown.len() - gap - 1;
    if lines.len() < gap + tail {
        return lines;
    }
    let left_out = ["...".to_owned()];
    lines[..gap].iter().chain(&left_out).chain(&lines[lines.len() - tail..]).cloned().collect()
}

/// Standard output and error in the order in which they are printed.
fn run_command(command: &str, dir: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_derate")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(dir)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "`{command}` failed: {printed}");
    printed
}

/// A copy of a folder, but for its subfolders, which may be changed.
pub(crate) fn copy_folder(from: &Path) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        if entry.path().is_file() {
            fs::copy(entry.path(), dir.path().join(entry.file_name())).unwrap();
        }
    }
    dir
}
