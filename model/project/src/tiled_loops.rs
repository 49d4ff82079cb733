//! Loops over tiles whose number times their size is not the extent.

use std::collections::BTreeMap;

use derate_hls::{
    Access, Comparison, Function, Loop, Resolver, Sources, Span, is_plain, split_words,
};
use serde::Serialize;

use crate::tails::Tails;

/// Less is a pair or a pooling window rather than a tile.
const SMALLEST: i128 = 4;

/// A loop over tiles that do not make up its extent.
#[derive(Debug, Serialize)]
pub struct Tiled {
    /// The function that it is in, with its class.
    pub function: String,
    /// Its counter.
    #[serde(skip)]
    pub variable: String,
    /// Its line, from 1.
    pub line: usize,
    /// What becomes of the rest.
    pub kind: RemainderKind,
    /// The elements in all.
    pub extent: i128,
    /// The elements of one tile.
    pub tile: i128,
    /// Elements of the extent that no full tile takes.
    pub rest: i128,
    /// Its head and its body.
    #[serde(skip)]
    pub span: Span,
    /// Its bound, as it is written.
    #[serde(skip)]
    pub bound: String,
}

/// What becomes of what no full tile takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemainderKind {
    /// It is left out.
    Dropped,
    /// The last tile takes it, and reaches beyond the end.
    Beyond,
}

/// The tiled loops of one function.
pub struct FunctionTiles<'a> {
    /// What knows the names of all headers.
    pub resolver: &'a Resolver<'a>,
    /// The texts.
    pub sources: &'a Sources,
    /// The function.
    pub function: &'a Function,
    /// What handles rests elsewhere.
    pub tails: &'a Tails<'a>,
}

/// Pooling and strides leave out the rest by their definition.
fn drops_on_purpose(name: &str) -> bool {
    let name = name.to_lowercase();
    ["pool", "stride", "decim", "down"].iter().any(|word| name.contains(word))
}

/// Without blanks, so that spellings compare.
fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

