//! The fixed part in front of the sections.

use std::fmt;

use super::bytes::{array_at, field_of, text_in, u32_at, u64_at};

/// Bytes before the table of sections.
pub const BYTES: usize = 456;
/// How every xclbin begins.
pub(super) const MAGIC: &[u8; 8] = b"xclbin2\0";

/// What the design is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DesignMode(pub u16);

impl DesignMode {
    /// Software emulation.
    pub const SW_EMU: Self = Self(5);

    /// Whether a simulator comes with it.
    pub fn is_hardware_emulation(self) -> bool {
        matches!(self.0, 4 | 6)
    }

    /// Whether it is for no card.
    pub fn is_emulation(self) -> bool {
        self == Self::SW_EMU || self.is_hardware_emulation()
    }
}

impl fmt::Display for DesignMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("flat"),
            1 => f.pad("partial reconfiguration"),
            2 => f.pad("tandem stage 2"),
            3 => f.pad("tandem stage 2 with partial reconfiguration"),
            4 | 6 => f.pad("hardware emulation"),
            5 => f.pad("software emulation"),
            other => f.pad(&format!("unknown mode {other}")),
        }
    }
}

/// Sixteen bytes that tell one design from another.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Uuid(pub [u8; 16]);

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// The header of the file and the header within it, but for the number of sections.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Header {
    /// Bytes of the signature behind the sections; -1 for none.
    pub signature_length: i32,
    reserved: [u8; 28],
    key_block: [u8; 256],
    /// A number that the tools give.
    pub unique_id: u64,
    /// What the file says of its own length, in bytes.
    pub length: u64,
    /// When it was linked, in seconds since 1970.
    pub timestamp: u64,
    /// The time stamp of the platform.
    pub feature_rom_timestamp: u64,
    /// The tool's version: major, minor, patch.
    pub version: (u8, u8, u16),
    /// What it is for.
    pub mode: DesignMode,
    /// What the driver shall do with it.
    pub action_mask: u16,
    /// The interface of the platform that it was linked for.
    pub interface: Uuid,
    platform: [u8; 64],
    /// This design.
    pub uuid: Uuid,
    debug_bin: [u8; 16],
    padding: [u8; 4],
}

impl Header {
    /// A header for a platform, such as `xilinx_u280_gen3x16_xdma_1_202211_1`. `None` for a name of 64 bytes or more.
    pub fn new(mode: DesignMode, platform: &str) -> Option<Self> {
        Some(Self {
            signature_length: -1,
            reserved: [0xff; 28],
            key_block: [0; 256],
            unique_id: 0,
            length: 0,
            timestamp: 0,
            feature_rom_timestamp: 0,
            version: (2, 13, 0),
            mode,
            action_mask: 0,
            interface: Uuid::default(),
            platform: field_of(platform)?,
            uuid: Uuid::default(),
            debug_bin: [0; 16],
            padding: [0; 4],
        })
    }

    /// The platform's name: vendor, board, name, version.
    pub fn platform(&self) -> String {
        text_in(&self.platform)
    }

    /// The header and the number of sections; `None` where the bytes end before it does.
    pub(super) fn read(bytes: &[u8]) -> Option<(Self, u32)> {
        let header = Self {
            signature_length: i32::from_le_bytes(array_at(bytes, 8)?),
            reserved: array_at(bytes, 12)?,
            key_block: array_at(bytes, 40)?,
            unique_id: u64_at(bytes, 296)?,
            length: u64_at(bytes, 304)?,
            timestamp: u64_at(bytes, 312)?,
            feature_rom_timestamp: u64_at(bytes, 320)?,
            version: (
                *bytes.get(330)?,
                *bytes.get(331)?,
                u16::from_le_bytes(array_at(bytes, 328)?),
            ),
            mode: DesignMode(u16::from_le_bytes(array_at(bytes, 332)?)),
            action_mask: u16::from_le_bytes(array_at(bytes, 334)?),
            interface: Uuid(array_at(bytes, 336)?),
            platform: array_at(bytes, 352)?,
            uuid: Uuid(array_at(bytes, 416)?),
            debug_bin: array_at(bytes, 432)?,
            padding: array_at(bytes, 452)?,
        };
        Some((header, u32_at(bytes, 448)?))
    }

    pub(super) fn write(&self, sections: u32) -> Vec<u8> {
        let (major, minor, patch) = self.version;
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend_from_slice(MAGIC);
        bytes.extend(self.signature_length.to_le_bytes());
        bytes.extend(self.reserved);
        bytes.extend(self.key_block);
        bytes.extend(self.unique_id.to_le_bytes());
        bytes.extend(self.length.to_le_bytes());
        bytes.extend(self.timestamp.to_le_bytes());
        bytes.extend(self.feature_rom_timestamp.to_le_bytes());
        bytes.extend(patch.to_le_bytes());
        bytes.extend([major, minor]);
        bytes.extend(self.mode.0.to_le_bytes());
        bytes.extend(self.action_mask.to_le_bytes());
        bytes.extend(self.interface.0);
        bytes.extend(self.platform);
        bytes.extend(self.uuid.0);
        bytes.extend(self.debug_bin);
        bytes.extend(sections.to_le_bytes());
        bytes.extend(self.padding);
        bytes
    }
}
