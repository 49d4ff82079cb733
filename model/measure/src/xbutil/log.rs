//! The lines of a test's log.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::{Xbutil, XbutilFigure, XbutilTest};
use derate_units::figures::count;

/// Tests of bandwidths, by their names of all versions.
const OF_RATES: [&str; 4] = ["dma", "mem-bw", "bandwidth kernel", "m2m"];

/// So many lines of a test that cannot be read are named.
const NAMED: usize = 4;

/// And so much of one.
const SHOWN: usize = 120;

#[expect(clippy::unwrap_used, reason = "the patterns are constants, and a test compiles them")]
fn compile_pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

static DMA: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"(write|read) bandwidth\s*[=:]\s*([0-9]+(?:\.[0-9]+)?)\s*MB/s")
});
static KINDS: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"Throughput \(Type: (\w+)\) \(Bank count: ([0-9]+)\)\s*:\s*([0-9]+(?:\.[0-9]+)?)\s*MB/s",
    )
});
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"Throughput of Memory Tag:\s*(\w+)\S*\s*:\s*([0-9]+(?:\.[0-9]+)?)\s*MB/s")
});
static M2M: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"(\S+) -> (\S+) M2M bandwidth\s*:?\s*([0-9]+(?:\.[0-9]+)?)\s*MB/s")
});
static OLD: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"Maximum throughput:\s*([0-9]+(?:\.[0-9]+)?)\s*MB/s"));

/// A line that speaks of a rate.
static RATE: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"(?i)[kmgt]i?B/s|(?:bandwidth|throughput)[^=:]*[=:]"));

/// The texts of a test's log; some versions put several lines into one entry.
fn list_texts(test: &Value) -> impl Iterator<Item = &str> {
    let entries = test.get("log").and_then(Value::as_array).into_iter().flatten();
    let values = entries.filter_map(Value::as_object).flat_map(|entry| entry.values());
    values.flat_map(split_lines).filter_map(Value::as_str)
}

fn split_lines(value: &Value) -> Vec<&Value> {
    value.as_array().map_or_else(|| vec![value], |lines| lines.iter().collect())
}

/// What a line says.
enum LogLine {
    /// What between host and card, and whether it is from the card.
    Dma { from_card: bool, printed: f64 },
    /// A figure of its own.
    Figure { test: XbutilTest, what: String, printed: f64 },
    /// A rate that is none.
    Nothing,
    /// A rate that cannot be read.
    Unknown,
    /// No rate.
    Other,
}

fn read_line(line: &str) -> LogLine {
    let number = |printed: &str| printed.parse::<f64>().ok().filter(|n| n.is_finite() && *n > 0.0);
    let figure = |test, what: String, printed: &str| match number(printed) {
        Some(printed) => LogLine::Figure { test, what, printed },
        None => LogLine::Nothing,
    };
    if let Some(hit) = DMA.captures(line) {
        let from_card = &hit[1] == "read";
        number(&hit[2]).map_or(LogLine::Nothing, |printed| LogLine::Dma { from_card, printed })
    } else if let Some(hit) = KINDS.captures(line) {
        let banks = hit[2].parse::<u64>().ok().filter(|&banks| banks > 0);
        let many = banks.map_or_else(String::new, |n| {
            format!(", {}", count(usize::try_from(n).unwrap_or(usize::MAX), "bank"))
        });
        let test = XbutilTest::Memory { bank: Some(hit[1].to_owned()), banks };
        figure(test, format!("{}{many}", &hit[1]), &hit[3])
    } else if let Some(hit) = TAG.captures(line) {
        let test = XbutilTest::Memory { bank: Some(hit[1].to_owned()), banks: Some(1) };
        figure(test, format!("{}, 1 bank", &hit[1]), &hit[2])
    } else if let Some(hit) = M2M.captures(line) {
        let what = format!("{} to {}", &hit[1], &hit[2]);
        figure(XbutilTest::MemoryToMemory, what, &hit[3])
    } else if let Some(hit) = OLD.captures(line) {
        let test = XbutilTest::Memory { bank: None, banks: None };
        figure(test, "memory not named".to_owned(), &hit[1])
    } else if RATE.is_match(line) {
        LogLine::Unknown
    } else {
        LogLine::Other
    }
}

/// Reads a test's figures, and tells what of it could not be read.
pub(super) fn read_test(test: &Value, into: &mut Xbutil) {
    let name = test.get("name").and_then(Value::as_str).unwrap_or("a test").to_ascii_lowercase();
    let status = test.get("status").and_then(Value::as_str).map(str::to_ascii_lowercase);
    let (figures, lines) = (into.figures.len(), into.left_out.len());
    let shown = name.escape_debug().to_string();
    let mut left_out = 0_usize;
    let mut dma: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    let mut add = |test, what: String, printed| {
        let (name, status) = (format!("{name}, {what}"), status.clone());
        into.figures.push(XbutilFigure { test, name, printed, status });
    };
    for line in list_texts(test) {
        let why = match read_line(line) {
            LogLine::Dma { from_card, printed } => {
                if let Some(way) = dma.get_mut(usize::from(from_card)) {
                    way.push(printed);
                }
                continue;
            }
            LogLine::Figure { test, what, printed } => {
                add(test, what, printed);
                continue;
            }
            LogLine::Other => continue,
            LogLine::Nothing => "the rate is nothing",
            LogLine::Unknown => "it has no rate in MB/s in a form that is known",
        };
        left_out += 1;
        if left_out <= NAMED {
            let text: String =
                line.chars().take(SHOWN).collect::<String>().escape_debug().collect();
            into.left_out.push(format!("{shown}: `{text}` is left out: {why}."));
        }
    }
    if let Some(more) = left_out.checked_sub(NAMED).filter(|&more| more > 0) {
        let verb = if more == 1 { "more line is" } else { "more lines are" };
        into.left_out.push(format!("{shown}: {more} {verb} left out."));
    }
    for (rates, way) in dma.iter().zip(["to the card", "from the card"]) {
        let Some(best) = rates.iter().copied().max_by(f64::total_cmp) else { continue };
        add(XbutilTest::Dma, format!("{way}, best of {}", count(rates.len(), "bank")), best);
    }
    let none = into.figures.len() == figures && into.left_out.len() == lines;
    if none && OF_RATES.contains(&name.as_str()) {
        let why = match status.as_deref() {
            Some("passed") => "no line of its log is a rate",
            Some("failed") => "the tool says that it failed",
            _ => "the tool does not say that it passed",
        };
        into.left_out.push(format!("{shown} gives no figure: {why}."));
    }
}
