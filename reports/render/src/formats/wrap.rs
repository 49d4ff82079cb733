//! Breaking text into lines of some width, as a terminal counts it.

use unicode_width::UnicodeWidthStr;

/// `text` in lines of at most `width` columns, broken at spaces; a longer word gets its own line.
pub fn wrap_text(text: &str, width: usize) -> String {
    wrap_words(text, width).join("\n")
}

/// Breaks `text` at spaces into lines of at most `width` columns; line breaks in it stay, a longer word gets its own line.
pub(crate) fn wrap_words(text: &str, width: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| wrap_line(line, width)).collect()
}

/// Breaks one line; what follows its own indent or list mark hangs below it.
fn wrap_line(line: &str, width: usize) -> Vec<String> {
    let body = line.trim_start_matches([' ', '-', '•']);
    let mark = &line[..line.len() - body.len()];
    let hangs = mark.is_empty() || mark.ends_with(' ');
    let (mark, body) = if hangs { (mark, body) } else { ("", line) };
    let indent = " ".repeat(mark.width());

    let mut lines = Vec::new();
    let mut current = mark.to_owned();
    let mut fresh = true;
    for word in body.split(' ').filter(|word| !word.is_empty()) {
        if !fresh && current.width() + 1 + word.width() > width {
            lines.push(std::mem::replace(&mut current, indent.clone()));
            fresh = true;
        }
        if !fresh {
            current.push(' ');
        }
        current.push_str(word);
        fresh = false;
    }
    lines.push(current.trim_end().to_owned());
    lines
}

/// Cuts `text` to `width` columns; an ellipsis says where something is missing.
pub(crate) fn truncate_text(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    for c in text.chars() {
        cut.push(c);
        // Characters that join, such as those of an emoji, are not as wide as they are one by one.
        if cut.width() + 1 > width {
            cut.pop();
            break;
        }
    }
    cut.push('…');
    cut
}

/// Cuts `text` to `width` columns behind a word, as it is a sentence; a word that has no blank in its second half is cut itself.
pub(crate) fn cut_at_word(text: &str, width: usize) -> String {
    let cut = truncate_text(text, width);
    let Some(kept) = cut.strip_suffix('…').filter(|_| cut != text) else { return cut };
    let goes_on = text.get(kept.len()..).is_some_and(|rest| !rest.starts_with(' '));
    match kept.rsplit_once(' ') {
        Some((words, _)) if goes_on && 2 * words.width() > width => format!("{words} …"),
        _ => cut,
    }
}

/// Cuts a name to `width` columns in its middle: both its module and its own word are seen.
pub(crate) fn cut_middle(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let head = truncate_text(name, width / 2 + 1);
    let head = head.trim_end_matches('…');
    let room = width.saturating_sub(head.width() + 1);
    let starts = name.char_indices().map(|(at, _)| at).filter(|at| *at >= head.len());
    let tail = starts.map(|at| &name[at..]).find(|tail| tail.width() <= room);
    format!("{head}…{}", tail.unwrap_or_default())
}

/// The least width, up to `most`, in which `heading` takes no more than two lines.
pub(crate) fn two_line_width(heading: &str, most: usize) -> usize {
    if heading.width() > 2 * most + 1 {
        return most;
    }
    let half = longest_word(heading).max(heading.width() / 2).min(most);
    (half..most).find(|&width| wrap_words(heading, width).len() <= 2).unwrap_or(most)
}

pub(crate) fn longest_word(text: &str) -> usize {
    text.split_whitespace().map(UnicodeWidthStr::width).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_break_at_spaces_and_lists_hang() {
        assert_eq!(wrap_words("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap_words("- one two three", 9), ["- one two", "  three"]);
        assert_eq!(wrap_words("a\n\nb", 9), ["a", "", "b"]);
        assert_eq!(wrap_words("-1 is a number", 8), ["-1 is a", "number"]);
        assert_eq!(wrap_words("", 9), [""]);
    }

    #[test]
    fn a_heading_takes_two_lines_where_it_may() {
        assert_eq!(two_line_width("Memory time at 300 GB/s", 40), 11);
        assert_eq!(two_line_width("Latency", 40), 7);
        assert_eq!(two_line_width(&"words ".repeat(10_000), 40), 40);
    }

    #[test]
    fn a_cut_shows() {
        assert_eq!(truncate_text("precision", 5), "prec…");
        assert_eq!(truncate_text("precision", 9), "precision");
        assert_eq!(truncate_text("日本語", 4), "日…");
    }

    #[test]
    fn a_sentence_is_cut_behind_a_word_and_a_name_in_its_middle() {
        assert_eq!(cut_at_word("it takes 9,017 multiply-adds", 16), "it takes 9,017 …");
        assert_eq!(cut_at_word("it takes 9,017 multiply-adds", 14), "it takes …");
        assert_eq!(cut_at_word("it takes", 8), "it takes");
        assert_eq!(cut_at_word("averyverylongword", 9), "averyver…");
        assert_eq!(
            cut_middle("model.layers.0.self_attn.q_proj.weight", 20),
            "model.laye…oj.weight"
        );
        assert_eq!(cut_middle("weight", 6), "weight");
    }

    proptest! {
        #[test]
        fn a_cut_is_never_wider_and_keeps_both_ends(name in "[a-z.日]{0,60}", width in 2_usize..30) {
            let cut = cut_middle(&name, width);
            prop_assert!(cut.width() <= width, "{}", cut);
            let (head, tail) = cut.split_once('…').unwrap_or((&cut, ""));
            prop_assert!(name.starts_with(head) && name.ends_with(tail));
            prop_assert!(cut_at_word(&name, width).width() <= width);
        }

        #[test]
        fn nothing_is_wider_than_asked(text in "[ -~µ日]{0,60}", width in 1_usize..30) {
            prop_assert!(truncate_text(&text, width).width() <= width);
            for line in wrap_words(&text, width) {
                prop_assert!(line.width() <= width || longest_word(&line) + 60 > line.width());
            }
        }

        #[test]
        fn no_word_is_lost(text in "[a-z ]{0,60}", width in 1_usize..30) {
            let words: Vec<String> = wrap_words(&text, width).iter().flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
            prop_assert_eq!(words, text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        }
    }

    #[test]
    fn characters_that_join_are_cut_to_the_width_that_they_have() {
        for width in 1..12 {
            assert!(truncate_text(&"⚠️".repeat(40), width).width() <= width, "{width}");
        }
    }
}
