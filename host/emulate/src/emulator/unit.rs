use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use super::registers::{DONE, IDLE, START};
use super::{Channel, Counted, Kernel, KernelArgumentKind, KernelError, Memory, Moved};
use crate::watch;

/// Arrays on chip are local variables of a kernel, and a kernel may have as many as the chip has memory.
const STACK: usize = 64 << 20;

/// How long a unit that runs by itself rests where a run moved nothing.
const IDLE_FREE: Duration = Duration::from_micros(200);

/// What a unit has run, and what it does.
#[derive(Debug, Default)]
struct State {
    control: u32,
    words: Vec<u32>,
    last: Option<Result<Counted, KernelError>>,
    /// What it moved running by itself.
    freely: Vec<Moved>,
}

impl State {
    /// Adds what one more run moved, to what went through the same argument to the same buffer.
    fn add_freely(&mut self, moved: Vec<Moved>) {
        for one in moved {
            let same =
                |known: &&mut Moved| known.argument == one.argument && known.address == one.address;
            match self.freely.iter_mut().find(same) {
                Some(known) => {
                    known.jumps += one.stretches();
                    // Its first burst each way is counted by `stretches`.
                    known.jumps -= u64::from(known.read == 0 && one.read > 0)
                        + u64::from(known.written == 0 && one.written > 0);
                    known.read += one.read;
                    known.written += one.written;
                }
                None => self.freely.push(one),
            }
        }
    }
}

/// A compute unit: a kernel with registers of its own.
#[derive(Debug)]
pub struct Unit {
    name: String,
    kernel: Arc<Kernel>,
    /// The banks that each argument is connected to; none where no design says, and then all of them are.
    connected: Vec<BTreeSet<usize>>,
    /// The stream of each argument that has one.
    streams: Vec<Option<Arc<Channel>>>,
    state: Mutex<State>,
}

impl Unit {
    /// A unit whose pointers may reach every bank.
    pub fn new(name: impl Into<String>, kernel: Arc<Kernel>) -> Self {
        let end = kernel.arguments.iter().map(|one| one.offset + 16).max().unwrap_or(0x10);
        let words = vec![0; (end as usize).div_ceil(4)];
        let state = Mutex::new(State { control: IDLE, words, last: None, freely: Vec::new() });
        Self {
            name: name.into(),
            connected: vec![BTreeSet::new(); kernel.arguments.len()],
            streams: vec![None; kernel.arguments.len()],
            kernel,
            state,
        }
    }

    /// Connects an argument, counted from 0, to a bank, counted from 0, and to those that it was connected to, but to no
    /// others. Whether there is such an argument.
    pub fn connect_bank(&mut self, argument: usize, bank: usize) -> bool {
        self.connected.get_mut(argument).map(|banks| banks.insert(bank)).is_some()
    }

    /// Connects an argument, counted from 0, to a stream. Whether there is such an argument.
    pub fn connect_stream(&mut self, argument: usize, stream: Arc<Channel>) -> bool {
        self.streams.get_mut(argument).map(|one| one.replace(stream)).is_some()
    }

    /// The streams of its arguments.
    pub fn streams(&self) -> &[Option<Arc<Channel>>] {
        &self.streams
    }

    /// Its name: `krnl_memcpy_1`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it runs.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// A thread that died left the registers whole: each is set in one step.
    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes registers from an offset in bytes on. Whether that asks for a start; what lies past the last argument is
    /// ignored, as on a card.
    pub fn write_registers(&self, offset: u32, bytes: &[u8]) -> bool {
        let mut state = self.lock_state();
        let mut starts = false;
        for (index, part) in bytes.chunks(4).enumerate() {
            let mut word = [0; 4];
            word.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            let (word, at) = (u32::from_le_bytes(word), offset as usize / 4 + index);
            if at == 0 {
                starts |= word & START != 0;
            } else if let Some(register) = state.words.get_mut(at) {
                *register = word;
            }
        }
        starts
    }

    /// The register at an offset in bytes; 0 past the last argument.
    pub fn read_register(&self, offset: u32) -> u32 {
        let state = self.lock_state();
        if offset < 4 {
            state.control
        } else {
            state.words.get(offset as usize / 4).copied().unwrap_or_default()
        }
    }

    /// The arguments as the registers hold them.
    pub fn read_arguments(&self) -> Vec<u64> {
        let state = self.lock_state();
        let word = |offset: u32| {
            u64::from(state.words.get(offset as usize / 4).copied().unwrap_or_default())
        };
        let value = |one: &super::KernelArgument| match one.kind {
            KernelArgumentKind::Scalar { bytes } | KernelArgumentKind::Result { bytes }
                if bytes <= 4 =>
            {
                word(one.offset)
            }
            KernelArgumentKind::Stream { .. } => 0,
            _ => word(one.offset) | word(one.offset + 4) << 32,
        };
        self.kernel.arguments.iter().map(value).collect()
    }

    /// Sets the arguments in the registers.
    pub fn set_arguments(&self, values: &[u64]) {
        for (one, value) in self.kernel.arguments.iter().zip(values) {
            let bytes = value.to_le_bytes();
            let size = if matches!(one.kind, KernelArgumentKind::Scalar { bytes } if bytes <= 4) {
                4
            } else {
                8
            };
            self.write_registers(one.offset, bytes.get(..size).unwrap_or(&bytes));
        }
    }

