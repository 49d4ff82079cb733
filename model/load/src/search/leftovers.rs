//! Reports of modules that a newer synthesis beside them no longer has.
//!
//! The tool writes the report of each module into one folder and removes none. What an earlier run left there is older than
//! the report of the design, and no report of the later run names its module.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What the report of a module ends in.
const MODULE: &str = "_csynth";

/// Seconds in which the tool writes all its reports, or nearly: those of a long run name each other.
const ONE_RUN: i64 = 60;

/// The reports that are left of earlier runs. Only folders that the tool keeps count: they have a `csynth.rpt` or a `csynth.xml`.
pub(super) fn find_leftovers<'a>(reports: &[(&'a PathBuf, String)]) -> BTreeSet<&'a PathBuf> {
    let mut folders: BTreeMap<Option<&Path>, Vec<(&'a PathBuf, &str)>> = BTreeMap::new();
    for (path, text) in reports {
        folders.entry(path.parent()).or_default().push((path, text));
    }
    let is_tree =
        |(path, _): &(&PathBuf, &str)| path.file_stem().is_some_and(|stem| stem == "csynth");
    let kept = folders.into_values().filter(|all| all.iter().any(is_tree));
    kept.flat_map(|all| list_old(&all)).collect()
}

fn list_old<'a>(all: &[(&'a PathBuf, &str)]) -> Vec<&'a PathBuf> {
    let dated: BTreeMap<&str, (i64, &str)> = all
        .iter()
        .filter_map(|(path, text)| Some((module_of(path)?, (read_date(text)?, *text))))
        .collect();
    let Some(newest) = dated.values().map(|(date, _)| *date).max() else { return Vec::new() };
    let mut open: Vec<&str> = dated
        .iter()
        .filter(|(_, (date, _))| newest - date <= ONE_RUN)
        .map(|(name, _)| *name)
        .collect();
    // All are of one run: their texts need not be looked at.
    if open.len() == dated.len() {
        return Vec::new();
    }
    let mut known: BTreeSet<&str> = open.iter().copied().collect();
    // Once all are named, the other texts need not be looked at.
    while known.len() < dated.len()
        && let Some((_, text)) = open.pop().and_then(|name| dated.get(name))
    {
        let words = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
        for (name, _) in words.filter_map(|word| dated.get_key_value(word)) {
            if known.insert(name) {
                open.push(name);
            }
        }
    }
    let is_old = |path: &PathBuf| {
        module_of(path).is_some_and(|name| dated.contains_key(name) && !known.contains(name))
    };
    all.iter().map(|(path, _)| *path).filter(|path| is_old(path)).collect()
}

/// `load` of `load_csynth.rpt` and of the XML beside it.
fn module_of(path: &Path) -> Option<&str> {
    path.file_stem()?.to_str()?.strip_suffix(MODULE)
}

/// The seconds of `* Date:           Sat Aug  1 16:08:11 2020`, from some day on.
fn read_date(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let line = text.lines().take(16).find_map(|line| line.trim().strip_prefix("* Date:"))?;
    let mut words = line.split_whitespace().skip(1);
    let (month, day, time) = (words.next()?, words.next()?, words.next()?);
    let year: i64 = words.last()?.parse().ok()?;
    let month = i64::try_from(MONTHS.iter().position(|one| *one == month)?).ok()?;
    let day: i64 = day.parse().ok()?;
    let mut seconds = 0;
    for part in time.split(':') {
        seconds = seconds * 60 + part.parse::<i64>().ok()?;
    }
    // Months of 31 days keep the order, and the distance within one.
    Some((((year.checked_mul(12)?) + month).checked_mul(31)? + day).checked_mul(86_400)? + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn old(files: &[(&str, &str, &str)]) -> Vec<String> {
        let texts: Vec<(PathBuf, String)> = files
            .iter()
            .map(|(name, date, text)| {
                let head = format!("== Vivado HLS Report\n* Date:           {date}\n");
                (PathBuf::from(format!("s/syn/report/{name}")), format!("{head}{text}\n"))
            })
            .collect();
        let all: Vec<(&PathBuf, String)> =
            texts.iter().map(|(path, text)| (path, text.clone())).collect();
        let name =
            |path: &&PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
        find_leftovers(&all).iter().filter_map(name).collect()
    }

    #[test]
    fn a_module_that_the_later_run_does_not_name_is_left() {
        let (then, now) = ("Fri Jul 31 23:59:00 2020", "Sat Aug  1 16:08:24 2020");
        let tree = ("csynth.rpt", now, "");
        let top = ("top_csynth.rpt", now, "|grp_load_fu_8 |load |");
        let load = ("load_csynth.rpt", then, "|grp_row_fu_2 |row |");
        let row = ("row_csynth.rpt", then, "");
        let store = ("store_csynth.rpt", then, "");
        assert_eq!(old(&[tree, top, load, row, store]), ["store_csynth.rpt"]);
        // One of the same minute, and a folder into which a person put reports.
        let soon = ("store_csynth.rpt", "Sat Aug  1 16:07:59 2020", "");
        assert!(old(&[tree, top, load, row, soon]).is_empty());
        assert!(old(&[top, load, row, store]).is_empty());
        // Without a date nothing is older.
        assert!(old(&[tree, top, ("store_csynth.rpt", "yesterday", "")]).is_empty());
    }
}
