//! Commands and words of Tcl.

/// After so many commands whose braces do not close, each line is a command: the search for an end goes to the end of the text.
const MOST_OPEN: usize = 16;

/// The commands of a script whose first line has this number, each with the number of its line. Braces, brackets and quotes
/// hold a command together; where they do not close, each line is a command.
pub(super) fn list_commands(text: &str, first: u32) -> Vec<(u32, String)> {
    let mut commands = Vec::new();
    let (mut rest, mut line, mut open) = (text, first, 0_usize);
    while let Some(start) = rest.find(|letter: char| !letter.is_whitespace() && letter != ';') {
        let (blank, from) = rest.split_at(start);
        line += count_lines(blank);
        let end = if open < MOST_OPEN { find_end(from) } else { None };
        open += usize::from(end.is_none());
        let length = end.unwrap_or_else(|| find_line_end(from));
        let (command, behind) = from.split_at(length);
        if !command.starts_with('#') {
            commands.push((line, command.to_owned()));
        }
        line += count_lines(command);
        rest = behind;
    }
    commands
}

fn count_lines(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// The length of the first command; `None` where its braces do not close.
fn find_end(text: &str) -> Option<usize> {
    if text.starts_with('#') {
        return Some(find_line_end(text));
    }
    let (mut braces, mut brackets, mut quoted) = (0_usize, 0_usize, false);
    let mut is_start = true;
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        let is_free = braces == 0 && brackets == 0 && !quoted;
        match letter {
            '\\' => {
                let escaped = letters.next();
                is_start = escaped.is_some_and(|(_, one)| one.is_whitespace());
                continue;
            }
            '\n' | ';' if is_free => return Some(at),
            '{' if !quoted => braces += 1,
            '}' if !quoted => braces = braces.saturating_sub(1),
            '[' if braces == 0 => brackets += 1,
            ']' if braces == 0 => brackets = brackets.saturating_sub(1),
            '"' if braces == 0 && (quoted || is_start) => quoted = !quoted,
            _ => {}
        }
        is_start = letter.is_whitespace();
    }
    (braces == 0 && brackets == 0 && !quoted).then_some(text.len())
}

/// The end of a line, which a backslash continues.
fn find_line_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' if !is_escaped => return at,
            '\r' if is_escaped => {}
            _ => is_escaped = letter == '\\' && !is_escaped,
        }
    }
    text.len()
}

/// Words, with quotes and the outer braces taken off.
pub(super) fn split_words(command: &str) -> Vec<String> {
    split_words_at(command).into_iter().map(|(_, word)| word).collect()
}

/// The same, each with the number of lines before it.
pub(super) fn split_words_at(command: &str) -> Vec<(u32, String)> {
    let mut words = Vec::new();
    let (mut word, mut start, mut line) = (String::new(), 0, 0);
    let mut quoted = false;
    let mut braces = 0_usize;
    let mut is_open = false;
    let mut letters = command.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_free = !quoted && braces == 0;
        if is_free && word.is_empty() && !is_open {
            start = line;
        }
        match letter {
            '\\' if braces == 0 && letters.peek().is_some_and(|one| matches!(one, '\n' | '\r')) => {
                if !quoted && (is_open || !word.is_empty()) {
                    words.push((start, std::mem::take(&mut word)));
                    is_open = false;
                }
            }
            '"' if quoted => quoted = false,
            '"' if is_free && word.is_empty() => (quoted, is_open) = (true, true),
            '{' if is_free && word.is_empty() => (braces, is_open) = (1, true),
            '{' if braces > 0 => {
                braces += 1;
                word.push(letter);
            }
            '}' if braces > 0 => {
                braces -= 1;
                if braces > 0 {
                    word.push(letter);
                }
            }
            _ if is_free && letter.is_whitespace() => {
                if is_open || !word.is_empty() {
                    words.push((start, std::mem::take(&mut word)));
                    is_open = false;
                }
            }
            _ => word.push(letter),
        }
        line += u32::from(letter == '\n');
    }
    if is_open || !word.is_empty() {
        words.push((start, word));
    }
    words
}

/// A branch of an `if`: its condition, `None` for `else`; its body and the line of it.
pub(super) struct Branch {
    pub(super) condition: Option<String>,
    pub(super) body: String,
    pub(super) line: u32,
}

/// The branches of `if {a} {...} elseif {b} {...} else {...}`, whose first line has this number.
pub(super) fn list_branches(command: &str, line: u32) -> Vec<Branch> {
    let mut branches = Vec::new();
    let mut words = split_words_at(command).into_iter().skip(1).peekable();
    let mut condition = words.next().map(|(_, word)| word);
    while let Some(asked) = condition.take() {
        words.next_if(|(_, word)| word == "then");
        let Some((at, body)) = words.next() else { break };
        branches.push(Branch { condition: Some(asked), body, line: line + at });
        match words.next() {
            Some((_, word)) if word == "elseif" => condition = words.next().map(|(_, word)| word),
            Some((at, word)) => {
                let (at, body) =
                    if word == "else" { words.next().unwrap_or_default() } else { (at, word) };
                branches.push(Branch { condition: None, body, line: line + at });
            }
            None => {}
        }
    }
    branches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_hold_a_command_together() {
        let text = "# set {a\nset a 1; set b \"x; y\"\nif {$a} {\n  set c 2\n}\nset d \\\n  3\n";
        let commands = list_commands(text, 1);
        let shown: Vec<(u32, &str)> =
            commands.iter().map(|(line, one)| (*line, one.as_str())).collect();
        assert_eq!(
            shown,
            [
                (2, "set a 1"),
                (2, "set b \"x; y\""),
                (3, "if {$a} {\n  set c 2\n}"),
                (6, "set d \\\n  3"),
            ]
        );
        assert_eq!(split_words(&commands[3].1), ["set", "d", "3"]);
        assert_eq!(split_words("a {b {c d}} \"\" e"), ["a", "b {c d}", "", "e"]);
        // Braces that do not close do not swallow the rest.
        assert_eq!(list_commands("puts {\nset a 1\n", 1).len(), 2);
        let all = list_commands("puts {\nif {$a} {\n  set b 1\n}\n", 1);
        assert_eq!(all.last().map(|(_, one)| one.as_str()), Some("if {$a} {\n  set b 1\n}"));
        // A text of such lines is not searched to its end for each of them.
        let start = std::time::Instant::now();
        assert_eq!(list_commands(&"{\n".repeat(200_000), 1).len(), 200_000);
        assert!(start.elapsed().as_secs() < 10);
    }

    #[test]
    fn an_if_has_branches() {
        let all = list_branches(
            "if {$a == 1} {\n  set x 1\n} elseif {$b} then {set y 2} else {\nset z 3}",
            10,
        );
        let shown: Vec<_> =
            all.iter().map(|one| (one.condition.as_deref(), one.body.trim(), one.line)).collect();
        let expected =
            [(Some("$a == 1"), "set x 1", 10), (Some("$b"), "set y 2", 12), (None, "set z 3", 12)];
        assert_eq!(shown, expected);
    }
}
