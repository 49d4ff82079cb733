//! What a loaded device tells of itself where it is recorded.

use super::Loaded;
use crate::emulator::{KernelArgumentKind, Unit};
use crate::swemu::record::{
    Recorded, RecordedArgument, RecordedDesign, RecordedPlace, RecordedUnit,
};
use crate::xclbin;

impl Loaded {
    /// Writes what the device does, where it is asked for.
    pub(in crate::swemu) fn record(&self, done: impl FnOnce() -> Recorded) {
        if let Some(recorder) = &self.recorder {
            recorder.write(&done());
        }
    }

    /// Data between the host and a buffer.
    pub(in crate::swemu) fn record_transfer(&self, to_card: bool, address: u64, bytes: u64) {
        self.record(|| {
            let buffer = self.memory.buffer_at(address).map_or(address, |one| one.address());
            Recorded::Transfer { to_card, buffer, address, bytes, bank: self.bank_name(address) }
        });
    }

    /// A place in a buffer of this card.
    pub(in crate::swemu) fn describe_place(&self, address: u64) -> Option<RecordedPlace> {
        let buffer = self.memory.buffer_at(address)?.address();
        Some(RecordedPlace { buffer, address })
    }

    fn bank_name(&self, address: u64) -> String {
        let bank = self.memory.bank_of(address).and_then(|at| self.memory.banks().get(at));
        bank.map_or_else(|| "no bank".to_owned(), |bank| bank.name.clone())
    }

    pub(super) fn describe_design(&self, about: &xclbin::Metadata) -> Recorded {
        let clock = about.clock.as_deref().and_then(|clock| clock.trim().strip_suffix("MHz"));
        let megahertz = clock.and_then(|text| text.trim().parse().ok());
        let units = self.units.iter().map(|placed| {
            let (unit, kernel) = (&placed.unit, placed.unit.kernel());
            let plain = kernel.arguments.iter().filter(|one| one.is_plain);
            RecordedUnit {
                name: unit.name().to_owned(),
                kernel: kernel.name.clone(),
                is_free: self.is_free(unit),
                plain: plain.map(|one| one.name.clone()).collect(),
            }
        });
        Recorded::Design(RecordedDesign {
            megahertz,
            units: units.collect(),
            sources: about.sources.clone(),
        })
    }

    pub(super) fn describe_start(&self, unit: &Unit) -> Recorded {
        let given = unit.kernel().arguments.iter().zip(unit.read_arguments());
        let arguments = given.map(|(argument, value)| {
            let is_port = matches!(argument.kind, KernelArgumentKind::Port { .. });
            let place = is_port.then(|| {
                let buffer = self.memory.buffer_at(value).map_or(value, |one| one.address());
                (buffer, self.bank_name(value))
            });
            RecordedArgument { name: argument.name.clone(), value, place }
        });
        Recorded::Start { unit: unit.name().to_owned(), arguments: arguments.collect() }
    }
}
