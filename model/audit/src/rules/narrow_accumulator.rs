//! An accumulator whose type cannot hold the sum that the loops add up in it.
//!
//! ## What it does
//!
//! Takes `+=` (also spelt out) of an element or a product of elements, such as `acc += a[i][k] * b[k][j]`, where all types
//! are integers or fixed point of known width and the trip counts are known, and compares the largest sum of
//! full-range operands with what the accumulator's type holds. The count is that of the loops around the sum up to the
//! one that resets it; a loop whose count is unknown, or that sets an index of the accumulator, ends it, so that it is at
//! least that many. Where a partial sum is added (`p = 0; p += a * b;`, then `acc += p`), its products count, not the type
//! of `p`, unless that cuts them: then each value of `p` is a term, and it is a note. Integers are a warning. Fixed point is a note, as its scaling may be chosen so that the sum stays small,
//! and so are sums of plain elements, which may be flags or counts that fill little of their type, and products of integers that
//! have as many bits as the accumulator, 32 or more: that is what `int` does in C.
//!
//! The width of `int` says nothing of the values in it. A sum of at least 16 products of elements of `int` or `int32_t` in
//! 32 bits or fewer is a note, which says how small the elements must stay.
//!
//! An element of a constant table is as large as the values of the table, where all of them are read. A local or `static`
//! table with values is constant where nothing writes it. Such a sum is a note: not every value of a table is its largest.
//! So is a sum with the mask of a filter that is set at run time: a table of at most 64 elements in two dimensions or more, which
//! the loops of the sum go through and nothing sets in the loop around them, where one product fits.
//!
//! Where a local sum of integers goes into one output alone that has no more bits, sum and output wrap alike, and only a wider output has
//! more of the sum: the finding names it, and is a note for types whose bits were chosen (`ap_int`, `ac_int`) or where the sum is
//! shifted (`out[i] = sum >> 15`) and the bits below the output are the same.
//!
//! Not judged: other sums of `int` and wider C integers; conditional sums;
//! unsigned sums of plain elements, which may be checksums; anything but elements, products and widening casts. Whether a
//! type saturates is not known: `ap_fixed<16, 6, AP_TRN, AP_SAT>`, which ends at its greatest value instead of wrapping
//! around, is reported like one that wraps.
//!
//! ## Why it matters
//!
//! Hardware wraps around in silence. `int8` products have 16 bits, and a sum of K of them `ceil(log2 K)` more: 26 for
//! K = 768. C simulation shows the error only with data that reach so far.
//!
//! ## Example
//!
//! ```cpp
//! int16_t acc = 0;
//! for (int k = 0; k < 768; k++) acc += a[i][k] * b[k][j]; // int8_t a, b
//! ```
//!
//! ## How to fix
//!
//! Give the accumulator the bits of the product and `ceil(log2 K)` more (`int32_t`, `ap_int<26>`), and cut the result once,
//! after the loop. An accumulator of 32 bits costs no more DSP slices than one of 16: a DSP48E2 adds 48 bits.

mod plain_int;

use std::cell::Cell;

use derate_hls::{Function, HlsType, NumberKind, Resolver, ScalarType, Span, Update};
use serde::Serialize;

use crate::AuditInput;
use crate::{Finding, Level};
use derate_project::addend::{ValueRange, find_addend};
use derate_project::mask::find_mask;
use derate_project::partial_sum::{PartialSum, is_plain_sum};
use derate_project::sole_output::find_sole_output;
use derate_project::tables::Tables;
use derate_project::terms::{TermCount, count_terms};
use derate_units::figures::grouped;

/// Integers of so many bits or more hold numbers in general, as `int` does.
const WORD: i32 = 32;

/// The values of a table are taken at their extremes.
const TABLE: &str = "a factor is an element of a constant table, taken at its largest value in every term: the sum of the \
                     table's own values may need fewer bits";

#[derive(Debug, Serialize)]
struct Sum {
    function: String,
    target: String,
    underlying: String,
    line: usize,
    /// Terms, at least.
    terms: u64,
    /// The loops that they come from.
    #[serde(skip)]
    count: TermCount,
    /// Bits of one term.
    term_bits: u32,
    /// Bits before the binary point that the type has, and that every sum fits in.
    has: i32,
    needs: i32,
    /// Whether a bit of the need is the sign's, of a sum that is never negative.
    #[serde(skip)]
    sign: bool,
    #[serde(skip)]
    product: bool,
    /// The partial sum whose narrower type cuts what is added.
    #[serde(skip)]
    cut: Option<String>,
    #[serde(skip)]
    fixed: bool,
    /// What alone gets the sum, where it is as narrow and both wrap.
    #[serde(skip)]
    output: Option<Output>,
    /// What is to be said where a factor is an element of a constant table, or of a mask.
    #[serde(skip)]
    table: Option<String>,
}

