//! The page of the seeds: every command in its tables runs, and prints the figure beside it.

use std::process::Command;

use crate::derate::root;

/// The cells of a row of a table; a mark in a code span is none.
fn split_cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut in_code = false;
    for c in row.trim().trim_matches('|').chars() {
        in_code ^= c == '`';
        if c == '|' && !in_code {
            cells.push(String::new());
        } else if let Some(cell) = cells.last_mut() {
            cell.push(c);
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// What is printed, with single spaces: a table's rows fold.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_figure_of_the_seeds_is_what_its_command_prints() {
    let page = std::fs::read_to_string(root().join("docs/book/src/seeds.md")).unwrap();
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_derate")).parent().unwrap().to_owned();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    // Commands that measure write there.
    std::fs::create_dir_all(root().join("target")).unwrap();
    let (mut rows, mut bad) = (0, Vec::new());
    for row in page.lines().filter(|line| line.starts_with("| ") && line.contains("`derate ")) {
        let cells = split_cells(row);
        assert_eq!(cells.len(), 5, "{row}");
        let (command, figure) = (cells[2].trim_matches('`'), &cells[3]);
        let output = Command::new("bash")
            .args(["-c", command])
            .current_dir(root())
            .env("PATH", &path)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        // An audit with findings exits with 1: its help says so.
        let code = output.status.code().unwrap();
        let may_refuse = command.starts_with("derate audit");
        if code != 0 && !(code == 1 && may_refuse) {
            bad.push(format!(
                "{command}\n  exits with {code}: {}",
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        let said = squeeze(&String::from_utf8_lossy(&output.stdout));
        if !said.contains(&squeeze(figure)) {
            bad.push(format!("{command}\n  does not print {figure}: {said:.900}"));
        }
        rows += 1;
    }
    assert!(rows > 40, "{rows}");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
