//! The preprocessor's share of C++: conditionals, macros and includes.
//!
//! Nothing is moved: what a directive takes out becomes blanks of the same length, so that every
//! place in the result is the same place in the source.

mod absent;
mod before;
mod branch;
mod condition;
mod conditional;
mod expansion;
mod follow;
mod include;
mod insertion;
mod macros;
mod marks;
mod outlook;
mod pragma;
mod scan;
mod type_call;
mod unbalanced;
mod written_tokens;

pub use absent::Absent;
pub use include::Include;
pub use pragma::Pragma;

pub(crate) use branch::{Branch, Relation, relation};
pub(crate) use expansion::expand_macros;
pub(crate) use follow::{Follow, Followed, Reach, Sought};
pub(crate) use include::{find_include, is_vendor_copy};
pub(crate) use insertion::Insertion;
pub(crate) use macros::{Definition, MacroTable, Standing};
pub(crate) use outlook::{Outlook, Region};

use crate::token::lex;
use crate::{FileId, Span, Unparsed};
use condition::{Judge, has_placeholder};
use conditional::{Conditionals, unclosed};
use derate_source::split_words;
use include::is_known;
pub use include::is_vendor;
use insertion::find_insertions;
use macros::{Place, read_definition};
use rustc_hash::FxHashSet as HashSet;
pub(crate) use scan::Scans;
use scan::{Directive, Scan, scan_text};
use std::ops::Range;
use type_call::type_calls;

/// One text, ready to be parsed.
pub(crate) struct Prepared {
    pub(crate) file: FileId,
    /// The text with comments, attributes, directives and dead branches blanked out, and with
    /// plain names where another program fills something in.
    pub(crate) masked: Vec<u8>,
    /// What the parser takes for one name: what another program fills in, and calls of macros.
    pub(crate) placeholders: Vec<Range<usize>>,
    /// What the grammar reads otherwise, in the order of the text.
    pub(crate) insertions: Vec<Insertion>,
    pub(crate) comments: Vec<Range<usize>>,
    pub(crate) attributes: Vec<Range<usize>>,
    pub(crate) pragmas: Vec<Pragma>,
    pub(crate) includes: Vec<Include>,
    /// The live `#define`s.
    pub(crate) defines: Vec<(String, Definition)>,
    pub(crate) unparsed: Vec<Unparsed>,
    pub(crate) regions: Vec<Region>,
    /// How many macro events had happened at each place.
    pub(crate) marks: Vec<(usize, u32)>,
    pub(crate) absent: Vec<Absent>,
    /// A vendor's: its macros count, what it declares is known without it.
    pub(crate) vendor: bool,
}

/// A text that includes others deeper than this, or more of them, is left there.
const INCLUDE_DEPTH: usize = 48;
const INCLUDED_TEXTS: usize = 2000;
/// A longer text is not a source file.
const TEXT_LIMIT: usize = 32 << 20;

/// Runs over a text and those that it includes. The first of the results is the text itself.
pub(crate) fn preprocess(
    file: FileId,
    text: &str,
    defines: &[(String, String)],
    scans: &mut Scans,
    follow: &mut dyn Follow,
) -> (Vec<Prepared>, MacroTable) {
    let mut unit = Unit {
        table: MacroTable::default(),
        prepared: Vec::new(),
        started: HashSet::default(),
        missing: Vec::new(),
        full: false,
        conditionals: 0,
        scans,
        follow,
    };
    let given = defines.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in [("__cplusplus", "201703L")].into_iter().chain(given) {
        if let Some((name, definition)) = read_definition(&format!("{name} {value}")) {
            unit.table.record_event(&name, Some(definition), &Branch::default());
        }
    }
    unit.run_text(file, text, &Branch::default(), Way { depth: 0, vendor: false });
    let mut prepared = unit.prepared;
    // A text is finished after those that it includes.
    prepared.reverse();
    (prepared, unit.table)
}

