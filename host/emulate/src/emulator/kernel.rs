use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::registers::place_registers;
use super::sys::{Code, Fault, Listed, Window};
use super::{Channel, ImageError, KernelArgument, KernelArgumentKind, Memory, Signature};

/// A compiled kernel.
#[derive(Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its arguments in order.
    pub arguments: Vec<KernelArgument>,
    code: Code,
}

/// What one argument of a run moved, counted at the kernel's own accesses.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Moved {
    /// The argument.
    pub argument: String,
    /// The device address that it was given.
    pub address: u64,
    /// The port's bundle; arguments of the same one share the port.
    pub bundle: Option<String>,
    /// Bits of one access.
    pub width_bits: u32,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
    /// Accesses that did not go on where the one before them, the same way, had ended: a burst ends at each.
    pub jumps: u64,
}

impl Moved {
    /// The stretches of accesses that follow one another, each way for itself: a card makes no fewer bursts.
    pub fn stretches(&self) -> u64 {
        self.jumps + u64::from(self.read > 0) + u64::from(self.written > 0)
    }
}

/// An access that would fail on a card, or another wrong end of a kernel.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum KernelError {
    /// Past the buffer that the argument points into.
    #[error(
        "{kernel} {} {bytes} bytes at {address:#x} through `{argument}`, which is {reach}",
        access_verb(*.is_write)
    )]
    OutOfRange {
        /// The kernel.
        kernel: String,
        /// The argument.
        argument: String,
        /// The first byte on the device.
        address: u64,
        /// How many.
        bytes: u64,
        /// Whether it writes.
        is_write: bool,
        /// What the argument may reach.
        reach: String,
    },
    /// At an address that is not a multiple of the port's width.
    #[error(
        "{kernel} {} {bytes} bytes at {address:#x} through `{argument}`: the address that it was given is not a multiple of \
         the {width} bytes of its port",
        access_verb(*.is_write)
    )]
    Misaligned {
        /// The kernel.
        kernel: String,
        /// The argument.
        argument: String,
        /// The first byte on the device.
        address: u64,
        /// How many.
        bytes: u64,
        /// Whether it writes.
        is_write: bool,
        /// Bytes of the port.
        width: u32,
    },
    /// Memory that the design does not connect the argument to.
    #[error(
        "{kernel} is given {address:#x} for `{argument}`, in {bank}, and the design connects that argument to {connected}: put the buffer there (its group is the bank's), or give it the bank with sp="
    )]
    NotConnected {
        /// The kernel.
        kernel: String,
        /// The argument.
        argument: String,
        /// What it was given.
        address: u64,
        /// The bank that this lies in.
        bank: String,
        /// The banks that it may reach.
        connected: String,
    },
    /// It waited on a stream, and was asked to wait no more.
    #[error("a kernel that waited on a stream was ended")]
    Stopped {
        /// What it had moved until then.
        moved: Vec<Moved>,
    },
    /// The C++ threw something.
    #[error("{kernel} ended with an exception: {said}")]
    Exception {
        /// The kernel.
        kernel: String,
        /// What it said.
        said: String,
    },
}

impl KernelError {
    /// Whether it is an access past the end of a buffer, or before it, and not one to no buffer at all.
    pub(crate) fn is_beyond_a_buffer(&self) -> bool {
        matches!(self, Self::OutOfRange { reach, .. } if reach.starts_with(BUFFER))
    }
}

/// How the reach of an argument that has a buffer begins.
const BUFFER: &str = "a buffer of";

fn ways_of(window: &Window) -> u64 {
    u64::from(window.read > 0) + u64::from(window.written > 0)
}

fn access_verb(is_write: bool) -> &'static str {
    if is_write { "writes" } else { "reads" }
}

