//! What a project does with the rest of a tiled extent elsewhere: constants that are made from it, and loops that start there.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Constant, Function, Header, Resolver, Sources, split_words};

/// The constants of a project by name, and what its functions do with a rest.
pub struct Tails<'a> {
    headers: &'a [Header],
    resolver: &'a Resolver<'a>,
    sources: &'a Sources,
    constants: BTreeMap<&'a str, Vec<&'a Constant>>,
    /// Where loops start, other than at 0.
    starts: OnceCell<BTreeSet<i128>>,
    /// The computed constants that bodies use.
    used: OnceCell<Vec<&'a Constant>>,
}

impl<'a> Tails<'a> {
    /// What these headers have.
    #[must_use]
    pub fn new(headers: &'a [Header], resolver: &'a Resolver<'a>, sources: &'a Sources) -> Self {
        let mut constants: BTreeMap<&str, Vec<&Constant>> = BTreeMap::new();
        for constant in headers.iter().flat_map(|header| &header.constants) {
            constants.entry(&constant.name).or_default().push(constant);
        }
        let (starts, used) = (OnceCell::new(), OnceCell::new());
        Self { headers, resolver, sources, constants, starts, used }
    }

    /// What a constant is made of, as a function sees it: from its scope outwards, its own file first. Two that differ are
    /// none.
    #[must_use]
    pub fn expression_of(&self, function: &Function, name: &str) -> Option<&'a str> {
        let all = self.constants.get(name)?;
        let mut scope = Some(function.scope.clone());
        while let Some(here) = scope {
            let seen: Vec<&Constant> =
                all.iter().copied().filter(|one| one.scope == here).collect();
            let mut own = seen.iter().filter(|one| one.span.file == function.span.file).peekable();
            let expression = if own.peek().is_some() {
                common_text(own.map(|one| one.expression.as_str()))
            } else {
                common_text(seen.iter().map(|one| one.expression.as_str()))
            };
            if !seen.is_empty() {
                return expression;
            }
            scope = here.outer();
        }
        None
    }

    /// Whether any function handles the rest behind `whole` elements in full tiles: it starts a loop there, or uses a
    /// constant made from the rest, or from the number of tiles and the tile.
    #[must_use]
    pub fn is_handled(&self, extent: &str, tile: &str, tiles: &str, whole: i128) -> bool {
        let starts = self.starts.get_or_init(|| self.all_starts());
        if starts.contains(&whole) {
            return true;
        }
        let made = |constant: &&Constant| {
            let text = constant.expression.as_str();
            let all: BTreeSet<&str> = split_words(text).collect();
            let of_extent = all.contains(extent) && text.contains(['%', '-']);
            let of_tiles = all.contains(tiles) && text.contains('*');
            all.contains(tile) && (of_extent || of_tiles)
        };
        self.used.get_or_init(|| self.all_used()).iter().any(made)
    }

    fn all_starts(&self) -> BTreeSet<i128> {
        let functions = self.headers.iter().flat_map(|header| &header.functions);
        let loops = functions.flat_map(|function| {
            function
                .loops
                .iter()
                .filter_map(move |one| Some((function, one, one.start.as_deref()?)))
        });
        let starts = loops.filter(|(.., start)| start.trim() != "0");
        let none = BTreeMap::new();
        starts
            .filter_map(|(function, one, start)| {
                self.resolver.value_within(function, one.span, start, &none).ok()
            })
            .collect()
    }

    /// With the constants that those are made from, some steps back.
    fn all_used(&self) -> Vec<&'a Constant> {
        const STEPS: usize = 4;
        let bodies = self.headers.iter().flat_map(|header| &header.functions);
        let bodies = bodies.filter_map(|function| function.body);
        let known = |word: &str| self.constants.get_key_value(word).map(|(name, _)| *name);
        let mut used: BTreeSet<&str> = bodies
            .flat_map(|body| split_words(self.sources.slice(body)))
            .filter_map(known)
            .collect();
        let mut last: Vec<&str> = used.iter().copied().collect();
        for _ in 0..STEPS {
            let parts = last.iter().filter_map(|name| self.constants.get(name)).flatten();
            let parts = parts.flat_map(|one| split_words(&one.expression)).filter_map(known);
            last = parts.filter(|name| used.insert(name)).collect();
        }
        let all = used.into_iter().filter_map(|name| self.constants.get(name)).flatten().copied();
        all.filter(|one| one.expression.contains(['%', '-', '*'])).collect()
    }
}

/// The one text that all are.
fn common_text<'a>(mut all: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = all.next()?;
    all.all(|one| one == first).then_some(first)
}
