//! The emulator's speed beside this machine's own, in the same run: one compute unit and one thread each, in turns. What
//! falls short is run once more, as the machine may have been busy; if it falls short again, the bench fails.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints, and may fail loudly")]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use derate_device::bench::{Emulated, Products, Streams, emulated_product, emulated_streams};
use derate_device::cpu;
use derate_device::measure::Repeat;
use derate_device::oracle::Element;
use derate_model::Platform;
use derate_model::measurement::{KernelKind, Run};
use ndarray::Array2;

/// What the emulator is asked to reach of the machine's own rate.
const ASKED: f64 = 0.5;

const ROUNDS: usize = 7;
const ONE: Repeat = Repeat { repetitions: 3, warm_up: 1 };

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The middle time of a run on this machine's clock.
fn wall(run: &Run) -> f64 {
    let seconds = if run.wall_seconds.is_empty() { &run.seconds } else { &run.wall_seconds };
    median(seconds.iter().map(|time| time.0).collect())
}

/// Prints a line of both rates, and a second one if the first falls short; whether the last reaches what is asked.
fn line(what: &str, unit: &str, work: f64, mut round: impl FnMut() -> (f64, f64)) -> bool {
    attempt(what, unit, work, &mut round) || attempt("  once more", unit, work, &mut round)
}

/// Prints one line: both rates by the median round, and what share the emulator reaches.
fn attempt(what: &str, unit: &str, work: f64, round: &mut impl FnMut() -> (f64, f64)) -> bool {
    let (emulated, machine): (Vec<f64>, Vec<f64>) = (0..ROUNDS).map(|_| round()).unzip();
    let spread = |times: &[f64]| {
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        let most = times.iter().copied().fold(0.0, f64::max);
        100.0 * (most - least) / median(times.to_vec())
    };
    let (slack, own_slack) = (spread(&emulated), spread(&machine));
    let (emulated, machine) = (work / median(emulated), work / median(machine));
    let share = emulated / machine;
    let reached = share >= ASKED;
    println!(
        "{what:<22} emulator {:6.1} {unit} (spread {slack:3.0} %)   machine {:6.1} {unit} ({own_slack:3.0} %)   {:4.0} % of it: {}",
        emulated / 1e9,
        machine / 1e9,
        100.0 * share,
        if reached {
            "at least the half that is asked"
        } else {
            "LESS than the half that is asked"
        }
    );
    reached
}

/// Seconds of `ndarray`'s product, the middle of a few.
fn dot(matrix: &Array2<f32>) -> f64 {
    let one = |_| {
        let begin = Instant::now();
        black_box(black_box(matrix).dot(black_box(matrix)));
        begin.elapsed().as_secs_f64()
    };
    median((0..ONE.repetitions).map(one).collect())
}

fn main() -> ExitCode {
    let platform = Platform::named("u280").unwrap();
    let card = Emulated {
        platform,
        clock: None,
        sources: Vec::new(),
        include: Vec::new(),
        defines: Vec::new(),
    };
    let quiet = &mut |_: &str| {};
    let mut all = true;
    for mib in [16, 64, 256] {
        let bytes = mib << 20;
        let emulated = Streams {
            kernel: None,
            kind: KernelKind::Memcpy,
            sizes: vec![bytes],
            ports: 2,
            port_bits: 512,
            banks: (0..=1).collect(),
            repeat: ONE,
        };
        let machine = cpu::Machine { bytes: vec![bytes], threads: 1, repeat: ONE };
        all &= line(&format!("memcpy {mib} MiB"), "GB/s", 2.0 * bytes as f64, || {
            let emulated = emulated_streams(&card, &emulated, quiet).unwrap();
            let machine = cpu::measure_streams(KernelKind::Memcpy, &machine, quiet).unwrap();
            (wall(&emulated.measurement.runs[0]), wall(&machine.runs[0]))
        });
    }
    for size in [256, 512, 1024] {
        let emulated = Products {
            kernel: None,
            element: Element::Fp32,
            sizes: vec![[size; 3]],
            units: 1,
            banks: (0..=2).collect(),
            repeat: ONE,
        };
        let side = usize::try_from(size).unwrap();
        let matrix = Array2::from_shape_fn((side, side), |(i, j)| ((i + j) % 64) as f32);
        all &= line(&format!("gemm {size}, FP32"), "GFLOP/s", 2.0 * (size as f64).powi(3), || {
            let emulated = emulated_product(&card, &emulated, quiet).unwrap();
            (wall(&emulated.measurement.runs[0]), dot(&matrix))
        });
    }
    if all {
        return ExitCode::SUCCESS;
    }
    println!(
        "The emulator is slower than asked, twice: if the machine was busy, run it again alone."
    );
    ExitCode::FAILURE
}
