//! The emulator as the device of one design: its banks, its compute units, the files that the host maps.

mod card;
mod code;
mod describe;
mod files;
mod unsynced;

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use derate_model::Platform;

use super::SwemuError;
use super::counts::Teller;
use super::record::{Recorded, Recorder};
use super::streams::Streams;
use crate::emulator::{KernelArgumentKind, Memory, START, Unit};
use crate::xclbin::{self, Instance};
use card::{check_card, memory_banks};
use code::{check_registers, find_own, load_code};
use files::{make_file, open_shared, read_file, shared_path};
use unsynced::Writers;

/// No design has a larger file.
const LARGEST: u64 = 256 << 20;
/// What a size that XRT tells of is worth.
const ROUNDED: &str = " (XRT rounds a buffer up to whole pages of 4096 bytes before it tells the device, so the program may have \
                       asked for less)";
/// What units that run without a host are given to end.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// The registers of a unit, in bytes.
const WINDOW: u64 = 0x1_0000;

/// A compute unit at its place.
#[derive(Debug)]
struct Placed {
    base: u64,
    unit: Arc<Unit>,
}

/// What a design makes of the emulator.
#[derive(Debug)]
pub(super) struct Loaded {
    memory: Arc<Memory>,
    /// Whether all that the program maps is the device's own memory.
    coherent: bool,
    units: Vec<Placed>,
    /// Those that run without a host, and their threads.
    free: Vec<Arc<Unit>>,
    threads: Vec<JoinHandle<()>>,
    streams: Streams,
    /// The files of the buffers by their addresses: one thread of the host may open a file after another has made its
    /// next call.
    files: BTreeMap<u64, File>,
    teller: Teller,
    recorder: Option<Recorder>,
    writers: Writers,
}

impl Loaded {
    /// A device before any design: XRT may allocate before it loads.
    pub(super) fn without_design(
        sizes: &[u64],
        platform: Option<&Platform>,
        coherent: bool,
        recorder: Option<Recorder>,
    ) -> Self {
        let memory = Arc::new(Memory::new(memory_banks(sizes, platform)));
        Self {
            memory,
            coherent,
            units: Vec::new(),
            free: Vec::new(),
            threads: Vec::new(),
            streams: Streams::default(),
            files: BTreeMap::new(),
            teller: Teller::to_the_host(),
            recorder,
            writers: Writers::default(),
        }
    }

    /// The device of another design, from the files of its metadata and its bitstream; `note` receives what the user should know.
    pub(super) fn load_design(
        &self,
        (metadata, bitstream): (&str, &str),
        sizes: &[u64],
        given: Option<&Platform>,
        note: &mut dyn FnMut(&str),
    ) -> Result<Self, SwemuError> {
        // A program may allocate on a card for which it loads nothing.
        let recorder = self.recorder.clone();
        if metadata.is_empty() {
            return Ok(Self::without_design(sizes, given, self.coherent, recorder));
        }
        let refuse = |reason: String| SwemuError::Design { path: metadata.to_owned(), reason };
        let about = xclbin::read_metadata(&read_file(metadata)?);
        if let Some(problem) = about.problem {
            return Err(SwemuError::Damaged(format!("of its EMBEDDED_METADATA, {problem}")));
        }
        let own = about.board.as_deref().and_then(|board| Platform::named(board).ok());
        let platform = given.or(own.as_ref());
        if let Some(platform) = given {
            check_card(&about, platform, note)?;
        }
        let mut loaded = Self::without_design(sizes, platform, self.coherent, recorder);
        let kernels = load_code(bitstream, &about.kernels)?;
        let mut streams = Streams::of_design(&about.streams);
        for one in about.kernels.iter().filter(|one| !one.instances.is_empty()) {
            let kernel = kernels.iter().find(|kernel| kernel.name == one.name);
            let kernel = kernel.ok_or_else(|| SwemuError::Kernel {
                kernel: one.name.clone(),
                reason: "make the design with `derate emu xclbin`, which puts it in".to_owned(),
            })?;
            check_registers(kernel, &one.arguments)?;
            for (index, Instance { name, base, .. }) in one.instances.iter().enumerate() {
                let base = base.ok_or_else(|| refuse(format!("unit {name} has no address")))?;
                // Static variables are a unit's own: each has the code for itself.
                let own = if index == 0 { None } else { find_own(bitstream, &about, kernel)? };
                let mut unit = Unit::new(name.as_str(), own.unwrap_or_else(|| Arc::clone(kernel)));
                for (argument, channel) in streams.of_unit(name, kernel) {
                    unit.connect_stream(argument, channel);
                }
                for connected in about.connected.iter().filter(|one| one.unit == *name) {
                    let mut banks = loaded.memory.banks().iter();
                    let bank = banks.position(|bank| bank.name == connected.bank);
                    let known =
                        bank.is_some_and(|bank| unit.connect_bank(connected.argument, bank));
                    if !known {
                        return Err(refuse(format!(
                            "it connects argument {} of {name} to {}, and there is no such argument or no such bank",
                            connected.argument, connected.bank
                        )));
                    }
                }
                let unit = Arc::new(unit);
                if one.control.as_deref() == Some("ap_ctrl_none") {
                    loaded.free.push(Arc::clone(&unit));
                }
                loaded.units.push(Placed { base, unit });
            }
        }
        streams.check_sizes().map_err(refuse)?;
        loaded.streams = streams;
        loaded.record(|| loaded.describe_design(&about));
        loaded.start_free_units()?;
        Ok(loaded)
    }

