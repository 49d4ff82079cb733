//! Lines of a text with their offsets.

/// One line without its line break, and where it starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextLine<'a> {
    /// The line, trailing white space removed.
    pub(super) text: &'a str,
    /// Byte offset of its first character in the file.
    pub(super) start: usize,
}

impl TextLine<'_> {
    /// Byte range in the file of a part of this line.
    pub(super) fn range_of(&self, part: &str) -> (usize, usize) {
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let start = self.start + offset.min(self.text.len());
        (start, start + part.len().min(self.text.len()))
    }

    /// Byte range in the file of the line without the white space around it.
    pub(super) fn text_range(&self) -> (usize, usize) {
        self.range_of(self.text.trim_start())
    }

    /// Whether nothing on the line carries meaning: blank, a ruler, or a code fence.
    pub(super) fn is_decoration(&self) -> bool {
        let text = self.text.trim_start();
        text.starts_with("```")
            || text.chars().all(|c| {
                matches!(
                    c,
                    '=' | '-'
                        | '_'
                        | '*'
                        | '~'
                        | '─'
                        | '═'
                        | '━'
                        | '+'
                        | '|'
                        | ' '
                        | '\t'
                        | '│'
                        | '"'
                        | '\''
                )
            })
    }
}

/// The lines of a text; a byte order mark at its start is left out.
pub(super) fn split_lines(text: &str) -> impl Iterator<Item = TextLine<'_>> + Clone {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut start = text.len() - body.len();
    body.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        TextLine { text: line.trim_end(), start: at }
    })
}

/// Line number, from 1, of a byte offset.
pub(super) fn line_number(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count()
}
