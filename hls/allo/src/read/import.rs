//! Imports.

use super::super::pieces::{find_mark, split_pieces};
use super::super::program::Meaning;
use super::super::token::Token;
use super::Reader;

impl Reader<'_> {
    pub(super) fn read_import(&mut self, tokens: &[Token]) {
        let span = self.span_of(tokens);
        for piece in split_pieces(self.text, tokens.get(1..).unwrap_or(&[]), ",") {
            let (path, name) = self.split_renamed(piece);
            let path: String =
                path.iter().filter_map(|token| self.text.get(token.start..token.end)).collect();
            if let Some(name) = name {
                self.bind_name(name, span, Meaning::Import(path));
            } else if let Some(name) = piece.first() {
                // `import a.b` binds `a`.
                let root = path.split('.').next().unwrap_or("").to_owned();
                self.bind_name(name, span, Meaning::Import(root));
            }
        }
    }

    /// What is before `as`, and the name after it.
    fn split_renamed<'t>(&self, piece: &'t [Token]) -> (&'t [Token], Option<&'t Token>) {
        match find_mark(self.text, piece, "as") {
            Some(at) => (piece.get(..at).unwrap_or(&[]), piece.get(at + 1)),
            None => (piece, None),
        }
    }

    pub(super) fn import_from(&mut self, tokens: &[Token]) {
        let span = self.span_of(tokens);
        let Some(at) = find_mark(self.text, tokens, "import") else { return };
        let words = |tokens: &[Token]| -> String {
            tokens.iter().filter_map(|token| self.text.get(token.start..token.end)).collect()
        };
        let module = words(tokens.get(1..at).unwrap_or(&[]));
        let mut names = tokens.get(at + 1..).unwrap_or(&[]);
        if self.word_at(names, 0) == "(" {
            names = names.get(1..names.len().saturating_sub(1)).unwrap_or(&[]);
        }
        if self.word_at(names, 0) == "*" {
            let scope = self.current_scope();
            if let Some(scope) = self.program.scopes.get_mut(scope) {
                scope.stars.push((module, span));
            }
            return;
        }
        for piece in split_pieces(self.text, names, ",") {
            let (path, name) = self.split_renamed(piece);
            if let Some(token) = name.or(path.first()) {
                let path = format!("{module}.{}", self.word_at(path, 0));
                self.bind_name(token, span, Meaning::Import(path));
            }
        }
    }
}
