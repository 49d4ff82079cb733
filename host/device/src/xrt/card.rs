//! A device of XRT with a design, as benches see it.

use std::path::Path;
use std::time::{Duration, Instant};

use derate_model::Platform;
use derate_model::units::Hertz;

use super::examine::examine_design;
use super::facts;
use super::library::{find_loaded, library_version};
use super::{RunMode, XrtBuffer, XrtDevice, XrtError, XrtKernel, XrtName, XrtRun, check_ready};
use derate_emulate::emulator::{Bases, list_banks};
use derate_emulate::swemu::Counts;
use derate_emulate::xclbin::{ArgumentKind, Design, Uuid, Xclbin};
use derate_emulate::{Argument, Device, DeviceError, Launch, Ran};

/// A run of a bench takes seconds at most; a card that hangs is reported after this.
const LONGEST: Duration = Duration::from_secs(300);

/// A device that has loaded a design.
#[derive(Debug)]
pub struct Card {
    device: XrtDevice,
    design: Design,
    /// The shell that it was linked for; empty where it does not say.
    shell: String,
    uuid: Uuid,
    /// The banks of the platform, by their positions in the design; none where it lacks one.
    banks: Vec<Option<u32>>,
    /// What derate's own device counts, where software emulation may have it.
    counts: Option<Counts>,
}

impl Card {
    /// Opens a device and loads a design; `path` is the file that `bytes` were read from. A design that is damaged or for
    /// another platform does not reach XRT.
    pub fn open(
        name: XrtName,
        path: &Path,
        bytes: &[u8],
        platform: &Platform,
    ) -> Result<Self, XrtError> {
        let setup = |error: &dyn std::fmt::Display| XrtError::Setup(error.to_string());
        let xclbin = Xclbin::read(&path.display().to_string(), bytes).map_err(|e| setup(&e))?;
        let design = Design::of(&xclbin);
        examine_design(&path.display().to_string(), &xclbin, &design, check_ready()?, platform)?;
        let known = list_banks(platform, Bases::Card).map_err(|error| setup(&error))?;
        let position = |tag: &str| {
            let mut tags = (0_u32..).zip(&design.banks);
            tags.find(|(_, bank)| bank.tag == tag).map(|(position, _)| position)
        };
        let banks = known.iter().map(|bank| position(&bank.name)).collect();
        let device = XrtDevice::open(name)?;
        let counts = (device.mode() == RunMode::SwEmu).then(Counts::new);
        let counts = counts.transpose().map_err(|error| setup(&error))?;
        device.load(path)?;
        let (shell, uuid) = (xclbin.header.platform(), xclbin.header.uuid);
        Ok(Self { device, design, shell, uuid, banks, counts })
    }

    /// Whether it is a card, or which emulation.
    pub fn mode(&self) -> RunMode {
        self.device.mode()
    }

    /// The shell that the design was linked for, which is of the platform that it was opened with; `None` where the design
    /// does not say.
    pub fn shell(&self) -> Option<&str> {
        Some(self.shell.as_str()).filter(|shell| !shell.is_empty())
    }

    /// The version of XRT, where the name of its library has it.
    pub fn version(&self) -> Option<String> {
        library_version(&find_loaded()?).map(str::to_owned)
    }

    /// The design's own mark.
    pub fn uuid(&self) -> Uuid {
        self.uuid
    }

    /// The clock that the kernels reached, as the design says it.
    pub fn kernel_clock(&self) -> Option<Hertz> {
        facts::kernel_clock(&self.design)
    }

    /// The clock of a memory's AXI ports, as the design says it: `hbm_aclk` of `HBM`.
    pub fn memory_clock(&self, memory: &str) -> Option<Hertz> {
        facts::memory_clock(&self.design, memory)
    }

    /// Bits of the port of each argument of a kernel, as far as the design says them.
    pub fn port_bits(&self, kernel: &str) -> Vec<Option<u64>> {
        facts::port_bits(&self.design, kernel)
    }

    /// How many compute units of a kernel there are, named as v++ names them.
    pub fn count_units(&self, kernel: &str) -> usize {
        let named = |index: usize| {
            let full = format!("{kernel}:{kernel}_{index}");
            self.design.ips.iter().any(|ip| ip.name == full)
        };
        (1..=self.design.ips.len()).take_while(|&index| named(index)).count()
    }

