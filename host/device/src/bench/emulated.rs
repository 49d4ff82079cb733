use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use derate_model::Platform;
use derate_model::measurement::{
    DeviceKind, EMULATOR_NAME, KernelKind, MeasuredDevice as DeviceEntry, Versions,
};
use derate_model::quantity::shown;
use derate_model::units::Hertz;

use super::bursts::Asked;
use super::product::BITS;
use super::reach::bank_of;
use super::slow_loops::slow_loops;
use super::{
    Contract, Outcome, Products, Recorded, Streams, Subject, bench_products, bench_streams,
};
use crate::error::BenchError;
use crate::measure::Progress;
use derate_emulate::emulator::{Bases, Emulator, Kernel, compile_kernels, load_builtin_kernels};
use derate_hls::kernels::SOURCES;

/// A card in software: which one, and what runs on it.
#[derive(Clone, Debug)]
pub struct Emulated {
    /// The card.
    pub platform: Platform,
    /// The clock of the kernels; without one it is the platform's.
    pub clock: Option<Hertz>,
    /// HLS sources with a kernel that the bench can call ([`Contract`]), to be compiled; without any, the kernels that come
    /// with derate.
    pub sources: Vec<PathBuf>,
    /// Folders with headers of the sources; the vendor's own are used instead of derate's replacements.
    pub include: Vec<PathBuf>,
    /// Macros that the sources are compiled with, and their values.
    pub defines: Vec<(String, String)>,
}

/// What the kernel's pragmas ask of its bursts, and the model does not count.
fn burst_notes(
    on: &Emulated,
    card: &Emulator,
    kernel: &str,
    contract: &Contract,
    bits: u32,
    bank: usize,
) -> Result<Vec<String>, BenchError> {
    let asked = Asked { kernel, contract, bits, bank, platform: &on.platform, clock: card.clock() };
    Ok(asked.burst_notes(&read_sources(on)?))
}

/// Names and texts of the sources that run.
fn read_sources(on: &Emulated) -> Result<Vec<(String, String)>, BenchError> {
    let own = || SOURCES.iter().map(|(name, text)| Ok(((*name).to_owned(), (*text).to_owned())));
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path)
            .map_err(|error| BenchError::Setup(format!("{}: {error}", path.display())))?;
        Ok((path.display().to_string(), text))
    };
    if on.sources.is_empty() { own().collect() } else { on.sources.iter().map(read).collect() }
}

/// What the kernel did that its time does not count, by the largest of the sizes.
fn left_out(outcome: &Outcome) -> Vec<String> {
    let largest = outcome.modelled.iter().max_by(|a, b| a.time.value.0.total_cmp(&b.time.value.0));
    largest.map_or_else(Vec::new, |modelled| modelled.left_out.clone())
}

/// With so many units of a kernel.
fn build_card(
    setup: &Emulated,
    kernel: &str,
    contract: &Contract,
    units: usize,
) -> Result<Emulator, BenchError> {
    let Emulated { platform, clock, sources, include, defines } = setup;
    let mut card = Emulator::new(platform, Bases::Card)
        .map_err(|error| BenchError::Setup(error.to_string()))?;
    if let Some(clock) = clock {
        if let Some(fastest) = platform.exceeded_clock(*clock) {
            return Err(BenchError::Setup(format!(
                "kernels at {}: the DSP slices of {} run at most at {} ({}); without a clock they run at {}",
                shown(*clock),
                platform.title,
                shown(fastest.value),
                fastest.source,
                shown(platform.clock.value)
            )));
        }
        card.set_clock(*clock);
    }
    let kernels: Vec<Arc<Kernel>> = if sources.is_empty() {
        load_builtin_kernels().map_err(|error| BenchError::Setup(error.to_string()))?
    } else {
        // A function that is named is a kernel.
        compile_kernels(sources, include, defines, &[kernel.to_owned()])
            .map_err(|error| BenchError::Setup(error.to_string()))?
    };
    let found = kernels.iter().find(|one| one.name == kernel);
    let found = found.ok_or_else(|| {
        let known: Vec<&str> = kernels.iter().map(|one| one.name.as_str()).collect();
        let known = known.join(", ");
        BenchError::Setup(format!(
            "there is no kernel {kernel} in the sources, but {known}: give the name of the one to bench with --kernel"
        ))
    })?;
    contract.check_kernel(found)?;
    card.add_units(found, units);
    Ok(card)
}

fn emulated_subject<'a>(card: &'a Emulator, on: &'a Emulated) -> Subject<'a, Emulator> {
    let platform = &on.platform;
    Subject {
        device: card,
        entry: DeviceEntry {
            kind: DeviceKind::Emulator,
            name: format!("{EMULATOR_NAME} of {}", platform.title),
            platform: Some(platform.name.clone()),
        },
        platform,
        clock: Some(card.clock()),
        own_kernels: on.sources.is_empty(),
        recorded: Recorded::Modelled,
        versions: Versions::default(),
    }
}

/// Copies, reads or writes on an emulated card.
pub fn emulated_streams(
    on: &Emulated,
    setup: &Streams,
    progress: Progress<'_>,
) -> Result<Outcome, BenchError> {
    setup.check_setup()?;
    let (kernel, contract) = (setup.kernel(), Contract::of(setup.kind, setup.port_bits));
    let card = build_card(on, &kernel, &contract, setup.units())?;
    let mut outcome = bench_streams(&emulated_subject(&card, on), setup, progress)?;
    let bank = bank_of(&setup.banks, 0);
    outcome.notes.extend(burst_notes(on, &card, &kernel, &contract, setup.port_bits, bank)?);
    if !on.sources.is_empty() {
        outcome.notes.extend(left_out(&outcome));
        outcome.notes.extend(slow_loops(
            &read_sources(on)?,
            &kernel,
            &outcome.measurement,
            card.clock(),
        ));
    }
    Ok(outcome)
}

/// Products of matrices on an emulated card.
pub fn emulated_product(
    on: &Emulated,
    setup: &Products,
    progress: Progress<'_>,
) -> Result<Outcome, BenchError> {
    setup.check_setup()?;
    let (kernel, contract) = (setup.kernel(), Contract::of(KernelKind::Gemm, BITS));
    let card = build_card(on, kernel, &contract, setup.units)?;
    let mut outcome = bench_products(&emulated_subject(&card, on), setup, progress)?;
    let bank = bank_of(&setup.banks, 0);
    outcome.notes.extend(burst_notes(on, &card, kernel, &contract, BITS, bank)?);
    if !on.sources.is_empty() {
        outcome.notes.extend(left_out(&outcome));
    }
    Ok(outcome)
}
