//! Uses of a template that no declaration and no call has: `new Foo<T>(n)`, `sizeof(Foo<T>)`, a cast.

use super::Resolver;
use super::uses::Use;
use crate::Span;
use crate::header::Header;
use crate::path::{Path, read_path};
use crate::token::lex;

/// Bytes that a name with its arguments may have.
const LONGEST: usize = 1000;

/// What distinguishes the uses of a template.
pub(super) struct UsedTemplate<'a> {
    pub(super) name: &'a str,
    /// Its own declaration, in which its name is not a use.
    pub(super) span: Span,
    /// Whether it is a function, whose call may leave out the brackets.
    pub(super) is_function: bool,
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

impl Resolver<'_> {
    /// The places that have the name of a template with brackets and are not among its known uses, as uses; the first place
    /// that cannot be read as one.
    pub(super) fn list_other_uses(
        &self,
        used: &UsedTemplate<'_>,
        known: &[Use],
    ) -> Result<Vec<Use>, Span> {
        let name = used.name;
        let opens: &[char] = if used.is_function { &['<', '('] } else { &['<'] };
        let mut others = Vec::new();
        for header in self.headers {
            let text = self.sources.text(header.file);
            for (start, _) in text.match_indices(name) {
                let end = start + name.len();
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let whole = !text[..start].ends_with(is_word) && !text[end..].starts_with(is_word);
                if !whole || !text[end..].trim_start().starts_with(opens) {
                    continue;
                }
                let span = Span { file: header.file, start, end };
                let declared = header.structures.iter().any(|one| one.name_span.start == start)
                    || header.functions.iter().any(|one| one.name_span.start == start);
                let comment = header.comments.partition_point(|one| one.end <= start);
                let commented =
                    header.comments.get(comment).is_some_and(|one| contains(*one, span));
                if !declared
                    && !commented
                    && !contains(used.span, span)
                    && !known.iter().any(|one| contains(one.place, span))
                {
                    let read = if used.is_function { None } else { read_use(text, header, span) };
                    others.push(read.ok_or(span)?);
                }
            }
        }
        Ok(others)
    }
}

/// The use of a class template in the body of a function, by its text: its scope is that of the function.
fn read_use(text: &str, header: &Header, name: Span) -> Option<Use> {
    let has = |body: &Option<Span>| body.is_some_and(|body| contains(body, name));
    let around = header.functions.iter().filter(|one| has(&one.body));
    let function = around.max_by_key(|one| one.span.start)?;
    let line = line_before(text, name.start);
    if line.trim_start().starts_with('#') || line.contains('"') {
        return None;
    }
    let start = start_of_path(text, name.start)?;
    let mut end = text.len().min(name.end + LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let tokens = lex(text.get(start..end)?);
    let (path, _) = read_path(&tokens, 0, |_| true)?;
    let own = text.get(name.start..name.end)?;
    let at = path.segments.iter().position(|one| one.name == own && one.arguments.is_some())?;
    let segments = path.segments.get(..=at)?.to_vec();
    let path = Path { global: path.global, segments };
    Some(Use { path, call: None, place: name, scope: function.scope.inner(&function.name) })
}

/// The line of a place, up to it, with the lines before it that end in a backslash.
fn line_before(text: &str, place: usize) -> &str {
    let start_of = |end: usize| text[..end].rfind('\n').map_or(0, |at| at + 1);
    let mut start = start_of(place);
    while start > 0 && text[..start].trim_end_matches(['\n', '\r']).ends_with('\\') {
        start = start_of(start - 1);
    }
    &text[start..place]
}

/// Where the scopes before a name begin. `None` behind the arguments of another template.
fn start_of_path(text: &str, name: usize) -> Option<usize> {
    let mut start = name;
    while let Some(before) = text.get(..start)?.trim_end().strip_suffix("::") {
        let before = before.trim_end();
        if before.ends_with('>') {
            return None;
        }
        let scope = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        start = scope.len();
        let words = ["new", "return", "delete", "case", "else", "throw", "sizeof"];
        if scope.len() == before.len() || words.contains(&&before[scope.len()..]) {
            // `::name`
            return Some(before.len() + text.get(before.len()..name)?.find("::")?);
        }
    }
    Some(start)
}
