//! The device's memory: banks, what is allocated in them, and copies. Nothing takes room before it is touched.

mod sys;

use std::collections::BTreeMap;
use std::fs::File;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Bank;

/// Bytes before and behind each buffer that nobody may touch.
pub(super) const GUARD: u64 = 1 << 20;
/// Allocations start and end at pages, as XRT's do.
const PAGE: u64 = 4096;

/// What cannot be done with the memory. Each is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// There is no such bank.
    #[error("there is no bank {bank}: this device has {count}, counted from 0")]
    NoBank {
        /// The bank that was asked for.
        bank: usize,
        /// How many there are.
        count: usize,
    },
    /// Nothing is not allocated.
    #[error("a buffer of 0 bytes cannot be allocated")]
    Empty,
    /// More than a bank holds.
    #[error(
        "a buffer of {bytes} bytes is larger than {bank}, which holds {capacity} bytes: make it smaller, or split it over several banks"
    )]
    Larger {
        /// The bank.
        bank: String,
        /// What it holds.
        capacity: u64,
        /// What was asked for.
        bytes: u64,
    },
    /// No hole is large enough.
    #[error(
        "{bank} is full: it holds {capacity} bytes, {used} of them are in use, and no {bytes} follow each other"
    )]
    Full {
        /// The bank.
        bank: String,
        /// What it holds.
        capacity: u64,
        /// What is taken.
        used: u64,
        /// What was asked for.
        bytes: u64,
    },
    /// What is placed at an address overlaps with something, or lies in no bank.
    #[error("{bytes} bytes at {address:#x} cannot be placed: {reason}")]
    Place {
        /// Where.
        address: u64,
        /// How much.
        bytes: u64,
        /// Why.
        reason: String,
    },
    /// A copy that leaves what is allocated.
    #[error("{bytes} bytes at {address:#x} are not all in one buffer of the device")]
    Copy {
        /// Where.
        address: u64,
        /// How much.
        bytes: u64,
    },
    /// This machine has no memory left, or its address space has none.
    #[error("this machine gives no {bytes} bytes: {error}")]
    Machine {
        /// How much.
        bytes: u64,
        /// What the system says.
        error: std::io::Error,
    },
}

/// Memory that is in use: a buffer, as it lies on the device.
#[derive(Debug)]
pub struct Allocation {
    address: u64,
    bytes: u64,
    mapping: sys::Mapping,
}

impl Allocation {
    /// The device address of its first byte.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Its size as asked for; kernels may reach no further.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Its first byte on this machine.
    pub(super) fn start(&self) -> *mut u8 {
        self.mapping.start()
    }

    /// The offset of `bytes` bytes at an address, where they all lie in it.
    fn offset_in(&self, address: u64, bytes: usize) -> Result<usize, MemoryError> {
        let wanted = bytes as u64;
        let offset = address.checked_sub(self.address);
        let fits = |&offset: &u64| offset.checked_add(wanted).is_some_and(|end| end <= self.bytes);
        let offset = offset.filter(fits).and_then(|offset| usize::try_from(offset).ok());
        offset.ok_or(MemoryError::Copy { address, bytes: wanted })
    }

    /// Copies into it.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        self.mapping.write(self.offset_in(address, bytes.len())?, bytes);
        Ok(())
    }

    /// Copies out of it.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), MemoryError> {
        self.mapping.read(self.offset_in(address, bytes.len())?, bytes);
        Ok(())
    }
}

type Allocations = BTreeMap<u64, Arc<Allocation>>;

/// All memory of a device.
#[derive(Debug)]
pub struct Memory {
    banks: Vec<Bank>,
    allocations: Mutex<Allocations>,
}

impl Memory {
    /// Empty memory with these banks.
    pub fn new(banks: Vec<Bank>) -> Self {
        Self { banks, allocations: Mutex::default() }
    }

    /// Its banks.
    pub fn banks(&self) -> &[Bank] {
        &self.banks
    }

    /// The bank that an address lies in, counted from 0.
    pub fn bank_of(&self, address: u64) -> Option<usize> {
        self.banks.iter().position(|bank| bank.holds(address))
    }

