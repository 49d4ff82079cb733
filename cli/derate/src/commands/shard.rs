//! `--parquet FILE` and `--shard I/N`: the points of a search in a file, all of them or a part.

use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Error, anyhow};
use derate_columns::RecordBatch;
use derate_columns::shards::{About, Reduction, ShardFile, ShardWriter, Share};
use tempfile::NamedTempFile;

use crate::args::PointsFile;
use crate::hash::hash_text;
use crate::output::{self, Written};
use crate::replace::{persist_file, stage_beside};
use crate::session;

/// Points are computed in pieces of so many.
const PIECE: u64 = 1 << 16;

/// Options that say which part is computed and where it is written: another part is of the same search.
const OWN: [&str; 3] = ["--parquet", "--shard", "--known"];

/// Which points, and what is kept of them.
pub(crate) struct Part<'a> {
    pub(crate) file: &'a Path,
    pub(crate) share: Share,
    pub(crate) points: u64,
    pub(crate) reduction: Option<Reduction>,
    /// All that the figures depend on, apart from the command.
    pub(crate) depends_on: String,
}

impl Part<'_> {
    pub(crate) fn range(&self) -> Range<u64> {
        self.share.range(self.points)
    }

    fn about(&self) -> About {
        let command = derate_model::predict::join_command(words_of_search());
        let asked = format!("{} {command} {}", env!("CARGO_PKG_VERSION"), self.depends_on);
        let range = self.range();
        About {
            schema: About::SCHEMA.to_owned(),
            asked: hash_text(&asked),
            command,
            points: self.points,
            ranges: if range.is_empty() { Vec::new() } else { vec![range] },
            reduction: self.reduction.clone(),
        }
    }

    /// Whether a file has points of the same search.
    pub(crate) fn is_of_search(&self, file: &ShardFile) -> bool {
        self.about().is_of_search(&file.about)
    }

    /// Whether the file has this part already: whoever starts all parts again waits for the missing ones alone.
    fn is_there(&self) -> bool {
        ShardFile::open(self.file).is_ok_and(|file| file.about == self.about())
    }

    /// Computes the points piece by piece and writes what is kept of them.
    pub(crate) fn write_points(
        &self,
        mut compute: impl FnMut(Range<u64>) -> Result<RecordBatch, Error>,
    ) -> Result<(), Error> {
        let range = self.range();
        self.write_rows(|file| {
            // The columns are those of no point.
            let mut kept = compute(range.start..range.start)?;
            if let Some(reduction) = &self.reduction {
                reduction.check_columns(&kept)?;
            }
            let mut writer = ShardWriter::new(file, kept.schema(), &self.about())?;
            let mut from = range.start;
            while from < range.end {
                let to = range.end.min(from + PIECE);
                let rows = compute(from..to)?;
                match &self.reduction {
                    None => writer.push(rows)?,
                    Some(reduction) => kept = reduction.reduce_with(&kept, &rows)?,
                }
                from = to;
                show_points(from - range.start, range.end - range.start)?;
            }
            writer.push(kept)?;
            writer.finish()?;
            Ok(())
        })
    }

    /// Writes the rows of a search that is done at once.
    pub(crate) fn write_designs(
        &self,
        search: impl FnOnce() -> Result<RecordBatch, Error>,
    ) -> Result<(), Error> {
        self.write_rows(|file| {
            let rows = search()?;
            let mut writer = ShardWriter::new(file, rows.schema(), &self.about())?;
            writer.push(rows)?;
            writer.finish()?;
            Ok(())
        })
    }

    /// The file is there as a whole or not at all, whatever ends the process.
    fn write_rows(&self, write: impl FnOnce(&mut File) -> Result<(), Error>) -> Result<(), Error> {
        let name = self.file.display();
        if self.is_there() {
            output::note(&format!("{name} has these points already"));
            return Ok(());
        }
        output::may_replace(self.file, Written::Points)?;
        let mut file = stage_beside(self.file)?;
        write(file.as_file_mut())?;
        output::show_progress("");
        finish_file(file, self.file)?;
        let Range { start, end } = self.range();
        output::note(&format!("wrote {name}: points {start} to {end} of {}", self.points));
        Ok(())
    }
}

/// Moves a file to its place once every byte is on the disk.
pub(crate) fn finish_file(mut file: NamedTempFile, path: &Path) -> Result<(), Error> {
    let said = || format!("{} cannot be written", path.display());
    file.flush().and_then(|()| file.as_file().sync_all()).with_context(said)?;
    persist_file(file, path)
}

fn show_points(done: u64, all: u64) -> Result<(), Error> {
    if session::is_stopped() {
        return Err(anyhow!("stopped before the points were all there, so no file was written"));
    }
    if output::shows_progress() {
        let text = format!("{done} of {all} points");
        output::show_share(&text, Some(done as f64 / all as f64));
    }
    Ok(())
}

/// The words of the command without those of the part.
fn words_of_search() -> Vec<String> {
    let mut words = Vec::new();
    let mut all = session::words().into_iter();
    while let Some(word) = all.next() {
        if OWN.contains(&word.as_str()) {
            all.next();
        } else if !OWN.iter().any(|own| word.strip_prefix(own).is_some_and(|v| v.starts_with('=')))
        {
            words.push(word);
        }
    }
    words
}

impl PointsFile {
    /// Which rows are kept; `usual` is the column that is to be small where none is named.
    pub(crate) fn reduction(&self, usual: &str) -> Result<Option<Reduction>, Error> {
        let pair = |text: &String| {
            let two = text.split_once(',').map(|(x, y)| (x.trim().to_owned(), y.trim().to_owned()));
            two.ok_or_else(|| {
                anyhow!(
                    "--front `{text}` is not two columns: write them as X,Y, such as {usual},bytes"
                )
            })
        };
        let front = self.front.as_ref().map(pair).transpose()?;
        if front.is_none() && self.best.is_none() {
            return Ok(None);
        }
        let by = self.by.clone().unwrap_or_else(|| usual.to_owned());
        Ok(Some(Reduction { top: self.best.unwrap_or(0), by: vec![by], front }))
    }
}