    /// Whether a design is loaded.
    pub(super) fn has_units(&self) -> bool {
        !self.units.is_empty()
    }

    /// A unit that runs.
    pub(super) fn running_unit(&self) -> Option<&str> {
        let mut units = self.units.iter().map(|placed| &placed.unit);
        units.find(|unit| unit.read_register(0) & START != 0).map(|unit| unit.name())
    }

    /// Starts the units that no host starts. Each begins anew when it comes to its end, as on a card.
    fn start_free_units(&mut self) -> Result<(), SwemuError> {
        for unit in &self.free {
            let thread = unit.run_freely(&self.memory).map_err(|error| SwemuError::Run {
                unit: unit.name().to_owned(),
                reason: format!("no thread can be started: {error}"),
            })?;
            self.threads.push(thread);
        }
        Ok(())
    }

    /// Ends the units that run without a host, and writes what they moved. One that waits for nothing is not waited for.
    pub(super) fn end_free_units(&mut self) {
        self.streams.stop();
        let begin = Instant::now();
        let threads = std::mem::take(&mut self.threads);
        while begin.elapsed() < LAST_WORDS && threads.iter().any(|one| !one.is_finished()) {
            sleep(Duration::from_millis(1));
        }
        for unit in std::mem::take(&mut self.free) {
            let streams = self.streams.take_moved(unit.name());
            self.record(|| Recorded::Free(unit.count_freely(), streams));
        }
    }

    fn unit_at(&self, address: u64) -> Option<(&Arc<Unit>, u32)> {
        self.units.iter().find_map(|placed| {
            let offset = address.checked_sub(placed.base).filter(|&offset| offset < WINDOW)?;
            Some((&placed.unit, u32::try_from(offset).ok()?))
        })
    }

    /// Puts a buffer where XRT decided. With `shared`, the path of a file for the host's copy: it is in no folder, so that
    /// none can be left behind. Unless the bank is the host's, or memory is coherent, the device has memory of its own, as a
    /// card does: what a program forgets to sync is missing here too.
    pub(super) fn allocate_buffer(
        &mut self,
        address: u64,
        bytes: u64,
        shared: bool,
    ) -> Result<Option<String>, SwemuError> {
        let refuse = |reason: String| SwemuError::Memory(reason);
        let file = if shared { Some(make_file(bytes)?) } else { None };
        let same = file.as_ref().filter(|_| self.coherent || self.is_of_host(address));
        let place = self.memory.place_buffer(address, bytes, same, false);
        place.map_err(|error| refuse(error.to_string()))?;
        self.writers.forget(address);
        Ok(file.map(|file| {
            let path = shared_path(&file);
            self.files.insert(address, file);
            path
        }))
    }