    /// A thread that died left the map whole: it is changed in one step.
    fn lock_allocations(&self) -> MutexGuard<'_, Allocations> {
        self.allocations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Allocates in a bank, at the first hole that is large enough.
    pub fn allocate(&self, bank: usize, bytes: u64) -> Result<Arc<Allocation>, MemoryError> {
        let count = self.banks.len();
        let bank = self.banks.get(bank).ok_or(MemoryError::NoBank { bank, count })?;
        if bytes == 0 {
            return Err(MemoryError::Empty);
        }
        let (start, end) = (bank.start(), bank.start().saturating_add(bank.bytes));
        let mut allocations = self.lock_allocations();
        let mut hole = start;
        let mut used = 0_u64;
        let full =
            |used| MemoryError::Full { bank: bank.name.clone(), capacity: bank.bytes, used, bytes };
        let size = bytes.checked_next_multiple_of(PAGE).filter(|&size| size <= bank.bytes);
        let size = size.ok_or_else(|| MemoryError::Larger {
            bank: bank.name.clone(),
            capacity: bank.bytes,
            bytes,
        })?;
        let mut found = None;
        for one in allocations.range(start..end).map(|(_, one)| one) {
            if found.is_none() && one.address - hole >= size {
                found = Some(hole);
            }
            hole = (one.address + one.bytes).next_multiple_of(PAGE);
            used += hole - one.address;
        }
        let found = found.or_else(|| (end.saturating_sub(hole) >= size).then_some(hole));
        let address = found.ok_or_else(|| full(used))?;
        Self::insert_buffer(&mut allocations, address, bytes, None)
    }

    /// Puts a buffer where somebody else decided, such as XRT's software emulation; with a file, its bytes are those of the
    /// file, which another process may map. What was there with the same bounds makes room where `replaces`.
    pub fn place_buffer(
        &self,
        address: u64,
        bytes: u64,
        file: Option<&File>,
        replaces: bool,
    ) -> Result<Arc<Allocation>, MemoryError> {
        let refuse = |reason: String| MemoryError::Place { address, bytes, reason };
        if bytes == 0 {
            return Err(MemoryError::Empty);
        }
        if !address.is_multiple_of(PAGE) {
            return Err(refuse(format!("buffers start at multiples of {PAGE} bytes")));
        }
        let bank = self.banks.iter().find(|bank| bank.holds(address));
        let bank = bank.ok_or_else(|| refuse("no bank of this device is there".to_owned()))?;
        if bank.bytes - (address - bank.start()) < bytes {
            return Err(refuse(format!("{} ends before", bank.name)));
        }
        let mut allocations = self.lock_allocations();
        if replaces && allocations.get(&address).is_some_and(|one| one.bytes == bytes) {
            allocations.remove(&address);
        }
        let before = allocations.range(..address + bytes).next_back().map(|(_, one)| one);
        if let Some(one) = before.filter(|one| one.address + one.bytes > address) {
            return Err(refuse(format!(
                "the buffer of {} bytes at {:#x} is in the way",
                one.bytes, one.address
            )));
        }
        Self::insert_buffer(&mut allocations, address, bytes, file)
    }

    fn insert_buffer(
        allocations: &mut Allocations,
        address: u64,
        bytes: u64,
        file: Option<&File>,
    ) -> Result<Arc<Allocation>, MemoryError> {
        let size = usize::try_from(bytes).map_err(|_| MemoryError::Machine {
            bytes,
            error: std::io::ErrorKind::OutOfMemory.into(),
        })?;
        let guard = usize::try_from(GUARD).unwrap_or(0);
        let mapping = file.map_or_else(
            || sys::Mapping::map_guarded(size, guard),
            |file| sys::Mapping::map_file(file, size, guard),
        );
        let mapping = mapping.map_err(|error| MemoryError::Machine { bytes, error })?;
        let one = Arc::new(Allocation { address, bytes, mapping });
        allocations.insert(address, Arc::clone(&one));
        Ok(one)
    }

    /// Gives the buffer at an address back; whether there was one. A run that uses it keeps its bytes until it ends.
    pub fn free_buffer(&self, address: u64) -> bool {
        self.lock_allocations().remove(&address).is_some()
    }

    /// The buffer that an address lies in.
    pub fn buffer_at(&self, address: u64) -> Option<Arc<Allocation>> {
        let allocations = self.lock_allocations();
        let (_, one) = allocations.range(..=address).next_back()?;
        (address - one.address < one.bytes).then(|| Arc::clone(one))
    }

    /// Copies to a device address.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let lost = MemoryError::Copy { address, bytes: bytes.len() as u64 };
        self.buffer_at(address).ok_or(lost)?.write(address, bytes)
    }

    /// Copies from a device address.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), MemoryError> {
        let lost = MemoryError::Copy { address, bytes: bytes.len() as u64 };
        self.buffer_at(address).ok_or(lost)?.read(address, bytes)
    }
}
