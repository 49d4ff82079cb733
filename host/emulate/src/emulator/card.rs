use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use derate_model::Platform;
use derate_model::units::Hertz;

use super::device::{Argument, Device, DeviceError, Launch, Ran};
use super::{
    Allocation, BankError, Bases, Counted, Kernel, KernelArgumentKind, KernelError, Memory, Moved,
    TimedRun, Unit, list_banks, model_time,
};

/// A card in software.
#[derive(Debug)]
pub struct Emulator {
    platform: Platform,
    clock: Hertz,
    memory: Arc<Memory>,
    units: Vec<Arc<Unit>>,
}

/// A buffer of the emulator; it is given back when it is dropped.
#[derive(Debug)]
pub struct EmulatedBuffer {
    memory: Arc<Memory>,
    allocation: Arc<Allocation>,
}

impl EmulatedBuffer {
    /// The device address of its first byte.
    pub fn address(&self) -> u64 {
        self.allocation.address()
    }
}

impl Drop for EmulatedBuffer {
    fn drop(&mut self) {
        self.memory.free_buffer(self.allocation.address());
    }
}

/// When a run began and ended, and how.
type Timing = (Instant, Instant, Result<Vec<Moved>, KernelError>);

impl Emulator {
    /// A card of the catalogue without compute units, its kernels' clock that of the platform.
    pub fn new(platform: &Platform, bases: Bases) -> Result<Self, BankError> {
        Ok(Self {
            clock: platform.clock.value,
            memory: Arc::new(Memory::new(list_banks(platform, bases)?)),
            platform: platform.clone(),
            units: Vec::new(),
        })
    }

    /// Another clock for the kernels.
    pub fn set_clock(&mut self, clock: Hertz) {
        self.clock = clock;
    }

    /// The kernels' clock.
    pub fn clock(&self) -> Hertz {
        self.clock
    }

    /// Adds a compute unit.
    pub fn add_unit(&mut self, unit: Unit) {
        self.units.push(Arc::new(unit));
    }

    /// Adds so many compute units of a kernel, called as v++ calls them: `krnl_read_1`, `krnl_read_2`.
    pub fn add_units(&mut self, kernel: &Arc<Kernel>, count: usize) {
        for index in 1..=count {
            self.add_unit(Unit::new(format!("{}_{index}", kernel.name), Arc::clone(kernel)));
        }
    }

    /// Its memory.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// Its compute units.
    pub fn units(&self) -> &[Arc<Unit>] {
        &self.units
    }

    /// The registers of a launch, or in a sentence why its arguments do not fit.
    fn prepare_registers(
        &self,
        launch: &Launch<'_, EmulatedBuffer>,
    ) -> Result<(&Arc<Unit>, Vec<u64>), DeviceError> {
        let unit = self.units.iter().find(|unit| unit.name() == launch.unit);
        let unit = unit.ok_or_else(|| {
            DeviceError::Launch(format!("there is no compute unit {}", launch.unit))
        })?;
        let (kernel, given) = (unit.kernel(), &launch.arguments);
        if given.len() != kernel.arguments.len() {
            return Err(DeviceError::Launch(format!(
                "{} takes {} arguments and is given {}",
                kernel.name,
                kernel.arguments.len(),
                given.len()
            )));
        }
        let pairs = kernel.arguments.iter().zip(given);
        let values = pairs.map(|(wanted, given)| match (wanted.kind, given) {
            (KernelArgumentKind::Port { .. }, Argument::Buffer(buffer)) => Ok(buffer.address()),
            (KernelArgumentKind::Scalar { bytes }, Argument::Scalar(value))
                if fits_in_bytes(*value, bytes) =>
            {
                Ok(*value)
            }
            (KernelArgumentKind::Scalar { bytes }, Argument::Scalar(value)) => {
                Err(DeviceError::Launch(format!(
                    "`{}` of {} has {bytes} bytes, and {value} does not fit",
                    wanted.name, kernel.name
                )))
            }
            (KernelArgumentKind::Result { .. }, Argument::Scalar(value)) => Ok(*value),
            (KernelArgumentKind::Stream { .. }, _) => Err(DeviceError::Launch(format!(
                "`{}` of {} is a stream, which a bench does not connect",
                wanted.name, kernel.name
            ))),
            (KernelArgumentKind::Port { .. }, Argument::Scalar(_)) => Err(DeviceError::Launch(
                format!("`{}` of {} is a pointer and is given a number", wanted.name, kernel.name),
            )),
            (
                KernelArgumentKind::Scalar { .. } | KernelArgumentKind::Result { .. },
                Argument::Buffer(_),
            ) => Err(DeviceError::Launch(format!(
                "`{}` of {} is a number and is given a buffer",
                wanted.name, kernel.name
            ))),
        });
        Ok((unit, values.collect::<Result<_, _>>()?))
    }
}

