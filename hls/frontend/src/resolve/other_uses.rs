//! Uses of a template that no declaration and no call has: `new Foo<T>(n)`, `sizeof(Foo<T>)`, a cast.

use super::Resolver;
use super::uses::Use;
use crate::header::Header;
use crate::path::{Path, read_path};
use crate::token::lex;
use crate::{Sources, Span};
use rustc_hash::FxHashMap as HashMap;

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

impl Resolver<'_> {
    /// The places that have the name of a template with brackets and are not among its known uses, as uses; the first place
    /// that cannot be read as one.
    pub(super) fn list_other_uses(
        &self,
        used: &UsedTemplate<'_>,
        known: &[Use],
    ) -> Result<Vec<Use>, Span> {
        let mut others = Vec::new();
        let bracketed = self.bracketed.get_or_init(|| list_bracketed(self.headers, self.sources));
        for &span in bracketed.get(used.name).into_iter().flatten() {
            let header = self.index.header_of(span.file).and_then(|at| self.headers.get(at));
            let Some(header) = header else { continue };
            let text = self.sources.text(span.file);
            let is_call = text[span.end..].trim_start().starts_with('(');
            let declared = header.structures.iter().any(|one| one.name_span.start == span.start)
                || header.functions.iter().any(|one| one.name_span.start == span.start);
            let comment = header.comments.partition_point(|one| one.end <= span.start);
            let commented = header.comments.get(comment).is_some_and(|one| one.contains(span));
            if (is_call && !used.is_function)
                || declared
                || commented
                || used.span.contains(span)
                || known.iter().any(|one| one.place.contains(span))
            {
                continue;
            }
            let read = if used.is_function { None } else { read_use(text, header, span) };
            others.push(read.ok_or(span)?);
        }
        Ok(others)
    }
}

/// Per name, where the texts have it with `<` or `(` behind it.
fn list_bracketed(headers: &[Header], sources: &Sources) -> HashMap<String, Vec<Span>> {
    let mut places: HashMap<String, Vec<Span>> = HashMap::default();
    for file in headers.iter().map(|header| header.file) {
        let text = sources.text(file);
        for (at, _) in text.match_indices(['<', '(']) {
            let before = text[..at].trim_end();
            let name = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
            let (start, end) = (name.len(), before.len());
            if start < end {
                let name = text[start..end].to_owned();
                places.entry(name).or_default().push(Span { file, start, end });
            }
        }
    }
    places
}

/// The use of a class template in the body of a function, by its text: its scope is that of the function.
fn read_use(text: &str, header: &Header, name: Span) -> Option<Use> {
    let has = |body: &Option<Span>| body.is_some_and(|body| body.contains(name));
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