    /// The banks of the platform, counted from 0, that a unit's first `buffers` arguments are connected to; those that the
    /// platform does not know are left out.
    pub fn connected_banks(&self, unit: &str, buffers: usize) -> Vec<usize> {
        let places =
            (0..buffers).filter_map(|argument| facts::connected_bank(&self.design, unit, argument));
        places.filter_map(|bank| self.banks.iter().position(|known| *known == Some(bank))).collect()
    }

    fn find_kernel(
        &self,
        unit: &str,
    ) -> Result<(XrtKernel, &[derate_emulate::xclbin::DesignArgument]), DeviceError> {
        let mut kernels = self.design.kernels.iter();
        let known = kernels.find(|one| one.instances.iter().any(|own| own.name == unit));
        let known = known
            .ok_or_else(|| DeviceError::Launch(format!("the design has no compute unit {unit}")))?;
        let kernel = self.device.kernel(&format!("{}:{{{unit}}}", known.name))?;
        Ok((kernel, &known.arguments))
    }

    fn prepare_run(&self, launch: &Launch<'_, XrtBuffer>) -> Result<XrtRun, DeviceError> {
        let (kernel, arguments) = self.find_kernel(launch.unit)?;
        let mut run = kernel.run()?;
        for ((place, given), argument) in (0_u32..).zip(&launch.arguments).zip(arguments) {
            match given {
                Argument::Buffer(buffer) => run.set_buffer(place, buffer),
                Argument::Scalar(value) if argument.kind == ArgumentKind::Scalar => {
                    let bytes = value.to_le_bytes();
                    let size = usize::try_from(argument.size).unwrap_or(bytes.len());
                    run.set_value(place, bytes.get(..size).unwrap_or(&bytes))
                }
                Argument::Scalar(_) => {
                    let text = format!("`{}` of {} is a buffer", argument.name, launch.unit);
                    return Err(DeviceError::Launch(text));
                }
            }?;
        }
        Ok(run)
    }
}

impl From<XrtError> for DeviceError {
    fn from(error: XrtError) -> Self {
        Self::Launch(error.to_string())
    }
}

impl Device for Card {
    type Buffer = XrtBuffer;

    fn allocate(&self, bank: usize, bytes: u64) -> Result<XrtBuffer, DeviceError> {
        let group = self.banks.get(bank).copied().flatten();
        let group = group.ok_or_else(|| {
            DeviceError::Launch(format!("the design has no bank {bank} of the platform"))
        })?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        Ok(self.device.alloc(bytes, group)?)
    }

    fn allocate_for(
        &self,
        (unit, argument): (&str, usize),
        _bank: usize,
        bytes: u64,
    ) -> Result<XrtBuffer, DeviceError> {
        let group = facts::connected_bank(&self.design, unit, argument).ok_or_else(|| {
            DeviceError::Launch(format!(
                "the design connects argument {argument} of {unit} to no bank: `derate emu inspect` shows it"
            ))
        })?;
        Ok(self.device.alloc(usize::try_from(bytes).unwrap_or(usize::MAX), group)?)
    }

    fn write(&self, buffer: &XrtBuffer, offset: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        Ok(buffer.write(bytes, usize::try_from(offset).unwrap_or(usize::MAX))?)
    }

    fn read(&self, buffer: &XrtBuffer, offset: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        Ok(buffer.read(bytes, usize::try_from(offset).unwrap_or(usize::MAX))?)
    }

    fn run(&self, launches: &[Launch<'_, XrtBuffer>]) -> Result<Ran, DeviceError> {
        let runs = launches.iter().map(|launch| self.prepare_run(launch));
        let mut runs: Vec<XrtRun> = runs.collect::<Result<_, _>>()?;
        let begin = Instant::now();
        // Whatever fails, dropping the runs waits for those that were started.
        for run in &mut runs {
            run.start()?;
        }
        for run in &mut runs {
            run.wait(LONGEST)?;
        }
        let wall = begin.elapsed();
        let counted = self.counts.as_ref().map(Counts::take_runs).transpose().map_err(|error| {
            DeviceError::Launch(format!("what the device counted cannot be read: {error}"))
        })?;
        Ok(Ran { wall, modelled: None, counted: counted.unwrap_or_default() })
    }
}
