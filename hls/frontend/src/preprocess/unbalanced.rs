//! Branches of a conditional of which only one can be read at a time: each opens or closes the same brackets, as in
//! `#ifdef A if (x) { #else if (y) { #endif`, or defines the same macro with parameters.

use std::collections::BTreeSet;

use super::scan::Directive;
use super::without_comments;

/// Whether the branches of the conditional at `index` leave the same brackets open, and not none.
pub(super) fn share_brackets(directives: &[Directive], index: usize, text: &str) -> bool {
    let mut depth = 0_usize;
    let mut start = directives[index].range.end;
    let mut open: Vec<(i64, i64)> = Vec::new();
    for directive in &directives[index + 1..] {
        match directive.keyword.as_str() {
            "if" | "ifdef" | "ifndef" => depth += 1,
            "endif" if depth > 0 => depth -= 1,
            "else" | "elif" | "elifdef" | "elifndef" | "endif" if depth == 0 => {
                open.push(count_open(text.get(start..directive.range.start).unwrap_or("")));
                start = directive.range.end;
                if directive.keyword == "endif" {
                    break;
                }
            }
            _ => {}
        }
    }
    open.len() > 1 && open[0] != (0, 0) && open.iter().all(|one| *one == open[0])
}

/// Whether the branches of the conditional at `index` have nothing but definitions, and give one macro with parameters
/// different bodies.
pub(super) fn share_macro(directives: &[Directive], index: usize, text: &str) -> bool {
    let mut start = directives[index].range.end;
    let mut branches = vec![BTreeSet::new()];
    for directive in &directives[index + 1..] {
        let between = text.get(start..directive.range.start).unwrap_or("");
        if !without_comments(between).trim().is_empty() {
            return false;
        }
        start = directive.range.end;
        match directive.keyword.as_str() {
            "define" => {
                let name = directive.text.split_once('(').map(|(name, _)| name);
                let is_name = |name: &&str| !name.contains(char::is_whitespace);
                branches.last_mut().map(|last| name.filter(is_name).map(|name| last.insert(name)));
            }
            "undef" => {}
            "else" => branches.push(BTreeSet::new()),
            "endif" => break,
            _ => return false,
        }
    }
    let [one, other] = branches.as_slice() else { return false };
    !one.is_disjoint(other)
}

/// Whether a directive asks whether the tool compiles for hardware, and the answer of the tool.
pub(super) fn asks_for_synthesis(directive: &Directive) -> Option<bool> {
    let asked: String = directive.text.chars().filter(|c| !c.is_whitespace()).collect();
    let is_name = asked == "__SYNTHESIS__";
    let is_call = asked == "defined(__SYNTHESIS__)" || asked == "defined__SYNTHESIS__";
    let is_denied = asked == "!defined(__SYNTHESIS__)" || asked == "!defined__SYNTHESIS__";
    let holds = match directive.keyword.as_str() {
        "ifdef" => is_name,
        "if" => is_call,
        _ => false,
    };
    let fails = match directive.keyword.as_str() {
        "ifndef" => is_name,
        "if" => is_denied,
        _ => false,
    };
    (holds || fails).then_some(holds)
}

/// The braces and the brackets that a text leaves open; less than none where it closes more.
fn count_open(text: &str) -> (i64, i64) {
    let (mut braces, mut brackets) = (0, 0);
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or("");
        let mut quote = None;
        let mut is_escaped = false;
        for byte in code.bytes() {
            match (quote, byte) {
                _ if is_escaped => is_escaped = false,
                (Some(open), _) => {
                    is_escaped = byte == b'\\';
                    quote = Some(open).filter(|open| *open != byte);
                }
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'{') => braces += 1,
                (None, b'}') => braces -= 1,
                (None, b'(') => brackets += 1,
                (None, b')') => brackets -= 1,
                _ => {}
            }
        }
    }
    (braces, brackets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_branches_define_a_macro_with_parameters() {
        let share = |body: &str| {
            let text = format!("#ifndef __SYNTHESIS__\n{body}\n#endif\n");
            share_macro(&super::super::scan::scan_text(&text).directives, 0, &text)
        };
        assert!(share("#define G(n) a n // one\n#else\n\n#define G(n) \\\n b n"));
        for near in [
            "#define G(n) a n\n#else\n#define H(n) b n",
            "#define G (1)\n#else\n#define G (2)",
            "#define G(n) a n\nint x;\n#else\n#define G(n) b n",
            "#define G(n) a n",
        ] {
            assert!(!share(near), "{near}");
        }
    }

    #[test]
    fn open_brackets_are_counted() {
        assert_eq!(count_open("if (a) { // {\n f(\"(\", '{'"), (1, 1));
        assert_eq!(count_open("} );"), (-1, -1));
    }
}