    /// Lets a buffer be that of a file, which another device gave out.
    pub(super) fn import_buffer(
        &mut self,
        address: u64,
        name: &str,
        bytes: u64,
    ) -> Result<(), SwemuError> {
        if !self.coherent {
            return Err(SwemuError::NotEmulated("shares a buffer between two devices"));
        }
        let file = open_shared(name)?;
        let bytes = self.memory.buffer_at(address).map_or(bytes, |buffer| buffer.bytes());
        let placed = self.memory.place_buffer(address, bytes, Some(&file), true);
        placed.map_err(|error| SwemuError::Memory(error.to_string()))?;
        // The other device may have written it.
        self.note_written(address);
        Ok(())
    }

    /// Copies from a file that a buffer was given to a buffer.
    pub(super) fn copy_file(
        &mut self,
        (name, from_offset): (&str, u64),
        (to, to_offset): (u64, u64),
        bytes: u64,
    ) -> Result<(), SwemuError> {
        let file = open_shared(name)?;
        let length = usize::try_from(bytes).map_err(|_| SwemuError::Frame)?;
        let mut data = vec![0; length.min(usize::try_from(LARGEST).unwrap_or(length))];
        file.read_exact_at(&mut data, from_offset).map_err(|error| {
            SwemuError::Memory(format!("{bytes} bytes of {name} cannot be read: {error}"))
        })?;
        self.write_buffer(to.saturating_add(to_offset), &data)
    }

    /// Copies from a buffer, some bytes into it, to the one whose host's copy is a file, some bytes into that. Both of its
    /// copies change: the program may look at either.
    pub(super) fn copy_buffer(
        &mut self,
        (from, from_offset): (u64, u64),
        (name, to_offset): (&str, u64),
        bytes: u64,
    ) -> Result<(), SwemuError> {
        let data = self.read_buffer(from.saturating_add(from_offset), bytes)?;
        let write = |file: &File| {
            file.write_all_at(&data, to_offset).map_err(|error| {
                SwemuError::Memory(format!("{bytes} bytes cannot be copied to {name}: {error}"))
            })
        };
        let own = self.buffer_of(name).and_then(|to| Some((to, self.files.get(&to)?)));
        let Some((to, file)) = own else { return write(&open_shared(name)?) };
        write(file)?;
        self.write_buffer(to.saturating_add(to_offset), &data)
    }

    /// The buffer whose host's copy is a file.
    pub(super) fn buffer_of(&self, name: &str) -> Option<u64> {
        self.files.iter().find(|(_, file)| shared_path(file) == name).map(|(at, _)| *at)
    }

    /// Gives a buffer back. It is an error while a running unit uses it: on a card its memory would go to another buffer.
    pub(super) fn free_buffer(&mut self, address: u64) -> Result<bool, SwemuError> {
        let bytes = self.memory.buffer_at(address).map_or(0, |buffer| buffer.bytes());
        let inside = |value: &u64| value.checked_sub(address).is_some_and(|offset| offset < bytes);
        for Placed { unit, .. } in &self.units {
            let ports = unit.kernel().arguments.iter().zip(unit.read_arguments());
            let mut ports =
                ports.filter(|(one, _)| matches!(one.kind, KernelArgumentKind::Port { .. }));
            if unit.read_register(0) & START != 0
                && let Some((argument, _)) = ports.find(|(_, value)| inside(value))
            {
                return Err(SwemuError::Run {
                    unit: unit.name().to_owned(),
                    reason: format!(
                        "the program frees the buffer of {bytes} bytes at {address:#x} while the unit runs on it as `{}`: wait for the run first",
                        argument.name
                    ),
                });
            }
        }
        self.files.remove(&address);
        Ok(self.memory.free_buffer(address))
    }

    /// Copies into a buffer.
    pub(super) fn write_buffer(&mut self, address: u64, data: &[u8]) -> Result<(), SwemuError> {
        self.note_written(address);
        self.memory.write(address, data).map_err(|error| SwemuError::Memory(error.to_string()))
    }

    /// Whether an address is in the host's own memory.
    fn is_of_host(&self, address: u64) -> bool {
        let bank = self.memory.bank_of(address).and_then(|bank| self.memory.banks().get(bank));
        bank.is_some_and(|bank| bank.name.starts_with("HOST"))
    }

    /// Whether a unit runs without a host.
    fn is_free(&self, unit: &Unit) -> bool {
        self.free.iter().any(|free| free.name() == unit.name())
    }

