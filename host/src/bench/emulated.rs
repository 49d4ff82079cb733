use std::sync::Arc;

use derate_model::Platform;
use derate_model::measurement::{Device as DeviceEntry, DeviceKind, Versions};
use derate_model::units::Hertz;

use super::{BenchError, Outcome, Products, Progress, Streams, Subject, products, streams};
use crate::emulator::{Bases, Emulator, Kernel, builtin};

/// A card with so many units of a kernel that comes with derate.
fn card(
    platform: &Platform,
    clock: Option<Hertz>,
    kernel: &str,
    units: usize,
) -> Result<Emulator, BenchError> {
    let mut card = Emulator::new(platform, Bases::Card).map_err(BenchError::Setup)?;
    if let Some(clock) = clock {
        card.set_clock(clock);
    }
    let kernels: Vec<Arc<Kernel>> = builtin().map_err(BenchError::Setup)?;
    let found = kernels.iter().find(|one| one.name == kernel);
    let found = found.ok_or_else(|| BenchError::Setup(format!("there is no kernel {kernel}")))?;
    card.add_units(found, units);
    Ok(card)
}

fn subject<'a>(card: &'a Emulator, platform: &'a Platform) -> Subject<'a, Emulator> {
    Subject {
        device: card,
        entry: DeviceEntry {
            kind: DeviceKind::Emulator,
            name: format!("derate's emulator of {}", platform.title),
            platform: Some(platform.name.clone()),
        },
        platform,
        clock: card.clock(),
        versions: Versions::default(),
    }
}

/// Copies, reads or writes on an emulated card. Without a clock it is the platform's.
pub fn emulated_streams(
    platform: &Platform,
    clock: Option<Hertz>,
    setup: &Streams,
    progress: Progress<'_>,
) -> Result<Outcome, BenchError> {
    setup.check()?;
    let card = card(platform, clock, &setup.kernel(), setup.units())?;
    streams(&subject(&card, platform), setup, progress)
}

/// Products of matrices on an emulated card.
pub fn emulated_product(
    platform: &Platform,
    clock: Option<Hertz>,
    setup: &Products,
    progress: Progress<'_>,
) -> Result<Outcome, BenchError> {
    setup.check()?;
    let card = card(platform, clock, setup.element.kernel(), setup.units)?;
    products(&subject(&card, platform), setup, progress)
}
