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

use derate_hls::{Function, Resolver, split_words};

use crate::AuditInput;
use crate::{Finding, Level};
use derate_project::open_macro::find_open_macro;
use derate_project::tails::Tails;
use derate_project::tiled_loops::{FunctionTiles, RemainderKind, Tiled};
use derate_units::figures::grouped;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let headers = input.code.headers();
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let tails = Tails::new(headers, &resolver, input.sources);
    let functions = headers.iter().flat_map(|header| &header.functions);
    let report_function = |function| {
        let (resolver, sources) = (&resolver, input.sources);
        let view = FunctionTiles { resolver, sources, function, tails: &tails };
        let loops = function.loops.iter().filter_map(|one| view.find(one));
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

/// What is lost or added.
fn describe(one: &Tiled) -> String {
    let (extent, tile, rest) = (one.extent, one.tile, one.rest);
    let whole = extent - rest;
    match one.kind {
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
        .with_label(one.span, describe(one))
        .with_note(why)
        .with_help(
            "take a tile that divides the extent and assert it, or round the tiles up and \
             pad the arrays or guard the last one",
        )
        .with_evidence(one)
}
