//! `derate estimate --sweep`, as programs read it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use derate::{Run, derate_in, root};

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

#[test]
fn more_combinations_than_anybody_reads_are_refused() {
    let many = (1..=1001).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let axes = [format!("chunk={many}"), format!("language_tokens={many}")];
    run(&["estimate", "--sweep", &axes[0], "--sweep", &axes[1]])
        .assert_refused("more than 1000000 combinations");
}
