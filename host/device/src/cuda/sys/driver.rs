use std::ffi::{CStr, c_char, c_float, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

use super::super::library::DRIVER;
use crate::error::CudaError;
use crate::error::DRIVER as NAME;

/// What is asked of a device; the numbers are `CUdevice_attribute`'s.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub(in super::super) enum Attribute {
    LastLevelCache = 38,
    Major = 75,
    Minor = 76,
}

/// Memory of a device.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in super::super) struct Address(pub(super) u64);

impl Address {
    /// So many bytes further.
    pub(in super::super) fn after(self, bytes: u64) -> Self {
        Self(self.0 + bytes)
    }
}

/// A device's own context, which cuBLAS uses, too.
#[derive(Debug)]
pub(in super::super) struct Context {
    raw: *mut c_void,
    device: c_int,
}

// SAFETY: the driver locks its contexts, and one may be current in any thread.
unsafe impl Send for Context {}

/// A mark in the order of a device's work, which has a time.
#[derive(Debug)]
pub(in super::super) struct Event(*mut c_void);

// SAFETY: as for a context.
unsafe impl Send for Event {}

/// Kernels that a device has loaded.
#[derive(Debug)]
pub(in super::super) struct Module(*mut c_void);

// SAFETY: as for a context.
unsafe impl Send for Module {}

/// A kernel of a module; used no longer than it.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Function(*mut c_void);

// SAFETY: as for a context.
unsafe impl Send for Function {}

/// What a kernel is started with.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Argument {
    Address(Address),
    Count(u64),
    Whole(u32),
    Single(f32),
}

type Status = c_int;

super::table! {
    Table of DRIVER;
    init = "cuInit": unsafe extern "C" fn(c_uint) -> Status;
    version = "cuDriverGetVersion": unsafe extern "C" fn(*mut c_int) -> Status;
    error_string = "cuGetErrorString": unsafe extern "C" fn(Status, *mut *const c_char) -> Status;
    count = "cuDeviceGetCount": unsafe extern "C" fn(*mut c_int) -> Status;
    get = "cuDeviceGet": unsafe extern "C" fn(*mut c_int, c_int) -> Status;
    name = "cuDeviceGetName": unsafe extern "C" fn(*mut c_char, c_int, c_int) -> Status;
    attribute = "cuDeviceGetAttribute": unsafe extern "C" fn(*mut c_int, c_int, c_int) -> Status;
    retain = "cuDevicePrimaryCtxRetain": unsafe extern "C" fn(*mut *mut c_void, c_int) -> Status;
    release = "cuDevicePrimaryCtxRelease_v2": unsafe extern "C" fn(c_int) -> Status;
    set_current = "cuCtxSetCurrent": unsafe extern "C" fn(*mut c_void) -> Status;
    memory = "cuMemGetInfo_v2": unsafe extern "C" fn(*mut usize, *mut usize) -> Status;
    alloc = "cuMemAlloc_v2": unsafe extern "C" fn(*mut u64, usize) -> Status;
    free = "cuMemFree_v2": unsafe extern "C" fn(u64) -> Status;
    write = "cuMemcpyHtoD_v2": unsafe extern "C" fn(u64, *const c_void, usize) -> Status;
    read = "cuMemcpyDtoH_v2": unsafe extern "C" fn(*mut c_void, u64, usize) -> Status;
    set = "cuMemsetD8_v2": unsafe extern "C" fn(u64, u8, usize) -> Status;
    copy = "cuMemcpyDtoDAsync_v2": unsafe extern "C" fn(u64, u64, usize, *mut c_void) -> Status;
    load = "cuModuleLoadData": unsafe extern "C" fn(*mut *mut c_void, *const c_void) -> Status;
    unload = "cuModuleUnload": unsafe extern "C" fn(*mut c_void) -> Status;
    function = "cuModuleGetFunction":
        unsafe extern "C" fn(*mut *mut c_void, *mut c_void, *const c_char) -> Status;
    launch = "cuLaunchKernel": unsafe extern "C" fn(
        *mut c_void, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, *mut c_void,
        *mut *mut c_void, *mut *mut c_void,
    ) -> Status;
    event_create = "cuEventCreate": unsafe extern "C" fn(*mut *mut c_void, c_uint) -> Status;
    event_record = "cuEventRecord": unsafe extern "C" fn(*mut c_void, *mut c_void) -> Status;
    event_wait = "cuEventSynchronize": unsafe extern "C" fn(*mut c_void) -> Status;
    event_elapsed = "cuEventElapsedTime" or "cuEventElapsedTime_v2":
        unsafe extern "C" fn(*mut c_float, *mut c_void, *mut c_void) -> Status;
    event_destroy = "cuEventDestroy_v2": unsafe extern "C" fn(*mut c_void) -> Status;
}

/// The driver, initialised.
#[derive(Debug)]
pub(in super::super) struct Driver {
    table: Table,
}

