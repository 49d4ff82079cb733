//! The stack of open `#if`s of one text.

use super::Absent;
use super::branch::Branch;
use super::condition::{Judge, Setting, Truth};
use super::scan::Directive;
use super::unbalanced::{asks_for_synthesis, share_brackets, share_macro};
use crate::{FileId, Span};
use rustc_hash::FxHashSet as HashSet;
use std::ops::Range;

/// Conditionals nested deeper than this are one.
const DEPTH: usize = 256;
/// The most earlier conditions of one chain that are spelt out; more are counted.
const SPELT: usize = 8;

struct Frame {
    /// Its number, once one of its branches could not be decided.
    number: Option<u32>,
    branch: u32,
    /// Whether the text of the current branch counts.
    live: bool,
    /// A branch before, or this one, surely holds: none after it does.
    settled: bool,
    /// Whether no branch is read but the first, though it is open which one holds.
    is_alone: bool,
    /// The conditions of the earlier branches that could not be decided, negated, as far as they are spelt out.
    earlier: Vec<String>,
    /// How many there are.
    undecided: usize,
    /// The line of its `#if`.
    line: usize,
    condition: Option<String>,
    doubt: Option<String>,
    /// Where its text starts.
    start: usize,
    /// Its directives that macros decided which nothing defines.
    absent: Vec<Decided>,
}

/// A directive that macros decided which nothing defines.
pub(super) struct Decided {
    pub(super) range: Range<usize>,
    pub(super) macros: Vec<String>,
    pub(super) settings: Vec<Setting>,
}

impl Decided {
    pub(super) fn at(self, file: FileId) -> Absent {
        let span = Span { file, start: self.range.start, end: self.range.end };
        Absent { span, macros: self.macros, settings: self.settings }
    }
}

pub(super) struct Conditionals {
    frames: Vec<Frame>,
    unclosed: HashSet<usize>,
    around: Branch,
    /// A place in the text and its line: directives come in order.
    counted: (usize, usize),
    /// Conditionals past the limit, which are only counted.
    surplus: usize,
    pub(super) complaints: Vec<(Range<usize>, String)>,
    /// Those with declarations in them, in the order of their ends.
    pub(super) absent: Vec<Decided>,
}

/// The `#if`s that no `#endif` closes.
pub(super) fn unclosed(directives: &[Directive]) -> Vec<usize> {
    let mut open = Vec::new();
    for (index, directive) in directives.iter().enumerate() {
        match directive.keyword.as_str() {
            "if" | "ifdef" | "ifndef" => open.push(index),
            "endif" => {
                open.pop();
            }
            _ => {}
        }
    }
    open
}

/// `#ifndef X` with `#define X` next: an include guard, or a default.
fn introduces(directives: &[Directive], index: usize) -> bool {
    let name = directives[index].text.trim();
    directives[index].keyword == "ifndef"
        && directives.get(index + 1).is_some_and(|next| {
            let defined = next.text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next();
            next.keyword == "define" && defined == Some(name)
        })
}

impl Conditionals {
    pub(super) fn new(unclosed: Vec<usize>, around: Branch) -> Self {
        Self {
            frames: Vec::new(),
            unclosed: unclosed.into_iter().collect(),
            around,
            counted: (0, 1),
            surplus: 0,
            complaints: Vec::new(),
            absent: Vec::new(),
        }
    }

    /// Whether text at this place counts.
    pub(super) fn is_live(&self) -> bool {
        self.surplus == 0 && self.frames.iter().all(|frame| frame.live)
    }

    /// The undecided branches around this place.
    pub(super) fn branch(&self) -> Branch {
        let own = self.frames.iter().filter_map(|frame| Some((frame.number?, frame.branch)));
        if self.frames.iter().all(|frame| frame.number.is_none()) {
            return self.around.clone();
        }
        self.around.steps().iter().copied().chain(own).collect()
    }

