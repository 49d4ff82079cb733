//! Damages compiled designs and reads and loads each.
//!
//!     cargo run --release -p derate-emulate --example damage-xclbins -- COUNT DESIGN...
//!     cargo run --release -p derate-emulate --example damage-xclbins -- --write FOLDER COUNT DESIGN...
//!
//! The second way writes the damaged files, for a program of XRT's: scripts/damaged-xclbins does so.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

#[path = "../tests/damage/mod.rs"]
mod damage;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use damage::{Tally, damage_file, try_file};

/// Longer than any file of some megabytes takes.
const LONG: Duration = Duration::from_secs(20);

static AT: AtomicU64 = AtomicU64::new(0);

fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let to = (words.first().is_some_and(|word| word == "--write") && words.len() > 1)
        .then(|| words.drain(..2).next_back())
        .flatten();
    let [count, designs @ ..] = words.as_slice() else {
        return Err("name a count and designs".into());
    };
    let count: u64 = count.parse()?;
    let designs: Vec<Vec<u8>> = designs.iter().map(fs::read).collect::<Result<_, _>>()?;
    if designs.is_empty() {
        return Err("name a design".into());
    }
    let damaged = |number: u64| {
        let at = usize::try_from(number).unwrap_or(0) % designs.len();
        damage_file(&designs[at], number)
    };
    if let Some(folder) = to {
        fs::create_dir_all(&folder)?;
        for number in 0..count {
            fs::write(Path::new(&folder).join(format!("{number:05}.xclbin")), damaged(number))?;
        }
        return Ok(());
    }
    std::thread::spawn(watch);
    let folder = tempfile::tempdir()?;
    let (mut tally, mut longest) = (Tally::default(), Duration::ZERO);
    for number in 0..count {
        AT.store(number, Ordering::Relaxed);
        let bytes = damaged(number);
        let begin = Instant::now();
        try_file(&bytes, folder.path(), &mut tally);
        longest = longest.max(begin.elapsed());
    }
    println!("{count} files: {tally:?}, the longest took {} ms", longest.as_millis());
    Ok(())
}

/// Ends the process where one file takes long.
fn watch() {
    let mut last = (u64::MAX, Instant::now());
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let at = AT.load(Ordering::Relaxed);
        if at != last.0 {
            last = (at, Instant::now());
        } else if last.1.elapsed() > LONG {
            eprintln!("file {at} takes more than {} s", LONG.as_secs());
            std::process::exit(1);
        }
    }
}
