//! The command that an estimate names gives the same figures again.

use std::fs;

use crate::derate::{copy, derate_in};

#[test]
fn the_unit_of_a_given_peak_is_that_of_its_arithmetic() {
    let dir = copy("smolvla");
    let estimate = |precision: &str| {
        let arguments = ["estimate", "--detail", "--precision", precision, "--peak", "18.6 TOP/s"];
        let run = derate_in(dir.path(), &arguments);
        assert_eq!(run.code, 0, "{}", run.stderr);
        (run.stdout.contains("18.6 TOP/s peak"), run.stdout.contains("--peak \"18.6 TOP/s\""))
    };
    assert_eq!(estimate("int8"), (true, true));
    assert_eq!(estimate("bf16"), (false, false), "BF16 counts FLOP");
}

#[test]
fn the_command_of_every_scenario_and_schedule_gives_it_again() {
    let dir = copy("smolvla");
    let path = dir.path().join("derate.toml");
    let design =
        "[design]\nrows = 8\ncolumns = 8\nschedule = \"block\"\nhoist_cross_kv = true\n\n[derate]";
    let text = fs::read_to_string(&path).unwrap().replace("[derate]", design);
    fs::write(path, text).unwrap();
    let all = derate_in(dir.path(), &["estimate", "--format", "json"]).json();
    let scenarios = all["scenarios"].as_array().unwrap();
    assert_eq!(scenarios.len(), 24);
    for scenario in scenarios.iter().filter(|s| s["name"] == "design" || s["name"] == "claimed") {
        let command = scenario["command"].as_str().unwrap();
        let arguments: Vec<&str> = command.split(' ').skip(1).chain(["--format", "json"]).collect();
        let run = derate_in(dir.path(), &arguments);
        assert_eq!(run.code, 0, "{command}: {}", run.stderr);
        let one = &run.json()["scenarios"][0];
        for key in ["schedule", "totals", "latency", "command"] {
            assert_eq!(one[key], scenario[key], "{key} of {command}");
        }
    }
}
