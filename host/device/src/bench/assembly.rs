//! One measurement of all sizes of a bench.

use derate_model::measurement::{
    BytesFrom, DeviceKind, KernelKind, Measurement, PortGroup, Run, Schema,
};
use derate_model::units::{Hertz, Seconds};
use derate_model::{Figure, Provenance};

use super::notes::idle_notes;
use super::{Outcome, Subject};
use crate::error::BenchError;
use crate::measure::with_own_version;
use derate_emulate::emulator::{Modelled, TrafficDifference};

/// What one size gives.
pub(super) type AtSize = (Run, Vec<TrafficDifference>, Option<Modelled>);

/// What a measurement says of its kernels.
pub(super) struct Assembly {
    pub(super) kernel: KernelKind,
    pub(super) units: usize,
    pub(super) ports: Vec<PortGroup>,
    /// By the catalogue.
    pub(super) memory_clock: Option<Hertz>,
}

impl Assembly {
    /// Runs each of `sizes`; differences of traffic that are alike are one.
    pub(super) fn measure_sizes<D, S: Copy>(
        self,
        subject: &Subject<'_, D>,
        sizes: &[S],
        mut at_size: impl FnMut(S) -> Result<AtSize, BenchError>,
    ) -> Result<Outcome, BenchError> {
        let mut runs = Vec::with_capacity(sizes.len());
        let (mut findings, mut modelled) = (Vec::new(), Vec::new());
        for &size in sizes {
            let (run, found, time) = at_size(size)?;
            // A device that counts sets this itself.
            let bytes_from = run.bytes_from.or(Some(BytesFrom::Arguments));
            runs.push(Run { bytes_from, ..run });
            for one in found {
                one.add_to(&mut findings);
            }
            modelled.extend(time);
        }
        let measurement = Measurement {
            schema: Schema::V1,
            kernel: self.kernel,
            device: subject.entry.clone(),
            provenance: provenance_of(subject.entry.kind),
            source: source_of(modelled.first().map(|one: &Modelled| &one.time)),
            timed_by: None,
            command: None,
            threads: None,
            compute_units: Some(self.units as u64),
            ports: self.ports,
            kernel_clock: subject.clock,
            memory_clock: subject.recorded.memory_clock(self.memory_clock),
            versions: with_own_version(&subject.versions),
            runs,
        };
        let notes = idle_notes(&measurement);
        Ok(Outcome { measurement, findings, modelled, notes })
    }
}

/// What times on such a device are.
fn provenance_of(kind: DeviceKind) -> Provenance {
    match kind {
        DeviceKind::Card | DeviceKind::Cpu | DeviceKind::Gpu => Provenance::Measured,
        DeviceKind::Emulator | DeviceKind::Noop | DeviceKind::SwEmu | DeviceKind::HwEmu => {
            Provenance::Emulated
        }
    }
}

/// Where the seconds come from.
fn source_of(modelled: Option<&Figure<Seconds>>) -> String {
    match modelled {
        Some(time) => format!(
            "derate's emulator: data and bytes of the compiled HLS kernel, time of the {}",
            time.source
        ),
        None => "the host's clock, from the first start to the last end of the kernels".to_owned(),
    }
}
