//! The functions of `libxrt_coreutil`, as its C headers declare them. The one file that calls XRT.
#![allow(unsafe_code, reason = "a C library that is loaded at run time")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::ptr::NonNull;

use libloading::Library;

use super::XrtError;
use super::library::{LIBRARY, list_places};

/// Something of XRT's that is open. XRT looks handles up in tables under a lock and refuses those that it does not know.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Handle(NonNull<c_void>);

// SAFETY: a handle is a key: XRT locks its tables, and what is behind a key may be used from any thread.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

type Raw = *mut c_void;

macro_rules! table {
    ($($field:ident = $symbol:literal: $kind:ty;)*) => {
        /// The functions.
        #[derive(Debug)]
        pub(super) struct Api {
            $($field: $kind,)*
            /// Sets a value by its bytes; exported under its C++ name only.
            set_value: Option<unsafe extern "C" fn(Raw, c_int, *const c_void, usize) -> c_int>,
            /// Never unloaded: XRT's own destructors run at the end of the process.
            _library: ManuallyDrop<Library>,
        }

        impl Api {
            /// Loads the library and looks up every function.
            pub(super) fn load() -> Result<Self, XrtError> {
                let library = load_first(&list_places(std::env::var("XILINX_XRT").ok().as_deref()))?;
                // Also where a symbol is missing.
                let library = ManuallyDrop::new(library);
                $(
                    // SAFETY: the type is that of the C header.
                    let found = unsafe { library.get::<$kind>($symbol) };
                    let $field = *found.map_err(|_| XrtError::Symbol {
                        library: LIBRARY.to_owned(),
                        symbol: $symbol,
                    })?;
                )*
                // SAFETY: the type is that of the C++ declaration, whose mangled name spells it out.
                let set_value = unsafe { library.get("_Z13xrtRunSetArgVPviPKvm") };
                let set_value = set_value.ok().map(|symbol| *symbol);
                Ok(Self { $($field,)* set_value, _library: library })
            }
        }
    };
}

table! {
    device_open = "xrtDeviceOpen": unsafe extern "C" fn(c_uint) -> Raw;
    device_close = "xrtDeviceClose": unsafe extern "C" fn(Raw) -> c_int;
    device_load = "xrtDeviceLoadXclbinFile": unsafe extern "C" fn(Raw, *const c_char) -> c_int;
    device_uuid = "xrtDeviceGetXclbinUUID": unsafe extern "C" fn(Raw, *mut u8) -> c_int;
    kernel_open = "xrtPLKernelOpen": unsafe extern "C" fn(Raw, *const u8, *const c_char) -> Raw;
    kernel_close = "xrtKernelClose": unsafe extern "C" fn(Raw) -> c_int;
    kernel_group = "xrtKernelArgGroupId": unsafe extern "C" fn(Raw, c_int) -> c_int;
    buffer_alloc = "xrtBOAlloc": unsafe extern "C" fn(Raw, usize, u64, u32) -> Raw;
    buffer_free = "xrtBOFree": unsafe extern "C" fn(Raw) -> c_int;
    buffer_sync = "xrtBOSync": unsafe extern "C" fn(Raw, c_int, usize, usize) -> c_int;
    buffer_write = "xrtBOWrite": unsafe extern "C" fn(Raw, *const c_void, usize, usize) -> c_int;
    buffer_read = "xrtBORead": unsafe extern "C" fn(Raw, *mut c_void, usize, usize) -> c_int;
    buffer_address = "xrtBOAddress": unsafe extern "C" fn(Raw) -> u64;
    run_open = "xrtRunOpen": unsafe extern "C" fn(Raw) -> Raw;
    run_set = "xrtRunSetArg": unsafe extern "C" fn(Raw, c_int, ...) -> c_int;
    run_start = "xrtRunStart": unsafe extern "C" fn(Raw) -> c_int;
    run_wait = "xrtRunWaitFor": unsafe extern "C" fn(Raw, c_uint) -> c_uint;
    run_close = "xrtRunClose": unsafe extern "C" fn(Raw) -> c_int;
}

/// The first of these libraries that can be loaded; the error says of each what was wrong.
fn load_first(places: &[PathBuf]) -> Result<Library, XrtError> {
    let mut failures = Vec::new();
    for place in places {
        // SAFETY: XRT's initialisers set up tables and start nothing.
        match unsafe { Library::new(place) } {
            Ok(library) => return Ok(library),
            // The loader's own message is the source of the library's.
            Err(error) => failures.push(match std::error::Error::source(&error) {
                Some(why) => why.to_string(),
                None => format!("{}: {error}", place.display()),
            }),
        }
    }
    Err(XrtError::NotInstalled(failures.join("; ")))
}

fn handle(raw: Raw) -> Option<Handle> {
    NonNull::new(raw).map(Handle)
}

