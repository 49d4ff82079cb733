//! Commands of Catapult: sources, top and clocks.

use super::super::project::{OWN_CLOCK, ScriptClock};
use super::{ScriptReader, split_options};

/// The option that gives the period of a clock in ns.
const PERIOD: &str = "-CLOCK_PERIOD";

impl ScriptReader<'_> {
    /// `solution file add top.cpp -type C++` and `solution design set top -top` of Catapult.
    pub(super) fn read_catapult(&mut self, rest: &[Option<String>]) {
        let Some(project) = self.projects.last_mut() else { return };
        let (plain, options) = split_options(rest, &["type", "exclude"]);
        let is_excluded = options.get("exclude").is_some_and(|word| word == "true");
        let is_bench = |file: &str| {
            let name = file.rsplit('/').next().unwrap_or(file);
            let stem = name.split('.').next().unwrap_or(name);
            stem.starts_with("test") || stem.ends_with("_tb") || stem.ends_with("_test")
        };
        match plain.as_slice() {
            // Test benches are compiled with the design.
            [what, how, file]
                if what == "file" && how == "add" && !is_excluded && !is_bench(file) =>
            {
                project.files.push(file.clone());
            }
            [what, how, top] if what == "design" && how == "set" => {
                project.tops.push(top.clone());
            }
            _ => {}
        }
    }

    /// `directive set -CLOCKS {clk {-CLOCK_PERIOD 5 ...}}`, also in a text for `eval`, and with `[list ...]` in place of braces.
    pub(super) fn read_catapult_clocks(&mut self, command: &str) {
        let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '{', '}']));
        if !words.any(|word| word == "-CLOCKS") {
            return;
        }
        let spelt = command.split(PERIOD).skip(1).map(find_value);
        let periods = spelt.filter_map(|word| self.variables.expand(word));
        let periods: Vec<String> = periods.filter(|period| !period.is_empty()).collect();
        let Some(project) = self.projects.last_mut() else { return };
        let clock = |period| ScriptClock { period, name: OWN_CLOCK.to_owned() };
        project.solution().clocks.extend(periods.into_iter().map(clock));
    }
}

/// The first word of a text: `5.0`, `$period`, `${period}`.
fn find_value(text: &str) -> &str {
    let text = text.trim_start();
    let ends = |letter: char| letter.is_whitespace() || "}]\"\\".contains(letter);
    let end = match text.strip_prefix("${") {
        Some(behind) => behind.find('}').map(|at| at + 3),
        None => text.find(ends),
    };
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}
