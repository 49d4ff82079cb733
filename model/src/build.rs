//! What the tools were told and what they printed: v++ configuration and reports.

use crate::Figure;
use crate::units::Hertz;
use derate_hls::{Connectivity, FileId, Report, Sources, Unparsed, read_connectivity, read_report};

/// The build as its files show it; empty where the project names none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Build {
    /// The reports, in the order given.
    pub reports: Vec<Report>,
    /// The v++ configuration, and its file.
    pub connectivity: Option<(FileId, Connectivity)>,
}

impl Build {
    /// Reads the files; the error is a sentence that names the file.
    pub fn read(
        sources: &Sources,
        reports: &[FileId],
        connectivity: Option<FileId>,
    ) -> Result<Self, String> {
        let connectivity = match connectivity {
            Some(file) => {
                Some((file, read_connectivity(sources, file).map_err(|error| error.to_string())?))
            }
            None => None,
        };
        let reports = reports
            .iter()
            .map(|&file| read_report(sources, file).map_err(|error| error.to_string()));
        Ok(Self { reports: reports.collect::<Result<_, _>>()?, connectivity })
    }

    /// The kernel clock that the bitstream reached, as `xclbin.info` says.
    pub fn achieved_clock(&self) -> Option<Figure<Hertz>> {
        None
    }

    /// What could not be read, per file in the order of the files.
    pub fn unread(&self) -> impl Iterator<Item = &[Unparsed]> {
        let reports = self.reports.iter().map(|report| report.unread.as_slice());
        reports
            .chain(self.connectivity.iter().map(|(_, connectivity)| connectivity.unread.as_slice()))
    }
}