impl Kernel {
    pub(super) fn new(signature: &Signature, listed: &Listed) -> Result<Self, ImageError> {
        let kinds = listed.arguments.iter().map(|&(kind, bytes)| match kind {
            0 => Ok(KernelArgumentKind::Scalar { bytes }),
            1 | 5 => Ok(KernelArgumentKind::Port { bytes, writes: false }),
            2 | 6 => Ok(KernelArgumentKind::Port { bytes, writes: true }),
            3 => Ok(KernelArgumentKind::Result { bytes }),
            4 => Ok(KernelArgumentKind::Stream { bytes }),
            other => Err(ImageError::Kind(listed.name.clone(), other)),
        });
        let kinds: Vec<KernelArgumentKind> = kinds.collect::<Result<_, _>>()?;
        let places = place_registers(&kinds);
        let arguments = signature.parameters.iter().zip(kinds).zip(places).zip(&listed.arguments);
        let arguments =
            arguments.map(|(((parameter, kind), offset), &(listed, _))| KernelArgument {
                name: parameter.name.clone(),
                kind,
                bundle: parameter.bundle.clone(),
                is_plain: matches!(listed, 5 | 6),
                offset,
            });
        Ok(Self {
            name: listed.name.clone(),
            arguments: arguments.collect(),
            code: listed.code.clone(),
        })
    }

    /// Runs it with these registers and streams, one for each argument; what its ports moved, and the registers as it leaves
    /// them. A register too few counts as 0. The buffers that it reaches stay until it ends, whatever is freed meanwhile.
    pub fn run(
        &self,
        memory: &Memory,
        registers: &[u64],
        streams: &[Option<Arc<Channel>>],
    ) -> Result<(Vec<Moved>, Vec<u64>), KernelError> {
        let reach = self.arguments.iter().zip(registers).map(|(argument, &value)| {
            matches!(argument.kind, KernelArgumentKind::Port { .. })
                .then(|| memory.buffer_at(value))
                .flatten()
        });
        let channels =
            streams.iter().map(|one| one.as_ref().map_or(std::ptr::null(), |it| it.raw()));
        let channels: Vec<_> = channels.collect();
        let ended = self.code.run(registers, &reach.collect::<Vec<_>>(), &channels);
        match ended.fault.kind {
            0 => Ok((self.collect_moved(registers, &ended.windows), ended.registers)),
            1 | 2 => Err(self.describe_fault(&ended.fault, registers, &ended.windows)),
            4 => Err(KernelError::Stopped { moved: self.collect_moved(registers, &ended.windows) }),
            _ => Err(KernelError::Exception { kernel: self.name.clone(), said: ended.said }),
        }
    }

    fn collect_moved(&self, values: &[u64], windows: &[Window]) -> Vec<Moved> {
        let ports = self.arguments.iter().zip(values).zip(windows);
        ports
            .filter_map(|((argument, &address), window)| match argument.kind {
                KernelArgumentKind::Port { bytes, .. } if !argument.is_plain => Some(Moved {
                    argument: argument.name.clone(),
                    address,
                    bundle: argument.bundle.clone(),
                    width_bits: bytes.saturating_mul(8),
                    read: window.read,
                    written: window.written,
                    // The first access of each way has none before it.
                    jumps: window.jumps.saturating_sub(ways_of(window)),
                }),
                _ => None,
            })
            .collect()
    }

    fn describe_fault(&self, fault: &Fault, values: &[u64], windows: &[Window]) -> KernelError {
        let at = fault.argument as usize;
        let argument = self.arguments.get(at);
        let name = argument.map_or_else(|| format!("argument {at}"), |one| one.name.clone());
        let (kernel, is_write) = (self.name.clone(), fault.is_write != 0);
        let Fault { address, bytes, .. } = *fault;
        if fault.kind == 2 {
            let width = match argument.map(|one| one.kind) {
                // As in port.h: the widest AXI word, at most 1024 bit, that elements consist of.
                Some(KernelArgumentKind::Port { bytes, .. }) => 1 << bytes.trailing_zeros().min(7),
                _ => 0,
            };
            return KernelError::Misaligned {
                kernel,
                argument: name,
                address,
                bytes,
                is_write,
                width,
            };
        }
        let given = values.get(at).copied().unwrap_or_default();
        let reach = match windows.get(at) {
            Some(window) if window.bytes > 0 => {
                format!("{BUFFER} {} bytes at {:#x}", window.bytes, window.address)
            }
            // What a register holds that nobody set.
            _ if given == 0 => {
                "not a buffer: its register holds 0, where nothing is allocated; set the argument, and look whether its buffer was allocated".to_owned()
            }
            _ => format!("not a buffer: nothing is allocated at {given:#x}"),
        };
        KernelError::OutOfRange { kernel, argument: name, address, bytes, is_write, reach }
    }
}
