//! A device of XRT with a design, as benches see it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use derate_model::Platform;

use super::preflight::version;
use super::{Buffer, Device, Environment, Kernel, Mode, Run, XrtError, XrtName};
use crate::device::{self, Argument, DeviceError, Launch, Ran};
use crate::emulator::{Bases, banks};
use crate::swemu::counts::Counts;
use crate::xclbin::{ArgumentKind, Design, Uuid, Xclbin};

/// A run of a bench takes seconds at most; a card that hangs is told after this.
const LONGEST: Duration = Duration::from_secs(300);

/// A device that has loaded a design.
#[derive(Debug)]
pub struct Card {
    device: Device,
    design: Design,
    platform: String,
    uuid: Uuid,
    /// The banks of the platform, by their positions in the design; none where it lacks one.
    banks: Vec<Option<u32>>,
    /// What derate's own device counts, where software emulation may have it.
    counts: Option<Counts>,
}

impl Card {
    /// Opens a device and loads a design; `path` is the file that `bytes` were read from.
    pub fn open(
        name: XrtName,
        path: &Path,
        bytes: &[u8],
        platform: &Platform,
    ) -> Result<Self, XrtError> {
        let setup = |error: &dyn std::fmt::Display| XrtError::Setup(error.to_string());
        let xclbin = Xclbin::read(&path.display().to_string(), bytes).map_err(|e| setup(&e))?;
        let design = Design::of(&xclbin);
        let known = banks(platform, Bases::Card).map_err(|error| setup(&error))?;
        let position = |tag: &str| {
            let mut tags = (0_u32..).zip(&design.banks);
            tags.find(|(_, bank)| bank.tag == tag).map(|(position, _)| position)
        };
        let banks = known.iter().map(|bank| position(&bank.name)).collect();
        let device = Device::open(name)?;
        let counts = (device.mode() == Mode::SwEmu).then(Counts::new);
        let counts = counts.transpose().map_err(|error| setup(&error))?;
        device.load(path)?;
        let (platform, uuid) = (xclbin.header.platform(), xclbin.header.uuid);
        Ok(Self { device, design, platform, uuid, banks, counts })
    }

    /// Whether it is a card, or which emulation.
    pub fn mode(&self) -> Mode {
        self.device.mode()
    }

    /// The shell that the design is for.
    pub fn shell(&self) -> &str {
        &self.platform
    }

    /// The version of XRT, where its library's name has it.
    pub fn version(&self) -> Option<String> {
        version(&Environment::current())
    }

    /// The design's own mark.
    pub fn uuid(&self) -> Uuid {
        self.uuid
    }

    /// MHz of the kernels, as the design says it reached them; else as it was asked for.
    pub fn megahertz(&self) -> Option<f64> {
        let reached = self.design.clocks.iter().find(|clock| clock.kind == "data");
        let asked = self.design.kernel_clock.as_ref();
        let asked = asked.and_then(|text| text.trim_end_matches("MHz").trim().parse().ok());
        reached.map(|clock| f64::from(clock.megahertz)).or(asked)
    }

    /// How many compute units of a kernel there are, named as v++ names them.
    pub fn units(&self, kernel: &str) -> usize {
        let named = |index: usize| {
            let full = format!("{kernel}:{kernel}_{index}");
            self.design.ips.iter().any(|ip| ip.name == full)
        };
        (1..=self.design.ips.len()).take_while(|&index| named(index)).count()
    }

    /// The banks of the platform, counted from 0, that a unit's buffers are connected to: those of its first `buffers`
    /// arguments, the first bank of each.
    pub fn connected(&self, kernel: &str, unit: usize, buffers: usize) -> Vec<usize> {
        let full = format!("{kernel}:{kernel}_{unit}");
        let at = (0_u32..).zip(&self.design.ips).find(|(_, ip)| ip.name == full);
        let Some((ip, _)) = at else { return Vec::new() };
        let mut first: BTreeMap<u32, u32> = BTreeMap::new();
        for one in self.design.connections.iter().filter(|one| one.ip == ip) {
            first.entry(one.argument).or_insert(one.bank);
        }
        let places = first.into_values().take(buffers);
        places.filter_map(|bank| self.banks.iter().position(|known| *known == Some(bank))).collect()
    }

    fn kernel(&self, unit: &str) -> Result<(Kernel, &[crate::xclbin::Argument]), DeviceError> {
        let mut kernels = self.design.kernels.iter();
        let known = kernels.find(|one| one.instances.iter().any(|own| own.name == unit));
        let known = known
            .ok_or_else(|| DeviceError::Launch(format!("the design has no compute unit {unit}")))?;
        let kernel = self.device.kernel(&format!("{}:{{{unit}}}", known.name))?;
        Ok((kernel, &known.arguments))
    }

    fn prepare(&self, launch: &Launch<'_, Buffer>) -> Result<Run, DeviceError> {
        let (kernel, arguments) = self.kernel(launch.unit)?;
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

impl device::Device for Card {
    type Buffer = Buffer;

    fn allocate(&self, bank: usize, bytes: u64) -> Result<Buffer, DeviceError> {
        let group = self.banks.get(bank).copied().flatten();
        let group = group.ok_or_else(|| {
            DeviceError::Launch(format!("the design has no bank {bank} of the platform"))
        })?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        Ok(self.device.alloc(bytes, group)?)
    }

    fn write(&self, buffer: &Buffer, offset: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        Ok(buffer.write(bytes, usize::try_from(offset).unwrap_or(usize::MAX))?)
    }

    fn read(&self, buffer: &Buffer, offset: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        Ok(buffer.read(bytes, usize::try_from(offset).unwrap_or(usize::MAX))?)
    }

    fn run(&self, launches: &[Launch<'_, Buffer>]) -> Result<Ran, DeviceError> {
        let runs = launches.iter().map(|launch| self.prepare(launch));
        let mut runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
        let begin = Instant::now();
        for run in &mut runs {
            run.start()?;
        }
        for run in &mut runs {
            run.wait(LONGEST)?;
        }
        let wall = begin.elapsed();
        let counted = self.counts.as_ref().map(Counts::take).transpose().map_err(|error| {
            DeviceError::Launch(format!("what the device counted cannot be read: {error}"))
        })?;
        Ok(Ran { wall, modelled: None, counted: counted.unwrap_or_default() })
    }
}
