//! The cycles of kernels, as `derate kernel` models them from their sources.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Error, bail};
use derate_host::profile::{CycleModel, NoCycles};
use derate_host::xclbin::DesignSource;
use derate_model::kernel::{
    DEFAULT_TOOL, Directives, Part, Program, Settings, estimate_kernel, find_card_part,
    read_program, uncertainty,
};
use derate_model::load::{self, LoadedKernel};
use derate_model::units::figures::grouped;
use derate_model::units::{Cycles, Hertz};
use derate_model::{Figure, Platform, Provenance};

use super::super::build::load_source;
use crate::args::Preprocess;
use crate::output;

/// A kernel, what it was given, and the bits of its clock.
type Asked = (String, Vec<(String, u64)>, u64);

/// The sources that the command line names, and those that the designs do.
pub(super) struct SourceCycles<'a> {
    platform: &'a Platform,
    part: Option<Part>,
    units: Vec<LoadedKernel>,
    /// Whether the command line named a source.
    is_named: bool,
    /// Sources of designs that are not what they were when those were made: clauses.
    stale: Vec<String>,
    programs: BTreeMap<String, Option<Program>>,
    known: BTreeMap<Asked, Result<Figure<Cycles>, NoCycles>>,
}

impl<'a> SourceCycles<'a> {
    pub(super) fn read(
        paths: &[PathBuf],
        preprocess: &Preprocess,
        platform: &'a Platform,
    ) -> Result<Self, Error> {
        let options = preprocess.options();
        let mut units = Vec::new();
        // Each for itself: two kernels may call functions of one name.
        for path in paths {
            let loaded = load::load_kernel(std::slice::from_ref(path), &options)?;
            loaded.replaced.iter().for_each(output::note_replaced);
            units.push(loaded);
        }
        let part = find_card_part(platform);
        if part.is_none() && !paths.is_empty() {
            bail!(
                "--source: the platform {} does not say what its chip has, so no cycles can be modelled: leave --source out",
                platform.name
            );
        }
        let (programs, known, stale) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        Ok(Self { platform, part, units, is_named: !paths.is_empty(), stale, programs, known })
    }

    /// Adds the sources of designs, behind those that the command line names. One that has changed since is not read.
    pub(super) fn add_sources(&mut self, sources: &[DesignSource]) {
        for source in sources {
            let changed = match load_source(source) {
                Ok((loaded, digest)) if digest == source.digest => {
                    self.units.push(loaded);
                    continue;
                }
                Ok(_) => "is not what it was when the design was made, or a header of it is not",
                Err(_) => "cannot be read any more",
            };
            let clause = format!("{} {changed}", base_name(&source.path));
            if !self.stale.contains(&clause) {
                self.stale.push(clause);
            }
        }
    }

    /// Why no source has a kernel.
    fn missing_source(&self) -> NoCycles {
        const AGAIN: &str = "make the design again, or name the source with --source";
        NoCycles(match (self.stale.as_slice(), self.is_named) {
            ([], false) if self.units.is_empty() => {
                "the design does not say its source, and no --source names it".to_owned()
            }
            ([], false) => "none of the design's sources has it".to_owned(),
            ([], true) => "none of the sources that --source names has it".to_owned(),
            (stale, _) => format!("{}: {AGAIN}", stale.join(", and ")),
        })
    }

    fn model(
        &mut self,
        kernel: &str,
        given: &[(String, u64)],
        clock: Hertz,
    ) -> Result<Figure<Cycles>, NoCycles> {
        let Some(part) = &self.part else {
            return Err(NoCycles("the platform does not say what its chip has".to_owned()));
        };
        let missing = self.missing_source();
        let units = &self.units;
        let program = self.programs.entry(kernel.to_owned()).or_insert_with(|| {
            units.iter().find_map(|loaded| read_program(&loaded.unit, kernel).ok())
        });
        let Some(program) = program else { return Err(missing) };
        let mut settings = Settings::new(part.clone(), 1e9 / clock.0.max(1.0), DEFAULT_TOOL);
        settings.flow = self.platform.flow.value;
        settings.arguments = given.to_vec();
        let answer = estimate_kernel(program, &Directives::default(), &settings);
        if !answer.latency.is_known() {
            let reason = answer.unknown.first().map(|one| {
                let file = answer
                    .files
                    .get(usize::from(one.place.file))
                    .map_or("", |path| base_name(path));
                format!(": {file}:{}: {}", one.place.line, one.reason)
            });
            return Err(NoCycles(format!("data decide its cycles{}", reason.unwrap_or_default())));
        }
        let expected = answer.latency.expected;
        let [low, high] = uncertainty(&answer).bound(expected).map(grouped);
        let (year, release) = DEFAULT_TOOL;
        let source = format!(
            "pipeline model of Vitis HLS {year}.{release} at {} MHz: between {low} and {high} cycles",
            clock.0 / 1e6
        );
        Ok(Figure::new(Cycles(expected), Provenance::Derived, source))
    }
}

/// A file's name without its folders, which differ from machine to machine.
fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl CycleModel for SourceCycles<'_> {
    fn model_cycles(
        &mut self,
        kernel: &str,
        given: &[(String, u64)],
        clock: Hertz,
    ) -> Result<Figure<Cycles>, NoCycles> {
        let asked = (kernel.to_owned(), given.to_vec(), clock.0.to_bits());
        if let Some(known) = self.known.get(&asked) {
            return known.clone();
        }
        let answer = self.model(kernel, given, clock);
        self.known.insert(asked, answer.clone());
        answer
    }
}
