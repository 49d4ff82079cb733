use serde::{Deserialize, Serialize};

/// What a kernel ran on.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceKind {
    /// A card, through XRT.
    Card,
    /// A processor and its own memory.
    Cpu,
    /// A GPU and its own memory.
    Gpu,
    /// derate's emulator: its times are modelled.
    Emulator,
    /// XRT's noop shim: every call succeeds and nothing is done. derate refuses to run on it; measurements of others may say
    /// that they did, and are judged by it.
    Noop,
    /// XRT's software emulation.
    SwEmu,
    /// XRT's hardware emulation: a simulation of the logic with a model of the memory.
    HwEmu,
}

impl DeviceKind {
    /// Whether it is a machine with its own memory, of which nobody records ports, channels and clocks.
    pub(super) fn is_machine(self) -> bool {
        matches!(self, Self::Cpu | Self::Gpu)
    }

    /// For sentences: `a card`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Card => "a card",
            Self::Cpu => "a processor",
            Self::Gpu => "a GPU",
            Self::Emulator => "the emulator",
            Self::Noop => "XRT's noop shim, which does nothing",
            Self::SwEmu => "XRT's software emulation",
            Self::HwEmu => "XRT's hardware emulation",
        }
    }
}

/// What derate's emulator calls itself; the name of the card follows.
pub const EMULATOR_NAME: &str = "derate's emulator";

/// Where a kernel ran.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredDevice {
    /// What kind of device that is.
    pub kind: DeviceKind,
    /// What it calls itself: `xilinx_u280_gen3x16_xdma_base_1`, a processor's model name.
    pub name: String,
    /// Its name in the catalogue, such as `u280`; none for what is not a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
}
