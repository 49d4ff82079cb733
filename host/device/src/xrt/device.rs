use std::ffi::CString;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::library::find_loaded;
use super::open::Open;
use super::preflight::is_shown;
use super::sys::Api;
use super::{Environment, RunMode, XrtBuffer, XrtError, XrtKernel, XrtName, check_environment};

/// An open device with the design that was loaded last. Buffers, kernels and runs keep it open.
#[derive(Clone, Debug)]
pub struct XrtDevice {
    shared: Arc<Open>,
    mode: RunMode,
}

/// XRT is loaded once and stays.
fn load_api() -> Result<&'static Api, XrtError> {
    static API: OnceLock<Result<Api, XrtError>> = OnceLock::new();
    API.get_or_init(Api::load).as_ref().map_err(Clone::clone)
}

/// Whether XRT is installed: what else it needs may be missing.
pub fn check_installed() -> Result<(), XrtError> {
    load_api().map(|_| ())
}

/// What XRT would run on: it is installed, and everything was checked that it would end the process for.
pub fn check_ready() -> Result<RunMode, XrtError> {
    load_api()?;
    check_environment(&Environment::current(), find_loaded().as_deref())
}

impl XrtDevice {
    /// Opens a device where XRT is [`check_ready`].
    pub fn open(name: XrtName) -> Result<Self, XrtError> {
        let mode = check_ready()?;
        let api = load_api()?;
        if mode == RunMode::SwEmu {
            is_shown(&Environment::current(), name)?;
        }
        let handle = api.open(name.0).ok_or(XrtError::NoDevice { index: name.0 })?;
        Ok(Self { shared: Arc::new(Open::new(api, handle)), mode })
    }

    /// Whether it is a card, or which emulation.
    pub fn mode(&self) -> RunMode {
        self.mode
    }

    /// Loads a design; the one before is gone.
    pub fn load(&self, xclbin: &Path) -> Result<(), XrtError> {
        let shown = xclbin.display();
        let path = CString::new(xclbin.as_os_str().as_encoded_bytes());
        let path =
            path.map_err(|_| XrtError::Call(format!("load {shown}: its name has a zero byte")))?;
        let done = self.shared.api.load_design(&self.shared.handle, &path);
        done.then_some(()).ok_or_else(|| XrtError::Call(format!("load {shown}")))
    }

    /// A kernel of the design: `gemm`, or `gemm:{gemm_1}` for one compute unit.
    pub fn kernel(&self, name: &str) -> Result<XrtKernel, XrtError> {
        let fail = || XrtError::Call(format!("open kernel {name}"));
        let Open { api, handle, .. } = self.shared.as_ref();
        let uuid = api.uuid(handle).ok_or_else(fail)?;
        let text = CString::new(name).map_err(|_| fail())?;
        let kernel = api.kernel(handle, &uuid, &text).ok_or_else(fail)?;
        Ok(XrtKernel::new(Arc::clone(&self.shared), kernel, name))
    }

    /// Memory of the device, in the bank or group of banks that [`XrtKernel::group`] names.
    pub fn alloc(&self, bytes: usize, group: u32) -> Result<XrtBuffer, XrtError> {
        let Open { api, handle, .. } = self.shared.as_ref();
        let buffer = api.alloc(handle, bytes, group);
        let buffer = buffer
            .ok_or_else(|| XrtError::Call(format!("allocate {bytes} bytes in group {group}")))?;
        Ok(XrtBuffer::new(Arc::clone(&self.shared), buffer, bytes))
    }

    /// What could not be closed so far.
    pub fn failures(&self) -> Vec<String> {
        self.shared.failures()
    }
}