struct Unit<'f> {
    table: MacroTable,
    prepared: Vec<Prepared>,
    started: HashSet<FileId>,
    missing: Vec<String>,
    /// Whether the limit of texts was reported.
    full: bool,
    conditionals: u32,
    scans: &'f mut Scans,
    follow: &'f mut dyn Follow,
}

/// How the unit came to a text.
#[derive(Copy, Clone)]
struct Way {
    depth: usize,
    /// By way of a vendor's header.
    vendor: bool,
}

impl Unit<'_> {
    fn run_text(&mut self, file: FileId, text: &str, around: &Branch, way: Way) {
        self.started.insert(file);
        if text.len() > TEXT_LIMIT {
            let span = Span { file, start: 0, end: text.len() };
            let reason = format!("the text is longer than {} MiB", TEXT_LIMIT >> 20);
            let mut prepared = Prepared::new(file, vec![b' '; text.len()], &Scan::default());
            prepared.unparsed.push(Unparsed { span, reason });
            self.prepared.push(prepared);
            return;
        }
        let found = self.scans.scan_of(file, text);
        let directives = &found.directives;
        let mut prepared = Prepared::new(file, text.as_bytes().to_vec(), &found);
        prepared.vendor = way.vendor;
        prepared.mask_scanned();
        prepared.marks.push((0, self.table.now()));
        let mut open = Conditionals::new(unclosed(directives), around.clone());
        let mut from = 0;
        for (index, directive) in directives.iter().enumerate() {
            self.read_macros(&mut prepared, from..directive.range.start, &open);
            prepared.mark_segment(from..directive.range.start, &open);
            blank_range(&mut prepared.masked, directive.range.clone());
            from = directive.range.end;
            let judge =
                Judge { macros: &self.table, branch: &open.branch(), missing: &self.missing };
            if open.take(index, directives, &judge, &mut self.conditionals, text) {
                continue;
            }
            if open.is_live() {
                self.run_directive(directive, &mut prepared, &open.branch(), way);
            }
            prepared.mark_segment(directive.range.clone(), &open);
            prepared.marks.push((directive.range.end, self.table.now()));
        }
        self.read_macros(&mut prepared, from..text.len(), &open);
        prepared.mark_segment(from..text.len(), &open);
        prepared.placeholders.sort_by_key(|range| range.start);
        let complaints = open.complaints.drain(..).map(|(range, reason)| Unparsed {
            span: Span { file, start: range.start, end: range.end },
            reason,
        });
        prepared.unparsed.extend(complaints);
        open.absent.sort_by_key(|one| one.range.start);
        prepared.absent = open.absent.drain(..).map(|one| one.at(file)).collect();
        self.prepared.push(prepared);
    }

    /// Finds the macros that the grammar cannot read as they are. Calls that mean a type get a plain name.
    fn read_macros(&self, prepared: &mut Prepared, range: Range<usize>, open: &Conditionals) {
        if !open.is_live() {
            return;
        }
        let branch = open.branch();
        let standing = |name: &str| self.table.standing_of(name, u32::MAX, &branch);
        let look_up = |name: &str| match standing(name) {
            Standing::Defined(definition) => Some(definition.clone()),
            Standing::Undefined | Standing::Doubtful(_) => None,
        };
        let mut calls = type_calls(&prepared.masked, range.clone(), &look_up);
        let mut insertions = find_insertions(&prepared.masked, range, &standing, &|name| {
            self.table.is_always_pragma(name)
        });
        // A statement is not a type, and nothing is read otherwise inside a type.
        let overlap = |one: &Range<usize>, other: &Range<usize>| {
            one.start < other.end && other.start < one.end
        };
        calls.retain(|call| {
            !insertions.iter().any(|one| one.range.start <= call.start && overlap(&one.range, call))
        });
        insertions.retain(|one| !calls.iter().any(|call| overlap(&one.range, call)));
        for call in calls {
            prepared.mask_name(call);
        }
        let file = prepared.file;
        let pragmas = insertions.iter().flat_map(|one| {
            let span = Span { file, start: one.range.start, end: one.range.end };
            one.pragmas.iter().map(move |text| Pragma { span, text: text.clone() })
        });
        prepared.pragmas.extend(pragmas);
        prepared.insertions.extend(insertions);
    }

    /// A directive that is not a conditional.
    fn run_directive(
        &mut self,
        directive: &Directive,
        prepared: &mut Prepared,
        branch: &Branch,
        way: Way,
    ) {
        let file = prepared.file;
        let span = Span { file, start: directive.range.start, end: directive.range.end };
        match directive.keyword.as_str() {
            "define" => {
                let Some((name, mut definition)) = read_definition(&directive.text) else {
                    let reason = "this `#define` does not name a macro".to_owned();
                    prepared.unparsed.push(Unparsed { span, reason });
                    return;
                };
                let start = directive.text_start;
                let name_span = Span { file, start, end: start + name.len() };
                definition.place = Some(Place { span, name_span });
                self.table.record_event(&name, Some(definition.clone()), branch);
                prepared.defines.push((name, definition));
            }
            "undef" => self.table.record_event(directive.text.trim(), None, branch),
            "cmakedefine" | "cmakedefine01" => {
                if let Some((name, mut definition)) = read_definition(&directive.text) {
                    let keyword = &directive.keyword;
                    definition.doubt = Some(format!("`{name}` is set by CMake (`#{keyword}`)"));
                    self.table.record_event(&name, Some(definition), branch);
                }
            }
            "include" | "import" | "include_next" => {
                self.follow_include(directive, span, prepared, branch, way);
            }
            "pragma" => prepared.pragmas.push(Pragma { span, text: directive.text.clone() }),
            "error" | "warning" | "line" | "ident" | "" => {}
            _ if has_placeholder(&directive.keyword) => {}
            other => {
                let reason = format!("`#{other}` is not a directive of C++");
                prepared.unparsed.push(Unparsed { span, reason });
            }
        }
    }

    fn follow_include(
        &mut self,
        directive: &Directive,
        span: Span,
        prepared: &mut Prepared,
        branch: &Branch,
        way: Way,
    ) {
        let named = self.include_path(&directive.text, branch);
        let readable = named.is_some();
        let (path, quoted) = named.unwrap_or_else(|| (directive.text.clone(), true));
        let vendor = is_vendor(&path, quoted);
        let reach = if way.vendor || (vendor && !quoted) {
            Reach::Kept
        } else if vendor {
            Reach::Beside
        } else {
            Reach::Anywhere
        };
        let beside = quoted || way.vendor;
        let sought = Sought { includer: prepared.file, path: &path, beside, reach };
        let followed = match readable {
            // Once is enough: the rest of ten thousand are not looked for.
            true if self.full => Followed::Refused(String::new()),
            true => self.follow.follow(&sought),
            false => Followed::Nowhere,
        };
        let mut include = Include { path, quoted, span, file: None, missing: false };
        let mut refused = None;
        match followed {
            Followed::Text(file) if self.started.contains(&file) => include.file = Some(file),
            Followed::Text(_) if way.depth >= INCLUDE_DEPTH => {
                refused = Some(format!("includes nest deeper than {INCLUDE_DEPTH}"));
            }
            Followed::Text(_) if self.started.len() >= INCLUDED_TEXTS => {
                self.full = true;
                refused = Some(format!("more than {INCLUDED_TEXTS} texts are included"));
            }
            Followed::Text(file) => {
                include.file = Some(file);
                let text = self.follow.text(file);
                let known = way.vendor || is_known(&include.path, quoted);
                let deeper = Way { depth: way.depth + 1, vendor: known };
                self.run_text(file, &text, branch, deeper);
            }
            Followed::Refused(reason) => refused = Some(reason),
            Followed::Full(reason) => {
                self.full = true;
                refused = Some(reason);
            }
            Followed::Nowhere => include.missing = quoted && !vendor && !way.vendor,
        }
        if let Some(reason) = refused.as_ref().filter(|reason| !reason.is_empty()) {
            let reason = format!("`{}` is not followed: {reason}", include.path);
            prepared.unparsed.push(Unparsed { span, reason });
        }
        if include.missing || refused.is_some() {
            self.missing.push(include.path.clone());
        }
        prepared.includes.push(include);
    }

    /// The path of an include, and whether it is in quotes; a macro may hold both.
    fn include_path(&self, text: &str, branch: &Branch) -> Option<(String, bool)> {
        let literal = |text: &str| {
            let close = if text.starts_with('"') { '"' } else { '>' };
            let (path, _) = text.strip_prefix(['"', '<'])?.split_once(close)?;
            Some((path.to_owned(), close == '"'))
        };
        literal(text).or_else(|| {
            let look_up = |name: &str| self.table.standing_of(name, u32::MAX, branch);
            let tokens = expand_macros(&lex(text), &look_up, &mut |_, _| {}).ok()?;
            literal(&tokens.iter().map(|token| token.text.as_str()).collect::<String>())
        })
    }
}