    /// What became of the last run that [`start_run`](Self::start_run) began; once.
    pub fn take_last(&self) -> Option<Result<Counted, KernelError>> {
        self.lock_state().last.take()
    }

    /// Runs the kernel with what the registers hold, on this thread.
    pub fn run(&self, memory: &Memory) -> Result<Vec<Moved>, KernelError> {
        let values = self.read_arguments();
        self.check_reach(memory, &values)?;
        watch::note_start(&self.name, &self.kernel.name);
        let ended = self.kernel.run(memory, &values, &self.streams);
        watch::note_end(&self.name, &self.kernel.name);
        let (moved, registers) = ended?;
        self.keep_results(&registers);
        Ok(moved)
    }

    /// What the kernel wrote into registers.
    fn keep_results(&self, registers: &[u64]) {
        let mut state = self.lock_state();
        for (one, value) in self.kernel.arguments.iter().zip(registers) {
            let KernelArgumentKind::Result { bytes } = one.kind else { continue };
            let [low, high] = [*value, *value >> 32].map(low_half);
            let at = one.offset as usize / 4;
            let words = if bytes <= 4 { &[low][..] } else { &[low, high][..] };
            let valid = at + words.len();
            for (register, word) in state.words.iter_mut().skip(at).zip(words) {
                *register = *word;
            }
            if let Some(register) = state.words.get_mut(valid) {
                *register = 1;
            }
        }
    }

    /// Whether each pointer lies in a bank that its argument is connected to. An address in no bank is reported by the access.
    fn check_reach(&self, memory: &Memory, values: &[u64]) -> Result<(), KernelError> {
        let arguments = self.kernel.arguments.iter().zip(values).zip(&self.connected);
        for ((argument, &address), banks) in arguments {
            let Some(bank) = memory.bank_of(address) else { continue };
            let pointer = matches!(argument.kind, KernelArgumentKind::Port { .. });
            if pointer && !banks.is_empty() && !banks.contains(&bank) {
                let name = |&index: &usize| {
                    memory.banks().get(index).map(|bank| bank.name.clone()).unwrap_or_default()
                };
                return Err(KernelError::NotConnected {
                    kernel: self.kernel.name.clone(),
                    argument: argument.name.clone(),
                    address,
                    bank: name(&bank),
                    connected: banks.iter().map(name).collect::<Vec<_>>().join(", "),
                });
            }
        }
        Ok(())
    }

    /// Starts a run on a thread of its own: the control register says when it is over. A unit that runs already is left to
    /// it, as on a card: then there is no thread.
    pub fn start_run(
        self: &Arc<Self>,
        memory: &Arc<Memory>,
    ) -> std::io::Result<Option<JoinHandle<()>>> {
        let mut state = self.lock_state();
        if state.control & START != 0 {
            return Ok(None);
        }
        let (unit, memory) = (Arc::clone(self), Arc::clone(memory));
        let thread = Self::thread_builder(&self.name).spawn(move || {
            let begin = Instant::now();
            let ended = unit.run(&memory).map(|moved| Counted {
                unit: unit.name.clone(),
                kernel: unit.kernel.name.clone(),
                moved,
                wall: begin.elapsed(),
            });
            let mut state = unit.lock_state();
            state.last = Some(ended);
            state.control = DONE | IDLE;
        })?;
        // The thread waits for the lock before it says that it is done.
        state.control = START;
        Ok(Some(thread))
    }

    /// Runs the kernel again and again on a thread of its own, until its streams are stopped; a fault is kept for whoever asks.
    pub fn run_freely(self: &Arc<Self>, memory: &Arc<Memory>) -> std::io::Result<JoinHandle<()>> {
        let (unit, memory) = (Arc::clone(self), Arc::clone(memory));
        Self::thread_builder(&self.name).spawn(move || {
            loop {
                let before = unit.count_streamed();
                let values = unit.read_arguments();
                match unit.kernel.run(&memory, &values, &unit.streams) {
                    Ok((moved, _)) => {
                        unit.lock_state().add_freely(moved);
                        if unit.count_streamed() == before {
                            sleep(IDLE_FREE);
                        }
                    }
                    Err(KernelError::Stopped { moved }) => {
                        unit.lock_state().add_freely(moved);
                        return;
                    }
                    Err(error) => {
                        unit.lock_state().last = Some(Err(error));
                        return;
                    }
                }
            }
        })
    }

    /// What it has moved running by itself.
    pub fn count_freely(&self) -> Counted {
        Counted {
            unit: self.name.clone(),
            kernel: self.kernel.name.clone(),
            moved: self.lock_state().freely.clone(),
            wall: Duration::ZERO,
        }
    }

    /// Elements that went through its streams.
    fn count_streamed(&self) -> u64 {
        let streams = self.streams.iter().flatten();
        streams
            .map(|one| one.counts())
            .map(|(written, read)| written.wrapping_add(read))
            .fold(0, u64::wrapping_add)
    }

    /// A thread that a kernel can run on.
    pub(super) fn thread_builder(name: &str) -> std::thread::Builder {
        std::thread::Builder::new().name(name.to_owned()).stack_size(STACK)
    }
}

/// The low 32 bits: a register has no more.
fn low_half(value: u64) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