/// Every call takes handles that XRT gave and that nothing else closes, and memory that outlives it.
impl Api {
    pub(super) fn open(&self, index: u32) -> Option<Handle> {
        // SAFETY: see the block.
        handle(unsafe { (self.device_open)(index) })
    }

    pub(super) fn close_device(&self, device: &Handle) -> bool {
        // SAFETY: see the block.
        unsafe { (self.device_close)(device.0.as_ptr()) == 0 }
    }

    pub(super) fn load_design(&self, device: &Handle, path: &CStr) -> bool {
        // SAFETY: see the block.
        unsafe { (self.device_load)(device.0.as_ptr(), path.as_ptr()) == 0 }
    }

    pub(super) fn uuid(&self, device: &Handle) -> Option<[u8; 16]> {
        let mut uuid = [0; 16];
        // SAFETY: see the block; a uuid_t has sixteen bytes.
        let done = unsafe { (self.device_uuid)(device.0.as_ptr(), uuid.as_mut_ptr()) };
        (done == 0).then_some(uuid)
    }

    pub(super) fn kernel(&self, device: &Handle, uuid: &[u8; 16], name: &CStr) -> Option<Handle> {
        // SAFETY: see the block; a uuid_t has sixteen bytes.
        handle(unsafe { (self.kernel_open)(device.0.as_ptr(), uuid.as_ptr(), name.as_ptr()) })
    }

    pub(super) fn close_kernel(&self, kernel: &Handle) -> bool {
        // SAFETY: see the block.
        unsafe { (self.kernel_close)(kernel.0.as_ptr()) == 0 }
    }

    pub(super) fn group(&self, kernel: &Handle, argument: i32) -> i32 {
        // SAFETY: see the block.
        unsafe { (self.kernel_group)(kernel.0.as_ptr(), argument) }
    }

    pub(super) fn alloc(&self, device: &Handle, bytes: usize, group: u32) -> Option<Handle> {
        // SAFETY: see the block; no flags: memory of the device with a copy on the host.
        handle(unsafe { (self.buffer_alloc)(device.0.as_ptr(), bytes, 0, group) })
    }

    pub(super) fn free(&self, buffer: &Handle) -> bool {
        // SAFETY: see the block.
        unsafe { (self.buffer_free)(buffer.0.as_ptr()) == 0 }
    }

    pub(super) fn sync(&self, buffer: &Handle, from: bool, bytes: usize, offset: usize) -> bool {
        // SAFETY: see the block; XRT checks the range.
        unsafe { (self.buffer_sync)(buffer.0.as_ptr(), c_int::from(from), bytes, offset) == 0 }
    }

    pub(super) fn write(&self, buffer: &Handle, data: &[u8], offset: usize) -> bool {
        let from = data.as_ptr().cast();
        // SAFETY: see the block; XRT checks the range of the buffer and reads no more than `data`.
        unsafe { (self.buffer_write)(buffer.0.as_ptr(), from, data.len(), offset) == 0 }
    }

    pub(super) fn read(&self, buffer: &Handle, data: &mut [u8], offset: usize) -> bool {
        let to = data.as_mut_ptr().cast();
        // SAFETY: see the block; XRT checks the range of the buffer and fills no more than `data`.
        unsafe { (self.buffer_read)(buffer.0.as_ptr(), to, data.len(), offset) == 0 }
    }

    pub(super) fn address(&self, buffer: &Handle) -> u64 {
        // SAFETY: see the block.
        unsafe { (self.buffer_address)(buffer.0.as_ptr()) }
    }

    pub(super) fn run(&self, kernel: &Handle) -> Option<Handle> {
        // SAFETY: see the block.
        handle(unsafe { (self.run_open)(kernel.0.as_ptr()) })
    }

    pub(super) fn set_buffer(&self, run: &Handle, index: i32, buffer: &Handle) -> bool {
        // SAFETY: see the block; for a global argument XRT takes a buffer's handle.
        unsafe { (self.run_set)(run.0.as_ptr(), index, buffer.0.as_ptr()) == 0 }
    }

    /// `None` where this XRT cannot be given a value by its bytes.
    pub(super) fn set_value(&self, run: &Handle, index: i32, value: &[u8]) -> Option<bool> {
        let set = self.set_value?;
        // SAFETY: see the block; XRT copies no more than `value`.
        Some(unsafe { set(run.0.as_ptr(), index, value.as_ptr().cast(), value.len()) == 0 })
    }

    pub(super) fn start(&self, run: &Handle) -> bool {
        // SAFETY: see the block.
        unsafe { (self.run_start)(run.0.as_ptr()) == 0 }
    }

    pub(super) fn wait(&self, run: &Handle, milliseconds: u32) -> u32 {
        // SAFETY: see the block.
        unsafe { (self.run_wait)(run.0.as_ptr(), milliseconds) }
    }

    pub(super) fn close_run(&self, run: &Handle) -> bool {
        // SAFETY: see the block.
        unsafe { (self.run_close)(run.0.as_ptr()) == 0 }
    }
}
