//! What the text of a body does not show: macros that hold statements, and parts that were not read.

use super::Resolver;
use crate::Span;
use crate::token::TokenKind;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::rc::Rc;

/// Macros in terms of macros are followed this far.
const ROUNDS: usize = 8;

impl Resolver<'_> {
    /// The macros that hold more than a value: loops, ways out, assignments.
    fn statement_macros(&self) -> &HashSet<String> {
        self.active.get_or_init(|| {
            let words =
                ["for", "while", "do", "if", "switch", "return", "break", "continue", "goto"];
            let marks = ["++", "--", "{", "}", ";"];
            let mut active: HashSet<String> = HashSet::default();
            for (name, definition) in self.headers.iter().flat_map(|header| &header.defines) {
                for token in definition.body.iter() {
                    let assigns = token.kind == TokenKind::Mark
                        && token.text.ends_with('=')
                        && !["==", "!=", "<=", ">="].contains(&token.text.as_str());
                    if assigns || words.iter().chain(&marks).any(|one| token.is(one)) {
                        active.insert(name.clone());
                    }
                }
            }
            let mut fresh: Vec<String> = active.iter().cloned().collect();
            for _ in 0..ROUNDS {
                let mut next = Vec::new();
                for name in &fresh {
                    for user in self.macro_users().get(name).into_iter().flatten() {
                        if active.insert(user.clone()) {
                            next.push(user.clone());
                        }
                    }
                }
                fresh = next;
            }
            active
        })
    }

    /// Where a body mentions a macro that holds statements; a body is asked for once a call, and read once.
    pub(super) fn find_statements(&self, body: Span) -> Rc<[usize]> {
        if let Some(found) = self.hidden.borrow().get(&body) {
            return Rc::clone(found);
        }
        let found: Rc<[usize]> = self.find_mentions(body, self.statement_macros()).into();
        self.hidden.borrow_mut().insert(body, Rc::clone(&found));
        found
    }

    /// Where a body mentions one of these names.
    pub(super) fn find_mentions(&self, body: Span, names: &HashSet<String>) -> Vec<usize> {
        if names.is_empty() {
            return Vec::new();
        }
        let text = self.sources.slice(body);
        let mut found = Vec::new();
        let mut at = 0;
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if names.contains(word) {
                found.push(body.start + at);
            }
            at += word.len();
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
        found
    }

    /// The macros whose text names a variable.
    pub(super) fn macros_about(&self, name: &str) -> HashSet<String> {
        self.macro_users().get(name).into_iter().flatten().cloned().collect()
    }

    fn macro_users(&self) -> &HashMap<String, Vec<String>> {
        self.users.get_or_init(|| {
            let mut users: HashMap<String, Vec<String>> = HashMap::default();
            for (name, definition) in self.headers.iter().flat_map(|header| &header.defines) {
                for token in definition.body.iter().filter(|token| token.is_name()) {
                    users.entry(token.text.clone()).or_default().push(name.clone());
                }
            }
            users
        })
    }

    /// Whether some of a span could not be read.
    pub(super) fn is_unread(&self, span: Span) -> bool {
        let header = self.index.header_of(span.file).and_then(|at| self.headers.get(at));
        header.is_some_and(|header| {
            let unparsed = &header.unparsed;
            unparsed.iter().any(|one| one.span.start <= span.end && span.start <= one.span.end)
        })
    }
}
