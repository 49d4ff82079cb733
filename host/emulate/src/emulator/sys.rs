//! Loading compiled kernels, and calling them. The structures are those of `hls/sim/derate/frame.h`.

#![allow(unsafe_code, reason = "compiled kernels are foreign functions")]

use std::ffi::{CStr, c_char};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64};

use libloading::Library;

use crate::emulator::memory::GUARD;
use crate::emulator::{Allocation, ImageError};

/// `derate::window`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(in crate::emulator) struct Window {
    pub(in crate::emulator) data: *mut u8,
    pub(in crate::emulator) address: u64,
    pub(in crate::emulator) bytes: u64,
    pub(in crate::emulator) read: u64,
    pub(in crate::emulator) written: u64,
    pub(in crate::emulator) jumps: u64,
    pub(in crate::emulator) next: [u64; 2],
}

/// `derate::fault`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::emulator) struct Fault {
    pub(in crate::emulator) kind: u32,
    pub(in crate::emulator) argument: u32,
    pub(in crate::emulator) address: u64,
    pub(in crate::emulator) bytes: u64,
    pub(in crate::emulator) is_write: u32,
}

/// `derate::channel`.
#[repr(C)]
#[derive(Debug)]
pub(in crate::emulator) struct RawChannel {
    pub(in crate::emulator) data: *mut u8,
    pub(in crate::emulator) element: u64,
    pub(in crate::emulator) capacity: u64,
    pub(in crate::emulator) written: AtomicU64,
    pub(in crate::emulator) read: AtomicU64,
    pub(in crate::emulator) writer_waits: AtomicU32,
    pub(in crate::emulator) reader_waits: AtomicU32,
    pub(in crate::emulator) stop: AtomicU32,
}

// SAFETY: `data` is memory of the channel that holds this; one thread writes an element before it counts it, and another reads
// it after that. All else is atomic.
unsafe impl Send for RawChannel {}
// SAFETY: as above.
unsafe impl Sync for RawChannel {}

#[repr(C)]
struct Frame {
    registers: *mut u64,
    windows: *mut Window,
    channels: *const *const RawChannel,
    guard: u64,
    failed: Fault,
    message: [c_char; 256],
}

#[repr(C)]
struct RawArgument {
    kind: u32,
    bytes: u32,
}

#[repr(C)]
struct RawKernel {
    name: *const c_char,
    count: u32,
    arguments: *const RawArgument,
    run: Option<unsafe extern "C" fn(*mut Frame)>,
}

/// What a loaded file says of one of its kernels.
#[derive(Clone, Debug)]
pub(in crate::emulator) struct Listed {
    pub(in crate::emulator) name: String,
    /// `derate::argument_kind` and the bytes of each argument.
    pub(in crate::emulator) arguments: Vec<(u32, u32)>,
    pub(in crate::emulator) code: Code,
}

/// A kernel's compiled code; it keeps the file loaded that it is in.
#[derive(Clone, Debug)]
pub(in crate::emulator) struct Code {
    run: unsafe extern "C" fn(*mut Frame),
    arguments: usize,
    _object: Arc<Object>,
}

/// A loaded library and its file: the loader knows libraries by their paths, and this one's is free for another file as
/// soon as its own is closed.
#[derive(Debug)]
struct Object {
    library: Library,
    _file: File,
}

/// Kernels beyond this number are not looked for, and a kernel has no more arguments: the lists of a sound file end long
/// before.
const MOST: u32 = 4096;

