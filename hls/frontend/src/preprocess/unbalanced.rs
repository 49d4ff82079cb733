//! Branches of a conditional that each open or close the same brackets: `#ifdef A if (x) { #else if (y) { #endif`. Only one of them
//! can be read at a time.

use super::scan::Directive;

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
    fn open_brackets_are_counted() {
        assert_eq!(count_open("if (a) { // {\n f(\"(\", '{'"), (1, 1));
        assert_eq!(count_open("} );"), (-1, -1));
    }
}
