//! The extent of a tiled loop is not a multiple of the tile: elements are dropped, or the last tile reaches beyond the end.
//!
//! ## What it does
//!
//! Looks for two forms, where extent and tile are known and do not divide. A loop to `N / TILE` (also through a constant
//! `TILES = N / TILE`) leaves out the last `N % TILE` elements, or more where a macro has no parentheses: it is judged where its body multiplies its variable by the
//! tile, or holds a loop of one tile. A loop to `N` in steps of `TILE` runs beyond the end: it is judged where an
//! unconditional access in it is indexed with its variable and that of a loop of one tile, and the array is declared shorter.
//! A pointer, or an array from elsewhere, has no length in the text: whether it is padded is unknown, and it is not judged.
//! Where the bound is made of a macro that is a `? :` without brackets (`#define CEIL(x) x % N == 0 ? x : x + 1`) with an operator
//! beside it, the finding names the macro: the operator belongs to its last branch.
//!
//! Tiles below 4 in a division, and names with pooling, strides or decimation in them, are not judged: those leave out the
//! rest by definition. Nor is a loop whose rest is handled: where the function computes `N % TILE` or `N / TILE * TILE`, or
//! uses the extent or the number of tiles outside the heads of such loops; where the loop compares with the extent or
//! takes a minimum; and where any function starts a loop at the rest, or uses a constant that is made from it.
//!
//! ## Why it matters
//!
//! Integer division drops the rest in silence: 1024 rows in tiles of 20 are 51 tiles, 1020 rows. The latency that a report
//! gives is then that of a smaller problem, and the result is wrong.
//!
//! ## Example
//!
//! ```cpp
//! for (int t = 0; t < 1024 / 20; t++)
//!     for (int i = 0; i < 20; i++) c[t * 20 + i] = a[t * 20 + i];
//! ```
//!
//! ## How to fix
//!
//! Take a tile that divides the extent and say so with a `static_assert`; or round the number of tiles up and pad the
//! arrays or guard the last tile.

use std::collections::BTreeMap;

use derate_hls::{Access, Comparison, Function, Loop, Resolver, Sources, Span};
use serde::Serialize;

use crate::AuditInput;
use crate::{Finding, Level};
use derate_hls::{is_plain, split_words};
use derate_project::open_macro::find_open_macro;
use derate_project::tails::Tails;
use derate_units::figures::grouped;

/// Less is a pair or a pooling window rather than a tile.
const SMALLEST: i128 = 4;

#[derive(Debug, Serialize)]
struct Tiled {
    function: String,
    #[serde(skip)]
    variable: String,
    line: usize,
    kind: RemainderKind,
    extent: i128,
    tile: i128,
    /// Elements of the extent that no full tile takes.
    rest: i128,
    #[serde(skip)]
    span: Span,
    #[serde(skip)]
    bound: String,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum RemainderKind {
    Dropped,
    Beyond,
}

impl Tiled {
    /// What is lost or added.
    fn sentence(&self) -> String {
        let (extent, tile, rest) = (self.extent, self.tile, self.rest);
        let whole = extent - rest;
        match self.kind {
            RemainderKind::Dropped => format!(
                "{} x {} = {} of {}: the last {} {} left out",
                whole / tile,
                grouped(tile as f64),
                grouped(whole as f64),
                grouped(extent as f64),
                grouped(rest as f64),
                if rest == 1 { "is" } else { "are" }
            ),
            RemainderKind::Beyond => format!(
                "the last tile starts at {} and reaches {} beyond {}",
                grouped(whole as f64),
                tile - rest,
                grouped(extent as f64)
            ),
        }
    }
}

/// Names and numbers of one function, looked up.
struct FunctionView<'a> {
    resolver: &'a Resolver<'a>,
    sources: &'a Sources,
    function: &'a Function,
    tails: &'a Tails<'a>,
}

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let headers = input.code.headers();
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let tails = Tails::new(headers, &resolver, input.sources);
    let functions = headers.iter().flat_map(|header| &header.functions);
    let report_function = |function| {
        let (resolver, sources) = (&resolver, input.sources);
        let view = FunctionView { resolver, sources, function, tails: &tails };
        let loops = function.loops.iter().filter_map(|one| view.find_tiled(one));
        let report = |one: Tiled| {
            let texts = input.code.all_headers().iter().map(|it| input.sources.text(it.file));
            let words: Vec<&str> = split_words(&one.bound).collect();
            let open = find_open_macro(texts, &words).map(str::to_owned);
            let finding = report_loop(function, &one);
            open.map_or(finding.clone(), |name| name_macro(finding, function, &one, &name))
        };
        loops.map(report).collect::<Vec<_>>()
    };
    functions.flat_map(report_function).collect()
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

impl FunctionView<'_> {
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

    fn find_tiled(&self, one: &Loop) -> Option<Tiled> {
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

/// The finding where a macro without brackets makes the bound: that is what is wrong, not the tile.
fn name_macro(finding: Finding, function: &Function, one: &Tiled, name: &str) -> Finding {
    let (bound, tiles) = (&one.bound, (one.extent - one.rest) / one.tile);
    let mut finding = finding
        .with_message(format!(
            "`{name}` is a `? :` without brackets: `{bound}` of `{}` is {tiles}, and what is beside `{name}` belongs to its last branch",
            function.name
        ))
        .with_cause(format!("`{name}` is a `? :` without brackets"), format!("`{}`", function.name), 0.0)
        .with_help(format!("put brackets around what `{name}` is replaced by, and around its argument"));
    finding.notes.clear();
    finding
}

fn report_loop(function: &Function, one: &Tiled) -> Finding {
    let Tiled { extent, tile, rest, .. } = *one;
    let (name, within) = (&function.name, &one.function);
    let (message, why) = match one.kind {
        RemainderKind::Dropped => (
            format!(
                "the tiles of `{name}` leave out {} of {}: {}",
                grouped(rest as f64),
                grouped(extent as f64),
                if rest < tile {
                    format!("{} is not a divisor", grouped(tile as f64))
                } else {
                    format!("`{}` is {}", one.bound, (extent - rest) / tile)
                }
            ),
            if rest < tile {
                "integer division drops the rest in silence"
            } else {
                "a macro without parentheses is replaced by its tokens: `N/512/8` divides twice"
            },
        ),
        RemainderKind::Beyond => (
            format!(
                "the last tile of `{name}` reaches {} beyond the end: {tile} is not a divisor of {}",
                tile - rest,
                grouped(extent as f64)
            ),
            "a loop in steps of a tile begins its last tile whether or not it fits",
        ),
    };
    Finding::new("kernel/tile-remainder", Level::Warning, format!("{within}::{}", one.variable))
        .in_group(within.clone())
        .with_message(message)
        .with_label(one.span, one.sentence())
        .with_note(why)
        .with_help(
            "take a tile that divides the extent and assert it, or round the tiles up and \
             pad the arrays or guard the last one",
        )
        .with_evidence(one)
}
