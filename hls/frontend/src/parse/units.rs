//! Which reading of a text counts, where several translation units include it.

use crate::FileId;
use crate::preprocess::{Follow, MacroTable, Prepared, Scans, Standing, preprocess};
use crate::token::spell;
use rustc_hash::FxHashMap as HashMap;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A text as one unit reads it.
pub(super) struct Reading {
    pub(super) prepared: Prepared,
    pub(super) table: Arc<MacroTable>,
    /// The units that read it.
    pub(super) units: Vec<FileId>,
    /// Those that read it otherwise.
    pub(super) others: Vec<FileId>,
    /// Whether the unit is its own.
    pub(super) alone: bool,
    /// The names in its text, each once; listed when another unit's reading is first compared with it.
    names: OnceCell<Vec<String>>,
}

impl Reading {
    pub(super) fn empty(file: FileId) -> Self {
        let prepared = Prepared::empty(file);
        Self {
            prepared,
            table: Arc::default(),
            units: vec![file],
            others: Vec::new(),
            alone: true,
            names: OnceCell::new(),
        }
    }
}

/// A text is named with no more units that read it otherwise.
const OTHERS: usize = 4;
/// Readings are compared until this many bytes were.
const COMPARED: usize = 64 << 20;

/// The readings of the texts given, in their order, and then of what they include.
pub(super) fn read_units(
    files: &[FileId],
    defines: &[(String, String)],
    follow: &mut dyn Follow,
) -> Vec<Reading> {
    let mut readings: Vec<Reading> = Vec::new();
    let mut place: HashMap<FileId, usize> = HashMap::default();
    let mut scans = Scans::default();
    let mut budget = COMPARED;
    // A header is what the sources that include it make of it.
    let (headers, roots): (Vec<FileId>, Vec<FileId>) =
        files.iter().partition(|&&file| is_header(&follow.name(file)));
    for root in roots.into_iter().chain(headers) {
        if place.get(&root).is_some_and(|&at| readings.get(at).is_some_and(|one| !one.alone)) {
            continue;
        }
        let (all, table) = preprocess(root, &follow.text(root), defines, &mut scans, follow);
        let table = Arc::new(table);
        for prepared in all.into_iter().filter(|one| !one.vendor) {
            let file = prepared.file;
            let alone = file == root;
            let mut reading = Reading {
                prepared,
                table: Arc::clone(&table),
                units: vec![root],
                others: Vec::new(),
                alone,
                names: OnceCell::new(),
            };
            let mut known = place.get(&file).and_then(|&at| readings.get_mut(at));
            if let Some(known) = &mut known {
                known.units.push(root);
            }
            match known {
                None => {
                    place.insert(file, readings.len());
                    readings.push(reading);
                }
                Some(known) if known.alone && !alone => {
                    reading.units = std::mem::take(&mut known.units);
                    *known = reading;
                }
                Some(known) if alone || known.others.len() >= OTHERS => {}
                Some(known) => {
                    let size = known.prepared.masked.len();
                    if size <= budget {
                        budget -= size;
                        if readings_differ(known, &reading) {
                            known.others.push(root);
                        }
                    }
                }
            }
        }
    }
    let rank = |reading: &Reading| {
        let file = reading.prepared.file;
        (files.iter().position(|&one| one == file).unwrap_or(usize::MAX), file)
    };
    readings.sort_by_cached_key(rank);
    readings
}

/// Whether a text is there to be included.
fn is_header(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let extension = extension.to_ascii_lowercase();
    ["h", "hh", "hpp", "hxx", "h++", "inc", "inl", "ipp", "tpp"].contains(&extension.as_str())
}

/// Whether two units read a text differently: other branches, or other macros in it.
fn readings_differ(left: &Reading, right: &Reading) -> bool {
    if left.prepared.masked != right.prepared.masked {
        return true;
    }
    let branch = crate::preprocess::Branch::default();
    let standing =
        |reading: &'_ Reading, name: &str| match reading.table.standing_of(name, u32::MAX, &branch)
        {
            Standing::Defined(definition) => Some(Arc::clone(&definition.body)),
            Standing::Undefined | Standing::Doubtful(_) => None,
        };
    let is_other = |name: &String| match (standing(left, name), standing(right, name)) {
        (Some(left), Some(right)) => left != right && spell(&left) != spell(&right),
        (left, right) => left.is_some() != right.is_some(),
    };
    left.names.get_or_init(|| list_names(&left.prepared.masked)).iter().any(is_other)
}

/// The names in a text, each once.
fn list_names(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split(|c| !is_inside(c));
    let names: BTreeSet<&str> =
        words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_')).collect();
    names.into_iter().map(str::to_owned).collect()
}