impl Prepared {
    /// A text without anything in it.
    pub(crate) fn empty(file: FileId) -> Self {
        Self::new(file, Vec::new(), &Scan::default())
    }

    fn new(file: FileId, masked: Vec<u8>, found: &Scan) -> Self {
        let mut prepared = Self {
            placeholders: Vec::new(),
            insertions: Vec::new(),
            file,
            masked,
            comments: found.comments.clone(),
            attributes: found.attributes.clone(),
            pragmas: Vec::new(),
            includes: Vec::new(),
            defines: Vec::new(),
            unparsed: Vec::new(),
            regions: Vec::new(),
            marks: Vec::new(),
            absent: Vec::new(),
            vendor: false,
        };
        // The parser takes a placeholder for a name; who reads its text sees what it is.
        for range in &found.placeholders {
            prepared.mask_name(range.clone());
        }
        prepared
    }

    fn mask_name(&mut self, range: Range<usize>) {
        if let Some(bytes) = self.masked.get_mut(range.clone()) {
            for byte in bytes.iter_mut().filter(|byte| !byte.is_ascii_alphanumeric()) {
                *byte = b'_';
            }
        }
        self.placeholders.push(range);
    }

    fn mask_scanned(&mut self) {
        for range in self.comments.iter().chain(&self.attributes) {
            blank_range(&mut self.masked, range.clone());
        }
    }

