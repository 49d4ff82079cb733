use std::fmt;

/// What a section holds. Kinds that derate has no name for are kept by their number.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct SectionKind(pub u32);

/// The kinds of XRT, from zero on.
const NAMES: [&str; 32] = [
    "BITSTREAM",
    "CLEARING_BITSTREAM",
    "EMBEDDED_METADATA",
    "FIRMWARE",
    "DEBUG_DATA",
    "SCHED_FIRMWARE",
    "MEM_TOPOLOGY",
    "CONNECTIVITY",
    "IP_LAYOUT",
    "DEBUG_IP_LAYOUT",
    "DESIGN_CHECK_POINT",
    "CLOCK_FREQ_TOPOLOGY",
    "MCS",
    "BMC",
    "BUILD_METADATA",
    "KEYVALUE_METADATA",
    "USER_METADATA",
    "DNA_CERTIFICATE",
    "PDI",
    "BITSTREAM_PARTIAL_PDI",
    "PARTITION_METADATA",
    "EMULATION_DATA",
    "SYSTEM_METADATA",
    "SOFT_KERNEL",
    "ASK_FLASH",
    "AIE_METADATA",
    "GROUP_TOPOLOGY",
    "GROUP_CONNECTIVITY",
    "SMARTNIC",
    "AIE_RESOURCES",
    "OVERLAY",
    "VENDER_METADATA",
];

impl SectionKind {
    /// What the device is configured with; under software emulation, anything.
    pub const BITSTREAM: Self = Self(0);
    /// Kernels, arguments and compute units as XML.
    pub const EMBEDDED_METADATA: Self = Self(2);
    /// The memory banks.
    pub const MEM_TOPOLOGY: Self = Self(6);
    /// Which argument reaches which bank.
    pub const CONNECTIVITY: Self = Self(7);
    /// The compute units and their addresses.
    pub const IP_LAYOUT: Self = Self(8);
    /// The clocks.
    pub const CLOCK_FREQ_TOPOLOGY: Self = Self(11);
    /// How it was built, as JSON.
    pub const BUILD_METADATA: Self = Self(14);
    /// The memory banks and groups of them.
    pub const GROUP_TOPOLOGY: Self = Self(26);
    /// Which argument reaches which bank or group.
    pub const GROUP_CONNECTIVITY: Self = Self(27);
}

impl fmt::Display for SectionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = usize::try_from(self.0).ok().and_then(|kind| NAMES.get(kind));
        match known {
            Some(name) => f.pad(name),
            None => f.pad(&format!("kind {}", self.0)),
        }
    }
}
