//! The line of an item of a list in a JSON text.

/// The line of item `index` of the list `key` of the outermost object; `None` where there is none.
pub(super) fn find_line(text: &str, key: &str, index: usize) -> Option<usize> {
    let (mut depth, mut line, mut items) = (0_usize, 1_usize, 0_usize);
    let (mut in_text, mut escaped, mut begin) = (false, false, 0_usize);
    let (mut last, mut inside) = ("", false);
    for (at, byte) in text.bytes().enumerate() {
        if byte == b'\n' {
            line += 1;
        }
        if in_text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    in_text = false;
                    last = &text[begin..at];
                }
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => (in_text, begin) = (true, at + 1),
            b'[' | b'{' => {
                if depth == 1 && byte == b'[' {
                    (inside, items) = (last == key, 0);
                }
                if depth == 2 && inside {
                    if items == index {
                        return Some(line);
                    }
                    items += 1;
                }
                depth += 1;
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                inside &= depth > 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_counted_in_their_own_list() {
        let text =
            "{\"values\":[\n{\"shape\":[1]},\n{\"a\":\"}{[\"}],\n\"operations\":[\n{}, {},\n{}]}";
        assert_eq!(find_line(text, "values", 1), Some(3));
        assert_eq!(find_line(text, "operations", 2), Some(6));
        assert_eq!(find_line(text, "operations", 3), None);
    }
}