    /// The undecided conditions around this place, and why nothing here can be relied on.
    pub(super) fn condition(&self) -> Option<(String, Option<String>)> {
        let all: Vec<&str> = self.frames.iter().filter_map(|f| f.condition.as_deref()).collect();
        let doubt = self.frames.iter().find_map(|frame| frame.doubt.clone());
        (!all.is_empty()).then(|| (all.join(" && "), doubt))
    }

    /// Takes a conditional directive; `false` for any other.
    pub(super) fn take(
        &mut self,
        index: usize,
        directives: &[Directive],
        judge: &Judge<'_>,
        numbers: &mut u32,
        text: &str,
    ) -> bool {
        let directive = &directives[index];
        let what = directive.text.trim();
        match directive.keyword.as_str() {
            "if" | "ifdef" | "ifndef" => {
                self.open(index, directives, judge, numbers, text);
                true
            }
            "elif" | "elifdef" | "elifndef" => {
                self.next(directive, numbers, judge, || match directive.keyword.as_str() {
                    "elif" => (bare(what).to_owned(), judge.decide_condition(what)),
                    "elifdef" => (defined(what), judge.defined(what)),
                    _ => (format!("!{}", defined(what)), judge.defined(what).map(|yes| !yes)),
                })
            }
            "else" => self.next(directive, numbers, judge, || (String::new(), Ok(true))),
            "endif" => {
                if self.surplus > 0 {
                    self.surplus -= 1;
                } else if let Some(frame) = self.frames.pop() {
                    let inside = text.get(frame.start..directive.range.start).unwrap_or("");
                    if !frame.absent.is_empty() && declares(inside) {
                        self.absent.extend(frame.absent);
                    }
                } else {
                    let reason = "`#endif` closes nothing".to_owned();
                    self.complaints.push((directive.range.clone(), reason));
                }
                true
            }
            _ => false,
        }
    }

    /// The line of a place that is not before the last one asked for.
    fn line(&mut self, text: &str, at: usize) -> usize {
        let (from, line) = self.counted;
        let more = text.get(from..at).map_or(0, |between| between.matches('\n').count());
        self.counted = (at, line + more);
        line + more
    }

    fn open(
        &mut self,
        index: usize,
        directives: &[Directive],
        judge: &Judge<'_>,
        numbers: &mut u32,
        text: &str,
    ) {
        let directive = &directives[index];
        let what = directive.text.trim();
        if self.surplus > 0 || self.frames.len() >= DEPTH {
            if self.surplus == 0 {
                let reason = format!("conditionals nest deeper than {DEPTH}");
                self.complaints.push((directive.range.clone(), reason));
            }
            self.surplus += 1;
            return;
        }
        let mut frame = Frame {
            number: None,
            branch: 0,
            live: false,
            settled: true,
            is_alone: false,
            earlier: Vec::new(),
            undecided: 0,
            line: self.line(text, directive.range.start),
            condition: None,
            doubt: None,
            start: directive.range.end,
            absent: Vec::new(),
        };
        let never_closed = self.unclosed.contains(&index);
        if never_closed {
            let reason = format!("`#{} {what}` is never closed", directive.keyword);
            self.complaints.push((directive.range.clone(), reason));
        }
        if !self.is_live() {
            self.frames.push(frame);
            return;
        }
        let (condition, mut truth) = match directive.keyword.as_str() {
            "ifdef" => (defined(what), judge.defined(what)),
            "ifndef" => (format!("!{}", defined(what)), judge.defined(what).map(|yes| !yes)),
            _ => (bare(what).to_owned(), judge.decide_condition(what)),
        };
        let introduces = introduces(directives, index);
        if introduces && truth.is_err() && !judge.macros.is_wavering(what, judge.branch) {
            truth = Ok(true);
        }
        // What an unclosed conditional takes in is anybody's guess; a guard takes in everything.
        if never_closed && !(introduces && truth == Ok(true)) {
            let (keyword, line) = (&directive.keyword, frame.line);
            let doubt = format!("the `#{keyword} {what}` of line {line} is never closed");
            frame.doubt = Some(doubt.clone());
            truth = Err(doubt.into());
        }
        // Where each branch opens the same bracket only one is read: that of synthesis, else the first.
        if truth.is_err() && share_brackets(directives, index, text) {
            match asks_for_synthesis(directive) {
                Some(holds) => truth = Ok(holds),
                None => frame.is_alone = true,
            }
        }
        // A macro that declares one thing for the tool and another for its simulation.
        if let Some(holds) = asks_for_synthesis(directive).filter(|_| truth.is_err())
            && share_macro(directives, index, text)
        {
            truth = Ok(holds);
        }
        frame.settled = false;
        frame.judge(&condition, &truth, numbers);
        // A default that nothing overrides decides.
        if truth.is_ok() && !introduces {
            frame.note(directive, judge);
        }
        self.frames.push(frame);
    }

