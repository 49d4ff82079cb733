//! Words, brackets and quoted texts, found byte by byte.

/// A longer call is left as it is.
const LONGEST: usize = 4000;

pub(super) fn find_closing(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = open;
    while at < open + LONGEST {
        match *text.get(at)? {
            b'(' => depth += 1,
            b')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            quote @ (b'"' | b'\'') => {
                at += quoted_bytes(&text[at..], quote);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The place after `<...>`, where nothing but names, numbers and commas is inside.
pub(super) fn angle_end(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, &byte) in text.get(open..)?.iter().take(200).enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => {
                depth -= 1;
                if depth == 0 {
                    return Some(open + offset + 1);
                }
            }
            b':' | b',' | b'*' | b'+' | b'-' | b' ' => {}
            _ if is_letter(byte) => {}
            _ => return None,
        }
    }
    None
}

/// How long a quoted text is; it ends with its line.
pub(super) fn quoted_bytes(text: &[u8], quote: u8) -> usize {
    let mut escaped = false;
    for (at, &byte) in text.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\n' => return at,
            b'\\' => escaped = true,
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

pub(super) fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

pub(super) fn word_end(text: &[u8], from: usize) -> usize {
    (from..text.len()).find(|&at| !is_letter(text[at])).unwrap_or(text.len().max(from))
}

pub(super) fn skip_blanks(text: &[u8], from: usize) -> usize {
    (from..text.len()).find(|&at| !text[at].is_ascii_whitespace()).unwrap_or(text.len().max(from))
}
