//! What `[[measured]]` names: times of kernels and of the inference.

use std::path::Path;

use derate_estimate::Analysis;
use derate_hls::Sources;
use derate_measure::times::{MeasuredTime, TimesError, read_summary, read_timestamps};
use derate_project::{Claim, MeasuredOrigin, MeasuredSection, Timer};
use derate_units::{Figure, Provenance};

use crate::{LoadError, read_text};

/// The times of each `[[measured]]`, in their order.
pub(crate) fn read_times(
    dir: &Path,
    analysis: &Analysis,
) -> Result<Vec<Vec<MeasuredTime>>, LoadError> {
    let sections = analysis.project.measured.iter();
    sections.map(|section| read_section(dir, &analysis.sources, section)).collect()
}

fn read_section(
    dir: &Path,
    sources: &Sources,
    section: &MeasuredSection,
) -> Result<Vec<MeasuredTime>, LoadError> {
    let read = |path: &Claim<String>,
                reader: fn(&str, &str) -> Result<Vec<MeasuredTime>, TimesError>| {
        let text = read_text(&dir.join(&path.value))
            .map_err(|error| LoadError::at(sources, path, &error))?;
        reader(&path.value, &text).map_err(|error| LoadError::at(sources, path, &error))
    };
    match &section.origin {
        MeasuredOrigin::Summary(path) => read(path, read_summary),
        MeasuredOrigin::Timestamps(path) => read(path, read_timestamps),
        MeasuredOrigin::Stated { time, source, timer } => {
            let usual = if section.kernel.is_some() { Timer::Card } else { Timer::Host };
            Ok(vec![MeasuredTime {
                name: section.kernel.as_ref().map(|name| name.value.clone()),
                time: Figure::new(time.value, Provenance::Measured, source.value.clone()),
                extremes: None,
                count: None,
                timer: timer.as_ref().map_or(usual, |claim| claim.value),
                clock: None,
                memory_stall: None,
            }])
        }
    }
}