impl FunctionTiles<'_> {
    fn value_at(&self, place: Span, text: &str) -> Option<i128> {
        self.resolver.value_within(self.function, place, text, &BTreeMap::new()).ok()
    }

    fn body_text(&self, one: &Loop) -> String {
        without_blanks(self.sources.slice(one.body))
    }

    /// `N / TILE` of a bound, straight or by way of one constant.
    fn find_division(&self, bound: &str) -> Option<(String, String)> {
        let direct = |text: &str| {
            let text = without_blanks(text);
            let text =
                text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&text);
            let (extent, tile) = text.split_once('/')?;
            (is_plain(extent) && is_plain(tile)).then(|| (extent.to_owned(), tile.to_owned()))
        };
        let local = || {
            let locals =
                self.function.locals.iter().filter(|local| local.name == bound && local.constant);
            locals.filter_map(|local| local.initial.as_deref()).next_back()
        };
        direct(bound).or_else(|| {
            direct(local().or_else(|| self.tails.expression_of(self.function, bound.trim()))?)
        })
    }

    /// Loops inside this one that run over one tile from its start.
    fn tile_loops<'f>(&'f self, outer: &'f Loop, tile: i128) -> impl Iterator<Item = &'f Loop> {
        self.function.loops.iter().filter(move |inner| {
            let within = outer.body.start <= inner.span.start && inner.span.end <= outer.body.end;
            let from_zero = inner.start.as_deref().is_some_and(|start| start.trim() == "0");
            let to = inner.bound.as_deref().and_then(|bound| self.value_at(inner.span, bound));
            within && from_zero && to == Some(tile) && inner.comparison == Some(Comparison::Less)
        })
    }

    /// Whether the function says something about the rest of a loop's extent.
    fn handles_rest(&self, one: &Loop, extent: &str, tile: &str) -> bool {
        let Some(body) = self.function.body else { return true };
        let text = without_blanks(self.sources.slice(body));
        text.contains(&format!("%{tile}"))
            || text.contains(&format!("{extent}/{tile}*"))
            || text.contains(&format!("{extent}/{tile})*"))
            || text.contains(&format!("{extent}-"))
            || self.is_used_elsewhere(
                one,
                body,
                &[extent, one.bound.as_deref().unwrap_or_default().trim()],
            )
    }

    /// Whether the body uses a name beside the loop, outside subscripts, declarations, pragmas and the heads of loops
    /// that start at 0: those are strides, buffers and other stages over the same tiles.
    fn is_used_elsewhere(&self, one: &Loop, body: Span, names: &[&str]) -> bool {
        let heads = self.function.loops.iter().filter(|other| {
            other.span == one.span || other.start.as_deref().is_some_and(|it| it.trim() == "0")
        });
        let mut holes: Vec<Span> = heads.map(|other| other.span).collect();
        holes.push(one.body);
        holes.extend(self.function.locals.iter().map(|local| local.span));
        holes.sort_by_key(|hole| hole.start);
        let (mut from, mut text) = (body.start, String::new());
        for hole in holes {
            if from < hole.start {
                text.push_str(self.sources.slice(Span { start: from, end: hole.start, ..body }));
            }
            from = from.max(hole.end);
        }
        if from < body.end {
            text.push_str(self.sources.slice(Span { start: from, ..body }));
        }
        let mut depth = 0_u32;
        let outside: String = (text.lines())
            .filter(|line| !line.trim_start().starts_with('#'))
            .flat_map(|line| line.chars().chain(['\n']))
            .map(|sign| {
                depth = match sign {
                    '[' => depth.saturating_add(1),
                    ']' => depth.saturating_sub(1),
                    _ => depth,
                };
                if depth == 0 { sign } else { ' ' }
            })
            .collect();
        split_words(&outside).any(|word| names.contains(&word))
    }

    /// Whether a body takes care not to pass the end.
    fn is_guarded(&self, one: &Loop, extent: &str) -> bool {
        let text = self.sources.slice(one.body);
        split_words(text).any(|word| word == extent || word == "min" || word == "MIN")
    }

    /// The tiles of a loop, where they do not make up its extent.
    pub fn find(&self, one: &Loop) -> Option<Tiled> {
        let variable = one.variable.as_deref()?;
        if one.comparison != Some(Comparison::Less)
            || one.start.as_deref()?.trim() != "0"
            || one.exits
        {
            return None;
        }
        let (bound, step) = (one.bound.as_deref()?, one.step.as_deref()?);
        let tiled = |kind, extent, tile, rest| Tiled {
            function: self.function.qualified(),
            variable: variable.to_owned(),
            line: self.sources.position(one.span).line,
            kind,
            extent,
            tile,
            rest,
            span: one.span,
            bound: one.bound.clone().unwrap_or_default(),
        };
        if without_blanks(step) == "1" {
            let (extent, tile) = self.find_division(bound)?;
            let (n, t) = (self.value_at(one.span, &extent)?, self.value_at(one.span, &tile)?);
            if t < SMALLEST || n < t {
                return None;
            }
            // A macro without parentheses is replaced by its tokens: `30000/512/8` has other tiles than 30000 / 64.
            let tiles = self.value_at(one.span, bound).filter(|tiles| *tiles > 0)?;
            let rest = n - tiles.checked_mul(t)?;
            if rest <= 0 || self.handles_rest(one, &extent, &tile) {
                return None;
            }
            if [tile.as_str(), &self.function.name].into_iter().any(drops_on_purpose) {
                return None;
            }
            let body = self.body_text(one);
            let multiplied = [format!("{variable}*{tile}"), format!("{tile}*{variable}")];
            let is_tiled = multiplied.iter().any(|product| body.contains(product))
                || self.tile_loops(one, t).next().is_some();
            let guarded = self.is_guarded(one, &extent);
            let handled = || self.tails.is_handled(&extent, &tile, bound.trim(), n - rest);
            return (is_tiled && !guarded && !handled())
                .then(|| tiled(RemainderKind::Dropped, n, t, rest));
        }
        let (n, t) = (self.value_at(one.span, bound)?, self.value_at(one.span, step)?);
        if t < 2 || n < t || n % t == 0 || self.handles_rest(one, bound.trim(), step.trim()) {
            return None;
        }
        // Figures of a file may be of any size.
        let end = (n - n % t).checked_add(t)?;
        let reaches = self.tile_loops(one, t).any(|inner| {
            let own = inner.variable.as_deref().unwrap_or_default();
            self.function.accesses.iter().any(|access| {
                let within =
                    inner.body.start <= access.span.start && access.span.end <= inner.body.end;
                within && !access.conditional && self.reaches_end(access, [variable, own], end)
            })
        });
        (reaches && !self.is_guarded(one, bound.trim()))
            .then(|| tiled(RemainderKind::Beyond, n, t, n % t))
    }

    /// Whether an index of the access runs to `end`, and the array is not known to be so long.
    fn reaches_end(&self, access: &Access, variables: [&str; 2], end: i128) -> bool {
        let together = |text: &&String| {
            let sum = without_blanks(text);
            let [outer, inner] = variables;
            sum == format!("{outer}+{inner}") || sum == format!("{inner}+{outer}")
        };
        let Some(at) = access.index.iter().position(|text| together(&text)) else { return false };
        let dims = self
            .function
            .locals
            .iter()
            .find(|local| local.name == access.array)
            .map(|local| &local.dims)
            .or_else(|| {
                let own = self.function.parameters.iter().find(|one| one.name == access.array);
                own.map(|own| &own.dims)
            });
        // Of an array from elsewhere nothing is known; a pointer has no end that the text says.
        let extent = dims.and_then(|dims| dims.get(at)).and_then(|dim| dim.value);
        extent.is_some_and(|extent| i128::from(extent) < end)
    }
}