/// What alone gets a sum.
#[derive(Debug)]
struct Output {
    name: String,
    /// Whether the bits of the sum were chosen, as those of a type of C are not.
    is_chosen: bool,
}

impl Sum {
    fn terms_text(&self) -> String {
        let least = if self.count.is_open { "at least " } else { "" };
        let terms = grouped(self.terms as f64);
        match &self.cut {
            Some(name) => format!("{least}{terms} values of `{name}`"),
            None if self.product => format!("{least}{terms} products"),
            None => format!("{least}{terms} elements"),
        }
    }

    fn bits(&self) -> &'static str {
        if self.fixed { "bits before the binary point" } else { "bits" }
    }

    /// Whether it may be meant: by its scaling, as elements that fill little of their type, as a table whose other values
    /// are small, or as what `int` does.
    fn may_be_meant(&self) -> bool {
        let is_wrapped = self.output.as_ref().is_some_and(|one| one.is_chosen);
        self.fixed || !self.product || self.table.is_some() || self.is_word() || is_wrapped
    }

    /// Whether factors and sum are words of one width, as `int` is in C: nobody takes 64 bits for each product.
    fn is_word(&self) -> bool {
        let words = u32::try_from(self.has).is_ok_and(|has| self.term_bits >= 2 * has);
        self.product && !self.fixed && self.table.is_none() && self.has >= WORD && words
    }

    /// The rule of thumb beside what is exact.
    fn note(&self) -> String {
        let more = self.terms.next_power_of_two().trailing_zeros();
        let one = self.term_bits;
        let (sign, one_more) = if self.sign { (" + a sign", " + 1") } else { ("", "") };
        format!(
            "`{}`: {one} bits of one {} + ceil(log2 {}){sign} = {one} + {more}{one_more} = {} \
             bits at most; {} {} hold {}, `{}` has {}",
            self.target,
            match &self.cut {
                Some(_) => "value",
                None if self.product => "product",
                None => "element",
            },
            self.terms,
            one.saturating_add(more).saturating_add(u32::from(self.sign)),
            self.needs,
            self.bits(),
            if self.count.is_open { "so many, and more may be added" } else { "every sum" },
            self.underlying,
            self.has
        )
    }
}

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let headers = input.code.headers();
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let functions = headers.iter().flat_map(|header| &header.functions);
    let updates =
        functions.flat_map(|function| function.updates.iter().map(move |it| (function, it)));
    updates
        .filter_map(|(function, update)| {
            if let Some(sum) = find_sum(input, &resolver, function, update) {
                return Some(report_sum(function, &sum, update.span));
            }
            plain_int::report_sum(input, &resolver, function, update)
        })
        .collect()
}

fn find_sum(
    input: &AuditInput<'_>,
    resolver: &Resolver<'_>,
    function: &Function,
    update: &Update,
) -> Option<Sum> {
    if !is_plain_sum(update) {
        return None;
    }
    let sources = input.sources;
    let tables = Tables { resolver, sources, headers: input.code.all_headers() };
    let resolution = resolver.variable(function, update.span, &update.name);
    let HlsType::Scalar(scalar) = resolution.known()? else { return None };
    let held = ValueRange::of_type(scalar)?;
    let table = Cell::new(false);
    let partial = PartialSum::find(sources, function, update);
    let mut cut = None;
    let (one, factors, before) = if let Some(partial) = partial {
        let read = partial.read(resolver, sources, function, &tables)?;
        let whole = read.0.times_terms(read.2)?;
        cut = partial.find_cut(resolver, function, whole);
        cut.map_or(read, |(_, own)| (own, read.1, 1))
    } else {
        let read = |text: &str, scalar: &_| {
            let range = tables.read_operand(function, update.span, text, scalar);
            table.set(table.get() || range != ValueRange::of_operand(scalar));
            range
        };
        let (one, factors) = find_addend(resolver, sources, function, update, &read)?;
        (one, factors, 1)
    };
    let signed = held.least < 0;
    if !signed && (one.least < 0 || factors == 1) {
        return None;
    }
    let count = count_terms(resolver, sources, function, update);
    let terms = count.least.checked_mul(before)?;
    let all = one.times_terms(terms)?;
    let sign = signed && all.least >= 0;
    let (has, needs) = (held.integer_bits()?, all.integer_bits()?.checked_add(i32::from(sign))?);
    let mask = || {
        let fits = one.integer_bits()?.checked_add(i32::from(signed && one.least >= 0))? <= has;
        let name = (fits && factors > 1).then(|| find_mask(function, update, terms))??;
        Some(format!(
            "the worst case of a factor that is set at run time: each element of `{name}` would be its type's largest at once"
        ))
    };
    (terms > 1 && needs > has).then(|| Sum {
        function: function.qualified(),
        target: update.target.clone(),
        underlying: scalar.to_string(),
        line: sources.position(update.span).line,
        terms,
        count,
        term_bits: one.bits,
        has,
        needs,
        sign,
        product: factors > 1 && cut.is_none(),
        cut: cut.map(|(name, _)| name.to_owned()),
        fixed: scalar.kind() == NumberKind::Fixed,
        output: find_output(input, resolver, function, update, has).map(|(name, cut)| {
            let is_chosen = cut > 0 || !matches!(scalar, ScalarType::Int { .. });
            Output { name, is_chosen }
        }),
        table: table.get().then(|| TABLE.to_owned()).or_else(mask),
    })
}