    fn next(
        &mut self,
        directive: &Directive,
        numbers: &mut u32,
        judge: &Judge<'_>,
        truth: impl FnOnce() -> (String, Truth),
    ) -> bool {
        if self.surplus > 0 {
            return true;
        }
        let Some(mut frame) = self.frames.pop() else {
            let reason = format!("`#{}` does not belong to an `#if`", directive.keyword);
            self.complaints.push((directive.range.clone(), reason));
            return true;
        };
        frame.branch += 1;
        if frame.settled || frame.is_alone {
            frame.live = false;
            frame.condition = None;
        } else {
            let (condition, truth) = truth();
            frame.judge(&condition, &truth, numbers);
            if truth.is_ok() {
                frame.note(directive, judge);
            }
        }
        self.frames.push(frame);
        true
    }
}

impl Frame {
    /// Notes the macros that nothing defines and that decided a directive.
    fn note(&mut self, directive: &Directive, judge: &Judge<'_>) {
        if let Some((macros, settings)) = judge.other_settings(directive.text.trim()) {
            self.absent.push(Decided { range: directive.range.clone(), macros, settings });
        }
    }

    fn judge(&mut self, condition: &str, truth: &Truth, numbers: &mut u32) {
        self.live = *truth != Ok(false);
        self.settled = *truth == Ok(true);
        let undecided = truth.is_err() || self.undecided > 0;
        if !(self.live && undecided) {
            self.condition = None;
            return;
        }
        if self.number.is_none() {
            *numbers = numbers.saturating_add(1);
            self.number = Some(*numbers);
        }
        let mut all = if self.undecided > SPELT {
            vec![format!("none of the {} conditions since line {}", self.undecided, self.line)]
        } else {
            self.earlier.clone()
        };
        if truth.is_err() {
            self.undecided += 1;
            if self.undecided <= SPELT {
                self.earlier.push(negate(condition));
            }
            all.push(wrap(condition));
        }
        self.condition = Some(all.join(" && "));
    }
}

/// Whether a text may declare a type or a number, or lead to one that does.
fn declares(text: &str) -> bool {
    let words = ["typedef", "using", "const", "constexpr", "define", "undef", "include"];
    let more = ["struct", "class", "union", "enum"];
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .any(|word| words.contains(&word) || more.contains(&word))
}

fn defined(name: &str) -> String {
    format!("defined({name})")
}

/// A condition without brackets around the whole of it.
fn bare(condition: &str) -> &str {
    let Some(inner) = condition.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return condition;
    };
    let mut depth = 0_i32;
    let closes_early = inner.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    if closes_early { condition } else { inner.trim() }
}

fn negate(condition: &str) -> String {
    match condition.strip_prefix('!') {
        Some(inner) if is_simple(inner) => inner.to_owned(),
        _ if is_simple(condition) => format!("!{condition}"),
        _ => format!("!({condition})"),
    }
}

fn wrap(condition: &str) -> String {
    if condition.contains("||") || condition.contains('?') {
        format!("({condition})")
    } else {
        condition.to_owned()
    }
}

fn is_simple(condition: &str) -> bool {
    condition.chars().all(|c| c.is_alphanumeric() || "_()".contains(c))
}
