//! Prints how much code each family of the workspace has, and how it is named.
#![expect(clippy::print_stdout, reason = "it prints a table")]

use std::error::Error;

use derate_house::{Count, count_code, read_members, root};

/// Crates that are listed.
const LARGEST: usize = 8;

const FAMILIES: [&str; 5] = ["hls", "model", "reports", "host", "cli"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut total = Count::default();
    println!(
        "{:8} {:>7} {:>7} {:>18} {:>10} {:>15}",
        "family", "code", "tests", "one-word names", "\"stand\"", "Result String"
    );
    for family in FAMILIES {
        let count = count_code(&root().join(family))?;
        print_row(family, &count);
        total.add(&count);
    }
    print_row("total", &total);
    println!("\nthe largest crates");
    let mut crates = Vec::new();
    for member in read_members()? {
        crates.push((count_code(&member.source())?.code, member.name));
    }
    crates.sort_by(|a, b| b.cmp(a));
    for (lines, name) in crates.iter().take(LARGEST) {
        println!("{name:20} {lines:>7}");
    }
    Ok(())
}

fn print_row(name: &str, count: &Count) {
    let Count { code, tests, functions, one_word, stand, text_errors } = count;
    let share = 100.0 * *one_word as f64 / (*functions).max(1) as f64;
    let names = format!("{one_word}/{functions} {share:.0} %");
    println!("{name:8} {code:>7} {tests:>7} {names:>18} {stand:>10} {text_errors:>15}");
}
