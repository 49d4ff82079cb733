//! Names in a piece of C++ that was not parsed further: an index, a bound, a spelling.

/// Whether a letter may be part of a name.
pub fn is_word_char(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether a text is one name or number.
pub fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_char)
}

/// The names and numbers of a text, in its order.
pub fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter| !is_word_char(letter)).filter(|word| !word.is_empty())
}

/// Where a text has a name as a whole word.
pub fn find_words(text: &str, word: &str) -> impl Iterator<Item = usize> {
    text.match_indices(word).map(|(at, found)| (at, at + found.len())).filter_map(|(at, end)| {
        let is_whole = !word.is_empty()
            && !text[..at].ends_with(is_word_char)
            && !text[end..].starts_with(is_word_char);
        is_whole.then_some(at)
    })
}

/// The last name of a path, as of a function that is called, without the arguments of its template: `run` of
/// `ns::unit<8>::run<4>`, `unit.run` and `unit->run`.
pub fn bare_name(path: &str) -> &str {
    let path = cut_template(path.trim());
    let mut marks = path.rmatch_indices([':', '.', '>']);
    let is_mark = |(at, mark): &(usize, &str)| match *mark {
        ":" => path[..*at].ends_with(':'),
        ">" => path[..*at].ends_with('-'),
        _ => true,
    };
    let start = marks.find(is_mark).map_or(0, |(at, _)| at + 1);
    path.get(start..).map(str::trim).filter(|name| !name.is_empty()).unwrap_or(path)
}

/// A path without the arguments of a template at its end.
fn cut_template(path: &str) -> &str {
    let Some(inner) = path.strip_suffix('>').filter(|inner| !inner.ends_with('-')) else {
        return path;
    };
    let mut depth = 1;
    for (at, letter) in inner.char_indices().rev() {
        match letter {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return path.get(..at).map_or(path, str::trim_end);
        }
    }
    path
}

/// Whether a text may set a variable: it assigns or steps it, takes its address, or passes it to a call as it is, which may
/// take a reference.
pub fn may_set(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (Some(before), Some(after)) = (text.get(..at), text.get(at + name.len()..)) else {
            return false;
        };
        if name.is_empty() || before.ends_with(is_word_char) || after.starts_with(is_word_char) {
            return false;
        }
        let (before, after) = (before.trim_end(), after.trim_start());
        let operator = after.trim_start_matches(['+', '-', '*', '/', '%', '^', '|', '&', '<', '>']);
        let steps = |text: &str| text == "++" || text == "--";
        let assigned = match after.len() - operator.len() {
            0 | 1 => {
                operator.starts_with('=')
                    && !operator.starts_with("==")
                    && !after.starts_with(['<', '>'])
            }
            _ => operator.starts_with('=') && (after.starts_with("<<") || after.starts_with(">>")),
        };
        let stepped = after.get(..2).is_some_and(steps)
            || before.len().checked_sub(2).and_then(|from| before.get(from..)).is_some_and(steps);
        let addressed = before.ends_with('&') && !before.ends_with("&&");
        let handed = before.ends_with(['(', ',']) && after.starts_with([')', ',']);
        assigned || stepped || addressed || handed
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_names_and_numbers() {
        assert_eq!(split_words("a[i * N_2 + 4]").collect::<Vec<_>>(), ["a", "i", "N_2", "4"]);
        assert!(is_plain("N_2") && !is_plain("") && !is_plain("a b"));
    }

    #[test]
    fn the_last_name_of_a_path() {
        for path in
            ["run", " run ", "::run", "ns::unit<8>::run<a<b::c>::d>", "unit.run", "(*p)->run <4>"]
        {
            assert_eq!(bare_name(path), "run", "{path}");
        }
        for path in ["operator->", "operator>", "", "a::"] {
            assert_eq!(bare_name(path), path);
        }
    }

    #[test]
    fn what_sets_a_variable() {
        for text in
            ["j = 0;", "x; j=(j==7)?0:j+1", "j += 2", "j <<= 1", "j++", "--j", "f(&j)", "f(a, j)"]
        {
            assert!(may_set(text, "j"), "{text}");
        }
        for text in
            ["j == 0", "j <= 3", "j >= 3", "a[j] = 0", "jj = 1", "k = j;", "j && x", "f(j + 1)", ""]
        {
            assert!(!may_set(text, "j"), "{text}");
        }
    }
}
