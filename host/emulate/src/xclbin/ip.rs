//! `IP_LAYOUT`: the compute units and their addresses.

use std::fmt;

use super::bytes::{field_of, split_records, text_in, u32_at, u64_at};

/// Bytes in front of the first unit, and of one unit.
const FIRST: usize = 8;
const RECORD: usize = 80;
/// The type of a kernel's unit.
const KERNEL: u32 = 1;

/// How a unit is started, and how it says that it is done.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Control(pub u8);

impl Control {
    /// `ap_ctrl_hs`: start, done.
    pub const HS: Self = Self(0);
    /// `ap_ctrl_chain`: start, done, continue.
    pub const CHAIN: Self = Self(1);
    /// `ap_ctrl_none`: it always runs.
    pub const NONE: Self = Self(2);

    /// The protocol that an interface pragma names.
    pub fn named(name: &str) -> Option<Self> {
        let known = [Self::HS, Self::CHAIN, Self::NONE];
        known.into_iter().find(|one| one.to_string().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("ap_ctrl_hs"),
            1 => f.pad("ap_ctrl_chain"),
            2 => f.pad("ap_ctrl_none"),
            3 => f.pad("ap_ctrl_me"),
            4 => f.pad("accelerator adapter"),
            5 => f.pad("fast adapter"),
            other => f.pad(&format!("control {other}")),
        }
    }
}

/// One entry: a kernel's compute unit, or a block of the platform.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Ip {
    /// `gemm:gemm_1` for a compute unit.
    pub name: String,
    /// The type's number; 1 is a kernel.
    pub kind: u32,
    /// Interrupts and control, as in the file.
    pub properties: u32,
    /// Where its registers are.
    pub base: u64,
}

impl Ip {
    /// A kernel's compute unit, with interrupts.
    pub fn unit(name: String, base: u64, interrupt: u8, control: Control) -> Self {
        let properties = 1 | u32::from(interrupt & 0x7f) << 1 | u32::from(control.0) << 8;
        Self { name, kind: KERNEL, properties, base }
    }

    /// Whether it is a kernel's compute unit.
    pub fn is_kernel(&self) -> bool {
        self.kind == KERNEL
    }

    /// How it is started.
    pub fn control(&self) -> Control {
        let [_, control, _, _] = self.properties.to_le_bytes();
        Control(control)
    }
}

/// The units, and whether the section ends before the last of them.
pub(super) fn read_ips(data: &[u8]) -> (Vec<Ip>, bool) {
    let count = u32_at(data, 0).map_or(0, u64::from);
    let (records, cut) = split_records(data, count, FIRST, RECORD);
    let ip = |record: &[u8]| {
        let (kind, properties) = (u32_at(record, 0)?, u32_at(record, 4)?);
        Some(Ip { name: text_in(record.get(16..80)?), kind, properties, base: u64_at(record, 8)? })
    };
    (records.filter_map(ip).collect(), cut)
}

/// The section; `None` where a name has more than 63 bytes.
pub(super) fn write_ips(ips: &[Ip]) -> Option<Vec<u8>> {
    let mut data = Vec::new();
    data.extend(u32::try_from(ips.len()).ok()?.to_le_bytes());
    data.extend([0; 4]);
    for ip in ips {
        data.extend(ip.kind.to_le_bytes());
        data.extend(ip.properties.to_le_bytes());
        data.extend(ip.base.to_le_bytes());
        data.extend(field_of::<64>(&ip.name)?);
    }
    Some(data)
}
