//! Names and the layout of the text decide nothing: a renamed and reformatted kernel gets the same answer.

use derate_kernel::{Directives, Settings, estimate_kernel, find_part, read_program};
use derate_syntax::{SourceFile, read_unit};
use proptest::prelude::*;

const TEXTS: [&str; 3] = [
    include_str!("../../../../examples/attention-scores/scores.cpp"),
    include_str!("../../../../fixtures/kernels/float-sum/mean.cpp"),
    include_str!("../../../../fixtures/kernels/float-sum/tail.cpp"),
];

/// The names that each text may lose: its functions, variables and labels.
const NAMES: [&[&str]; 3] = [
    &[
        "scores",
        "query",
        "keys",
        "result",
        "q",
        "sum",
        "d",
        "t",
        "load",
        "each_key",
        "each_element",
    ],
    &["mean", "rows", "result", "sum", "r", "c", "each_row", "add"],
    &["tail", "next", "first", "last", "follow"],
];

/// Everything of an answer but names and lines.
fn answer(text: &str, top: &str) -> String {
    let source = SourceFile { path: "a.cpp".to_owned(), text: text.to_owned() };
    let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
    let program = read_program(&unit, top).unwrap();
    let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2));
    let answer = estimate_kernel(&program, &Directives::default(), &settings);
    let loops: Vec<_> = answer
        .loops
        .iter()
        .map(|one| (one.trip, one.ii, one.depth.to_bits(), one.cycles, one.nest))
        .collect();
    let ports: Vec<_> = answer.ports.iter().map(|one| (one.kind, one.bits, one.elements)).collect();
    format!(
        "{:?} {:?} {loops:?} {:?} {ports:?} {}",
        answer.latency,
        answer.interval,
        answer.resources,
        answer.unknown.len()
    )
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Words of the text and what is between them, comments taken off.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        for letter in line.chars().chain(['\n']) {
            match pieces.last_mut() {
                Some(last) if last.chars().all(is_word) && is_word(letter) => last.push(letter),
                _ => pieces.push(letter.to_string()),
            }
        }
    }
    pieces
}

/// The text with names that end in `suffix` and with other blanks; directives keep their lines.
fn rewrite(text: &str, names: &[&str], suffix: &str, blanks: &[u8]) -> String {
    let mut out = String::new();
    let mut blanks = blanks.iter().cycle();
    let mut in_directive = false;
    for piece in pieces(text) {
        match piece.as_str() {
            "#" => in_directive = true,
            "\n" => in_directive = false,
            _ => {}
        }
        match piece.as_str() {
            name if names.contains(&name) => {
                out.push_str(name);
                out.push_str(suffix);
            }
            " " if !in_directive => match blanks.next().map_or(0, |blank| blank % 4) {
                0 => out.push(' '),
                1 => out.push_str("\n\t"),
                2 => out.push_str(" /* text */ "),
                _ => out.push_str("   "),
            },
            other => out.push_str(other),
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn names_and_layout_decide_nothing(
        which in 0..TEXTS.len(),
        suffix in "[a-z_]{1,12}",
        blanks in proptest::collection::vec(any::<u8>(), 1..40),
    ) {
        let (text, names) = (TEXTS[which], NAMES[which]);
        let suffix = format!("_{suffix}");
        let renamed = rewrite(text, names, &suffix, &blanks);
        let top = format!("{}{suffix}", names[0]);
        prop_assert_eq!(answer(text, names[0]), answer(&renamed, &top), "{}", renamed);
    }
}
