//! Paths in one line of a screen: what tells them apart stays.

use std::collections::{BTreeMap, BTreeSet};

use super::wrap::cut_middle;
use crate::Diagnostic;

/// A path of more columns is cut, so that a line still says what is wrong.
const LONGEST: usize = 40;
/// So many columns of them are for the folder of the design.
const DESIGN: usize = 24;

/// A name of a folder keeps so many letters.
const SHORTEST: usize = 6;

/// The paths of diagnostics.
pub(super) struct ShortPaths<'a> {
    /// The folder that all of them lie in, with its slash.
    common: &'a str,
    /// Whether they are of several designs.
    has_designs: bool,
    /// The names of files that several folders have.
    shared: BTreeSet<&'a str>,
}

impl<'a> ShortPaths<'a> {
    pub(super) fn of(diagnostics: &'a [Diagnostic]) -> Self {
        let designs: BTreeSet<&str> =
            diagnostics.iter().filter_map(|one| one.design.as_deref()).collect();
        let files = diagnostics.iter().flat_map(|one| &one.labels).map(|label| label.file.as_str());
        let common = files.reduce(common_folder).map_or("", |path| folder_of(path));
        let files = diagnostics.iter().flat_map(|one| &one.labels).map(|label| label.file.as_str());
        let mut known = BTreeMap::new();
        let shared = files
            .filter_map(|path| {
                let name = name_of(path);
                (*known.entry(name).or_insert(path) != path).then_some(name)
            })
            .collect();
        Self { common, has_designs: designs.len() > 1, shared }
    }

    /// Whether the name of a file says which one it is.
    pub(super) fn is_unique(&self, path: &str) -> bool {
        !self.shared.contains(name_of(path))
    }

    /// A path with its file, and with the folder of its design where there are several: what lies between is left out.
    pub(super) fn shorten(&self, path: &str, design: Option<&str>) -> String {
        if width(path) <= LONGEST {
            return path.to_owned();
        }
        let own = path.strip_prefix(self.common).unwrap_or(path);
        let design = design.filter(|_| self.has_designs);
        // A design of several in one folder has its project in parentheses.
        let design = design.map(|name| name.split(" (").next().unwrap_or(name));
        let design = design.map(|name| name.strip_prefix(self.common).unwrap_or(name));
        let head = design.filter(|folder| {
            let rest = own.strip_prefix(folder);
            !folder.is_empty() && rest.is_some_and(|rest| rest.starts_with('/'))
        });
        let (head, rest) = match head {
            Some(folder) => (cut_names(folder, DESIGN), &own[folder.len() + 1..]),
            None => (String::new(), own),
        };
        let room = LONGEST.saturating_sub(width(&head) + 3);
        let tail = cut_front(rest, room);
        if !head.is_empty() {
            format!("{head}/{tail}")
        } else if tail.len() == own.len() && own.len() < path.len() {
            format!("…/{tail}")
        } else {
            tail
        }
    }
}

/// The last folders and the file of a path that fit, behind `…/` where folders are left out. The file always stays, cut in its middle where it is longer.
fn cut_front(path: &str, most: usize) -> String {
    let mut kept = path;
    while width(kept) > most {
        let Some((_, rest)) = kept.split_once('/') else { break };
        kept = rest;
    }
    let file = cut_middle(kept, most.max(SHORTEST));
    if kept.len() == path.len() { file } else { format!("…/{file}") }
}

/// Folders with names so short that they fit together: each keeps its beginning, for any of them may be what differs.
fn cut_names(path: &str, most: usize) -> String {
    let cut = |longest: usize| {
        let names = path.split('/').map(|name| match name.char_indices().nth(longest) {
            Some(_) => {
                let end = name.char_indices().nth(longest - 1).map_or(name.len(), |(at, _)| at);
                format!("{}…", &name[..end])
            }
            None => name.to_owned(),
        });
        names.collect::<Vec<String>>().join("/")
    };
    let fitting = (SHORTEST..=most).rev().map(cut).find(|text| width(text) <= most);
    fitting.unwrap_or_else(|| cut_front(&cut(SHORTEST), most))
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

/// What two paths begin with, whole folders, with something behind their last slash so that it counts as a path.
fn common_folder<'a>(one: &'a str, other: &'a str) -> &'a str {
    let alike = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let slash = one.as_bytes()[..alike].iter().rposition(|byte| *byte == b'/');
    slash.map_or("", |at| &one[..=at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(common: &str, has_designs: bool) -> ShortPaths<'_> {
        ShortPaths { common, has_designs, shared: BTreeSet::new() }
    }

    #[test]
    fn a_long_path_keeps_its_design_and_its_file() {
        let path =
            "art/cnns/opt3/ResidualBlock/hls/hls_ResidualBlock/solution1/syn/report/csynth.xml";
        let several = paths("art/cnns/", true);
        let short = several.shorten(path, Some("art/cnns/opt3/ResidualBlock"));
        assert_eq!(short, "opt3/ResidualBlock/…/report/csynth.xml");
        // Any folder of a design may be the one that differs.
        let long = path.replace("ResidualBlock", "DepthwiseSeparableConvBlock");
        let short = several.shorten(&long, Some("art/cnns/opt3/DepthwiseSeparableConvBlock"));
        assert_eq!(short, "opt3/DepthwiseSeparable…/…/csynth.xml");
        assert_eq!(
            cut_names("transformers/opt5/MultiHeadSelfAttention", 24),
            "transfor…/opt5/MultiHea…"
        );
        // Another design, of several in its folder.
        let other = several.shorten(path, Some("art/cnns/opt3 (p)"));
        assert_eq!(other, "opt3/…/solution1/syn/report/csynth.xml");
        // One design: the end says where.
        let one = paths("art/cnns/", false).shorten(path, Some("art/cnns/opt3/ResidualBlock"));
        assert_eq!(one, "…/solution1/syn/report/csynth.xml");
        assert_eq!(several.shorten("a/b.cpp", Some("a")), "a/b.cpp");
    }

    #[test]
    fn whole_folders_are_in_common() {
        assert_eq!(common_folder("a/bc/d.h", "a/be/d.h"), "a/");
        assert_eq!(common_folder("a/b.h", "c/b.h"), "");
        assert_eq!(folder_of("a/b/c.h"), "a/b/");
    }
}