/// Loads a file and lists its kernels.
pub(in crate::emulator) fn load_kernels(file: File) -> Result<Vec<Listed>, ImageError> {
    // SAFETY: loading runs the file's initialisers. It was compiled from kernels that the user chose to run, or carried by
    // this library; running it is what it is for.
    let library = unsafe { Library::new(format!("/proc/self/fd/{}", file.as_raw_fd())) };
    let object = Arc::new(Object { library: library?, _file: file });
    // SAFETY: `DERATE_EXPORT` declares the symbol with this type.
    let list = unsafe {
        object.library.get::<unsafe extern "C" fn(u32) -> *const RawKernel>(b"derate_kernel\0")
    };
    let list = list?;
    let mut kernels = Vec::new();
    for index in 0..MOST {
        // SAFETY: the function returns null past the last kernel, and else a structure that lives as long as the file is
        // loaded: names, arguments and code are static objects in it.
        let Some(raw) = (unsafe { list(index).as_ref() }) else { break };
        let lacks = |what| Err(ImageError::Entry(index, what));
        let Some(run) = raw.run else { return lacks("code") };
        if raw.name.is_null() {
            return lacks("name");
        }
        if raw.count > MOST || raw.count > 0 && raw.arguments.is_null() {
            return lacks("sound list of arguments");
        }
        // SAFETY: it is not null, and what `DERATE_KERNEL` puts there is a literal.
        let name = unsafe { CStr::from_ptr(raw.name) }.to_string_lossy().into_owned();
        let arguments = if raw.count == 0 {
            &[]
        } else {
            // SAFETY: it is not null, and `DERATE_KERNEL` counts the array that it puts there.
            unsafe { std::slice::from_raw_parts(raw.arguments, raw.count as usize) }
        };
        let arguments: Vec<_> = arguments.iter().map(|one| (one.kind, one.bytes)).collect();
        let code = Code { run, arguments: arguments.len(), _object: Arc::clone(&object) };
        kernels.push(Listed { name, arguments, code });
    }
    Ok(kernels)
}

/// How a run of compiled code ended.
#[derive(Debug)]
pub(in crate::emulator) struct Returned {
    /// What each argument moved.
    pub(in crate::emulator) windows: Vec<Window>,
    /// What went wrong; kind 0 if nothing did.
    pub(in crate::emulator) fault: Fault,
    /// What an exception said.
    pub(in crate::emulator) said: String,
    /// The registers as the kernel left them.
    pub(in crate::emulator) registers: Vec<u64>,
}

impl Code {
    /// Runs the kernel. Each argument has a register and, if it is a pointer into one, the buffer that it may reach; what
    /// is missing counts as 0 and as no buffer.
    pub(in crate::emulator) fn run(
        &self,
        registers: &[u64],
        reach: &[Option<Arc<Allocation>>],
        channels: &[*const RawChannel],
    ) -> Returned {
        let at = |index: usize| registers.get(index).copied().unwrap_or_default();
        let mut registers: Vec<u64> = (0..self.arguments).map(at).collect();
        let channel = |index: usize| channels.get(index).copied().unwrap_or(std::ptr::null());
        let channels: Vec<*const RawChannel> = (0..self.arguments).map(channel).collect();
        let window = |(index, &address): (usize, &u64)| {
            let (data, address, bytes) = match reach.get(index) {
                Some(Some(buffer)) => (buffer.start(), buffer.address(), buffer.bytes()),
                _ => (std::ptr::dangling_mut(), address, 0),
            };
            Window { data, address, bytes, read: 0, written: 0, jumps: 0, next: [u64::MAX; 2] }
        };
        let mut windows: Vec<Window> = registers.iter().enumerate().map(window).collect();
        let mut frame = Frame {
            registers: registers.as_mut_ptr(),
            windows: windows.as_mut_ptr(),
            channels: channels.as_ptr(),
            guard: GUARD,
            failed: Fault::default(),
            message: [0; 256],
        };
        // SAFETY: the code reads a register, a window and a channel for every argument that it listed, which is how many there
        // are; `reach` and `channels` keep what they point at until this returns; an empty window is never followed.
        unsafe { (self.run)(&raw mut frame) };
        let text = frame.message.iter().take_while(|&&sign| sign != 0);
        #[expect(clippy::cast_sign_loss, reason = "a byte of text, whatever its sign")]
        let text: Vec<u8> = text.map(|&sign| sign as u8).collect();
        let said = String::from_utf8_lossy(&text).into_owned();
        Returned { fault: frame.failed, said, windows, registers }
    }
}
