//! `derate estimate --sweep`, as programs read it.

use crate::derate::{Run, copy, derate_in, root};

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

/// What workload `linear` does not model is not work of 0; near miss: a whole inference has some.
#[test]
fn work_that_is_not_modelled_is_unknown_and_not_zero() {
    let sweep = ["estimate", "--sweep", "bandwidth=200 GB/s,300 GB/s"];
    let at = |table: &str, row: usize| -> String {
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
        let column = lines[0].iter().position(|name| *name == "elementwise_ops (OP)").unwrap();
        lines[row][column].to_owned()
    };
    let whole = at(&run(&sweep).stdout, 1);
    assert!(whole.parse::<f64>().is_ok_and(|ops| ops > 0.0), "{whole}");

    let dir = copy("smolvla");
    let path = dir.path().join("derate.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let own = ["cameras", "language_tokens", "denoise_steps"];
    let lines = text.lines().filter(|line| !own.iter().any(|key| line.starts_with(key)));
    let linear = lines.collect::<Vec<_>>().join("\n").replace("\"smolvla\"", "\"linear\"");
    std::fs::write(&path, linear).unwrap();
    let table = derate_in(dir.path(), &sweep);
    assert_eq!(table.code, 0, "{}", table.stderr);
    assert_eq!([at(&table.stdout, 1), at(&table.stdout, 2)], ["", ""]);
    let named = |line: &str| line.ends_with("elementwise_ops (OP); latency_seconds (s)");
    assert!(table.stdout.lines().skip(1).all(named), "{}", table.stdout);
    let points = derate_in(dir.path(), &[&sweep[..], &["--format", "json"]].concat()).json();
    assert!(points["points"][0]["elementwise_ops"].is_null(), "{points}");
    let estimate = derate_in(dir.path(), &["estimate", "--format", "json"]).json();
    let totals = &estimate["scenarios"][0]["totals"];
    assert!(totals.get("elementwise_ops").is_some_and(serde_json::Value::is_null), "{totals}");
}

#[test]
fn more_combinations_than_anybody_reads_are_refused() {
    let many = (1..=1001).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let axes = [format!("chunk={many}"), format!("language_tokens={many}")];
    run(&["estimate", "--sweep", &axes[0], "--sweep", &axes[1]])
        .assert_refused("more than 1000000 combinations");
}