    /// Text between two directives: blanked if it is dead, remembered if that is undecided.
    fn mark_segment(&mut self, range: Range<usize>, open: &Conditionals) {
        if !open.is_live() {
            blank_range(&mut self.masked, range);
        } else if let Some((condition, doubt)) = open.condition() {
            self.regions.push(Region { range, branch: open.branch(), condition, doubt });
        } else if open.branch() != Branch::default() {
            let (condition, doubt) = (String::new(), None);
            self.regions.push(Region { range, branch: open.branch(), condition, doubt });
        }
    }
}

/// A piece of text with its comments and directives blanked out.
#[must_use]
pub fn without_comments(text: &str) -> String {
    let found = scan_text(text);
    let mut bytes = text.as_bytes().to_vec();
    let directives = found.directives.into_iter().map(|directive| directive.range);
    for range in found.comments.into_iter().chain(directives) {
        blank_range(&mut bytes, range);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How often a piece of C++ has a name, outside of comments and directives.
pub fn count_mentions(text: &str, name: &str) -> usize {
    split_words(&without_comments(text)).filter(|word| *word == name).count()
}

/// Blanks a range, its line ends excepted.
pub(crate) fn blank_range(bytes: &mut [u8], range: Range<usize>) {
    if let Some(bytes) = bytes.get_mut(range) {
        for byte in bytes.iter_mut().filter(|byte| **byte != b'\n' && **byte != b'\r') {
            *byte = b' ';
        }
    }
}