/// The output that alone gets a local sum, where it is an integer of no more bits, those that are cut at the right included: what the sum
/// loses, the output has no place for.
fn find_output(
    input: &AuditInput<'_>,
    resolver: &Resolver<'_>,
    function: &Function,
    update: &Update,
    has: i32,
) -> Option<(String, u8)> {
    let body = function.body.filter(|_| update.target == update.name)?;
    let sum = resolver.variable(function, update.span, &update.name);
    let is_integer =
        |kind: &HlsType| matches!(kind, HlsType::Scalar(one) if one.kind() == NumberKind::Integer);
    sum.known().filter(|kind| is_integer(kind))?;
    let is_local = function.locals.iter().any(|one| one.name == update.name);
    let output = find_sole_output(input.sources.slice(body), &update.name);
    let (name, cut) = output.filter(|_| is_local)?;
    if name.is_empty() {
        return None;
    }
    let end = Span { start: body.end, end: body.end, ..body };
    let resolution = resolver.variable(function, end, name);
    let HlsType::Scalar(scalar) = resolution.known()? else { return None };
    let held = ValueRange::of_type(scalar).filter(|_| scalar.kind() != NumberKind::Fixed)?;
    (held.integer_bits()? + i32::from(cut) <= has).then(|| (name.to_owned(), cut))
}

fn report_sum(function: &Function, sum: &Sum, span: Span) -> Finding {
    let Sum { target, has, needs, .. } = sum;
    let level = if sum.may_be_meant() { Level::Note } else { Level::Warning };
    let (name, bits, terms, within) =
        (&function.name, sum.bits(), sum.terms_text(), function.qualified());
    Finding::new("kernel/narrow-accumulator", level, format!("{within}::{target}"))
        .in_group(within)
        .with_message(if sum.is_word() {
            format!("`{target}` of `{name}` has {has} bits, and one product may have {}", sum.term_bits)
        } else {
            format!("`{target}` of `{name}` has {has} {bits}; a sum of {terms} needs {needs}")
        })
        .with_label(span, format!("{terms} need {needs} {bits}, `{target}` has {has}"))
        .with_note(sum.note())
        .with_notes(sum.table.clone())
        .with_notes(sum.is_word().then_some(
            "the factors have as many bits as the sum, as with `int` in C: it is right while the values stay small",
        ))
        .with_notes(sum.output.as_ref().map(|Output { name, .. }| {
            format!("`{name}` alone gets the sum, and none of its bits is above the sum's: they are the same, however wide `{target}` is")
        }))
        .with_help(if let Some(Output { name, .. }) = &sum.output {
            format!("give `{name}` the bits of the sum, and `{target}` with it, if the whole sum is meant")
        } else if sum.is_word() {
            "give the elements the type of their values (`ap_int<12>`): products and sum become narrower with them".to_owned()
        } else if sum.fixed {
            "give the accumulator so many bits before the binary point, or show that the scaling \
             keeps the sum below"
                .to_owned()
        } else {
            "give the accumulator so many bits or more, and cut the result once, after the loop".to_owned()
        })
        .with_evidence(sum)
}