/// Every call takes what this driver gave and nothing has freed, memory that outlives it, and the device's default stream.
impl Driver {
    /// Loaded once; it stays.
    pub(in super::super) fn get() -> Result<&'static Self, CudaError> {
        static DRIVER: OnceLock<Result<Driver, CudaError>> = OnceLock::new();
        let load = || {
            let driver = Self { table: Table::load(None)? };
            // SAFETY: the first call, as the driver wants it.
            driver.done(unsafe { (driver.table.init)(0) }, "start")?;
            Ok(driver)
        };
        DRIVER.get_or_init(load).as_ref().map_err(Clone::clone)
    }

    fn done(&self, status: Status, what: &'static str) -> Result<(), CudaError> {
        if status == 0 {
            return Ok(());
        }
        let mut text = ptr::null();
        // SAFETY: it gives a string that is never freed, or none.
        let known = unsafe { (self.table.error_string)(status, &raw mut text) } == 0;
        let why = if known && !text.is_null() {
            // SAFETY: as above.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        } else {
            format!("status {status}")
        };
        Err(CudaError::Call { library: NAME, what, status, why })
    }

    /// `13000` of CUDA 13.0.
    pub(in super::super) fn version(&self) -> Result<i32, CudaError> {
        let mut version = 0;
        // SAFETY: handles are live, memory is long enough (see this impl).
        self.done(unsafe { (self.table.version)(&raw mut version) }, "say its version")?;
        Ok(version)
    }

    pub(in super::super) fn count(&self) -> Result<i32, CudaError> {
        let mut count = 0;
        // SAFETY: handles are live, memory is long enough (see this impl).
        self.done(unsafe { (self.table.count)(&raw mut count) }, "count its GPUs")?;
        Ok(count)
    }

    /// A device's context, current in this thread from now on.
    pub(in super::super) fn open(&self, index: u16) -> Result<Context, CudaError> {
        let (mut device, mut raw) = (0, ptr::null_mut());
        // SAFETY: handles are live, memory is long enough (see this impl).
        self.done(unsafe { (self.table.get)(&raw mut device, c_int::from(index)) }, "find it")?;
        // SAFETY: handles are live, memory is long enough (see this impl).
        self.done(unsafe { (self.table.retain)(&raw mut raw, device) }, "open it")?;
        let context = Context { raw, device };
        self.enter(&context).inspect_err(|_| self.close(&context))?;
        Ok(context)
    }

    pub(in super::super) fn close(&self, context: &Context) {
        // Nobody is left who could ask.
        // SAFETY: handles are live, memory is long enough (see this impl).
        let _ = unsafe { (self.table.release)(context.device) };
    }

    /// Makes a context current in this thread, which may be another than the one that opened it.
    pub(in super::super) fn enter(&self, context: &Context) -> Result<(), CudaError> {
        // SAFETY: handles are live, memory is long enough (see this impl).
        self.done(unsafe { (self.table.set_current)(context.raw) }, "make it current")
    }

    pub(in super::super) fn name(&self, context: &Context) -> Result<String, CudaError> {
        let mut text = [0; 256];
        // SAFETY: it writes at most so many signs, the last a zero.
        let status = unsafe { (self.table.name)(text.as_mut_ptr().cast(), 256, context.device) };
        self.done(status, "say its name")?;
        let text = CStr::from_bytes_until_nul(&text).unwrap_or_default();
        Ok(text.to_string_lossy().into_owned())
    }

    pub(in super::super) fn attribute(
        &self,
        context: &Context,
        which: Attribute,
    ) -> Result<i32, CudaError> {
        let mut value = 0;
        // SAFETY: handles are live, memory is long enough (see this impl).
        let status =
            unsafe { (self.table.attribute)(&raw mut value, which as c_int, context.device) };
        self.done(status, "say what it is")?;
        Ok(value)
    }

    /// Bytes that are free in the current context, and all that the GPU has.
    pub(in super::super) fn memory(&self) -> Result<(usize, usize), CudaError> {
        let (mut free, mut all) = (0, 0);
        // SAFETY: handles are live, memory is long enough (see this impl).
        let status = unsafe { (self.table.memory)(&raw mut free, &raw mut all) };
        self.done(status, "say how much memory is free")?;
        Ok((free, all))
    }

    pub(in super::super) fn alloc(&self, bytes: usize) -> Result<Address, CudaError> {
        let mut address = 0;
        // SAFETY: handles are live, memory is long enough (see this impl).
        self.done(unsafe { (self.table.alloc)(&raw mut address, bytes) }, "give memory")?;
        Ok(Address(address))
    }

    pub(in super::super) fn free(&self, address: Address) {
        // Nobody is left who could ask.
        // SAFETY: handles are live, memory is long enough (see this impl).
        let _ = unsafe { (self.table.free)(address.0) };
    }

    pub(in super::super) fn write(&self, to: Address, from: &[u8]) -> Result<(), CudaError> {
        // SAFETY: the caller's memory is as long, and done with when the call returns.
        let status = unsafe { (self.table.write)(to.0, from.as_ptr().cast(), from.len()) };
        self.done(status, "take data")
    }

    pub(in super::super) fn read(&self, to: &mut [u8], from: Address) -> Result<(), CudaError> {
        // SAFETY: as above.
        let status = unsafe { (self.table.read)(to.as_mut_ptr().cast(), from.0, to.len()) };
        self.done(status, "give data back")
    }

    pub(in super::super) fn copy(
        &self,
        to: Address,
        from: Address,
        bytes: usize,
    ) -> Result<(), CudaError> {
        // SAFETY: handles are live, memory is long enough (see this impl).
        let status = unsafe { (self.table.copy)(to.0, from.0, bytes, ptr::null_mut()) };
        self.done(status, "copy")
    }

    pub(in super::super) fn set(
        &self,
        to: Address,
        byte: u8,
        bytes: usize,
    ) -> Result<(), CudaError> {
        // SAFETY: handles are live, memory is long enough (see this impl).
        self.done(unsafe { (self.table.set)(to.0, byte, bytes) }, "set memory")
    }

    pub(in super::super) fn event(&self) -> Result<Event, CudaError> {
        let mut raw = ptr::null_mut();
        // SAFETY: handles are live, memory is long enough (see this impl).
        self.done(unsafe { (self.table.event_create)(&raw mut raw, 0) }, "make an event")?;
        Ok(Event(raw))
    }

    pub(in super::super) fn record(&self, event: &Event) -> Result<(), CudaError> {
        // SAFETY: handles are live, memory is long enough (see this impl).
        let status = unsafe { (self.table.event_record)(event.0, ptr::null_mut()) };
        self.done(status, "record an event")
    }

    /// Waits until all work before it is done.
    pub(in super::super) fn wait(&self, event: &Event) -> Result<(), CudaError> {
        // SAFETY: handles are live, memory is long enough (see this impl).
        self.done(unsafe { (self.table.event_wait)(event.0) }, "finish its work")
    }

    /// Milliseconds between two that are done.
    pub(in super::super) fn elapsed(&self, begin: &Event, end: &Event) -> Result<f32, CudaError> {
        let mut milliseconds = 0.0;
        // SAFETY: handles are live, memory is long enough (see this impl).
        let status = unsafe { (self.table.event_elapsed)(&raw mut milliseconds, begin.0, end.0) };
        self.done(status, "tell the time")?;
        Ok(milliseconds)
    }

    pub(in super::super) fn forget(&self, event: &Event) {
        // Nobody is left who could ask.
        // SAFETY: handles are live, memory is long enough (see this impl).
        let _ = unsafe { (self.table.event_destroy)(event.0) };
    }

    /// Loads what NVRTC gave: a GPU's own instructions, or PTX, which the driver translates for it.
    pub(in super::super) fn load(&self, image: &[u8]) -> Result<Module, CudaError> {
        let mut raw = ptr::null_mut();
        // SAFETY: instructions tell their own size, and PTX has a zero at its end.
        let status = unsafe { (self.table.load)(&raw mut raw, image.as_ptr().cast()) };
        self.done(status, "load derate's kernels")?;
        Ok(Module(raw))
    }

    pub(in super::super) fn unload(&self, module: &Module) {
        // Nobody is left who could ask.
        // SAFETY: handles are live, memory is long enough (see this impl).
        let _ = unsafe { (self.table.unload)(module.0) };
    }

    pub(in super::super) fn function(
        &self,
        module: &Module,
        name: &CStr,
    ) -> Result<Function, CudaError> {
        let mut raw = ptr::null_mut();
        // SAFETY: handles are live, memory is long enough (see this impl).
        let status = unsafe { (self.table.function)(&raw mut raw, module.0, name.as_ptr()) };
        self.done(status, "find a kernel of derate's")?;
        Ok(Function(raw))
    }

    /// Puts a kernel into the device's order of work, so many blocks of so many threads; its arguments are those of its source.
    pub(in super::super) fn launch(
        &self,
        function: Function,
        [blocks, threads]: [u32; 2],
        arguments: &[Argument],
    ) -> Result<(), CudaError> {
        let mut places: Vec<*mut c_void> = arguments.iter().map(Argument::place).collect();
        // SAFETY: each place holds a value of the argument's size, and is read before the call returns.
        let status = unsafe {
            (self.table.launch)(
                function.0,
                blocks,
                1,
                1,
                threads,
                1,
                1,
                0,
                ptr::null_mut(),
                places.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        self.done(status, "start a kernel")
    }
}

impl Argument {
    /// The address of its value; the driver only reads it.
    fn place(&self) -> *mut c_void {
        match self {
            Self::Address(address) => (&raw const address.0).cast_mut().cast(),
            Self::Count(count) => ptr::from_ref(count).cast_mut().cast(),
            Self::Whole(number) => ptr::from_ref(number).cast_mut().cast(),
            Self::Single(number) => ptr::from_ref(number).cast_mut().cast(),
        }
    }
}
