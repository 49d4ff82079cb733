//! Long lists of numbers, which the grammar need not see: weights are most of the text of some headers.

/// A shorter list is parsed as everything else is.
const LONG: usize = 4096;

/// The text with blanks for the numbers of long lists; every byte keeps its place. `None` where there is none.
pub(super) fn blank_tables(text: &[u8]) -> Option<Vec<u8>> {
    let mut blanked: Option<Vec<u8>> = None;
    let mut at = 0;
    // The last byte that is not white space.
    let mut before = 0;
    while let Some(&byte) = text.get(at) {
        if byte == b'{' && before == b'=' {
            let end = find_end(text, at);
            if let Some(end) = end.filter(|end| end - at >= LONG) {
                let copy = blanked.get_or_insert_with(|| text.to_vec());
                for byte in &mut copy[at + 1..end - 1] {
                    if *byte != b'\n' {
                        *byte = b' ';
                    }
                }
                at = end;
                before = b'}';
                continue;
            }
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
        at += 1;
    }
    blanked
}

/// The end of a list that holds numbers and lists alone; `None` of another one.
fn find_end(text: &[u8], start: usize) -> Option<usize> {
    let (mut depth, mut in_number) = (0_usize, false);
    for (offset, &byte) in text.get(start..)?.iter().enumerate() {
        let is_letter = byte.is_ascii_alphabetic() || byte == b'_';
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(start + offset + 1);
                }
            }
            b'0'..=b'9' | b'.' | b',' | b'-' | b'+' => {}
            _ if byte.is_ascii_whitespace() => {}
            _ if is_letter && in_number => {}
            _ => return None,
        }
        in_number = byte.is_ascii_digit() || byte == b'.' || (is_letter && in_number);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_numbers_of_long_lists_are_blanked() {
        let numbers = "1, -2.5e-3f,\n{0x1F, 3u}, ".repeat(400);
        let text = format!("int n = 3; const float t[] = {{ {numbers} }};\nint after;");
        let blanked = String::from_utf8(blank_tables(text.as_bytes()).unwrap_or_default());
        let blanked = blanked.unwrap_or_default();
        assert_eq!(blanked.len(), text.len());
        assert_eq!(blanked.matches('\n').count(), text.matches('\n').count());
        let words: Vec<&str> = blanked.split_whitespace().collect();
        assert_eq!(words.join(" "), "int n = 3; const float t[] = { }; int after;");
        for near in [
            format!("int t[] = {{ {numbers} N }};"),
            format!("int f() {{ return {{ {numbers} }}; }}"),
            "int t[] = { 1, 2, 3 };".to_owned(),
            format!("int t[] = {{ {numbers}"),
        ] {
            assert_eq!(blank_tables(near.as_bytes()), None);
        }
    }
}
