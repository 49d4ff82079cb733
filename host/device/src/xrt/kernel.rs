use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::open::Open;
use super::sys::Handle;
use super::{XrtBuffer, XrtError};

/// The run is done.
const COMPLETED: u32 = 4;
/// It will not go on: done, or ended by an error or an abort.
const OVER: [u32; 3] = [COMPLETED, 5, 6];
/// What a run that nobody waited for is given before its buffers are kept for good.
const PATIENCE: Duration = Duration::from_secs(10);

/// A kernel of the loaded design, on all its compute units or on one.
#[derive(Clone, Debug)]
pub struct XrtKernel {
    shared: Arc<Opened>,
}

#[derive(Debug)]
struct Opened {
    handle: Handle,
    name: String,
    device: Arc<Open>,
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.device.keep_failure(self.device.api.close_kernel(&self.handle), "close a kernel");
    }
}

impl XrtKernel {
    pub(super) fn new(device: Arc<Open>, handle: Handle, name: &str) -> Self {
        Self { shared: Arc::new(Opened { handle, name: name.to_owned(), device }) }
    }

    /// The bank or group of banks that an argument's buffer has to be in.
    pub fn group(&self, argument: u32) -> Result<u32, XrtError> {
        let index = i32::try_from(argument).unwrap_or(i32::MAX);
        let group = self.shared.device.api.group(&self.shared.handle, index);
        let name = &self.shared.name;
        u32::try_from(group).map_err(|_| {
            XrtError::Call(format!("tell the bank of argument {argument} of kernel {name}"))
        })
    }

    /// A run, to be given its arguments and started any number of times.
    pub fn run(&self) -> Result<XrtRun, XrtError> {
        let run = self.shared.device.api.run(&self.shared.handle);
        let name = &self.shared.name;
        let handle = run.ok_or_else(|| XrtError::Call(format!("make a run of kernel {name}")))?;
        Ok(XrtRun { handle, running: false, buffers: BTreeMap::new(), kernel: self.clone() })
    }
}

/// A run of a kernel. It keeps the buffers that it was given, so that none is freed in use: a card writes where it was started
/// to, whoever has that memory by then. Dropping a run that was started waits for it; where it does not end, and XRT has no
/// call in C that stops it, its buffers stay until this process ends.
#[derive(Debug)]
pub struct XrtRun {
    handle: Handle,
    /// It was started, and nobody has seen it end.
    running: bool,
    buffers: BTreeMap<u32, XrtBuffer>,
    kernel: XrtKernel,
}

impl Drop for XrtRun {
    fn drop(&mut self) {
        let device = &self.kernel.shared.device;
        if self.running && !OVER.contains(&self.state_after(PATIENCE)) {
            device.keep_failure(false, "end a run: its buffers are kept");
            std::mem::forget(std::mem::take(&mut self.buffers));
            // And what they need.
            std::mem::forget(self.kernel.clone());
            return;
        }
        device.keep_failure(device.api.close_run(&self.handle), "close a run");
    }
}

impl XrtRun {
    fn set(&self, done: bool, argument: u32) -> Result<(), XrtError> {
        let name = &self.kernel.shared.name;
        let call = || XrtError::Call(format!("set argument {argument} of kernel {name}"));
        done.then_some(()).ok_or_else(call)
    }

    /// Gives a buffer.
    pub fn set_buffer(&mut self, argument: u32, buffer: &XrtBuffer) -> Result<(), XrtError> {
        let index = i32::try_from(argument).unwrap_or(i32::MAX);
        let api = self.kernel.shared.device.api;
        self.set(api.set_buffer(&self.handle, index, buffer.handle()), argument)?;
        self.buffers.insert(argument, buffer.clone());
        Ok(())
    }

    /// Gives a value: its bytes, as the kernel's register takes them.
    pub fn set_value(&mut self, argument: u32, value: &[u8]) -> Result<(), XrtError> {
        let index = i32::try_from(argument).unwrap_or(i32::MAX);
        let done = self.kernel.shared.device.api.set_value(&self.handle, index, value);
        let missing = || XrtError::Symbol {
            library: super::library::LIBRARY.to_owned(),
            symbol: "xrtRunSetArgV",
        };
        self.set(done.ok_or_else(missing)?, argument)
    }

    /// Starts it.
    pub fn start(&mut self) -> Result<(), XrtError> {
        let name = &self.kernel.shared.name;
        // Even where XRT says that it could not, the card may have it.
        self.running = true;
        let done = self.kernel.shared.device.api.start(&self.handle);
        done.then_some(()).ok_or_else(|| XrtError::Call(format!("start kernel {name}")))
    }

    fn state_after(&self, longest: Duration) -> u32 {
        // Zero waits for ever.
        let milliseconds = u32::try_from(longest.as_millis()).unwrap_or(u32::MAX).max(1);
        self.kernel.shared.device.api.wait(&self.handle, milliseconds)
    }

    /// Waits until it is done. Software emulation waits without regard for `longest`.
    pub fn wait(&mut self, longest: Duration) -> Result<(), XrtError> {
        let state = self.state_after(longest);
        self.running = !OVER.contains(&state);
        if state == COMPLETED {
            return Ok(());
        }
        Err(XrtError::State {
            kernel: self.kernel.shared.name.clone(),
            state,
            meaning: explain_state(state),
            seconds: longest.as_secs(),
        })
    }
}

fn explain_state(state: u32) -> &'static str {
    match state {
        1 => "new",
        2 => "queued",
        3 => "running",
        5 => "error",
        6 => "aborted",
        7 => "submitted",
        8 => "timed out",
        9 => "no response",
        _ => "unknown",
    }
}