/// Whether a number fits into so many bytes.
fn fits_in_bytes(value: u64, bytes: u32) -> bool {
    bytes >= 8 || value >> (8 * bytes) == 0
}

impl Device for Emulator {
    type Buffer = EmulatedBuffer;

    fn allocate(&self, bank: usize, bytes: u64) -> Result<EmulatedBuffer, DeviceError> {
        let allocation = self.memory.allocate(bank, bytes)?;
        Ok(EmulatedBuffer { memory: Arc::clone(&self.memory), allocation })
    }

    fn write(&self, buffer: &EmulatedBuffer, offset: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        let address = buffer.address().saturating_add(offset);
        Ok(buffer.allocation.write(address, bytes)?)
    }

    fn read(
        &self,
        buffer: &EmulatedBuffer,
        offset: u64,
        bytes: &mut [u8],
    ) -> Result<(), DeviceError> {
        let address = buffer.address().saturating_add(offset);
        Ok(buffer.allocation.read(address, bytes)?)
    }

    fn run(&self, launches: &[Launch<'_, EmulatedBuffer>]) -> Result<Ran, DeviceError> {
        let prepared: Vec<_> =
            launches.iter().map(|one| self.prepare_registers(one)).collect::<Result<_, _>>()?;
        let mut queues: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, (unit, _)) in prepared.iter().enumerate() {
            queues.entry(unit.name()).or_default().push(index);
        }
        let ended: Vec<(usize, Timing)> = std::thread::scope(|scope| {
            let mut threads = Vec::with_capacity(queues.len());
            for (name, queue) in &queues {
                let (prepared, memory) = (&prepared, &self.memory);
                let serve = move || {
                    let one = |&index: &usize| {
                        let (unit, values) = prepared.get(index)?;
                        unit.set_arguments(values);
                        let start = Instant::now();
                        let result = unit.run(memory);
                        Some((index, (start, Instant::now(), result)))
                    };
                    queue.iter().filter_map(one).collect::<Vec<_>>()
                };
                let thread = Unit::thread_builder(name).spawn_scoped(scope, serve);
                threads.push(thread.map_err(|error| {
                    DeviceError::Launch(format!("no thread can be started for {name}: {error}"))
                })?);
            }
            let mut ended = Vec::with_capacity(launches.len());
            for thread in threads {
                ended.extend(thread.join().map_err(|_| {
                    DeviceError::Launch("a compute unit's thread ended too early".to_owned())
                })?);
            }
            Ok::<_, DeviceError>(ended)
        })?;
        let ended: BTreeMap<usize, Timing> = ended.into_iter().collect();
        let first = ended.values().map(|(start, ..)| *start).min();
        let last = ended.values().map(|(_, end, _)| *end).max();
        let wall = first.zip(last).map_or(Duration::ZERO, |(first, last)| last - first);
        let mut counted = Vec::with_capacity(launches.len());
        for ((unit, _), (start, end, result)) in prepared.iter().zip(ended.into_values()) {
            counted.push(Counted {
                unit: unit.name().to_owned(),
                kernel: unit.kernel().name.clone(),
                moved: result?,
                wall: end - start,
            });
        }
        let timed: Vec<TimedRun<'_>> = counted
            .iter()
            .zip(launches)
            .map(|(run, launch)| TimedRun {
                unit: &run.unit,
                moved: &run.moved,
                cycles: launch.cycles.as_ref(),
            })
            .collect();
        let model = model_time(&self.platform, self.memory.banks(), self.clock, &timed);
        Ok(Ran { wall, modelled: Some(model?), counted })
    }
}
