//! `derate emu run --profile DIR`: what was counted, and a modelled timeline.

mod cycles;
mod figures;
mod page;
mod tables;
mod trace;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, bail};
use derate_host::profile::{CardProfile, Lane, Span, profile_card};
use derate_host::swemu::{DeviceRecord, Recorded, read_records};
use derate_host::xclbin::DesignSource;
use derate_model::Platform;
use derate_reports::{render_csv, render_html};

use crate::args::Profile;
use crate::output;
use crate::replace::replace_file;
use cycles::SourceCycles;
use figures::TimeUnit;

/// The files, in the order in which a reader opens them.
const PAGE: &str = "profile.html";
const SUMMARY: &str = "summary.csv";
const TRACE: &str = "trace.json";

/// What a run is profiled with, checked before the program starts.
pub(super) struct Profiler<'a> {
    folder: &'a Path,
    platform: &'a Platform,
    cycles: SourceCycles<'a>,
}

impl<'a> Profiler<'a> {
    /// Reads the sources and makes the folder.
    pub(super) fn prepare(
        args: &'a Profile,
        platform: &'a Platform,
    ) -> Result<Option<Self>, Error> {
        let Some(folder) = &args.folder else { return Ok(None) };
        let cycles = SourceCycles::read(&args.source, &args.preprocess, platform)?;
        if folder.exists() && !folder.is_dir() {
            bail!("--profile {} is a file: name a folder", folder.display());
        }
        fs::create_dir_all(folder).with_context(|| {
            format!("--profile {} cannot be made: check the path", folder.display())
        })?;
        Ok(Some(Self { folder, platform, cycles }))
    }

    /// Writes what the devices recorded, and says on stderr where it is.
    pub(super) fn write(mut self, records: &Path, program: &str) -> Result<(), Error> {
        let records = read_records(records).context("what the devices did cannot be read")?;
        let has_design =
            |one: &&DeviceRecord| one.done.iter().any(|done| matches!(done, Recorded::Design(_)));
        let done = records.iter().flat_map(|record| &record.done);
        let designs = done.filter_map(|one| match one {
            Recorded::Design(design) => Some(design),
            _ => None,
        });
        let mut sources: Vec<DesignSource> = Vec::new();
        for source in designs.flat_map(|design| &design.sources) {
            if !sources.contains(source) {
                sources.push(source.clone());
            }
        }
        self.cycles.add_sources(&sources);
        let cards: Vec<CardProfile> = records
            .iter()
            .filter(has_design)
            .map(|record| profile_card(record, self.platform, &mut self.cycles))
            .collect::<Result<_, _>>()?;
        if cards.is_empty() {
            output::note("note: there is no profile: the program loaded no design");
            return Ok(());
        }
        let document = page::make_page(&cards, self.platform, program);
        let mut summary = Vec::new();
        for table in document.tables() {
            // As in Vitis' summary: the title of each table, the table, an empty line.
            summary.extend(
                format!("{}\n", table.caption.split(':').next().unwrap_or_default()).bytes(),
            );
            summary.extend(render_csv(table)?);
            summary.push(b'\n');
        }
        let files: [(&str, Vec<u8>); 3] = [
            (PAGE, render_html(&document)?),
            (SUMMARY, summary),
            (TRACE, trace::make_trace(&cards, self.platform)?),
        ];
        for (name, bytes) in &files {
            replace_file(&self.folder.join(name), bytes)?;
        }
        output::note(&summary_note(self.folder, &cards));
        Ok(())
    }
}

/// Where the files are, and what they say in a line.
fn summary_note(folder: &Path, cards: &[CardProfile]) -> String {
    let runs: u64 = cards.iter().flat_map(|card| &card.units).map(|unit| unit.launches).sum();
    let is_moved = |span: &&Span| !matches!(span.lane, Lane::Stream(_));
    let spans = cards.iter().flat_map(|card| &card.spans).filter(is_moved);
    let bytes: u64 = spans.map(|span| span.bytes).sum();
    let end = cards.iter().map(CardProfile::end).fold(0.0, f64::max);
    let unit = TimeUnit::of(end);
    let least = if cards.iter().any(CardProfile::is_bound) { "at least " } else { "" };
    let files: Vec<PathBuf> = [PAGE, SUMMARY, TRACE].map(|name| folder.join(name)).to_vec();
    let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    let plural = if runs == 1 { "" } else { "s" };
    format!(
        "note: profile: {}: {runs} run{plural}, {bytes} bytes (Emulated: counted), {least}{} on the card (Modelled, not measured)",
        files.join(", "),
        unit.write(end)
    )
}
