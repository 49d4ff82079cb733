//! `derate estimate --sweep`, as programs read it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use derate::{Run, copy, derate_in, root};

const AXES: [&str; 4] = ["--sweep", "cameras=1,2,3", "--sweep", "bandwidth=300 GB/s,420 GB/s"];

fn run(arguments: &[&str]) -> Run {
    derate_in(&root().join("fixtures/smolvla"), arguments)
}

/// The words of a command line, as a shell takes them apart.
fn words(command: &str) -> Vec<&str> {
    let quoted = command.split('\'').enumerate();
    quoted
        .flat_map(|(at, text)| match at % 2 {
            1 => vec![text],
            _ => text.split_whitespace().collect(),
        })
        .collect()
}

#[test]
fn the_command_of_a_sweep_gives_it_again() {
    let first = run(&[&["estimate"], &AXES[..], &["--format", "json"]].concat());
    let json = first.json();
    assert_eq!(json["points"].as_array().unwrap().len(), 6);
    let command = json["command"].as_str().unwrap();
    assert!(command.contains("'bandwidth=300 GB/s,420 GB/s'"), "{command}");
    let again = run(&words(command)[1..]);
    assert_eq!((again.code, again.stdout), (0, first.stdout));
}

#[test]
fn a_table_has_a_row_for_each_combination() {
    let run = run(&[&["estimate"], &AXES[..]].concat());
    let rows: Vec<Vec<&str>> = run.stdout.lines().map(|l| l.split(',').collect()).collect();
    assert_eq!((run.code, rows.len()), (0, 7));
    assert_eq!((rows[0][0], rows[0][2]), ("cameras", "flops (FLOP)"));
    assert_eq!((rows[6][0], rows[6][2]), ("3", "839590541312"));
}

/// A design that cannot be is not varied in silence as another scenario.
#[test]
fn a_sweep_says_that_the_design_is_left_out() {
    let dir = copy("smolvla");
    let path = dir.path().join("derate.toml");
    let design = "[design]\nrows = 4096\ncolumns = 4096\n\n[derate]";
    let text = std::fs::read_to_string(&path).unwrap().replace("[derate]", design);
    std::fs::write(&path, text).unwrap();
    let run = derate_in(dir.path(), &["estimate", "--sweep", "cameras=1,2"]);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("note: scenario design left out"), "{}", run.stderr);
}

#[test]
fn more_combinations_than_anybody_reads_are_refused() {
    let many = (1..=1001).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let axes = [format!("chunk={many}"), format!("language_tokens={many}")];
    run(&["estimate", "--sweep", &axes[0], "--sweep", &axes[1]])
        .assert_refused("more than 1000000 combinations");
}
