//! What the sections say together.

use super::payload::{CodeError, read_code};
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
        let mut problems = Vec::new();
        let mut design = Self {
            banks: read_table(xclbin, SectionKind::MEM_TOPOLOGY, memory::read_banks, &mut problems),
            ips: read_table(xclbin, SectionKind::IP_LAYOUT, ip::read_ips, &mut problems),
            connections: read_table(
                xclbin,
                SectionKind::CONNECTIVITY,
                connection::read_connections,
                &mut problems,
            ),
            clocks: read_table(
                xclbin,
                SectionKind::CLOCK_FREQ_TOPOLOGY,
                clock::read_clocks,
                &mut problems,
            ),
            kernel_clock: None,
            kernels: Vec::new(),
            code: Err(CodeError::None),
            problems,
        };
        if let Some(data) = xclbin.section(SectionKind::EMBEDDED_METADATA) {
            let metadata = metadata::read_metadata(data);
            design.kernels = metadata.kernels;
            design.kernel_clock = metadata.clock;
            design.problems.extend(
                metadata.problem.map(|why| format!("{}: {why}", SectionKind::EMBEDDED_METADATA)),
            );
        }
        design.code = xclbin.section(SectionKind::BITSTREAM).map_or(Err(CodeError::None), |data| {
            read_code(data).map(|images| images.iter().map(|one| one.len()).sum())
        });
        if let Err(error @ (CodeError::Damaged(_) | CodeError::Version)) = design.code {
            design.problems.push(format!("{}: {error}", SectionKind::BITSTREAM));
        }
        design.check_connections();
        design
    }

    fn check_connections(&mut self) {
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

/// The entries of a section, none where it is missing; one that ends too early is a problem.
fn read_table<T>(
    xclbin: &Xclbin<'_>,
    kind: SectionKind,
    read: fn(&[u8]) -> (Vec<T>, bool),
    problems: &mut Vec<String>,
) -> Vec<T> {
    let Some(data) = xclbin.section(kind) else { return Vec::new() };
    let (entries, is_cut) = read(data);
    if is_cut {
        problems.push(format!("{kind} ends before its last entry"));
    }
    entries
}