    /// Whether a buffer has so many bytes from an address on, as a size of this machine's.
    pub(super) fn reach_of(&self, address: u64, bytes: u64) -> Result<usize, SwemuError> {
        let lost =
            || SwemuError::Memory(format!("nothing of {bytes} bytes is allocated at {address:#x}"));
        let buffer = self.memory.buffer_at(address).ok_or_else(lost)?;
        let left = buffer.bytes() - (address - buffer.address());
        usize::try_from(bytes).ok().filter(|_| bytes <= left).ok_or_else(lost)
    }

    /// Whether nobody can see when data come into a buffer: it has them all, only calls reach it, and no unit runs. They may
    /// then be taken after the host has its answer.
    pub(super) fn takes_unseen(&self, address: u64, bytes: u64) -> bool {
        let buffer = self.memory.buffer_at(address);
        let is_private = buffer.is_some_and(|one| !self.files.contains_key(&one.address()));
        is_private
            && self.reach_of(address, bytes).is_ok()
            && self.free.is_empty()
            && self.running_unit().is_none()
    }

    /// Copies from a buffer.
    pub(super) fn read_into(&self, address: u64, data: &mut [u8]) -> Result<(), SwemuError> {
        self.memory.read(address, data).map_err(|error| SwemuError::Memory(error.to_string()))
    }

    /// Bytes of a buffer; no more than there are, whatever is asked for.
    fn read_buffer(&self, address: u64, bytes: u64) -> Result<Vec<u8>, SwemuError> {
        let mut data = vec![0; self.reach_of(address, bytes)?];
        self.read_into(address, &mut data)?;
        Ok(data)
    }

    /// Writes registers; starts the unit if that is what they say.
    pub(super) fn write_registers(
        &mut self,
        address: u64,
        data: &[u8],
        note: &mut dyn FnMut(&str),
    ) -> Result<bool, SwemuError> {
        let Some((unit, offset)) = self.unit_at(address) else { return Ok(false) };
        let unit = &Arc::clone(unit);
        if unit.write_registers(offset, data) {
            // What became of the run before is known before the next one begins.
            self.take_end(unit, note)?;
            if unit.read_register(0) & START == 0 {
                self.record(|| self.describe_start(unit));
            }
            unit.start_run(&self.memory).map_err(|error| SwemuError::Run {
                unit: unit.name().to_owned(),
                reason: format!("no thread can be started: {error}"),
            })?;
        }
        Ok(true)
    }

    /// Tells of the last run of a unit, once it is over.
    fn take_end(&mut self, unit: &Unit, note: &mut dyn FnMut(&str)) -> Result<(), SwemuError> {
        match unit.take_last() {
            Some(Ok(run)) => {
                self.tell_unsynced(unit, &run, note);
                self.teller.send_run(&run);
                let streams = self.streams.take_moved(unit.name());
                self.record(|| Recorded::End(run, streams));
                Ok(())
            }
            Some(Err(error)) => {
                let mut reason = error.to_string();
                if error.is_beyond_a_buffer() {
                    reason.push_str(ROUNDED);
                }
                Err(SwemuError::Run { unit: unit.name().to_owned(), reason })
            }
            None => Ok(()),
        }
    }

    /// Reads registers. A failed run is reported here, where the host asks whether it is done.
    pub(super) fn read_registers(
        &mut self,
        address: u64,
        bytes: u64,
        note: &mut dyn FnMut(&str),
    ) -> Result<Option<Vec<u8>>, SwemuError> {
        let Some((unit, offset)) = self.unit_at(address) else { return Ok(None) };
        let unit = &Arc::clone(unit);
        let words = bytes.min(WINDOW).div_ceil(4);
        let word = |index: u64| {
            let place = u32::try_from(4 * index).unwrap_or(u32::MAX);
            unit.read_register(offset.saturating_add(place)).to_le_bytes()
        };
        let data: Vec<u8> = (0..words).flat_map(word).collect();
        if let Some(reason) = self.streams.find_deadlock() {
            return Err(SwemuError::Run { unit: unit.name().to_owned(), reason });
        }
        self.take_end(unit, note)?;
        Ok(Some(data.into_iter().take(usize::try_from(bytes).unwrap_or(usize::MAX)).collect()))
    }
}
impl Drop for Loaded {
    /// Whoever waits on a stream ends.
    fn drop(&mut self) {
        self.end_free_units();
    }
}
