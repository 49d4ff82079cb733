use derate_model::Platform;
use derate_model::measurement::{DeviceKind, MeasuredDevice as DeviceEntry, Versions};

use super::reach::memory_of_all;
use super::{Outcome, Products, Recorded, Streams, Subject, bench_products, bench_streams};
use crate::error::BenchError;
use crate::measure::Progress;
use crate::xrt::{Card, RunMode};

fn xrt_subject<'a>(
    card: &'a Card,
    platform: &'a Platform,
    kernel: &str,
    banks: &[usize],
) -> Subject<'a, Card> {
    let shell = card.shell().map(str::to_owned);
    Subject {
        device: card,
        entry: DeviceEntry {
            kind: match card.mode() {
                RunMode::Card => DeviceKind::Card,
                RunMode::SwEmu => DeviceKind::SwEmu,
                RunMode::HwEmu => DeviceKind::HwEmu,
            },
            name: shell.clone().unwrap_or_else(|| platform.title.clone()),
            // A design that names no shell may be on any card.
            platform: shell.as_ref().map(|_| platform.name.clone()),
        },
        platform,
        clock: card.kernel_clock(),
        // It takes its own time, so nobody models its kernels.
        own_kernels: false,
        recorded: Recorded::Design {
            memory_clock: memory_of_all(platform, banks)
                .and_then(|memory| card.memory_clock(memory.bank.as_deref()?)),
            port_bits: card.port_bits(kernel),
        },
        versions: Versions {
            xrt: card.version(),
            shell,
            xclbin: Some(card.uuid().to_string()),
            ..Versions::default()
        },
    }
}

/// The bank of each buffer, unit by unit, as the design connects them.
fn connected_banks(
    card: &Card,
    kernel: &str,
    units: usize,
    buffers: usize,
) -> Result<Vec<usize>, BenchError> {
    let known = card.count_units(kernel);
    if known == 0 {
        return Err(BenchError::Setup(format!(
            "the design has no compute unit {kernel}_1: load a design with that kernel (`derate emu inspect` shows what is in it), or choose another bench"
        )));
    }
    if units == 0 || known < units {
        return Err(BenchError::Setup(format!(
            "the design has {} of {kernel}, and {} asked for: set --ports, or load another design",
            if known == 1 { "1 compute unit".to_owned() } else { format!("{known} compute units") },
            if units <= 1 { "1 is".to_owned() } else { format!("{units} are") }
        )));
    }
    let mut all = Vec::with_capacity(units * buffers);
    for unit in 1..=units {
        let own = card.connected_banks(&format!("{kernel}_{unit}"), buffers);
        if own.len() != buffers {
            return Err(BenchError::Setup(format!(
                "{kernel}_{unit} has {buffers} buffers, and the design connects {} of them to banks that are known: connect each with sp= (hls/*.cfg do)",
                own.len()
            )));
        }
        all.extend(own);
    }
    Ok(all)
}

/// Copies, reads or writes on a device of XRT, in the banks that its design connects. Without ports, on all units.
pub fn xrt_streams(
    card: &Card,
    platform: &Platform,
    mut setup: Streams,
    ports: Option<usize>,
    progress: Progress<'_>,
) -> Result<Outcome, BenchError> {
    let kernel = setup.kernel();
    let each = if setup.kind == derate_model::measurement::KernelKind::Memcpy { 2 } else { 1 };
    setup.ports = ports.unwrap_or_else(|| each * card.count_units(&kernel));
    setup.banks = connected_banks(card, &kernel, setup.ports / each, each)?;
    bench_streams(&xrt_subject(card, platform, &kernel, &setup.banks), &setup, progress)
}

/// Products of matrices on a device of XRT.
pub fn xrt_product(
    card: &Card,
    platform: &Platform,
    mut setup: Products,
    ports: Option<usize>,
    progress: Progress<'_>,
) -> Result<Outcome, BenchError> {
    let kernel = setup.kernel().to_owned();
    setup.units = ports.map_or_else(|| card.count_units(&kernel), |ports| ports / 3);
    setup.banks = connected_banks(card, &kernel, setup.units, 3)?;
    bench_products(&xrt_subject(card, platform, &kernel, &setup.banks), &setup, progress)
}
