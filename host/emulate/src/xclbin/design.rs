//! What the sections say together.

use super::payload::{CodeError, code};
use super::{Clock, Connection, DesignBank, DesignKernel, Ip, SectionKind, Xclbin};
use super::{clock, connection, ip, memory, metadata};

/// Memories, compute units, kernels and how they are connected.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Design {
    /// The memory banks.
    pub banks: Vec<DesignBank>,
    /// Compute units and blocks of the platform, as `IP_LAYOUT` has them.
    pub ips: Vec<Ip>,
    /// Arguments and their banks.
    pub connections: Vec<Connection>,
    /// The clocks that it reached.
    pub clocks: Vec<Clock>,
    /// The kernels' clock as the metadata write it.
    pub kernel_clock: Option<String>,
    /// The kernels.
    pub kernels: Vec<DesignKernel>,
    /// Bytes of code that `derate emu run` runs, or why there is none.
    pub code: Result<usize, CodeError>,
    /// What the sections leave out or contradict.
    pub problems: Vec<String>,
}

impl Design {
    /// Reads the sections that derate knows.
    pub fn of(xclbin: &Xclbin<'_>) -> Self {
        let mut design = Self {
            banks: Vec::new(),
            ips: Vec::new(),
            connections: Vec::new(),
            clocks: Vec::new(),
            kernel_clock: None,
            kernels: Vec::new(),
            code: Err(CodeError::None),
            problems: Vec::new(),
        };
        let cut = |kind: SectionKind, cut: bool, problems: &mut Vec<String>| {
            if cut {
                problems.push(format!("{kind} ends before its last entry"));
            }
        };
        if let Some(data) = xclbin.section(SectionKind::MEM_TOPOLOGY) {
            let (banks, short) = memory::read(data);
            design.banks = banks;
            cut(SectionKind::MEM_TOPOLOGY, short, &mut design.problems);
        }
        if let Some(data) = xclbin.section(SectionKind::IP_LAYOUT) {
            let (ips, short) = ip::read(data);
            design.ips = ips;
            cut(SectionKind::IP_LAYOUT, short, &mut design.problems);
        }
        if let Some(data) = xclbin.section(SectionKind::CONNECTIVITY) {
            let (connections, short) = connection::read(data);
            design.connections = connections;
            cut(SectionKind::CONNECTIVITY, short, &mut design.problems);
        }
        if let Some(data) = xclbin.section(SectionKind::CLOCK_FREQ_TOPOLOGY) {
            let (clocks, short) = clock::read(data);
            design.clocks = clocks;
            cut(SectionKind::CLOCK_FREQ_TOPOLOGY, short, &mut design.problems);
        }
        if let Some(data) = xclbin.section(SectionKind::EMBEDDED_METADATA) {
            let metadata = metadata::read(data);
            design.kernels = metadata.kernels;
            design.kernel_clock = metadata.clock;
            design.problems.extend(
                metadata.problem.map(|why| format!("{}: {why}", SectionKind::EMBEDDED_METADATA)),
            );
        }
        design.code = xclbin
            .section(SectionKind::BITSTREAM)
            .map_or(Err(CodeError::None), |data| code(data).map(<[u8]>::len));
        if let Err(error @ (CodeError::Damaged(_) | CodeError::Version)) = design.code {
            design.problems.push(format!("{}: {error}", SectionKind::BITSTREAM));
        }
        design.check();
        design
    }

    fn check(&mut self) {
        let dangling = self
            .connections
            .iter()
            .filter(|one| self.ip(one.ip).is_none() || self.bank(one.bank).is_none());
        let count = dangling.count();
        if count > 0 {
            self.problems.push(format!(
                "{}: {count} of {} entries name a compute unit or a bank that is not there",
                SectionKind::CONNECTIVITY,
                self.connections.len()
            ));
        }
    }

    /// The bank at a position.
    pub fn bank(&self, position: u32) -> Option<&DesignBank> {
        self.banks.get(usize::try_from(position).ok()?)
    }

    /// The entry of `IP_LAYOUT` at a position.
    pub fn ip(&self, position: u32) -> Option<&Ip> {
        self.ips.get(usize::try_from(position).ok()?)
    }
}
