//! A unified diff, built from the edits themselves.

use std::ops::Range;

use crate::{Patch, apply_patches};

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// Lines that change, and what they become.
struct LineChange<'a> {
    /// Line numbers, from 0.
    lines: Range<usize>,
    old: &'a [u8],
    new: Vec<u8>,
    /// Why, each in a few words.
    reasons: Vec<String>,
}

/// The diff of the patches to a file called `name`; empty where nothing changes. Bytes that are not UTF-8 are kept. What a
/// hunk does is written behind its line numbers, where programs that apply a diff ignore it.
pub fn unified_diff(name: &str, original: &[u8], patches: &[Patch]) -> Vec<u8> {
    let lines: Vec<&[u8]> = original.split_inclusive(|&b| b == b'\n').collect();
    let changes = find_changes(original, &lines, patches);
    let mut out = Vec::new();
    let mut rest = &changes[..];
    // Lines that came in addition so far.
    let mut shift = 0_isize;
    while let Some(first) = rest.first() {
        let joined = rest
            .windows(2)
            .take_while(|two| two[1].lines.start - two[0].lines.end <= 2 * CONTEXT)
            .count();
        let (hunk, others) = rest.split_at(joined + 1);
        let last = hunk.last().unwrap_or(first);
        let from = first.lines.start.saturating_sub(CONTEXT);
        let to = (last.lines.end + CONTEXT).min(lines.len());
        if out.is_empty() {
            out.extend_from_slice(format!("--- {name}\n+++ {name}\n").as_bytes());
        }
        let (mut body, mut at, mut grown) = (Vec::new(), from, 0_isize);
        for change in hunk {
            put_lines(&mut body, b' ', &lines[at..change.lines.start].concat());
            put_lines(&mut body, b'-', change.old);
            let added = put_lines(&mut body, b'+', &change.new);
            grown += to_signed(added) - to_signed(change.lines.len());
            at = change.lines.end;
        }
        put_lines(&mut body, b' ', &lines[at..to].concat());
        let count = to_signed(to - from);
        let old = format_side(to_signed(from), count);
        let new = format_side(to_signed(from) + shift, count + grown);
        out.extend_from_slice(format!("@@ -{old} +{new} @@{}\n", hunk_heading(hunk)).as_bytes());
        out.append(&mut body);
        shift += grown;
        rest = others;
    }
    out
}

/// What a hunk does, each reason once, on one line.
fn hunk_heading(hunk: &[LineChange<'_>]) -> String {
    let mut reasons: Vec<&str> = Vec::new();
    for reason in hunk.iter().flat_map(|change| &change.reasons) {
        if !reason.is_empty() && !reasons.contains(&reason.as_str()) {
            reasons.push(reason);
        }
    }
    let text = reasons.join("; ").replace(['\n', '\r'], " ");
    if text.is_empty() { text } else { format!(" {text}") }
}

fn to_signed(number: usize) -> isize {
    isize::try_from(number).unwrap_or(isize::MAX)
}

/// `7,3`; the line before, where there are none.
fn format_side(from: isize, count: isize) -> String {
    match count {
        0 => format!("{from},0"),
        1 => format!("{}", from + 1),
        _ => format!("{},{count}", from + 1),
    }
}

/// Lines with their mark in front; gives how many there are.
fn put_lines(out: &mut Vec<u8>, mark: u8, text: &[u8]) -> usize {
    let lines = text.split_inclusive(|&b| b == b'\n');
    let count = lines.clone().count();
    for line in lines {
        out.push(mark);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
    count
}

fn find_changes<'a>(
    original: &'a [u8],
    lines: &[&'a [u8]],
    patches: &[Patch],
) -> Vec<LineChange<'a>> {
    let starts: Vec<usize> = lines
        .iter()
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some(start)
        })
        .collect();
    let start_of = |line: usize| starts.get(line).copied().unwrap_or(original.len());
    let line_of = |at: usize| match starts.partition_point(|&start| start <= at) {
        // Behind the last line's end a new line begins.
        n if n == lines.len() && at == original.len() && !original.ends_with(b"\n") => {
            n.saturating_sub(1)
        }
        n if n == lines.len() && at == original.len() => n,
        n => n.saturating_sub(1),
    };
    let mut groups: Vec<(Range<usize>, Vec<Patch>)> = Vec::new();
    for patch in patches {
        let first = line_of(patch.range.start);
        // The line behind an end of line belongs to it: the two may become one.
        let last = line_of(patch.range.end);
        let end = (last + 1).min(lines.len()).max(first);
        match groups.last_mut() {
            Some((lines, patches)) if first <= lines.end => {
                lines.end = lines.end.max(end);
                patches.push(patch.clone());
            }
            _ => groups.push((first..end, vec![patch.clone()])),
        }
    }
    groups
        .into_iter()
        .filter_map(|(range, patches)| trim_change(original, &start_of, range, patches))
        .collect()
}

/// The change of some lines, without those that stay as they are at either end.
fn trim_change<'a>(
    original: &'a [u8],
    start_of: &impl Fn(usize) -> usize,
    range: Range<usize>,
    mut patches: Vec<Patch>,
) -> Option<LineChange<'a>> {
    let base = start_of(range.start);
    for patch in &mut patches {
        patch.range = patch.range.start - base..patch.range.end - base;
    }
    let whole = &original[base..start_of(range.end)];
    let new = apply_patches(whole, &patches);
    let old: Vec<&[u8]> = whole.split_inclusive(|&b| b == b'\n').collect();
    let made: Vec<&[u8]> = new.split_inclusive(|&b| b == b'\n').collect();
    let head = old.iter().zip(&made).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(made[head..].iter().rev());
    let tail = tail.take_while(|(a, b)| a == b).count();
    let lines = range.start + head..range.end - tail;
    let kept = made[head..made.len() - tail].concat();
    let old = &original[start_of(lines.start)..start_of(lines.end)];
    let reasons = patches.into_iter().map(|patch| patch.reason).collect();
    (old != kept).then_some(LineChange { lines, old, new: kept, reasons })
}

#[cfg(test)]
mod tests;
