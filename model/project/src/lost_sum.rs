//! Loops that give a variable one product after another, where only the last one stays: `sum = a[i] * b[i];`.

use derate_hls::{Function, Loop, Sources, Span, find_words, split_words};

/// A loop whose products are lost but for the last one.
pub struct LostSum<'a> {
    /// The loop.
    pub inner: &'a Loop,
    /// The variable that each iteration sets.
    pub name: &'a str,
    /// The assignment.
    pub at: Span,
}

/// The loops of a function that do nothing but give a product to a variable, which is 0 before and is read behind.
#[must_use]
pub fn list_lost_sums<'a>(sources: &Sources, function: &'a Function) -> Vec<LostSum<'a>> {
    let innermost = function.loops.iter().enumerate().filter(|(at, one)| {
        function.loops.iter().all(|other| other.parent != Some(*at))
            && !one.exits
            && !matches!(one.trip_count, Some(0 | 1))
    });
    innermost.filter_map(|(at, one)| find_lost(sources, function, at, one)).collect()
}

fn find_lost<'a>(
    sources: &Sources,
    function: &'a Function,
    at: usize,
    inner: &'a Loop,
) -> Option<LostSum<'a>> {
    let body = blank_comments(sources.slice(inner.body));
    let text = body.trim().trim_start_matches('{').trim_end_matches('}');
    let variable = inner.variable.as_deref()?;
    if text.contains(['{', '}']) {
        return None;
    }
    let (mut moving, mut elements, mut found) = (vec![variable], Vec::new(), None);
    for statement in text.split(';').map(str::trim).filter(|one| !one.is_empty()) {
        let (left, right) = split_assignment(statement)?;
        let words: Vec<&str> = split_words(left).collect();
        let name = *words.last()?;
        let is_moved = split_words(right).any(|word| moving.contains(&word));
        // A product of positions alone is an address.
        let is_element = split_words(right).any(|word| elements.contains(&word))
            || is_indexed_by(right, &moving);
        if words.len() > 1 && left.ends_with(name) && !left.contains(['*', '&', '[', '.']) {
            // A number of its own in each iteration.
            moving.extend(is_moved.then_some(name));
            elements.extend(is_element.then_some(name));
        } else if left == name && found.is_none() && is_element && has_product(right) {
            found = Some((name, right));
        } else {
            return None;
        }
    }
    let (name, right) = found?;
    let local = function.locals.iter().rev().find(|local| {
        local.name == name && local.dims.is_empty() && local.loop_index != Some(at)
    })?;
    let is_zero = local.initial.as_deref().is_some_and(|text| {
        let plain = text.trim().trim_end_matches(['f', 'F']);
        plain.parse::<f64>().is_ok_and(|value| value == 0.0)
    });
    let (body, end) = (function.body?, inner.span.end.max(inner.body.end));
    let behind = Span { start: end, end: local.block.end.min(body.end), ..body };
    let is_set_once = !split_words(right).any(|word| word == name);
    let is_read = behind.start < behind.end && is_read_first(sources.slice(behind), name);
    let whole = sources.slice(inner.body);
    let place = find_word(whole, name)?;
    let start = inner.body.start + place;
    (is_zero && is_set_once && is_read).then(|| LostSum {
        inner,
        name: local.name.as_str(),
        at: Span { start, end: start + name.len(), ..inner.body },
    })
}

/// Whether a body never gives a pointer another address: `p = q`, `p += n`, `p++`.
#[must_use]
pub fn is_never_moved(body: &str, name: &str) -> bool {
    let text = blank_comments(body);
    find_words(&text, name).all(|at| {
        let (before, behind) = (text[..at].trim_end(), text[at + name.len()..].trim_start());
        let is_target = before.ends_with('*');
        let is_set = behind.starts_with('=') && !behind.starts_with("==");
        let steps = ["++", "--"].iter().any(|one| behind.starts_with(one) || before.ends_with(one));
        let changes = ["+=", "-="].iter().any(|one| behind.starts_with(one));
        !(steps || !is_target && (is_set || changes))
    })
}

/// A text with blanks in place of comments and of the lines of pragmas.
fn blank_comments(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.split("//").next().unwrap_or_default();
        if line.trim_start().starts_with('#') { "" } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The two sides of a plain assignment; `None` of anything that may do more, such as a call or a change of another variable.
fn split_assignment(statement: &str) -> Option<(&str, &str)> {
    let (left, right) = statement.split_once('=')?;
    let is_plain = !left.ends_with(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>', '!'])
        && !right.contains('=')
        && !["++", "--", "/*", "<<", "?"].iter().any(|one| statement.contains(one));
    (is_plain && !has_call(right)).then_some((left.trim(), right.trim()))
}

/// Whether a value has an element whose index is of these variables: `a[i]`.
fn is_indexed_by(text: &str, variables: &[&str]) -> bool {
    let indices = text.split('[').skip(1).filter_map(|rest| rest.split(']').next());
    indices.flat_map(split_words).any(|word| variables.contains(&word))
}

/// Whether a name is before a bracket: a call, or the constructor of a type.
fn has_call(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices('(')
        .any(|(at, _)| text[..at].trim_end().ends_with(|c| is_word(c) || c == '>'))
}

/// Whether a value is a product: `a * b`, and not `(T *) p` or `*p`.
fn has_product(text: &str) -> bool {
    text.match_indices('*').any(|(at, _)| {
        let (before, behind) = (text[..at].trim_end(), text[at + 1..].trim_start());
        let operand = |c: char| c.is_alphanumeric() || c == '_';
        before.ends_with(|c| operand(c) || c == ']' || c == ')')
            && behind.starts_with(|c| operand(c) || c == '(')
    })
}

fn find_word(text: &str, word: &str) -> Option<usize> {
    find_words(text, word).find(|at| text[at + word.len()..].trim_start().starts_with('='))
}

/// Whether the first use of a variable reads it, and not as an index.
fn is_read_first(text: &str, name: &str) -> bool {
    let text = blank_comments(text);
    find_words(&text, name).next().is_some_and(|at| {
        let behind = text[at + name.len()..].trim_start();
        let is_index = text[..at].trim_end().ends_with('[');
        !is_index && (!behind.starts_with('=') || behind.starts_with("=="))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_that_stays_is_only_written_through() {
        assert!(is_never_moved("{ *c = 0; for (;;) *c += a[i]; if (c == 0) return; }", "c"));
        for moved in ["{ *c++ += a[i]; }", "{ c += 4; *c += 1; }", "{ c = d; }", "{ *++c += 1; }"] {
            assert!(!is_never_moved(moved, "c"), "{moved}");
        }
    }

    #[test]
    fn products_and_calls() {
        assert!(has_product("((float) a[i]) * b[j]") && has_product("x * (y)"));
        assert!(!has_product("(float *) p") && !has_product("*p + 1"));
        assert!(has_call("read(s) * 2") && has_call("s.read() * 2") && has_call("f<4>(x) * 2"));
        assert!(!has_call("((float) a[i]) * (b[j] + 1)"));
    }
}
