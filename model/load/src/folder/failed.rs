//! Logs that end with a synthesis which failed, and the designs that they are of.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use derate_estimate::DesignFiles;
use derate_hls::{Attempt, AttemptEnd, Report, bare_name, read_report};

use super::Reader;
use super::routed::count_common;
use crate::paths::{folder_of, is_within};
use crate::search::NamedPaths;

impl Reader<'_> {
    /// Gives each log whose last synthesis failed to the design that has the source which its errors name; where they name none,
    /// to the one around the log that defines its top. The logs of the folders around it and below it go with it.
    pub(super) fn add_failed_runs(&mut self) {
        let search = self.search;
        let attempts = search.list_attempts();
        for (path, _) in attempts.iter().filter(|(_, end)| *end == AttemptEnd::Failed) {
            let Some(log) = self.read_run(path) else { continue };
            let Some(at) = find_owner(&self.folder.designs, &log) else { continue };
            let is_beside = |other: &PathBuf| {
                let (one, other) = (search.name(path), search.name(other));
                let (one, other) = (folder_of(&one), folder_of(&other));
                is_within(one, other) || is_within(other, one)
            };
            self.add_run(at, log);
            let done = attempts.iter().filter(|(_, end)| *end == AttemptEnd::Done);
            for (other, _) in done.filter(|(other, _)| is_beside(other)) {
                if let Some(log) = self.read_run(other) {
                    self.add_run(at, log);
                }
            }
        }
    }

    /// Adds a log to the runs of a design, once.
    fn add_run(&mut self, at: usize, log: Report) {
        let runs = &mut self.folder.designs[at].build.runs;
        if runs.iter().all(|run| run.place != log.place) {
            runs.push(log);
        }
    }

    /// Reads a log, and finds the sources that its errors name.
    fn read_run(&mut self, path: &Path) -> Option<Report> {
        let file = self.read_file(path)?;
        let mut log = read_report(&self.folder.sources, file).ok()?;
        self.find_places(&self.search.name(path), log.attempt.as_mut()?);
        Some(log)
    }

    /// Finds the sources that the errors of a log name.
    fn find_places(&self, log: &str, attempt: &mut Attempt) {
        let paths = NamedPaths::of(&self.search.dir, log, None);
        for place in attempt.errors.iter_mut().filter_map(|one| one.place.as_mut()) {
            if place.is_of_tool() {
                continue;
            }
            let named = place.path.replace('\\', "/");
            let found = paths.find(&named, Path::is_file);
            let found = found.or_else(|| paths.find_end(&named, &self.search.files).cloned());
            place.file = found.and_then(|path| self.known.get(&self.search.name(&path)).copied());
        }
    }
}

fn folder(log: &Report) -> &str {
    log.place.as_ref().map_or("", |place| place.folder())
}

/// The design that a log is of.
fn find_owner(designs: &[DesignFiles], log: &Report) -> Option<usize> {
    let attempt = log.attempt.as_ref()?;
    let named = || attempt.errors.iter().filter_map(|one| one.place.as_ref()?.file);
    let reads = |design: &DesignFiles| {
        let read = design.code.list_read();
        named().any(|file| read.contains(&file))
    };
    let defines = |design: &DesignFiles, top: &str| {
        design.code.functions().any(|one| one.name == bare_name(top) && one.body.is_some())
    };
    let is_of_top = |design: &DesignFiles| match &attempt.top {
        Some(top) => defines(design, top),
        None => design.tops.iter().any(|top| defines(design, top)),
    };
    let is_around =
        |design: &DesignFiles| design.name == "." || is_within(folder(log), &design.name);
    let near = |design: &DesignFiles| {
        (is_of_top(design), count_common(folder(log), &design.name), Reverse(design.name.clone()))
    };
    let has_source = named().next().is_some();
    let all = designs.iter().enumerate().filter(|(_, design)| {
        if has_source { reads(design) } else { is_of_top(design) && is_around(design) }
    });
    all.max_by_key(|(_, design)| near(design)).map(|(at, _)| at)
}
