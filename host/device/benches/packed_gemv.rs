//! A packed matrix times a vector beside a read of as many bytes by as many threads, in turns: what share of the machine's
//! read bandwidth the weights come at. What falls short is run once more, as the machine may have been busy; if it falls
//! short again, the bench fails. Each matrix is larger than most last caches, in its packed form.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints, and may fail loudly")]

use std::process::ExitCode;
use std::thread::available_parallelism;

use derate_device::cpu;
use derate_device::measure::Repeat;
use derate_device::operators::OperatorDevice;
use derate_model::Encoding;
use derate_model::measurement::{KernelKind, Run};
use derate_model::operator::Shape;

/// Long rows.
const LONG: [u64; 2] = [8192, 16384];

/// As many elements in short ones.
const SHORT: [u64; 2] = [65536, 2048];

/// What is held against more sizes and threads.
const FIRST: [(&str, f64); 2] = [("int8", 0.6), ("int4-g128", 0.6)];

/// What is measured once.
const OTHERS: [(&str, f64); 8] = [
    ("int8-row", 0.6),
    ("int4", 0.6),
    ("int4-g32", 0.6),
    ("nvfp4", 0.3),
    ("nf4", 0.3),
    ("mxfp4", 0.3),
    ("fp8", 0.3),
    ("mxfp8", 0.3),
];

const ROUNDS: usize = 3;
const EACH: Repeat = Repeat { repetitions: 15, warm_up: 1 };

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Bytes a second of the middle repetition.
fn rate(run: &Run) -> f64 {
    run.bytes_read.unwrap().0 / median(run.seconds.iter().map(|time| time.0).collect())
}

/// Both rates in turns, and whether their middle ratio is what is asked.
fn line((name, asked): (&str, f64), [n, k]: [u64; 2], threads: usize) -> bool {
    let stored = Encoding::parse(name).unwrap();
    let round = |_| {
        let device = OperatorDevice::Cpu { threads };
        let run = device.run(&Shape::Gemv { n, k }, stored, EACH, &|| false, &mut |_| {}).unwrap();
        assert!(run.check.as_ref().unwrap().passed, "{name} is wrong");
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "bytes of an operand are a count"
        )]
        let bytes = run.bytes_read.unwrap().0 as u64 >> 16 << 16;
        let machine = cpu::Machine { bytes: vec![bytes], threads, repeat: EACH };
        let read = cpu::measure_streams(KernelKind::Read, &machine, &mut |_| {}).unwrap();
        (rate(&run), rate(&read.runs[0]))
    };
    let (own, read): (Vec<f64>, Vec<f64>) = (0..ROUNDS).map(round).unzip();
    let share = median(own.iter().zip(&read).map(|(own, read)| own / read).collect());
    let reached = share >= asked;
    println!(
        "{name:<10} {n:>5} x {k:<5} {threads} threads   gemv {:6.1} GB/s   read {:6.1} GB/s   {:4.0} % of it: {}",
        median(own) / 1e9,
        median(read) / 1e9,
        100.0 * share,
        if reached { "enough" } else { "LESS than is asked" }
    );
    reached
}

fn main() -> ExitCode {
    let threads = available_parallelism().map_or(1, usize::from);
    let both =
        |format, shape, threads| line(format, shape, threads) || line(format, shape, threads);
    let mut all = true;
    for format in FIRST {
        for shape in [LONG, SHORT] {
            all &= both(format, shape, threads);
        }
        all &= both(format, LONG, 1);
    }
    for format in OTHERS {
        all &= both(format, LONG, threads);
    }
    if all {
        return ExitCode::SUCCESS;
    }
    println!("A format is slower than asked, twice: if the machine was busy, run it again alone.");
    ExitCode::FAILURE
}
